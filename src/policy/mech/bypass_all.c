/*
 * No caches: every load goes past L1, every request past L2 to DRAM.
 *
 * Scenario 1 of Khairy's thesis (section 4.2), the lower bound that tells whether an application uses its
 * caches at all. Left out: an L3 stays, where a machine has one, and so do atomics, which are done at L2.
 */
#include "policy/define.h"

struct bypass_all_params {
	bool l1;
	bool l2;
};

POLICY_GIVEN(struct bypass_all_params)

static const struct policy_param params[] = {
    PARAM_BOOL(struct bypass_all_params, l1, 1, 0, 1, "", "go past L1"),
    PARAM_BOOL(struct bypass_all_params, l2, 1, 0, 1, "", "go past L2"),
};

struct block {
	bool past;
};

POLICY_BYTES(block_bytes, struct block)

static void init_sm(void *sm, const struct policy_env *env)
{
	((struct block *)sm)->past = given(env)->l1;
}

static void init_gpu(void *gpu, const struct policy_env *env)
{
	((struct block *)gpu)->past = given(env)->l2;
}

static enum l1_route bypass_l1(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)request, (void)fail;
	return ((const struct block *)sm)->past ? L1_ROUTE_FORCE_BYPASS : L1_ROUTE_NONE;
}

static enum l2_route bypass_l2(void *gpu, const struct l2_request *request)
{
	(void)request;
	return ((const struct block *)gpu)->past ? L2_ROUTE_FORCE_BYPASS : L2_ROUTE_NONE;
}

const struct policy policy_bypass_all = {
    .abi = POLICY_ABI,
    .name = "bypass-all",
    .title = "no caches: past L1 and L2 to DRAM",
    .citation = "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University "
                "2015, section 4.2",
    POLICY_PARAMS(params, struct bypass_all_params),
    .sm_bytes = block_bytes,
    .gpu_bytes = block_bytes,
    .sm_init = init_sm,
    .gpu_init = init_gpu,
    .l1_route = bypass_l1,
    .l2_route = bypass_l2,
};
