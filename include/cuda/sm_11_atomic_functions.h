/* cuda_runtime.h has it all. */
#ifndef __SM_11_ATOMIC_FUNCTIONS_H__
#define __SM_11_ATOMIC_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
