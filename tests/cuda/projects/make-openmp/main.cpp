#include <cstdio>
#include <cuda_runtime.h>

void square(int *p, int n, cudaStream_t stream);

int main()
{
	const int n = 100;
	int wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
	for (int part = 0; part < 4; part++) {
		int host[n], *device;
		cudaStream_t stream;
		cudaStreamCreate(&stream);
		for (int i = 0; i < n; i++)
			host[i] = part * n + i;
		cudaMalloc((void **)&device, sizeof host);
		cudaMemcpyAsync(device, host, sizeof host, cudaMemcpyHostToDevice, stream);
		square(device, n, stream);
		cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, stream);
		cudaStreamSynchronize(stream);
		for (int i = 0; i < n; i++)
			wrong += host[i] != (part * n + i) * (part * n + i);
	}
	std::printf("make-openmp %s\n", wrong ? "FAIL" : "PASS");
	return wrong != 0;
}
