/* cooperative_groups: reductions and scans, partitions by label, tiles larger than a warp, shuffles of structures. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
enum { THREADS = 256, COLUMNS = 14 };

struct pair {
	double sum;
	int count;
	char tag;
};

struct add_pairs {
	__device__ pair operator()(const pair &a, const pair &b) const
	{
		pair c = {a.sum + b.sum, a.count + b.count, a.tag};
		return c;
	}
};

__global__ void run(int *out)
{
	__shared__ cg::block_tile_memory<THREADS> memory;
	cg::thread_block block = cg::this_thread_block(memory);
	int i = (int)block.thread_rank(), value = i * 7 % 31, *r = out + i * COLUMNS;
	auto warp = cg::tiled_partition<32>(block);
	auto eight = cg::tiled_partition<8>(block);
	r[0] = cg::reduce(warp, value, cg::plus<int>());
	r[1] = cg::reduce(eight, value, cg::greater<int>()) * 100 + cg::reduce(eight, value, cg::less<int>());
	r[2] = cg::inclusive_scan(warp, value);
	r[3] = cg::exclusive_scan(eight, value);
	r[4] = cg::inclusive_scan(eight, value, cg::bit_xor<int>());

	auto large = cg::tiled_partition<64>(block);
	r[5] = cg::reduce(large, value, cg::plus<int>());
	r[6] = cg::inclusive_scan(large, value);
	r[7] = (int)(large.meta_group_rank() * 1000 + large.thread_rank());

	cg::coalesced_group same = cg::labeled_partition(warp, i % 5);
	r[8] = (int)(same.size() * 100 + same.thread_rank());
	r[9] = cg::reduce(same, value, cg::plus<int>());
	cg::coalesced_group half = cg::binary_partition(warp, value > 12);
	r[10] = (int)half.size();
	r[11] = cg::inclusive_scan(half, 1);

	pair p = {value * 0.5, 1, (char)i};
	pair total = cg::reduce(warp, p, add_pairs());
	r[12] = (int)(total.sum * 2) * 100 + total.count;
	r[13] = warp.shfl_xor(p, 1).tag;
}

static void expect(int i, int *r)
{
	int value[THREADS], warp = i / 32 * 32, eight = i / 8 * 8, large = i / 64 * 64;
	for (int k = 0; k < THREADS; k++)
		value[k] = k * 7 % 31;
	memset(r, 0, COLUMNS * sizeof *r);
	int most = 0, least = 100, members = 0, rank = 0;
	for (int k = warp; k < warp + 32; k++) {
		r[0] += value[k];
		r[2] += k <= i ? value[k] : 0;
		r[9] += k % 5 == i % 5 ? value[k] : 0;
		members += k % 5 == i % 5;
		rank += k % 5 == i % 5 && k < i;
		r[10] += (value[k] > 12) == (value[i] > 12);
		r[11] += (value[k] > 12) == (value[i] > 12) && k <= i;
	}
	r[8] = members * 100 + rank;
	for (int k = eight; k < eight + 8; k++) {
		most = value[k] > most ? value[k] : most;
		least = value[k] < least ? value[k] : least;
		r[3] += k < i ? value[k] : 0;
		r[4] ^= k <= i ? value[k] : 0;
	}
	r[1] = most * 100 + least;
	for (int k = large; k < large + 64; k++) {
		r[5] += value[k];
		r[6] += k <= i ? value[k] : 0;
	}
	r[7] = i / 64 * 1000 + i % 64;
	r[12] = r[0] * 100 + 32;
	r[13] = (char)(i ^ 1);
}

int main(void)
{
	static int want[THREADS * COLUMNS];
	for (int i = 0; i < THREADS; i++)
		expect(i, want + i * COLUMNS);
	check_run("collective operations", want, [&](int *out) { run<<<1, THREADS>>>(out); });
	return check_finish("group_collectives");
}
