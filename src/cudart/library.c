/*
 * Libraries of the runtime API: modules that a program loads itself, by other
 * names than the driver's; and the driver's functions by name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "cudart/driver.h"

#include <cuda_runtime_api.h>

/* Both APIs count their errors alike; a missing name is the runtime's "symbol not found". */
static cudaError_t result_of(CUresult result)
{
	cudaError_t error = (cudaError_t)result;
	if (error)
		runtime_thread()->last_error = error;
	return error;
}

/* The runtime API makes the primary context current by itself. */
static void begin(void)
{
	cudaGetDevice(&(int){0});
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                                void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned count)
{
	(void)options, (void)values, (void)count; /* when it is loaded, which is now */
	begin();
	return result_of(cuModuleLoadDataEx((CUmodule *)(void *)library, code, jit_count,
	                                    (CUjit_option *)(void *)jit_options, jit_values));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, enum cudaJitOption *jit_options,
                                    void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                    void **values, unsigned count)
{
	(void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values, (void)count;
	begin();
	return result_of(cuModuleLoad((CUmodule *)(void *)library, file));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
	begin();
	return result_of(cuModuleUnload((CUmodule)library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
	begin();
	return result_of(cuModuleGetFunction((CUfunction *)(void *)kernel, (CUmodule)library, name));
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library)
{
	begin();
	return result_of(cuModuleGetFunctionCount(count, (CUmodule)library));
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library, const char *name)
{
	CUdeviceptr at = 0;
	begin();
	cudaError_t error = result_of(cuModuleGetGlobal(&at, bytes, (CUmodule)library, name));
	if (!error && address)
		*address = (void *)(uintptr_t)at;
	return error;
}

/* ---- the driver's functions by name -------------------------------------------------------------------------- */

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
{
	(void)flags; /* which default stream: there is one */
	if (!name || !function || !*name || strncmp(name, "cu", 2) != 0)
		return runtime_thread()->last_error = cudaErrorInvalidValue;
	*function = dlsym(RTLD_DEFAULT, name);
	if (status)
		*status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
	return *function || status ? cudaSuccess : (runtime_thread()->last_error = cudaErrorSymbolNotFound);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status)
{
	(void)version;
	return cudaGetDriverEntryPoint(name, function, flags, status);
}
