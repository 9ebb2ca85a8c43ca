/* cuda_runtime.h has it all. */
#ifndef __SM_32_ATOMIC_FUNCTIONS_H__
#define __SM_32_ATOMIC_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
