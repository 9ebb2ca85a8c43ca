/*
 * Tiles of 64 to 1024 threads. Their warps meet at a named barrier, one per
 * tile of the block, and exchange a value per warp through shared memory.
 * Part of cooperative_groups.h.
 */

namespace cooperative_groups
{

namespace details
{

/* Of each warp of the block, eight bytes. */
SLUICE_CG unsigned long long *warp_slots()
{
	__shared__ unsigned long long slots[32];
	return slots;
}

/* Barrier 0 is the block's. */
SLUICE_CG void sync_threads_of_tile(unsigned int tile, unsigned int threads)
{
	if (tile >= 15)
		__trap(); /* sixteen tiles of 64 threads: there is no barrier left */
	asm volatile("barrier.sync %0, %1;" ::"r"(tile + 1), "r"(threads) : "memory");
}

template <unsigned int N, class Parent> class large_tile
{
      public:
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
		return thread_rank_in_block() & (N - 1);
	}
	SLUICE_CG unsigned int meta_group_rank() const
	{
		return thread_rank_in_block() % threads_of<Parent>::count() / N;
	}
	SLUICE_CG unsigned int meta_group_size() const
	{
		return (threads_of<Parent>::count() + N - 1) / N;
	}
	SLUICE_CG void sync() const
	{
		sync_threads_of_tile(thread_rank_in_block() / N, N);
	}
	SLUICE_CG int any(int predicate) const
	{
		return over_warps((unsigned int)__any_sync(~0u, predicate),
		                  [](unsigned int a, unsigned int b) { return a | b; }) != 0;
	}
	SLUICE_CG int all(int predicate) const
	{
		return !any(!predicate);
	}

	/* `of_warp`, which all threads of a warp have, combined in the order of the warps. */
	template <class T, class Op> SLUICE_CG T over_warps(const T &of_warp, Op op) const
	{
		return over_some_warps(of_warp, N / 32, op);
	}
	/* Of the first `warps` of the tile; at least of one. */
	template <class T, class Op>
	SLUICE_CG T over_some_warps(const T &of_warp, unsigned int warps, Op op) const
	{
		static_assert(sizeof(T) <= 8, "large tiles exchange values of up to eight bytes");
		unsigned long long *slots = warp_slots() + thread_rank_in_block() / N * (N / 32);
		unsigned long long bits = 0;
		__builtin_memcpy(&bits, &of_warp, sizeof of_warp);
		sync(); /* other warps may still read */
		if (lane() == 0)
			slots[thread_rank() / 32] = bits;
		sync();
		T result, next;
		bits = slots[0];
		__builtin_memcpy(&result, &bits, sizeof result);
		for (unsigned int i = 1; i < warps; i++) {
			bits = slots[i];
			__builtin_memcpy(&next, &bits, sizeof next);
			result = op(result, next);
		}
		return result;
	}
};

} // namespace details

#define SLUICE_LARGE_TILE(N)                                                                                 \
	template <class Parent> class thread_block_tile<N, Parent> : public details::large_tile<N, Parent>   \
	{                                                                                                    \
	};
SLUICE_LARGE_TILE(64)
SLUICE_LARGE_TILE(128)
SLUICE_LARGE_TILE(256)
SLUICE_LARGE_TILE(512)
SLUICE_LARGE_TILE(1024)
#undef SLUICE_LARGE_TILE

} // namespace cooperative_groups
