/* Kernels that launch kernels are not supported; the host's API is all there is. */
#include "cuda_runtime_api.h"
