/*
 * Which warp a scheduler takes next: warps of one scheduler that all could go on, and when each of them did.
 *
 *	nvcc -O3 -arch=sm_90 scheduler.cu -o scheduler && ./scheduler
 *
 * A row per launch and warp: what it executes, warps on the scheduler, the warp, then the clock after every step, from the
 * earliest of all. The clock takes an instruction of its own; the kernels of four operations per step have fewer of them.
 */
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define STEPS 24
#define MOST 8

enum work { STORE, LOAD, SHARED_STORE, SHARED_LOAD, PRODUCT, CHAIN, STORE4, LOAD4, PAIR, ROWS, KINDS };
static const char *const names[KINDS] = {"store",   "load",   "shared-store", "shared-load", "products",
					 "chain",   "store4", "load4",        "pair",        "rows"};

__device__ static inline unsigned now()
{
	unsigned t;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
	return t;
}

__device__ static inline void store(unsigned *p, unsigned v)
{
	asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ static inline unsigned load(const unsigned *p)
{
	unsigned v;
	asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
	return v;
}

template <int kind> __device__ static inline void step(unsigned *mine, unsigned shared, int i, float *x, unsigned *sum)
{
	if (kind == STORE)
		store(mine + 32 * i, i);
	if (kind == STORE4)
		for (int k = 0; k < 4; k++)
			store(mine + 32 * i, k);
	if (kind == LOAD)
		sum[i & 3] ^= load(mine + 32 * i);
	if (kind == LOAD4)
		for (int k = 0; k < 4; k++)
			sum[k] ^= load(mine + 32 * (i & 3) + 32 * 4 * k);
	if (kind == SHARED_STORE)
		asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared + 128 * (i & 3)), "r"(i) : "memory");
	if (kind == SHARED_LOAD) {
		unsigned v;
		asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(shared + 128 * (i & 3)) : "memory");
		sum[i & 3] ^= v;
	}
	if (kind == PRODUCT)
		for (int k = 0; k < 32; k++)
			asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(x[k & 7]) : "f"(x[8]));
	if (kind == CHAIN)
		for (int k = 0; k < 8; k++)
			asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(x[0]) : "f"(x[8]));
	if (kind == PAIR) { // a load, a product of it and a store: what a loop over rows does
		x[0] += __uint_as_float(load(mine + 32 * (i & 3)));
		store(mine + 32 * (8 + (i & 3)), __float_as_uint(x[0]));
	}
	if (kind == ROWS) { // 32 lines of L1 per load
		x[0] += __uint_as_float(load(mine + 32 * 32 * (threadIdx.x & 31) + i));
	}
}

template <int kind> __global__ void turns(unsigned *data, unsigned *times, unsigned *none, int warps)
{
	__shared__ unsigned room[MOST * 4 * 128];
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	unsigned t[STEPS + 1], sum[4] = {};
	float x[9] = {};
	bool takes_part = warp % 4 == 0 && (int)(warp / 4) < warps;
	unsigned *mine = data + (kind == ROWS ? 0 : warp / 4 * 1024 * 32 + lane);
	unsigned shared = (unsigned)__cvta_generic_to_shared(room + warp / 4 * 128 + lane);
	room[threadIdx.x] = 0;
	if (takes_part)
		for (int i = 0; i < 32; i++)
			sum[0] ^= load(mine + 32 * i) ^ (kind == ROWS ? load(mine + 32 * 32 * lane + i) : 0);
	for (int k = 0; k < 9; k++) // all different: of products that are the same, nvcc keeps one
		x[k] = (float)(sum[0] + k);
	__syncthreads();
	if (!takes_part)
		return;
	t[0] = now();
#pragma unroll
	for (int i = 0; i < STEPS; i++) {
		step<kind>(mine, shared, i, x, sum);
		t[i + 1] = now();
	}
	float all = 0;
	for (float f : x)
		all += f;
	if (all == 12345.f || (sum[0] ^ sum[1] ^ sum[2] ^ sum[3]) == 12345)
		*none = 1;
	if (lane == 0)
		for (int i = 0; i <= STEPS; i++)
			times[warp / 4 * (STEPS + 1) + i] = t[i];
}

template <int kind> static void row(unsigned *data, unsigned *times, unsigned *none)
{
	for (int warps = 2; warps <= MOST; warps *= 2)
		for (int again = 0; again < 2; again++) {
			turns<kind><<<1, MOST * 4 * 32>>>(data, times, none, warps);
			std::vector<unsigned> t((size_t)warps * (STEPS + 1));
			cudaMemcpy(t.data(), times, t.size() * 4, cudaMemcpyDeviceToHost);
			unsigned first = t[0];
			for (unsigned v : t)
				first = (int)(v - first) < 0 ? v : first;
			for (int w = 0; again && w < warps; w++) {
				printf("%s %d %d:", names[kind], warps, w);
				for (int i = 0; i <= STEPS; i++)
					printf(" %u", t[(size_t)w * (STEPS + 1) + (size_t)i] - first);
				printf("\n");
			}
		}
}

int main()
{
	unsigned *data, *times, *none;
	cudaMalloc(&data, 64 << 20);
	cudaMemset(data, 0, 64 << 20);
	cudaMalloc(&times, 1 << 20);
	cudaMalloc(&none, 4);
	row<STORE>(data, times, none);
	row<STORE4>(data, times, none);
	row<LOAD>(data, times, none);
	row<LOAD4>(data, times, none);
	row<SHARED_STORE>(data, times, none);
	row<SHARED_LOAD>(data, times, none);
	row<PRODUCT>(data, times, none);
	row<CHAIN>(data, times, none);
	row<PAIR>(data, times, none);
	row<ROWS>(data, times, none);
	return cudaDeviceSynchronize() != cudaSuccess;
}
