/* Part of cuda_pipeline_primitives.h, under the name that CUDA has for it. */
#include "cuda_pipeline_primitives.h"
