/* Sums of int, float and double by the templated kernel, in two passes. */
#include "reduction.h"
#include "verify.h"

template <class T> static int run(const char *type, int size, int threads)
{
	T *in = (T *)malloc(size * sizeof(T)), *d_in, *d_out, got, want = 0;
	int blocks = 8;
	for (int i = 0; i < size; i++)
		want += in[i] = (T)(i % 10);
	CHECK_CUDA(cudaMalloc((void **)&d_in, size * sizeof(T)));
	CHECK_CUDA(cudaMalloc((void **)&d_out, blocks * sizeof(T)));
	CHECK_CUDA(cudaMemcpy(d_in, in, size * sizeof(T), cudaMemcpyHostToDevice));
	reduce_on_device<T>(size, threads, blocks, d_in, d_out);
	CHECK_CUDA(cudaGetLastError());
	reduce_on_device<T>(blocks, 64, 1, d_out, d_in);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy(&got, d_in, sizeof got, cudaMemcpyDeviceToHost));
	printf("%s, %d elements, %d threads: %g\n", type, size, threads, (double)got);
	CHECK_CUDA(cudaFree(d_in));
	CHECK_CUDA(cudaFree(d_out));
	free(in);
	return got != want;
}

int main(void)
{
	return verify_result("reduction", run<int>("int", 1 << 14, 512) + run<int>("int", 10007, 512) +
	                                      run<float>("float", 10007, 256) +
	                                      run<double>("double", 5003, 64));
}
