/*
 * What stays in L2 when a program asks for it: a hot array is read, a cold one streams by, the hot one is read again.
 *
 *	nvcc -O3 -arch=sm_90 persistence.cu -o persistence && ./persistence
 *
 * Three launches per row. The third times every load: those faster than half way between L2 and DRAM are hits. A row: way,
 * set-aside in MiB, hit ratio in percent, hot and cold MiB, hits in percent. Ways: plain (no request), window (access
 * policy window over the hot array), last (createpolicy evict_last on the hot loads), first (evict_first on the cold
 * loads), async (window, hot array copied by cp.async), bulk (window, by cp.async.bulk).
 */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum way { PLAIN, WINDOW, LAST, FIRST, ASYNC, BULK, WAYS };
static const char *const names[WAYS] = {"plain", "window", "last", "first", "async", "bulk"};
enum { CTAS = 132, THREADS = 256, SECTOR = 32 };

__device__ unsigned long long hits, loads, spent;

__device__ static inline unsigned long long policy(bool last, float ratio)
{
	unsigned long long p;
	if (last)
		asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, %1;" : "=l"(p) : "f"(ratio));
	else
		asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, %1;" : "=l"(p) : "f"(ratio));
	return p;
}

/* One word of every sector, all SMs together. */
template <int WAY, bool HOT> __global__ void touch(const char *data, size_t bytes, float ratio, unsigned *sink)
{
	unsigned sum = 0, v;
	__shared__ __align__(128) unsigned buffer[THREADS * 4];
	__shared__ __align__(8) unsigned long long bar;
	size_t step = (size_t)CTAS * THREADS * SECTOR;
	size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * SECTOR;
	if (WAY == BULK && HOT) {
		unsigned b = (unsigned)__cvta_generic_to_shared(&bar), to = (unsigned)__cvta_generic_to_shared(buffer);
		if (threadIdx.x == 0) {
			asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
			unsigned phase = 0;
			for (size_t from = (size_t)blockIdx.x * 2048; from < bytes; from += (size_t)CTAS * 2048) {
				asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 2048;" ::"r"(b) : "memory");
				asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 2048, [%2];" ::"r"(to), "l"(data + from), "r"(b) : "memory");
				asm volatile("{ .reg .pred d; w: mbarrier.try_wait.parity.shared.b64 d, [%0], %1; @!d bra w; }" ::"r"(b), "r"(phase) : "memory");
				phase ^= 1;
			}
		}
		return;
	}
	unsigned long long p = WAY == LAST ? policy(true, ratio) : WAY == FIRST ? policy(false, ratio) : 0;
	for (; at < bytes; at += step) {
		if (WAY == ASYNC && HOT) {
			unsigned to = (unsigned)__cvta_generic_to_shared(buffer + threadIdx.x * 4);
			asm volatile("cp.async.cg.shared.global [%0], [%1], 16; cp.async.commit_group; cp.async.wait_group 0;" ::"r"(to), "l"(data + at) : "memory");
			continue;
		}
		if ((WAY == LAST && HOT) || (WAY == FIRST && !HOT))
			asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(v) : "l"(data + at), "l"(p) : "memory");
		else
			asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(data + at) : "memory");
		sum += v;
	}
	if (sum == 0x12345)
		*sink = sum;
}

/* One lane of each warp reads a sample of the hot sectors, one after the other, and times each. */
__global__ void probe(const char *data, size_t bytes, unsigned limit, unsigned *sink)
{
	unsigned hit = 0, count = 0, sum = 0;
	unsigned long long time = 0;
	if (threadIdx.x == 0)
		for (size_t at = (size_t)blockIdx.x * 4096 + 32 * (blockIdx.x % 128); at < bytes; at += (size_t)CTAS * 4096) {
			unsigned v, a, b;
			asm volatile("mov.u32 %0, %%clock;" : "=r"(a)::"memory");
			asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(data + at) : "memory");
			sum += v;
			asm volatile("mov.u32 %0, %%clock;" : "=r"(b) : "r"(sum) : "memory");
			hit += b - a < limit;
			time += b - a;
			count++;
		}
	if (threadIdx.x == 0) {
		atomicAdd(&hits, (unsigned long long)hit);
		atomicAdd(&loads, (unsigned long long)count);
		atomicAdd(&spent, time);
	}
	if (sum == 0x12345)
		*sink = sum;
}

static char *hot, *cold;
static unsigned *sink;

template <int WAY> static void row(size_t aside_mib, int percent, size_t hot_mib, size_t cold_mib, int again)
{
	cudaStream_t s;
	cudaStreamCreate(&s);
	cudaCtxResetPersistingL2Cache();
	cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, aside_mib << 20);
	size_t aside = 0;
	cudaDeviceGetLimit(&aside, cudaLimitPersistingL2CacheSize);
	float ratio = percent / 100.0f;
	/* What earlier rows left goes first. */
	touch<PLAIN, false><<<CTAS, THREADS, 0, s>>>(cold + (256 << 20), 192 << 20, 1, sink);
	if (WAY == WINDOW || WAY == ASYNC || WAY == BULK) {
		cudaStreamAttrValue a;
		memset(&a, 0, sizeof a);
		a.accessPolicyWindow.base_ptr = hot;
		a.accessPolicyWindow.num_bytes = hot_mib << 20;
		a.accessPolicyWindow.hitRatio = ratio;
		a.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
		a.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
		cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &a);
	}
	for (int i = 0; i < again; i++) {
		touch<WAY, true><<<CTAS, THREADS, 0, s>>>(hot, hot_mib << 20, ratio, sink);
		touch<WAY, false><<<CTAS, THREADS, 0, s>>>(cold, cold_mib << 20, ratio, sink);
	}
	unsigned long long zero = 0, h, n, t;
	cudaMemcpyToSymbol(hits, &zero, sizeof zero);
	cudaMemcpyToSymbol(loads, &zero, sizeof zero);
	cudaMemcpyToSymbol(spent, &zero, sizeof zero);
	probe<<<CTAS, 32, 0, s>>>(hot, hot_mib << 20, 480, sink);
	cudaError_t e = cudaStreamSynchronize(s);
	cudaMemcpyFromSymbol(&h, hits, sizeof h);
	cudaMemcpyFromSymbol(&n, loads, sizeof n);
	cudaMemcpyFromSymbol(&t, spent, sizeof t);
	printf("%s\t%zu\t%d\t%zu\t%zu\t%d\t%.2f\t%.0f\t%zu%s%s\n", names[WAY], aside_mib, percent, hot_mib, cold_mib, again,
	       n ? 100.0 * (double)h / (double)n : -1, n ? (double)t / (double)n : -1, aside >> 20, e ? "\t" : "", e ? cudaGetErrorString(e) : "");
	cudaStreamDestroy(s);
}

int main(int argc, char **argv)
{
	cudaMalloc(&hot, 64 << 20);
	cudaMalloc(&cold, 512 << 20);
	cudaMalloc(&sink, 4);
	cudaMemset(hot, 0, 64 << 20);
	cudaMemset(cold, 0, 512 << 20);
	int l2, persist, window;
	cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0);
	cudaDeviceGetAttribute(&persist, cudaDevAttrMaxPersistingL2CacheSize, 0);
	cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, 0);
	printf("# L2 %d, persisting at most %d, window at most %d\n", l2, persist, window);
	static const size_t sizes[] = {2, 4, 8, 12, 16, 20, 24, 28, 32}, asides[] = {0, 4, 8, 16, 24, 32}, colds[] = {8, 16, 24, 32, 48, 64, 128};
	static const int ratios[] = {25, 50, 75, 100};
	for (size_t h : sizes)
		row<PLAIN>(0, 100, h, 64, 1);
	for (size_t c : colds)
		row<PLAIN>(0, 100, 8, c, 1);
	for (size_t a : asides)
		for (size_t h : sizes)
			row<WINDOW>(a, 100, h, 128, 1);
	for (size_t c : colds)
		row<WINDOW>(16, 100, 8, c, 1);
	for (int r : ratios)
		for (size_t h : {8, 16, 32})
			row<WINDOW>(16, r, h, 128, 1);
	for (int again = 1; again <= 4; again++)
		row<WINDOW>(16, 100, 16, 128, again);
	for (int r : ratios)
		for (size_t h : {4, 8, 16, 24, 32})
			row<LAST>(0, r, h, 128, 1);
	for (size_t h : {8, 16, 24, 32})
		row<LAST>(16, 100, h, 128, 1);
	for (int r : ratios)
		for (size_t h : {4, 8, 16, 24, 32})
			row<FIRST>(0, r, h, 128, 1);
	for (size_t c : colds)
		row<FIRST>(0, 100, 16, c, 1);
	for (size_t h : sizes)
		row<ASYNC>(16, 100, h, 128, 1);
	for (size_t h : sizes)
		row<BULK>(16, 100, h, 128, 1);
	return 0;
}
