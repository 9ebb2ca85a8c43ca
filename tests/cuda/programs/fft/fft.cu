/* Radix-2 transforms, one per block, in shared memory; twiddles by sincospif; batches in streams. */
#include "verify.h"
#include <complex>
#include <vector>

#define N 256
#define BATCH 12

__device__ inline float2 operator*(float2 a, float2 b)
{
	return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ inline float2 operator+(float2 a, float2 b)
{
	return make_float2(a.x + b.x, a.y + b.y);
}
__device__ inline float2 operator-(float2 a, float2 b)
{
	return make_float2(a.x - b.x, a.y - b.y);
}

template <int DIRECTION> __global__ void transform(float2 *data)
{
	__shared__ float2 s[N];
	float2 *mine = data + blockIdx.x * N;
	for (int i = threadIdx.x; i < N; i += blockDim.x)
		s[__brev(i) >> 24] = mine[i];
	__syncthreads();
	for (int half = 1; half < N; half *= 2) {
		int i = threadIdx.x, k = i & (half - 1), at = (i / half) * 2 * half + k;
		float2 w;
		sincospif(DIRECTION * (float)k / (float)half, &w.y, &w.x);
		float2 t = w * s[at + half], u = s[at];
		s[at] = u + t;
		s[at + half] = u - t;
		__syncthreads();
	}
	for (int i = threadIdx.x; i < N; i += blockDim.x)
		mine[i] = DIRECTION > 0 ? make_float2(s[i].x / N, s[i].y / N) : s[i];
}

int main(void)
{
	std::vector<float2> in(N * BATCH), out(N * BATCH), back(N * BATCH);
	float2 *d;
	cudaStream_t stream[3];
	int wrong = 0;
	for (int i = 0; i < N * BATCH; i++)
		in[i] = make_float2((float)(i * 37 % 101) / 101, (float)(i * 53 % 97) / 97);
	CHECK_CUDA(cudaMalloc(&d, in.size() * sizeof(float2)));
	for (int s = 0; s < 3; s++) {
		int count = BATCH / 3, at = s * count * N;
		size_t bytes = count * N * sizeof(float2);
		CHECK_CUDA(cudaStreamCreate(&stream[s]));
		CHECK_CUDA(cudaMemcpyAsync(d + at, &in[at], bytes, cudaMemcpyHostToDevice, stream[s]));
		transform<-1><<<count, N / 2, 0, stream[s]>>>(d + at);
		CHECK_CUDA(cudaMemcpyAsync(&out[at], d + at, bytes, cudaMemcpyDeviceToHost, stream[s]));
		transform<1><<<count, N / 2, 0, stream[s]>>>(d + at);
		CHECK_CUDA(cudaMemcpyAsync(&back[at], d + at, bytes, cudaMemcpyDeviceToHost, stream[s]));
	}
	for (int s = 0; s < 3; s++) {
		CHECK_CUDA(cudaStreamSynchronize(stream[s]));
		CHECK_CUDA(cudaStreamDestroy(stream[s]));
	}
	for (int b = 0; b < BATCH; b += 5)
		for (int k = 0; k < N; k += 7) {
			std::complex<double> sum = 0;
			for (int j = 0; j < N; j++)
				sum += std::complex<double>(in[b * N + j].x, in[b * N + j].y) *
				       std::polar(1.0, -2 * 3.14159265358979323846 * j * k / N);
			wrong +=
			    std::abs(sum - std::complex<double>(out[b * N + k].x, out[b * N + k].y)) > 1e-3;
		}
	for (size_t i = 0; i < in.size(); i++)
		wrong += fabs(in[i].x - back[i].x) > 1e-5 || fabs(in[i].y - back[i].y) > 1e-5;
	return verify_result("fft", wrong);
}
