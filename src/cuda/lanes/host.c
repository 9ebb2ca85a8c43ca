/* What the host can do. Alone in its file, so that a test can stand in for it and run the baseline functions. */
#include "cuda/lanes/loop.h"

bool lane_host_is_wide(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
	return false;
#endif
}
