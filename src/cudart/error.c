/* Error codes: the thread's last one, names and texts. */
#include "cudart/calls.h"
#include "cudart/state.h"

struct error_text {
	cudaError_t code;
	const char *name, *text;
};

static const struct error_text errors[] = {
#define X(name, text) {name, #name, text},
#include "cudart/errors.def"
#undef X
};

static const struct error_text *find(cudaError_t code)
{
	for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code)
			return &errors[i];
	return NULL;
}

const char *cudaGetErrorName(cudaError_t error)
{
	return find(error) ? find(error)->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	return find(error) ? find(error)->text : "unrecognized error code";
}

/*
 * A fault of the device is not the last error before a call has returned it;
 * but every call that needs the device does.
 */
cudaError_t cudaPeekAtLastError(void)
{
	return runtime_thread()->last_error;
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = runtime_thread()->last_error;
	runtime_thread()->last_error = cudaSuccess;
	return error;
}
