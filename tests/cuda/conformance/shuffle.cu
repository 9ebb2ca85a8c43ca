/* shfl.sync: idx, up, down, bfly, with widths, its predicate, 64-bit values, and a reduction and scan by shuffles. */
#include "check.h"

enum { LANES = 32, ROWS = 16 };

/* What lane gets, and whether its source was in range, by the rule of the PTX manual. */
static int source(int mode, int lane, int b, int clamp_bits, int segment, int *in_range)
{
	int max_lane = (lane & segment) | (clamp_bits & ~segment), min_lane = lane & segment, j;
	switch (mode) {
	case 0:
		j = lane - b;
		*in_range = j >= max_lane;
		break;
	case 1:
		j = lane + b;
		*in_range = j <= max_lane;
		break;
	case 2:
		j = lane ^ b;
		*in_range = j <= max_lane;
		break;
	default:
		j = min_lane | (b & ~segment);
		*in_range = j <= max_lane;
	}
	return *in_range ? j : lane;
}

#define SHUFFLE(row, mode, b, c)                                                                             \
	asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %2, %3, %4, 0xffffffff; "                 \
	             "selp.u32 %1, 1, 0, p; }"                                                               \
	             : "=r"(value), "=r"(valid)                                                              \
	             : "r"(mine), "r"(b), "r"(c));                                                           \
	out[(row)*LANES + lane] = value * 2 + valid;

__global__ void shuffle(unsigned *out)
{
	unsigned lane = threadIdx.x, mine = lane * 7 + 3, value, valid;
	SHUFFLE(0, "up", 1, 0)
	SHUFFLE(1, "up", 5, 0x1800)
	SHUFFLE(2, "down", 1, 31)
	SHUFFLE(3, "down", 9, 0x181f)
	SHUFFLE(4, "bfly", 16, 31)
	SHUFFLE(5, "bfly", 3, 0x1c1f)
	SHUFFLE(6, "idx", 0, 31)
	SHUFFLE(7, "idx", lane * 5 & 31, 31)
	SHUFFLE(8, "idx", 6, 0x181f)
	SHUFFLE(9, "down", 4, 0x1e1f)
	SHUFFLE(10, "idx", 31, 15)
	SHUFFLE(11, "bfly", 31, 0x101f)
	SHUFFLE(12, "up", lane & 3, 0)
	SHUFFLE(13, "down", lane & 7, 31)
	SHUFFLE(14, "bfly", lane & 1 ? 3 : 5, 31)
	SHUFFLE(15, "idx", 40, 31)
}

static void expect(unsigned *want)
{
	for (int lane = 0; lane < LANES; lane++) {
		const struct {
			int mode, b, c;
		} row[ROWS] = {{0, 1, 0},
		               {0, 5, 0x1800},
		               {1, 1, 31},
		               {1, 9, 0x181f},
		               {2, 16, 31},
		               {2, 3, 0x1c1f},
		               {3, 0, 31},
		               {3, lane * 5 & 31, 31},
		               {3, 6, 0x181f},
		               {1, 4, 0x1e1f},
		               {3, 31, 15},
		               {2, 31, 0x101f},
		               {0, lane & 3, 0},
		               {1, lane & 7, 31},
		               {2, lane & 1 ? 3 : 5, 31},
		               {3, 40 & 31, 31}};
		for (int r = 0; r < ROWS; r++) {
			int in_range;
			int j =
			    source(row[r].mode, lane, row[r].b, row[r].c & 31, row[r].c >> 8 & 31, &in_range);
			want[r * LANES + lane] = (unsigned)((j * 7 + 3) * 2 + in_range);
		}
	}
}

struct typed {
	long long sum;
	double product;
	float largest;
	int scan;
	unsigned part;
};

__global__ void typed(struct typed *out)
{
	int lane = threadIdx.x;
	struct typed r;
	r.sum = (long long)lane << 33;
	r.product = 1.0 + lane;
	r.largest = (float)((lane * 13) % 32);
	for (int step = 16; step > 0; step /= 2) {
		r.sum += __shfl_xor_sync(0xffffffff, r.sum, step);
		r.product = __dadd_rn(r.product, __shfl_down_sync(0xffffffff, r.product, step));
		r.largest = fmaxf(r.largest, __shfl_xor_sync(0xffffffff, r.largest, step));
	}
	r.product = __shfl_sync(0xffffffff, r.product, 0);
	r.scan = lane + 1;
	for (int step = 1; step < 32; step *= 2) {
		int other = __shfl_up_sync(0xffffffff, r.scan, step);
		if (lane >= step)
			r.scan += other;
	}
	r.part = 0;
	if (lane >= 8 && lane < 24)
		r.part = __shfl_sync(0x00ffff00, (unsigned)lane * 3, 10 + (lane & 3));
	out[lane] = r;
}

int main(void)
{
	static unsigned want[ROWS * LANES];
	expect(want);
	check_run("shfl.sync", want, [&](unsigned *out) { shuffle<<<1, LANES>>>(out); });

	static struct typed result[LANES], expected[LANES];
	memset(expected, 0, sizeof expected);
	for (int lane = 0; lane < LANES; lane++) {
		expected[lane].sum = (long long)(31 * 32 / 2) << 33;
		expected[lane].product = 31 * 32 / 2 + 32;
		expected[lane].largest = 31;
		expected[lane].scan = (lane + 1) * (lane + 2) / 2;
		expected[lane].part = lane >= 8 && lane < 24 ? (unsigned)(10 + (lane & 3)) * 3 : 0;
	}
	struct typed *typed_out = zeros_like(result);
	typed<<<1, LANES>>>(typed_out);
	check_from_device(result, typed_out, sizeof result);
	for (int lane = 0; lane < LANES; lane++) {
		check_equal("sum", result[lane].sum, expected[lane].sum);
		check_equal("product", (long long)result[lane].product, (long long)expected[lane].product);
		check_equal("largest", (long long)result[lane].largest, (long long)expected[lane].largest);
		check_equal("scan", result[lane].scan, expected[lane].scan);
		check_equal("part", result[lane].part, expected[lane].part);
	}
	return check_finish("shuffle");
}
