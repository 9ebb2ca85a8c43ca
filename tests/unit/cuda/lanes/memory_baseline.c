/* The same for hosts without AVX2: this file stands in for lane_host.c. */
#include "cuda/lanes/lanes_loop.h"

bool lane_host_is_wide(void)
{
	return false;
}

#include "memory.c"
