/*
 * CIAO-T: a warp that interferes is stalled until the warp it disturbed is better off or
 * has ended. No shared memory is used.
 *
 * Zhang et al., IPDPS 2018, III-C and IV-C; the detector and the decisions are in
 * policy/lib/ciao.h. Over GTO, as in the paper.
 */
#include "policy/lib/ciao.h"

static void ciao_t_init(void *sm, const struct policy_env *env)
{
	ciao_init(sm, env, CIAO_THROTTLE);
}

/* clang-format off */
static const struct policy_param params[] = {CIAO_PARAM_ROWS};
static const char *const stat_names[] = {CIAO_STATS};

const struct policy policy_ciao_t = {
	.abi = POLICY_ABI,
	.name = "ciao-t",
	.title = "CIAO-T: stall the warps that interfere",
	.citation = "J. Zhang et al.: CIAO: Cache Interference-Aware Throughput-Oriented Architecture and Scheduling for "
		    "GPUs, IPDPS 2018",
	POLICY_PARAMS(params, struct ciao_params),
	.refuses = ciao_refuses,
	.sm_bits = ciao_sm_bits,
	.sm_bytes = ciao_bytes,
	.sm_init = ciao_t_init,
	.stat_names = stat_names,
	.stat_count = sizeof stat_names / sizeof *stat_names,
	.stats = ciao_add_stats,
	.throttle = ciao_throttle,
	.on_issue = ciao_on_issue,
	.on_warp_start = ciao_on_warp_start,
	.on_warp_exit = ciao_on_warp_exit,
	.on_barrier = ciao_on_barrier,
	.on_l1_miss = ciao_on_l1_miss,
	.on_l1_evict = ciao_on_l1_evict,
};
/* clang-format on */
