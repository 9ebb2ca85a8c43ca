/*
 * CIAO-P: loads of a warp that interferes go to unused shared memory, which is a direct-
 * mapped cache beside L1. No warp is ever held back.
 *
 * Zhang et al., IPDPS 2018, III-B and IV-B; the detector and the decisions are in
 * policy/lib/ciao.h. Over GTO, as in the paper.
 */
#include "policy/lib/ciao.h"

static void ciao_p_init(void *sm, const struct policy_env *env)
{
	ciao_init(sm, env, CIAO_PARTITION);
}

static const struct policy_param params[] = {CIAO_PARAM_ROWS, CIAO_AUX_PARAM_ROWS};
static const char *const stat_names[] = {CIAO_STATS};

const struct policy policy_ciao_p = {
    .abi = POLICY_ABI,
    .name = "ciao-p",
    .title = "CIAO-P: loads of warps that interfere go to unused shared memory",
    .citation =
        "J. Zhang et al.: CIAO: Cache Interference-Aware Throughput-Oriented Architecture and Scheduling for "
        "GPUs, IPDPS 2018",
    POLICY_PARAMS(params, struct ciao_params),
    .refuses = ciao_refuses,
    .sm_bits = ciao_sm_bits,
    .sm_bytes = ciao_bytes,
    .sm_init = ciao_p_init,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = ciao_add_stats,
    .l1_route = ciao_l1_route,
    .aux_cache = ciao_aux_cache,
    .aux_index = ciao_aux_index,
    .on_issue = ciao_on_issue,
    .on_warp_start = ciao_on_warp_start,
    .on_warp_exit = ciao_on_warp_exit,
    .on_barrier = ciao_on_barrier,
    .on_l1_miss = ciao_on_l1_miss,
    .on_l1_evict = ciao_on_l1_evict,
};
