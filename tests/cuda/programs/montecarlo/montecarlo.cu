/* pi by throwing darts, and the mean of a function, in doubles; warps reduce by shuffles, blocks by atomics. */
#include "rng.cuh"
#include "verify.h"

__global__ void darts(unsigned long long *hits, int samples)
{
	Rng rng(blockIdx.x * blockDim.x + threadIdx.x);
	unsigned inside = 0;
	for (int i = 0; i < samples; i++) {
		double x = rng.uniform(), y = rng.uniform();
		inside += __dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)) <= 1.0;
	}
	for (int offset = 16; offset > 0; offset /= 2)
		inside += __shfl_down_sync(0xffffffffu, inside, offset);
	if (threadIdx.x % 32 == 0)
		atomicAdd(hits, (unsigned long long)inside);
}

__global__ void means(double *mean, int samples)
{
	__shared__ double sum[64];
	Rng rng(1000 + blockIdx.x * blockDim.x + threadIdx.x);
	double s = 0;
	for (int i = 0; i < samples; i++)
		s += sqrt(rng.uniform());
	sum[threadIdx.x] = s;
	for (int stride = 32; stride > 0; stride /= 2) {
		__syncthreads();
		if (threadIdx.x < stride)
			sum[threadIdx.x] += sum[threadIdx.x + stride];
	}
	if (threadIdx.x == 0)
		atomicAdd(mean, sum[0]);
}

int main(int argc, char **argv)
{
	const int blocks = 8, threads = 64, samples = argc > 1 ? atoi(argv[1]) : 40;
	unsigned long long *d_hits, hits, want = 0;
	double *d_mean, mean, want_mean = 0;
	CHECK_CUDA(cudaMalloc(&d_hits, sizeof hits));
	CHECK_CUDA(cudaMalloc(&d_mean, sizeof mean));
	CHECK_CUDA(cudaMemset(d_hits, 0, sizeof hits));
	CHECK_CUDA(cudaMemset(d_mean, 0, sizeof mean));
	darts<<<blocks, threads>>>(d_hits, samples);
	means<<<blocks, threads>>>(d_mean, samples);
	CHECK_CUDA(cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaMemcpy(&mean, d_mean, sizeof mean, cudaMemcpyDeviceToHost));
	for (int t = 0; t < blocks * threads; t++) {
		Rng rng(t), other(1000 + t);
		for (int i = 0; i < samples; i++) {
			volatile double x = rng.uniform(), y = rng.uniform(), xx = x * x, yy = y * y;
			want += xx + yy <= 1.0;
			want_mean += sqrt(other.uniform());
		}
	}
	printf("pi is about %g\n", 4.0 * (double)hits / ((double)blocks * threads * samples));
	return verify_result("montecarlo", (hits != want) + (fabs(mean - want_mean) > 1e-9 * want_mean));
}
