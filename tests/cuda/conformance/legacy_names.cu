/* Spellings of old programs: cudaThread calls, symbols by name, spaced launch brackets, old intrinsics, cutil. */
#include "check.h"
#include <cutil.h>

enum { N = 64 };

__constant__ float coefficients[4];
__device__ int counter;

__global__ void run(float *out)
{
	int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
	out[i] = coefficients[i & 3] * (float)i;
	atomicAdd(&counter, 1);
}

int main(int argc, char **argv)
{
	static float got[N], want[N], values[4] = {1.5f, 2.5f, -3.5f, 4.0f};
	int zero = 0, count = -1;
	CUT_DEVICE_INIT(argc, argv);
	CUDA_SAFE_CALL(cudaMemcpyToSymbol("coefficients", values, sizeof values));
	CUDA_SAFE_CALL(cudaMemcpyToSymbol("counter", &zero, sizeof zero, 0, cudaMemcpyHostToDevice));
	float *out = (float *)check_zeros(sizeof got);
	dim3 grid(2, 1), block(32, 1, 1);
	/* clang-format off */
	run << < grid, block >> > (out);
	/* clang-format on */
	CUT_CHECK_ERROR("run failed");
	CUDA(cudaThreadSynchronize());
	check_from_device(got, out, sizeof got);
	CUDA_SAFE_CALL(cudaMemcpyFromSymbol(&count, "counter", sizeof count));
	for (int i = 0; i < N; i++)
		want[i] = values[i & 3] * (float)i;
	check_values("symbols by name", got, want, N);
	check_equal("threads counted", count, N);
	CUDA(cudaFuncSetCacheConfig(run, cudaFuncCachePreferShared), cudaThreadExit());
	return check_finish("legacy_names");
}
