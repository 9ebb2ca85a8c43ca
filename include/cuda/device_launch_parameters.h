/* cuda_runtime.h has it all. */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "cuda_runtime.h"
#endif
