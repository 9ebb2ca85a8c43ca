/* The linker inside the driver: it takes one PTX text and gives it back; device code of several is not linked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/driver.h"

#include <cuda_runtime_api.h>

struct link_state {
	char *text; /* NULL: nothing was added yet */
	size_t bytes;
};

static struct link_state *find(CUlinkState handle)
{
	struct runtime *rt = runtime_lock();
	struct link_state *state = handle_get(&rt->handles, HANDLE_LINK, handle);
	runtime_unlock(rt);
	return state;
}

CUresult cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *out)
{
	(void)count, (void)options, (void)values;
	CUresult ready = driver_enter();
	if (ready)
		return ready;
	if (!out)
		return driver_leave(cudaErrorInvalidValue);
	struct runtime *rt = runtime_lock();
	*out = handle_new(&rt->handles, HANDLE_LINK, memory_zeroed(1, sizeof(struct link_state)));
	runtime_unlock(rt);
	return driver_leave(cudaSuccess);
}

CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t bytes, const char *name,
                       unsigned count, CUjit_option *options, void **values)
{
	(void)name, (void)count, (void)options, (void)values;
	struct link_state *state = find(handle);
	if (!state || !data || !bytes)
		return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	if (type != CU_JIT_INPUT_PTX || state->text) {
		runtime_say("cuLinkAddData: %s",
		            state->text ? "linking device code of several inputs is not supported"
		                        : "inputs other than PTX are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	state->text = memory_zeroed(1, bytes + 1);
	memcpy(state->text, data, bytes);
	state->bytes = bytes;
	return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char *path, unsigned count,
                       CUjit_option *options, void **values)
{
	FILE *file = path ? fopen(path, "rb") : NULL;
	if (!file)
		return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
	char *text = NULL, buffer[4096];
	size_t bytes = 0, got;
	while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) {
		text = memory_grow(text, bytes + got, 1);
		memcpy(text + bytes, buffer, got);
		bytes += got;
	}
	fclose(file);
	CUresult result = cuLinkAddData(handle, type, text, bytes, path, count, options, values);
	free(text);
	return result;
}

CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *bytes)
{
	struct link_state *state = find(handle);
	if (!state || !image)
		return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
	if (!state->text)
		return CUDA_ERROR_INVALID_IMAGE;
	*image = state->text;
	if (bytes)
		*bytes = state->bytes;
	return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState handle)
{
	struct runtime *rt = runtime_lock();
	struct link_state *state = handle_remove(&rt->handles, HANDLE_LINK, handle);
	runtime_unlock(rt);
	if (!state)
		return CUDA_ERROR_INVALID_HANDLE;
	free(state->text);
	free(state);
	return CUDA_SUCCESS;
}

DRIVER_ALIAS(cuLinkCreate_v2, cuLinkCreate);
DRIVER_ALIAS(cuLinkAddData_v2, cuLinkAddData);
DRIVER_ALIAS(cuLinkAddFile_v2, cuLinkAddFile);
