/* The same for hosts without AVX2: this file stands in for host.c. */
#include "cuda/lanes/loop.h"

bool lane_host_is_wide(void)
{
	return false;
}

#include "memory.c"
