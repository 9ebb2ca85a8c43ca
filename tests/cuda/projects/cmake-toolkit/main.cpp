#include <cuda.h>
#include <cuda_runtime.h>
#include <iostream>

void launch_answer(int *p);

int main()
{
	int *device = nullptr, host = 0, version = 0, count = 0;
	if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&count) != CUDA_SUCCESS || count != 1)
		return 1;
	cudaRuntimeGetVersion(&version);
	cudaMalloc(&device, sizeof host);
	launch_answer(device);
	cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
	bool right = host == 42 && version == CUDART_VERSION && CUDART_VERSION >= 11000;
	std::cout << "cmake-toolkit " << (right ? "PASS" : "FAIL") << std::endl;
	return !right;
}
