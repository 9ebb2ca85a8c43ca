/*
 * CIAO-C: a warp that interferes is first isolated in unused shared memory (CIAO-P), and
 * stalled (CIAO-T) if it interferes there as well.
 *
 * Zhang et al., IPDPS 2018, III-C and IV-C; the detector and the decisions are in
 * policy/lib/ciao.h. Over GTO, as in the paper.
 */
#include "policy/lib/ciao.h"

static void ciao_c_init(void *sm, const struct policy_env *env)
{
	ciao_init(sm, env, CIAO_COMBINED);
}

static const struct policy_param params[] = {CIAO_PARAM_ROWS, CIAO_AUX_PARAM_ROWS};
static const char *const stat_names[] = {CIAO_STATS};

const struct policy policy_ciao_c = {
    .abi = POLICY_ABI,
    .name = "ciao-c",
    .title = "CIAO-C: isolate warps that interfere, stall those that go on",
    .citation =
        "J. Zhang et al.: CIAO: Cache Interference-Aware Throughput-Oriented Architecture and Scheduling for "
        "GPUs, IPDPS 2018",
    POLICY_PARAMS(params, struct ciao_params),
    .refuses = ciao_refuses,
    .sm_bits = ciao_sm_bits,
    .sm_bytes = ciao_bytes,
    .sm_init = ciao_c_init,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = ciao_add_stats,
    .throttle = ciao_throttle,
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
