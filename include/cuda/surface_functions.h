/* cuda_runtime.h has it all. */
#ifndef __SURFACE_FUNCTIONS_H__
#define __SURFACE_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
