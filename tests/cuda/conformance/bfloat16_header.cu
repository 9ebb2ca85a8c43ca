/* cuda_bf16.h: raw bits, pairs, rounding directions, integers, shuffles, cache operators, atomics, on both sides. */
#include "check.h"
#include <cuda_bf16.h>

enum { THREADS = 64, COLUMNS = 12 };

__host__ __device__ static void compute(float x, unsigned short *r)
{
	__nv_bfloat16 a = __float2bfloat16(x), b = __int2bfloat16_rn((int)x * 3);
	__nv_bfloat16_raw raw = a;
	__nv_bfloat162 pair = make_bfloat162(a, b);
	r[0] = raw.x;
	r[1] = __bfloat16_as_ushort(__float2bfloat16_rz(x));
	r[2] = __bfloat16_as_ushort(__float2bfloat16_rd(x));
	r[3] = __bfloat16_as_ushort(__float2bfloat16_ru(x));
	r[4] = __bfloat16_as_ushort(__high2bfloat16(__hadd2(pair, pair)));
	r[5] = (unsigned short)__bfloat162int_rz(a);
	r[6] = __bfloat16_as_ushort(__double2bfloat16((double)x * 1.0000001));
	r[7] = (unsigned short)(__hbgt2(pair, pair) * 2 + (a > b) + (a == a) * 4 + (bool)a * 8);
}

__global__ void run(unsigned short *out, __nv_bfloat16 *sums)
{
	int i = (int)threadIdx.x;
	unsigned short *r = out + i * COLUMNS;
	float x = (float)(i - 20) * 1.37f;
	compute(x, r);
	__nv_bfloat16 a = __float2bfloat16(x);
	r[8] = __bfloat16_as_ushort(__shfl_xor_sync(~0u, a, 1));
	r[9] = __bfloat16_as_ushort(__low2bfloat16(__shfl_up_sync(~0u, make_bfloat162(a, a), 1)));
	atomicAdd(sums, __float2bfloat16(1.0f));
	atomicAdd((__nv_bfloat162 *)(sums + 2), __floats2bfloat162_rn(1.0f, 0.5f));
	__stcg(sums + 4 + i, a);
	r[10] = __bfloat16_as_ushort(__ldcg(sums + 4 + i));
	r[11] = __bfloat16_as_ushort(__hmax(a, __hneg(a)));
}

int main(void)
{
	static unsigned short want[THREADS * COLUMNS];
	for (int i = 0; i < THREADS; i++) {
		unsigned short *r = want + i * COLUMNS;
		float x = (float)(i - 20) * 1.37f;
		compute(x, r);
		int other = i ^ 1, left = i % 32 ? i - 1 : i;
		r[8] = __bfloat16_as_ushort(__float2bfloat16((float)(other - 20) * 1.37f));
		r[9] = __bfloat16_as_ushort(__float2bfloat16((float)(left - 20) * 1.37f));
		r[10] = r[0];
		r[11] = (unsigned short)(r[0] & 0x7fff);
	}
	__nv_bfloat16 sums[4 + THREADS], *sums_at = zeros_like(sums);
	check_run("bfloat16 on both sides", want,
	          [&](unsigned short *out) { run<<<1, THREADS>>>(out, sums_at); });
	check_from_device(sums, sums_at, sizeof sums);
	check_equal("atomicAdd of one", (int)__bfloat162float(sums[0]), THREADS);
	check_equal("atomicAdd of a pair", (int)(__bfloat162float(sums[2]) * 100 + __bfloat162float(sums[3])),
	            THREADS * 100 + THREADS / 2);
	unsigned short corner = __bfloat16_as_ushort(__float2bfloat16_rd(-1.00001f));
	check_equal("down is away from zero below it", corner, 0xbf81);
	return check_finish("bfloat16_header");
}
