/*
 * Modules as compiled programs register them: a text of PTX in the wrapper that nvcc puts around it. To be included
 * before <cuda_runtime_api.h>, as the declarations of the runtime itself have to be.
 */
#ifndef SLUICE_TESTS_UNIT_CUDART_MODULE_H
#define SLUICE_TESTS_UNIT_CUDART_MODULE_H

#include "cudart/calls.h"

struct wrapper {
	int magic, version;
	const char *data;
	void *unused;
};
enum { WRAPPER_MAGIC = 0x466243b1 };

/* Up to 64 of them; the library keeps the wrapper's address until the end. */
static inline void **module_wrap(const char *data, int magic, int version)
{
	static struct wrapper wrappers[64];
	static unsigned count;
	wrappers[count] = (struct wrapper){magic, version, data, NULL};
	return __cudaRegisterFatBinary(&wrappers[count++]);
}

static inline void **module_add(const char *text)
{
	return module_wrap(text, WRAPPER_MAGIC, 1);
}

#endif
