/*
 * The ideal of OSM's Figure 9: shared memory as on Volta, and an L1 that has the
 * whole unified array all the same.
 *
 * Darabi et al., TPDS 2022, section 4.
 */
#include "policy/policy.h"

static const char *ideal_refuses(const struct policy_env *env)
{
	return env->unified_bytes ? NULL : "L1 and shared memory are arrays of their own there";
}

static uint32_t ideal_l1_capacity(const struct policy_env *env, const struct smem_use *use)
{
	(void)use;
	return env->unified_bytes;
}

const struct policy policy_osm_96_128 = {
    .abi = POLICY_ABI,
    .name = "osm-96+128",
    .title = "the ideal of 96 KB of shared memory beside 128 KB of L1",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022, section 4",
    .refuses = ideal_refuses,
    .l1_capacity = ideal_l1_capacity,
};
