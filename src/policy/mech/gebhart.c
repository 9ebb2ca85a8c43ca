/*
 * A unified array that shared memory may fill to the last byte; L1 gets exactly
 * what is left, for the whole launch. Without anything left, global loads go
 * past L1.
 *
 * Gebhart et al., MICRO 2012, as the comparison point of Darabi et al., TPDS
 * 2022, section 6.2. Left out: the register file, which the original unifies
 * with the rest.
 */
#include "policy/policy.h"

static const char *gebhart_refuses(const struct policy_env *env)
{
	return env->unified_bytes ? NULL : "L1 and shared memory are arrays of their own there";
}

static uint32_t gebhart_smem_capacity(const struct policy_env *env)
{
	return env->unified_bytes;
}

static uint32_t gebhart_l1_capacity(const struct policy_env *env, const struct smem_use *use)
{
	uint64_t taken = (uint64_t)use->ctas * use->cta_bytes;
	return taken < env->unified_bytes ? env->unified_bytes - (uint32_t)taken : 0;
}

const struct policy policy_gebhart = {
    .abi = POLICY_ABI,
    .name = "gebhart",
    .title = "shared memory takes what it needs of a unified array, L1 the exact rest",
    .citation =
        "M. Gebhart et al.: Unifying Primary Cache, Scratch, and Register File Memories in a Throughput "
        "Processor, MICRO 2012",
    .refuses = gebhart_refuses,
    .smem_capacity = gebhart_smem_capacity,
    .l1_capacity = gebhart_l1_capacity,
};
