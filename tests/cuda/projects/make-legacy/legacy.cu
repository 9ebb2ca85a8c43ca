#include <cutil.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
/* as the common header of a suite that offers both */
#include <CL/cl.h>

texture<float, 1, cudaReadModeElementType> table;
__constant__ float scale[2];

__global__ void look_up(float *out, int n)
{
	int i = __umul24(blockIdx.x, blockDim.x) + threadIdx.x;
	if (i < n)
		out[i] = tex1Dfetch(table, i) * scale[0] + scale[1];
}

int main(int argc, char **argv)
{
	const int n = 100;
	float host[n], factors[2] = {2, 1}, *in, *out;
	clock_t start = clock();
	srand(time(NULL));
	CUT_DEVICE_INIT(argc, argv);
	for (int i = 0; i < n; i++)
		host[i] = i;
	CUDA_SAFE_CALL(cudaMalloc((void **)&in, sizeof host));
	CUDA_SAFE_CALL(cudaMalloc((void **)&out, sizeof host));
	CUDA_SAFE_CALL(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
	CUDA_SAFE_CALL(cudaMemcpyToSymbol("scale", factors, sizeof factors));
	cudaBindTexture(0, table, in, sizeof host);
	look_up<<<(n + 31) / 32, 32>>>(out, n);
	CUT_CHECK_ERROR("look_up");
	CUDA_SAFE_CALL(cudaThreadSynchronize());
	CUDA_SAFE_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
	bool right = isfinite(host[0]) && clock() >= start;
	for (int i = 0; i < n; i++)
		right = right && host[i] == 2 * i + 1;
	printf("make-legacy %s\n", right ? "PASS" : "FAIL");
	return right ? 0 : 1;
}
