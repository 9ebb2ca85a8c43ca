#include <cuda_runtime.h>
#include <cstdio>

void scale(int *p, int by);
void shift(int *p, int by);

int main()
{
	int *device, host[32];
	cudaMalloc(&device, sizeof host);
	cudaMemset(device, 0, sizeof host);
	shift(device, 3);
	scale(device, 5);
	cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
	bool right = host[0] == 15 && host[31] == 15;
	std::printf("make-rdc %s\n", right ? "PASS" : "FAIL");
	return !right;
}
