/* cuda_runtime.h has it all. */
#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
