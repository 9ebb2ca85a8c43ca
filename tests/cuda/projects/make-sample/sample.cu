#include <stdio.h>

#include <helper_cuda.h>
#include <helper_functions.h>

template <int BLOCK> __global__ void multiply(float *c, const float *a, const float *b, int width)
{
	__shared__ float as[BLOCK][BLOCK], bs[BLOCK][BLOCK];
	int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < width; k += BLOCK) {
		as[threadIdx.y][threadIdx.x] = a[y * width + k + threadIdx.x];
		bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * width + x];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < BLOCK; i++)
			sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
		__syncthreads();
	}
	c[y * width + x] = sum;
}

int main(int argc, char **argv)
{
	const int width = 32;
	const size_t bytes = width * width * sizeof(float);
	float *a, *b, *c;
	findCudaDevice(argc, (const char **)argv);
	checkCudaErrors(cudaMallocManaged(&a, bytes));
	checkCudaErrors(cudaMallocManaged(&b, bytes));
	checkCudaErrors(cudaMallocManaged(&c, bytes));
	for (int i = 0; i < width * width; i++)
		a[i] = 1, b[i] = 0.01f;
	StopWatchInterface *timer = NULL;
	sdkCreateTimer(&timer);
	sdkStartTimer(&timer);
	multiply<16><<<dim3(2, 2), dim3(16, 16)>>>(c, a, b, width);
	getLastCudaError("multiply");
	checkCudaErrors(cudaDeviceSynchronize());
	sdkStopTimer(&timer);
	bool right = true;
	for (int i = 0; i < width * width; i++)
		right = right && fabs(c[i] - width * 0.01f) < 1e-5f;
	sdkDeleteTimer(&timer);
	printf("make-sample %s\n", right ? "PASS" : "FAIL");
	return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
