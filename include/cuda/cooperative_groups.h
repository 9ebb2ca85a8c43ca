/*
 * Cooperative groups: thread blocks, tiles of a power of two up to a block,
 * threads that happen to be active, partitions by label, and the whole grid,
 * with sync, ranks, shuffles of any type, votes, reductions and scans.
 *
 * The grid's sync works in grids that are launched with
 * cudaLaunchCooperativeKernel(), whose blocks are all resident. Groups over
 * several devices and clusters are left out.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

#define SLUICE_CG __device__ __forceinline__

namespace cooperative_groups
{

namespace details
{

/* Within the block, and the block within the grid, x fastest. */
SLUICE_CG unsigned int thread_rank_in_block()
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

SLUICE_CG unsigned int threads_of_block()
{
	return blockDim.x * blockDim.y * blockDim.z;
}

SLUICE_CG unsigned int lane()
{
	unsigned int lane_id;
	asm("mov.u32 %0, %%laneid;" : "=r"(lane_id));
	return lane_id;
}

SLUICE_CG unsigned int lanes_below()
{
	return (1u << lane()) - 1;
}

/* A value of any type, in the words that shuffles move: `move` is called for each. */
template <class T, class Move> SLUICE_CG T by_words(const T &value, Move move)
{
	union pieces {
		unsigned int word[(sizeof(T) + 3) / 4];
		T value;
		SLUICE_CG pieces()
		{
		}
	} in, out;
	in.word[(sizeof(T) - 1) / 4] = 0; /* what a short type leaves open */
	__builtin_memcpy(&in.value, &value, sizeof value);
	for (unsigned int i = 0; i < (sizeof(T) + 3) / 4; i++)
		out.word[i] = move(in.word[i]);
	T result;
	__builtin_memcpy(&result, &out.value, sizeof result);
	return result;
}

/* A counter that all blocks of all grids share: every block adds once per sync, the first adds what turns bit 31. */
static __device__ unsigned int grid_barrier;

SLUICE_CG void sync_grid(unsigned int blocks, bool is_first_block)
{
	__syncthreads();
	if (thread_rank_in_block() == 0) {
		unsigned int step = is_first_block ? 0x80000000u - (blocks - 1) : 1;
		__threadfence();
		unsigned int before = atomicAdd(&grid_barrier, step);
		while (((*(volatile unsigned int *)&grid_barrier ^ before) & 0x80000000u) == 0)
			;
		__threadfence();
	}
	__syncthreads();
}

} // namespace details

/* What any group can do; a tile is given by the lanes it has. */
class thread_group
{
      protected:
	unsigned int threads, rank, mask; /* mask 0: the whole block */

      public:
	SLUICE_CG thread_group(unsigned int group_threads, unsigned int group_rank, unsigned int group_mask)
	    : threads(group_threads), rank(group_rank), mask(group_mask)
	{
	}
	SLUICE_CG unsigned int size() const
	{
		return threads;
	}
	SLUICE_CG unsigned int num_threads() const
	{
		return threads;
	}
	SLUICE_CG unsigned int thread_rank() const
	{
		return rank;
	}
	SLUICE_CG bool is_valid() const
	{
		return true;
	}
	SLUICE_CG void sync() const
	{
		if (mask)
			__syncwarp(mask);
		else
			__syncthreads();
	}
	friend SLUICE_CG thread_group tiled_partition(const thread_group &parent, unsigned int tile);
};

class thread_block : public thread_group
{
      public:
	SLUICE_CG thread_block()
	    : thread_group(details::threads_of_block(), details::thread_rank_in_block(), 0)
	{
	}
	SLUICE_CG void sync() const
	{
		__syncthreads();
	}
	static SLUICE_CG unsigned int size()
	{
		return details::threads_of_block();
	}
	static SLUICE_CG unsigned int num_threads()
	{
		return details::threads_of_block();
	}
	static SLUICE_CG unsigned int thread_rank()
	{
		return details::thread_rank_in_block();
	}
	SLUICE_CG dim3 group_index() const
	{
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
	SLUICE_CG dim3 thread_index() const
	{
		return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
	}
	SLUICE_CG dim3 group_dim() const
	{
		return dim3(blockDim.x, blockDim.y, blockDim.z);
	}
	SLUICE_CG dim3 dim_threads() const
	{
		return group_dim();
	}
};

class grid_group
{
      public:
	SLUICE_CG bool is_valid() const
	{
		return true;
	}
	SLUICE_CG void sync() const
	{
		details::sync_grid(gridDim.x * gridDim.y * gridDim.z,
		                   (blockIdx.x | blockIdx.y | blockIdx.z) == 0);
	}
	SLUICE_CG unsigned long long size() const
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * details::threads_of_block();
	}
	SLUICE_CG unsigned long long num_threads() const
	{
		return size();
	}
	SLUICE_CG unsigned long long num_blocks() const
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
	}
	SLUICE_CG unsigned long long block_rank() const
	{
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	}
	SLUICE_CG unsigned long long thread_rank() const
	{
		return block_rank() * details::threads_of_block() + details::thread_rank_in_block();
	}
	SLUICE_CG dim3 group_dim() const
	{
		return dim3(gridDim.x, gridDim.y, gridDim.z);
	}
	SLUICE_CG dim3 dim_blocks() const
	{
		return group_dim();
	}
	SLUICE_CG dim3 block_index() const
	{
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
};

/* The threads that are active where it is made. */
class coalesced_group
{
	unsigned int mask, group_rank, group_count; /* which of the groups that a partition made */

	/* By halves, without branches: lanes of one warp look for different ones. */
	SLUICE_CG unsigned int nth_lane(unsigned int n) const
	{
		unsigned int lane = 0;
#pragma unroll
		for (unsigned int width = 16; width; width /= 2) {
			unsigned int below = (unsigned int)__popc(mask >> lane & ((1u << width) - 1));
			bool is_above = n >= below;
			n -= is_above ? below : 0;
			lane += is_above ? width : 0;
		}
		return lane;
	}
	template <class T> SLUICE_CG T from_lane(const T &value, unsigned int lane) const
	{
		unsigned int members = mask;
		return details::by_words(
		    value, [=](unsigned int word) { return __shfl_sync(members, word, (int)lane); });
	}

      public:
	explicit SLUICE_CG coalesced_group(unsigned int lanes, unsigned int rank = 0, unsigned int count = 1)
	    : mask(lanes), group_rank(rank), group_count(count)
	{
	}
	SLUICE_CG operator thread_group() const
	{
		return thread_group(size(), thread_rank(), mask);
	}
	/* For the functions of this header. */
	SLUICE_CG unsigned int lanes() const
	{
		return mask;
	}
	SLUICE_CG unsigned int meta_group_rank() const
	{
		return group_rank;
	}
	SLUICE_CG unsigned int meta_group_size() const
	{
		return group_count;
	}
	SLUICE_CG unsigned int size() const
	{
		return (unsigned int)__popc(mask);
	}
	SLUICE_CG unsigned int num_threads() const
	{
		return size();
	}
	SLUICE_CG unsigned int thread_rank() const
	{
		return (unsigned int)__popc(mask & details::lanes_below());
	}
	SLUICE_CG void sync() const
	{
		__syncwarp(mask);
	}
	template <class T> SLUICE_CG T shfl(T value, unsigned int rank) const
	{
		return from_lane(value, nth_lane(rank % size()));
	}
	template <class T> SLUICE_CG T shfl_up(T value, unsigned int delta) const
	{
		unsigned int rank = thread_rank();
		return from_lane(value, nth_lane(rank >= delta ? rank - delta : rank));
	}
	template <class T> SLUICE_CG T shfl_down(T value, unsigned int delta) const
	{
		unsigned int rank = thread_rank();
		return from_lane(value, nth_lane(rank + delta < size() ? rank + delta : rank));
	}
	SLUICE_CG int any(int predicate) const
	{
		return __any_sync(mask, predicate);
	}
	SLUICE_CG int all(int predicate) const
	{
		return __all_sync(mask, predicate);
	}
	/* Bit i is the thread of rank i. */
	SLUICE_CG unsigned int ballot(int predicate) const
	{
		unsigned int votes = __ballot_sync(mask, predicate), packed = 0, rank = 0;
		for (unsigned int rest = mask; rest; rest &= rest - 1, rank++)
			packed |= (votes >> (__ffs((int)rest) - 1) & 1) << rank;
		return packed;
	}
	template <class T> SLUICE_CG unsigned int match_any(T value) const
	{
		unsigned int same = __match_any_sync(mask, value), packed = 0, rank = 0;
		for (unsigned int rest = mask; rest; rest &= rest - 1, rank++)
			packed |= (same >> (__ffs((int)rest) - 1) & 1) << rank;
		return packed;
	}
};

template <unsigned int N, class Parent = void> class thread_block_tile;

namespace details
{

template <class Parent> struct threads_of {
	static SLUICE_CG unsigned int count()
	{
		return threads_of_block();
	}
};
template <unsigned int N, class Parent> struct threads_of<thread_block_tile<N, Parent>> {
	static SLUICE_CG unsigned int count()
	{
		return N;
	}
};

} // namespace details

/* A tile of N threads, N a power of two up to 32; larger ones are in sluice/groups_large.h. */
template <unsigned int N, class Parent> class thread_block_tile
{
	static_assert(N != 0 && N <= 1024 && (N & (N - 1)) == 0, "a tile has a power of two of threads");

	SLUICE_CG unsigned int first_lane() const
	{
		return details::lane() & ~(N - 1);
	}

      public:
	/* For the functions of this header. */
	SLUICE_CG unsigned int lanes() const
	{
		return N == 32 ? ~0u : ((1u << (N & 31)) - 1) << first_lane();
	}
	SLUICE_CG thread_block_tile()
	{
	}
	template <class Other> SLUICE_CG thread_block_tile(const thread_block_tile<N, Other> &)
	{
	}
	SLUICE_CG operator thread_group() const
	{
		return thread_group(N, thread_rank(), lanes());
	}
	static SLUICE_CG constexpr unsigned int size()
	{
		return N;
	}
	static SLUICE_CG constexpr unsigned int num_threads()
	{
		return N;
	}
	SLUICE_CG unsigned int thread_rank() const
	{
		return details::thread_rank_in_block() & (N - 1);
	}
	SLUICE_CG unsigned int meta_group_rank() const
	{
		return details::thread_rank_in_block() % details::threads_of<Parent>::count() / N;
	}
	SLUICE_CG unsigned int meta_group_size() const
	{
		return (details::threads_of<Parent>::count() + N - 1) / N;
	}
	SLUICE_CG void sync() const
	{
		__syncwarp(lanes());
	}
	template <class T> SLUICE_CG T shfl(T value, int rank) const
	{
		unsigned int members = lanes();
		return details::by_words(
		    value, [=](unsigned int word) { return __shfl_sync(members, word, rank, N); });
	}
	template <class T> SLUICE_CG T shfl_up(T value, unsigned int delta) const
	{
		unsigned int members = lanes();
		return details::by_words(
		    value, [=](unsigned int word) { return __shfl_up_sync(members, word, delta, N); });
	}
	template <class T> SLUICE_CG T shfl_down(T value, unsigned int delta) const
	{
		unsigned int members = lanes();
		return details::by_words(
		    value, [=](unsigned int word) { return __shfl_down_sync(members, word, delta, N); });
	}
	template <class T> SLUICE_CG T shfl_xor(T value, unsigned int mask) const
	{
		unsigned int members = lanes();
		return details::by_words(
		    value, [=](unsigned int word) { return __shfl_xor_sync(members, word, (int)mask, N); });
	}
	SLUICE_CG int any(int predicate) const
	{
		return __any_sync(lanes(), predicate);
	}
	SLUICE_CG int all(int predicate) const
	{
		return __all_sync(lanes(), predicate);
	}
	SLUICE_CG unsigned int ballot(int predicate) const
	{
		return (__ballot_sync(lanes(), predicate) & lanes()) >> first_lane();
	}
	template <class T> SLUICE_CG unsigned int match_any(T value) const
	{
		return (__match_any_sync(lanes(), value) & lanes()) >> first_lane();
	}
	template <class T> SLUICE_CG unsigned int match_all(T value, int &is_same) const
	{
		return (__match_all_sync(lanes(), value, &is_same) & lanes()) >> first_lane();
	}
};

SLUICE_CG thread_block this_thread_block()
{
	return thread_block();
}

SLUICE_CG grid_group this_grid()
{
	return grid_group();
}

SLUICE_CG coalesced_group coalesced_threads()
{
	return coalesced_group(__activemask());
}

/* Room that large tiles once needed from the program. */
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
	unsigned int sluice_unused;
};

template <unsigned int MaxBlockSize>
SLUICE_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
	return thread_block();
}

template <unsigned int N, class Parent> SLUICE_CG thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<N, Parent>();
}

/* Tiles whose size is known only when the kernel runs. */
SLUICE_CG thread_group tiled_partition(const thread_group &parent, unsigned int tile)
{
	unsigned int first = details::lane() & ~(tile - 1);
	unsigned int mask = tile >= 32 ? ~0u : ((1u << tile) - 1) << first;
	return thread_group(tile, parent.rank & (tile - 1), mask);
}

template <class Group> SLUICE_CG void sync(const Group &group)
{
	group.sync();
}

template <class Group> SLUICE_CG unsigned int thread_rank(const Group &group)
{
	return (unsigned int)group.thread_rank();
}

template <class Group> SLUICE_CG unsigned int group_size(const Group &group)
{
	return (unsigned int)group.size();
}

} // namespace cooperative_groups

#include "sluice/groups_large.h"

#include "sluice/groups_collective.h"

#undef SLUICE_CG

#endif
#endif
