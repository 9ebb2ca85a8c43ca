/* Exclusive prefix sum of a long array: blocks of a work-efficient scan, then the sums of the blocks, recursively. */
#include "verify.h"

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#define BLOCK 128

__global__ void prescan(unsigned *g_odata, const unsigned *g_idata, unsigned *g_blockSums, int n)
{
	extern __shared__ unsigned temp[];
	int thid = threadIdx.x, base = blockIdx.x * 2 * BLOCK, offset = 1;
	int ai = thid, bi = thid + BLOCK;
	int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
	temp[ai + bankOffsetA] = base + ai < n ? g_idata[base + ai] : 0;
	temp[bi + bankOffsetB] = base + bi < n ? g_idata[base + bi] : 0;
	for (int d = BLOCK; d > 0; d >>= 1) {
		__syncthreads();
		if (thid < d) {
			int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
			temp[b + CONFLICT_FREE_OFFSET(b)] += temp[a + CONFLICT_FREE_OFFSET(a)];
		}
		offset *= 2;
	}
	if (thid == 0) {
		int last = 2 * BLOCK - 1 + CONFLICT_FREE_OFFSET(2 * BLOCK - 1);
		if (g_blockSums)
			g_blockSums[blockIdx.x] = temp[last];
		temp[last] = 0;
	}
	for (int d = 1; d <= BLOCK; d *= 2) {
		offset >>= 1;
		__syncthreads();
		if (thid < d) {
			int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
			a += CONFLICT_FREE_OFFSET(a);
			b += CONFLICT_FREE_OFFSET(b);
			unsigned t = temp[a];
			temp[a] = temp[b];
			temp[b] += t;
		}
	}
	__syncthreads();
	if (base + ai < n)
		g_odata[base + ai] = temp[ai + bankOffsetA];
	if (base + bi < n)
		g_odata[base + bi] = temp[bi + bankOffsetB];
}

__global__ void uniformAdd(unsigned *g_data, const unsigned *uniforms, int n)
{
	__shared__ unsigned uni;
	if (threadIdx.x == 0)
		uni = uniforms[blockIdx.x];
	__syncthreads();
	for (int k = 0; k < 2; k++) {
		int i = blockIdx.x * 2 * BLOCK + k * BLOCK + threadIdx.x;
		if (i < n)
			g_data[i] += uni;
	}
}

static void scan(unsigned *out, const unsigned *in, int n)
{
	int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
	size_t shared = (2 * BLOCK + 2 * BLOCK / NUM_BANKS) * sizeof(unsigned);
	unsigned *sums = NULL;
	if (blocks > 1)
		CHECK_CUDA(cudaMalloc((void **)&sums, blocks * sizeof *sums));
	prescan<<<blocks, BLOCK, shared>>>(out, in, sums, n);
	CHECK_CUDA(cudaGetLastError());
	if (blocks > 1) {
		scan(sums, sums, blocks);
		uniformAdd<<<blocks, BLOCK>>>(out, sums, n);
		CHECK_CUDA(cudaGetLastError());
		CHECK_CUDA(cudaDeviceSynchronize());
		CHECK_CUDA(cudaFree(sums));
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 70000, wrong = 0;
	unsigned *host = (unsigned *)malloc(n * sizeof *host), *got = (unsigned *)malloc(n * sizeof *got),
	         *in, *out, sum = 0;
	srand(7);
	for (int i = 0; i < n; i++)
		host[i] = rand() % 100;
	CHECK_CUDA(cudaMalloc((void **)&in, n * sizeof *in));
	CHECK_CUDA(cudaMalloc((void **)&out, n * sizeof *out));
	CHECK_CUDA(cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice));
	scan(out, in, n);
	CHECK_CUDA(cudaMemcpy(got, out, n * sizeof *got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++) {
		wrong += got[i] != sum;
		sum += host[i];
	}
	return verify_result("scan", wrong);
}
