#include "config.h"
#include <cstdio>

__global__ void sieve(unsigned char *composite, int limit)
{
	for (int i = 2 + blockIdx.x * blockDim.x + threadIdx.x; i * i <= limit; i += gridDim.x * blockDim.x)
		for (int k = i * i; k <= limit; k += i)
			composite[k] = 1;
}

int main()
{
	const int limit = 1000;
	unsigned char host[limit + 1], *device;
	int primes = 0, sms = 0;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&device, sizeof host);
	cudaMemset(device, 0, sizeof host);
	sieve<<<MULTIPROCESSORS, 1>>>(device, limit);
	cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 2; i <= limit; i++)
		primes += !host[i];
	bool right = primes == 168 && sms == MULTIPROCESSORS;
	printf("autoconf-run %s\n", right ? "PASS" : "FAIL");
	return !right;
}
