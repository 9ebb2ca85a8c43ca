/* vote.sync all, any, uni, ballot; activemask; match.any and match.all; lane masks; syncwarp in divergent code. */
#include "check.h"

enum { THREADS = 64, COLUMNS = 14 };

__device__ static unsigned special(int which)
{
	unsigned v = 0;
	switch (which) {
	case 0:
		asm("mov.u32 %0, %%lanemask_eq;" : "=r"(v));
		break;
	case 1:
		asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v));
		break;
	case 2:
		asm("mov.u32 %0, %%lanemask_le;" : "=r"(v));
		break;
	case 3:
		asm("mov.u32 %0, %%lanemask_gt;" : "=r"(v));
		break;
	case 4:
		asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v));
		break;
	default:
		asm("mov.u32 %0, %%laneid;" : "=r"(v));
	}
	return v;
}

__global__ void vote(unsigned *out, const int *value, const long long *wide)
{
	int i = threadIdx.x, lane = i & 31;
	unsigned *r = out + i * COLUMNS;
	r[0] = __ballot_sync(0xffffffff, value[i] > 3);
	r[1] = __all_sync(0xffffffff, value[i] >= 0);
	r[2] = __any_sync(0xffffffff, value[i] == 9);
	asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %1, 2; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 "
	             "%0, 1, 0, q; }"
	             : "=r"(r[3])
	             : "r"(i < 32 ? 0 : value[i]));
	r[4] = __match_any_sync(0xffffffff, value[i]);
	r[5] = __match_any_sync(0xffffffff, wide[i]);
	int same;
	r[6] = __match_all_sync(0xffffffff, i < 32 ? 5 : value[i], &same);
	r[7] = (unsigned)same;
	if (lane % 3 == 0) {
		unsigned members = 0x49249249;
		r[8] = __ballot_sync(members, value[i] & 1);
		r[9] = __all_sync(members, lane != 3);
		__syncwarp(members);
	} else {
		r[8] = 0;
		r[9] = (unsigned)__popc(__ballot_sync(0xb6db6db6, lane > 15));
	}
	__syncwarp();
	r[10] = __activemask();
	r[11] = special(lane % 6);
	r[12] = special(5);
	r[13] = special(1) + special(3) + special(0);
}

int main(void)
{
	static int value[THREADS];
	static long long wide[THREADS];
	static unsigned want[THREADS * COLUMNS];
	for (int i = 0; i < THREADS; i++) {
		value[i] = i < 32 ? i * 7 % 10 : 2 + i % 2;
		wide[i] = (long long)(i % 5) << 40;
	}
	for (int i = 0; i < THREADS; i++) {
		unsigned *r = want + i * COLUMNS, bit[32];
		int warp = i / 32 * 32, lane = i % 32;
		for (int k = 0; k < 32; k++)
			bit[k] = 1u << k;
		for (int k = 0; k < 32; k++) {
			int other = value[warp + k];
			r[0] |= other > 3 ? bit[k] : 0;
			r[2] |= other == 9;
			r[4] |= other == value[i] ? bit[k] : 0;
			r[5] |= wide[warp + k] == wide[i] ? bit[k] : 0;
			r[8] |= lane % 3 == 0 && k % 3 == 0 && (other & 1) ? bit[k] : 0;
			r[9] += lane % 3 != 0 && k % 3 != 0 && k > 15;
		}
		r[1] = 1;
		r[3] = i < 32;
		r[6] = i < 32 ? 0xffffffff : 0;
		r[7] = i < 32;
		r[10] = 0xffffffff;
		const unsigned masks[6] = {bit[lane],
		                           bit[lane] - 1,
		                           (bit[lane] - 1) | bit[lane],
		                           ~((bit[lane] - 1) | bit[lane]),
		                           ~(bit[lane] - 1),
		                           (unsigned)lane};
		r[11] = masks[lane % 6];
		r[12] = (unsigned)lane;
		r[13] = 0xffffffff;
	}
	check_run("votes and matches", want,
	          [&](unsigned *out) { vote<<<1, THREADS>>>(out, to_device(value), to_device(wide)); });
	return check_finish("vote");
}
