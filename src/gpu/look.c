/* What policies left behind on the SMs of a launch. */
#include "gpu/internal.h"

void *gpu_policy_block(const struct gpu *gpu, uint32_t link, uint32_t sm, struct sm_view *view)
{
	if (sm >= gpu->machine->sm_count || !gpu->sm[sm].active)
		return NULL;
	*view = sm_view_of(&gpu->sm[sm], gpu->end);
	return gpu->sm[sm].hooks.block[link];
}
