/* cuda_runtime.h has it all. */
#include "../cuda_runtime.h"
