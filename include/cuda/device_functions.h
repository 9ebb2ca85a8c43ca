/* cuda_runtime.h has it all. */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
