/* cooperative_groups: thread blocks, tiled partitions with shuffles and votes, coalesced groups, ranks and sizes. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
enum { THREADS = 128, COLUMNS = 10 };

template <typename Group> __device__ static int sum(Group group, int value)
{
	for (int step = (int)group.size() / 2; step > 0; step /= 2)
		value += group.shfl_down(value, step);
	return group.shfl(value, 0);
}

__global__ void run(int *out)
{
	__shared__ int s[THREADS];
	cg::thread_block block = cg::this_thread_block();
	int i = (int)block.thread_rank(), *r = out + i * COLUMNS;
	s[i] = i * i;
	block.sync();
	r[0] = s[(i + 1) % (int)block.size()];
	r[1] = (int)(block.group_index().x * 1000 + block.thread_index().x);
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	r[2] = sum(warp, i);
	cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
	r[3] = sum(tile, i) * 10 + (int)tile.thread_rank();
	r[4] = (int)tile.ballot(i & 1) + tile.any(i == 5) * 1000 + tile.all(i < 100) * 10000;
	r[5] = (int)(tile.meta_group_rank() * 100 + tile.meta_group_size());
	r[6] = tile.shfl_xor(i, 3) + tile.shfl_up(i, 1) * 1000;
	cg::thread_block_tile<4> small = cg::tiled_partition<4>(warp);
	r[7] = sum(small, 1 << (i & 3));
	r[8] = r[9] = 0;
	if (i % 3 == 0) {
		cg::coalesced_group active = cg::coalesced_threads();
		r[8] = (int)active.size();
		r[9] = (int)active.thread_rank();
	}
	warp.sync();
	cg::sync(block);
}

int main(void)
{
	static int want[THREADS * COLUMNS];
	for (int i = 0; i < THREADS; i++) {
		int *r = want + i * COLUMNS, warp = i / 32 * 32, tile = i / 8 * 8, count = 0, before = 0;
		r[0] = (i + 1) % THREADS * ((i + 1) % THREADS);
		r[1] = i;
		r[2] = 32 * warp + 31 * 32 / 2;
		r[3] = (8 * tile + 28) * 10 + i % 8;
		r[4] = 0xaa + (tile == 0) * 1000 + (tile + 7 < 100) * 10000;
		r[5] = i / 8 * 100 + THREADS / 8;
		r[6] = (i ^ 3) + (i % 8 == 0 ? i : i - 1) * 1000;
		r[7] = 15;
		for (int k = warp; k < warp + 32; k++) {
			count += k % 3 == 0;
			before += k % 3 == 0 && k < i;
		}
		r[8] = i % 3 == 0 ? count : 0;
		r[9] = i % 3 == 0 ? before : 0;
	}
	check_run("cooperative groups", want, [&](int *out) { run<<<1, THREADS>>>(out); });
	return check_finish("cooperative_groups");
}
