#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

__global__ void once(int *p)
{
#ifdef __CUDA_ARCH__
	*p = __CUDA_ARCH__;
#endif
}

int main()
{
	std::ifstream in(PTX_FILE);
	std::stringstream text;
	text << in.rdbuf();
	int *p;
	cudaDeviceProp device;
	cudaGetDeviceProperties(&device, 0);
	cudaMallocManaged(&p, sizeof *p);
	once<<<1, 1>>>(p);
	cudaDeviceSynchronize();
	bool right = text.str().find(".entry twice") != std::string::npos && *p >= 700 && *p <= 100 * device.major + 10 * device.minor;
	printf("cmake-ptx %s\n", right ? "PASS" : "FAIL");
	return !right;
}
