/* y = a x + y with a grid-stride loop; size and factor from the command line; timed by events. */
#include "verify.h"

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
	float a = argc > 2 ? (float)atof(argv[2]) : 2.5f;
	if (n <= 0) {
		fprintf(stderr, "usage: %s [elements [factor]]\n", argv[0]);
		return EXIT_FAILURE;
	}
	float *x = new float[n], *y = new float[n], *want = new float[n], *d_x, *d_y, ms = 0;
	for (int i = 0; i < n; i++) {
		x[i] = (float)(i % 1000);
		y[i] = (float)(i % 7);
		want[i] = a * x[i] + y[i];
	}
	CHECK_CUDA(cudaMalloc(&d_x, n * sizeof(float)));
	CHECK_CUDA(cudaMalloc(&d_y, n * sizeof(float)));
	CHECK_CUDA(cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_y, y, n * sizeof(float), cudaMemcpyHostToDevice));
	int device, sms;
	cudaEvent_t start, stop;
	CHECK_CUDA(cudaGetDevice(&device));
	CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
	CHECK_CUDA(cudaEventCreate(&start));
	CHECK_CUDA(cudaEventCreate(&stop));
	CHECK_CUDA(cudaEventRecord(start));
	saxpy<<<2 * sms, 128>>>(n, a, d_x, d_y);
	CHECK_CUDA(cudaEventRecord(stop));
	CHECK_CUDA(cudaEventSynchronize(stop));
	CHECK_CUDA(cudaEventElapsedTime(&ms, start, stop));
	CHECK_CUDA(cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost));
	fprintf(stderr, "%d elements in %f ms\n", n, ms);
	int wrong = verify_close(y, want, n, 1e-6);
	cudaEventDestroy(start);
	cudaEventDestroy(stop);
	cudaFree(d_x);
	cudaFree(d_y);
	delete[] x;
	delete[] y;
	delete[] want;
	return verify_result("saxpy", wrong);
}
