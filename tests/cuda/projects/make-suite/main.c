#include <cuda_runtime_api.h>
#include <stdio.h>

#include "reduce.h"

int main(void)
{
	float values[1000], want = 0;
	struct cudaDeviceProp device;
	for (int i = 0; i < 1000; i++)
		want += values[i] = (float)(i % 7);
	if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || device.warpSize != 32)
		return 1;
	int right = reduce(values, 1000) == want;
	printf("make-suite %s\n", right ? "PASS" : "FAIL");
	return !right;
}
