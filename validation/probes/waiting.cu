/*
 * CTAs that wait for each other: what a wait costs, by the number of CTAs.
 *
 *	nvcc -O3 -arch=sm_90 waiting.cu -o waiting && ./waiting [SET]
 *
 * Sets: barrier (eight rounds of a grid barrier), backoff (the same with __nanosleep), lookback (a scan by decoupled
 * look-back), chain (each CTA waits for the one before it), lock (a spin lock), ticket (a ticket lock), pair (two warps of
 * a CTA that wake each other through an mbarrier). A row per launch: set, CTAs, cycles that thread 0 of the slowest CTA
 * took, rounds of polling of all CTAs, cycles that all CTAs polled.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct place {
	unsigned arrived, word, pad[30];
};
static const int MOST = 2112;
__device__ unsigned long long polls, polled, slowest;

__device__ static inline unsigned load(const unsigned *p)
{
	unsigned v;
	asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
	return v;
}
__device__ static inline void store(unsigned *p, unsigned v)
{
	asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ static inline void tally(unsigned rounds, long long cycles)
{
#ifndef QUIET
	atomicAdd(&polls, (unsigned long long)rounds);
	atomicAdd(&polled, (unsigned long long)cycles);
#endif
}
__device__ static inline void finish(long long start)
{
#ifndef QUIET
	if (threadIdx.x == 0)
		atomicMax(&slowest, (unsigned long long)(clock64() - start));
#endif
}

template <bool SLEEP> __global__ void barrier(place *p, unsigned rounds)
{
	long long start = clock64(), waited = 0;
	unsigned polled_here = 0;
	for (unsigned r = 1; r <= rounds; r++) {
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			atomicAdd(&p->arrived, 1);
			long long t = clock64();
			while (load(&p->arrived) < r * gridDim.x) {
				polled_here++;
				if (SLEEP)
					__nanosleep(100);
			}
			waited += clock64() - t;
		}
		__syncthreads();
	}
	if (threadIdx.x == 0)
		tally(polled_here, waited);
	finish(start);
}

__global__ void lookback(place *p, unsigned *out)
{
	long long start = clock64();
	__shared__ unsigned before;
	unsigned i = blockIdx.x, own = threadIdx.x + 1;
	for (int d = 16; d; d >>= 1)
		own += __shfl_xor_sync(~0u, own, d);
	if (threadIdx.x == 0) {
		unsigned total = own * (blockDim.x / 32), sum = 0, polled_here = 0;
		if (i)
			store(&p[i].word, 1u << 30 | total);
		long long t = clock64();
		for (int j = (int)i - 1; j >= 0; j--) {
			unsigned v;
			while (!((v = load(&p[j].word)) >> 30))
				polled_here++;
			sum += v & 0x3fffffff;
			if (v >> 31)
				break;
		}
		tally(polled_here, clock64() - t);
		store(&p[i].word, 2u << 30 | (sum + total));
		before = sum;
	}
	__syncthreads();
	out[i * blockDim.x + threadIdx.x] = before + threadIdx.x;
	finish(start);
}

__global__ void chain(place *p)
{
	long long start = clock64();
	unsigned i = blockIdx.x;
	if (threadIdx.x == 0) {
		unsigned polled_here = 0;
		long long t = clock64();
		if (i)
			while (!load(&p[i - 1].word))
				polled_here++;
		tally(polled_here, clock64() - t);
		store(&p[i].word, 1);
	}
	finish(start);
}

__global__ void lock(place *p)
{
	long long start = clock64();
	if (threadIdx.x == 0) {
		unsigned polled_here = 0;
		long long t = clock64();
		while (atomicCAS(&p->word, 0u, 1u))
			polled_here++;
		tally(polled_here, clock64() - t);
		__threadfence();
		p[1].word += blockIdx.x;
		__threadfence();
		atomicExch(&p->word, 0u);
	}
	finish(start);
}

__global__ void ticket(place *p)
{
	long long start = clock64();
	if (threadIdx.x == 0) {
		unsigned polled_here = 0, mine = atomicAdd(&p->arrived, 1);
		long long t = clock64();
		while (load(&p->word) != mine)
			polled_here++;
		tally(polled_here, clock64() - t);
		p[1].word += blockIdx.x;
		__threadfence();
		store(&p->word, mine + 1);
	}
	finish(start);
}

__global__ void pair(unsigned *out, unsigned rounds)
{
	__shared__ unsigned long long bar[2];
	long long start = clock64();
	unsigned at = (unsigned)__cvta_generic_to_shared(bar), warp = threadIdx.x / 32;
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared.b64 [%0], 32; mbarrier.init.shared.b64 [%1], 32;" ::"r"(at), "r"(at + 8) : "memory");
	}
	__syncthreads();
	for (unsigned r = 0; r < rounds; r++) {
		if (warp == (r & 1)) {
			asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at + 8 * (r & 1)) : "memory");
		} else {
			asm volatile("{ .reg .pred done;\n"
				     "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
				     "@!done bra again; }" ::"r"(at + 8 * (r & 1)), "r"(r >> 1 & 1) : "memory");
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = rounds;
	finish(start);
}

static place *places;
static unsigned *out;

static void begin()
{
	unsigned long long zero = 0;
	cudaMemset(places, 0, MOST * sizeof *places);
	cudaMemcpyToSymbol(polls, &zero, sizeof zero);
	cudaMemcpyToSymbol(polled, &zero, sizeof zero);
	cudaMemcpyToSymbol(slowest, &zero, sizeof zero);
	cudaDeviceSynchronize();
}
static void end(const char *set, int ctas)
{
	unsigned long long n, c, s;
	cudaError_t e = cudaDeviceSynchronize();
	cudaMemcpyFromSymbol(&n, polls, sizeof n);
	cudaMemcpyFromSymbol(&c, polled, sizeof c);
	cudaMemcpyFromSymbol(&s, slowest, sizeof s);
	printf("%s\t%d\t%llu\t%llu\t%llu%s%s\n", set, ctas, s, n, c, e ? "\t" : "", e ? cudaGetErrorString(e) : "");
}

int main(int argc, char **argv)
{
	static const int counts[] = {2, 4, 8, 16, 32, 66, 132, 264, 528, 1056};
	const char *only = argc > 1 ? argv[1] : NULL;
	cudaMalloc(&places, MOST * sizeof *places);
	cudaMalloc(&out, MOST * 128 * sizeof *out);
#define SET(name, ctas, ...)                     \
	if (!only || !strcmp(only, name)) {      \
		begin();                         \
		__VA_ARGS__;                     \
		end(name, ctas);                 \
	}
	for (int n : counts)
		SET("barrier", n, barrier<false><<<n, 128>>>(places, 8))
	for (int n : counts)
		SET("backoff", n, barrier<true><<<n, 128>>>(places, 8))
	for (int n : counts)
		SET("lookback", n, lookback<<<n, 128>>>(places, out))
	for (int n : counts)
		SET("chain", n, chain<<<n, 32>>>(places))
	for (int n : counts)
		SET("lock", n, lock<<<n, 32>>>(places))
	for (int n : counts)
		SET("ticket", n, ticket<<<n, 32>>>(places))
	for (int n : counts)
		SET("pair", n, pair<<<n, 64>>>(out, 64))
	return 0;
}
