/* The functions for hosts without AVX2 and FMA, against the same GPU: this file stands in for host.c. */
#include "cuda/lanes/loop.h"

bool lane_host_is_wide(void)
{
	return false;
}

#include "lanes.c"
