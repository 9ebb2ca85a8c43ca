/*
 * What L2 keeps: CTAs that are all resident read chunks of their own, past L1, once or several times. DRAM's counters then say how
 * much had to be read again, and how much that others had left in L2 was written back.
 *
 *	nvcc -O3 -arch=sm_90 retention.cu -o retention
 *	ncu --csv --page raw --print-units base --cache-control all --clock-control none \
 *	    --metrics dram__bytes_read.sum,dram__bytes_write.sum ./retention
 *
 * Launches: passes 1, 2, 4; MiB 12 to 64 in steps of 2, for each.
 */
#include <cuda_runtime.h>

__global__ void read(const float4 *from, size_t chunk, int passes, float *to)
{
	float sum = 0;
	from += blockIdx.x * chunk;
	for (int pass = 0; pass < passes; pass++)
		for (size_t i = threadIdx.x; i < chunk; i += blockDim.x) {
			float4 value = __ldcg(from + i);
			sum += value.x + value.y + value.z + value.w;
		}
	if (sum == 1)
		*to = sum;
}

int main()
{
	float4 *from;
	cudaMalloc(&from, (size_t)72 << 20);
	cudaMemset(from, 0, (size_t)72 << 20);
	for (int passes = 1; passes <= 4; passes *= 2)
		for (size_t mib = 12; mib <= 64; mib += 2)
			read<<<1056, 256>>>(from, (mib << 20) / 1056 / sizeof(float4), passes, (float *)from);
	return cudaDeviceSynchronize() != cudaSuccess;
}
