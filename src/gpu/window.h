/* How far SMs and memory run at a time: a quantum, or two. */
#ifndef SLUICE_GPU_WINDOW_H
#define SLUICE_GPU_WINDOW_H

#include "gpu/internal.h"

/* Policies look at the whole GPU between quanta, and may ask how busy memory is. Observers do not. */
static inline bool policies_look_between(const struct gpu *gpu)
{
	return gpu->hooks.has_on_epoch & ~gpu->chain->watching || hooks_has_on_gpu_epoch(&gpu->hooks) ||
	       hooks_has_cta_limit(&gpu->hooks);
}

/*
 * May SMs run two quanta before memory does? If it is one quantum ahead of them then: requests take no less time to reach
 * it, as replies do to come back. And nothing may happen in between that SMs would have to hear of: replies that pass a
 * switch, CTAs that replace others at once, policies that look at the whole GPU.
 */
bool window_may_pair(const struct gpu *gpu);
/* SMs run, then memory, from gpu->start on. A launch that ends with its `left`th instruction must find its quantum. */
void window_run(struct gpu *gpu, uint64_t left);

#endif
