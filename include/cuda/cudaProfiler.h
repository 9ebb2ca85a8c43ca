/* cudaProfilerStart() and cudaProfilerStop(), which cuda_runtime_api.h declares, too. */
#include "cuda_runtime_api.h"
