/* Part of cuda_awbarrier_primitives.h, under the name that CUDA has for it. */
#include "cuda_awbarrier_primitives.h"
