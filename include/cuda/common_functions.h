/* cuda_runtime.h has it all. */
#ifndef __COMMON_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
