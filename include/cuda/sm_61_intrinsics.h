/* cuda_runtime.h has it all. */
#ifndef __SM_61_INTRINSICS_H__
#define __SM_61_INTRINSICS_H__
#include "cuda_runtime.h"
#endif
