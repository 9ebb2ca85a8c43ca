/*
 * Error checks and the choice of a device, as sample programs use them:
 * checkCudaErrors(), getLastCudaError(), findCudaDevice().
 */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"
#include "helper_string.h"

#define DEVICE_RESET cudaDeviceReset();
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

static inline const char *_cudaGetErrorEnum(cudaError_t error)
{
	return cudaGetErrorName(error);
}

static inline void sluice_check(cudaError_t error, const char *call, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", file, line, call, cudaGetErrorString(error),
	        cudaGetErrorName(error));
	exit(EXIT_FAILURE);
}

/* `text` may be NULL; the error is that of any launch or call before. */
static inline void sluice_check_last(const char *text, const char *file, int line)
{
	sluice_check(cudaGetLastError(), text ? text : "an earlier call", file, line);
}

template <class T> inline void check(T result, const char *call, const char *file, int line)
{
	sluice_check((cudaError_t)result, call, file, line);
}

#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) sluice_check_last(text, __FILE__, __LINE__)
#define printLastCudaError(text)                                                                             \
	do {                                                                                                 \
		cudaError_t sluice_error = cudaGetLastError();                                               \
		if (sluice_error != cudaSuccess)                                                             \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, text,                         \
			        cudaGetErrorString(sluice_error));                                           \
	} while (0)

static inline int ftoi(float value)
{
	return (int)(value >= 0 ? value + 0.5f : value - 0.5f);
}

/* Lanes for single precision in an SM of the architecture. */
static inline int _ConvertSMVer2Cores(int major, int minor)
{
	static const struct {
		int major, minor, cores;
	} known[] = {{3, 0, 192}, {3, 2, 192}, {3, 5, 192}, {3, 7, 192}, {5, 0, 128}, {5, 2, 128},
	             {5, 3, 128}, {6, 0, 64},  {6, 1, 128}, {6, 2, 128}, {7, 0, 64},  {7, 2, 64},
	             {7, 5, 64},  {8, 0, 64},  {8, 6, 128}, {8, 7, 128}, {8, 9, 128}, {9, 0, 128}};
	for (unsigned int i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].major == major && known[i].minor == minor)
			return known[i].cores;
	return 128;
}

static inline int gpuDeviceInit(int device)
{
	int count;
	checkCudaErrors(cudaGetDeviceCount(&count));
	if (device < 0 || device >= count) {
		fprintf(stderr, "no device %d: there are %d\n", device, count);
		exit(EXIT_FAILURE);
	}
	checkCudaErrors(cudaSetDevice(device));
	return device;
}

static inline int gpuGetMaxGflopsDeviceId(void)
{
	return 0;
}

/* -device=N, or the first. */
static inline int findCudaDevice(int argc, const char **argv)
{
	int device = gpuDeviceInit(
	    checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0);
	cudaDeviceProp properties;
	checkCudaErrors(cudaGetDeviceProperties(&properties, device));
	printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
	       properties.major, properties.minor);
	return device;
}

static inline bool checkCudaCapabilities(int major, int minor)
{
	int device;
	cudaDeviceProp properties;
	checkCudaErrors(cudaGetDevice(&device));
	checkCudaErrors(cudaGetDeviceProperties(&properties, device));
	return properties.major > major || (properties.major == major && properties.minor >= minor);
}

#endif
