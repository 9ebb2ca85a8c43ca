/* A kernel compiled while the program runs, loaded and launched by the driver API. */
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static const char source[] = "#include \"factor.h\"\n"
                             "__global__ void saxpy(float a, const float *x, float *y, int n)\n"
                             "{\n"
                             "	int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "	if (i < n)\n"
                             "		y[i] = a * FACTOR * x[i] + y[i];\n"
                             "}\n";

static std::string log_of(nvrtcProgram program)
{
	size_t bytes;
	nvrtcGetProgramLogSize(program, &bytes);
	std::vector<char> log(bytes);
	nvrtcGetProgramLog(program, log.data());
	return log.data();
}

/* What is wrong is in the log, at the line of the text. */
static bool mistakes_are_told()
{
	nvrtcProgram program;
	nvrtcCreateProgram(&program, "\n__global__ void k() { undeclared = 1; }\n", "bad.cu", 0, nullptr, nullptr);
	bool failed = nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION;
	std::string log = log_of(program);
	nvrtcDestroyProgram(&program);
	return failed && log.find("bad.cu:2") != std::string::npos && log.find("undeclared") != std::string::npos;
}

int main()
{
	const char *headers[] = {"#define FACTOR SCALE\n"}, *names[] = {"factor.h"};
	const char *options[] = {"--gpu-architecture=compute_80", "-DSCALE=3", "--std=c++14"};
	nvrtcProgram program;
	nvrtcCreateProgram(&program, source, "saxpy.cu", 1, headers, names);
	nvrtcAddNameExpression(program, "saxpy");
	if (nvrtcCompileProgram(program, 3, options) != NVRTC_SUCCESS) {
		printf("%s\n", log_of(program).c_str());
		return 1;
	}
	size_t bytes;
	const char *lowered;
	nvrtcGetPTXSize(program, &bytes);
	std::vector<char> ptx(bytes);
	nvrtcGetPTX(program, ptx.data());
	bool ok = nvrtcGetLoweredName(program, "saxpy", &lowered) == NVRTC_SUCCESS;

	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr x, y;
	const int n = 100;
	float host[100], a = 2;
	int count = n;
	cuInit(0);
	cuDeviceGet(&device, 0);
	cuCtxCreate(&context, 0, device);
	ok = ok && cuModuleLoadData(&module, ptx.data()) == CUDA_SUCCESS &&
	     cuModuleGetFunction(&kernel, module, lowered) == CUDA_SUCCESS;
	nvrtcDestroyProgram(&program);
	for (int i = 0; i < n; i++)
		host[i] = (float)i;
	cuMemAlloc(&x, sizeof host);
	cuMemAlloc(&y, sizeof host);
	cuMemcpyHtoD(x, host, sizeof host);
	cuMemcpyHtoD(y, host, sizeof host);
	void *args[] = {&a, &x, &y, &count};
	ok = ok && cuLaunchKernel(kernel, 4, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr) == CUDA_SUCCESS &&
	     cuCtxSynchronize() == CUDA_SUCCESS;
	cuMemcpyDtoH(host, y, sizeof host);
	for (int i = 0; i < n; i++)
		ok = ok && host[i] == 7.0f * (float)i;
	ok = ok && mistakes_are_told();
	printf("make-nvrtc %s\n", ok ? "PASS" : "FAIL");
	return !ok;
}
