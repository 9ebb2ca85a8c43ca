/*
 * CIAO (Zhang et al., IPDPS 2018, III and IV), over GTO as in the paper: what happens to a warp that interferes with another.
 * policy/lib/ciao.h has the detector and the decisions.
 *
 * CIAO-P: its loads go to unused shared memory, which is a direct-mapped cache next to L1 (III-B, IV-B). No warp is held back.
 * CIAO-T: it is stalled until the warp that it disturbed recovers or ends (III-C, IV-C). Shared memory is not used.
 * CIAO-C: it is first isolated in unused shared memory, and stalled if it interferes there as well (III-C, IV-C).
 */
#include "policy/define.h"
#include "policy/lib/ciao.h"

static void ciao_p_init(void *sm, const struct policy_env *env)
{
	ciao_init(sm, env, CIAO_PARTITION);
}

static void ciao_t_init(void *sm, const struct policy_env *env)
{
	ciao_init(sm, env, CIAO_THROTTLE);
}

static void ciao_c_init(void *sm, const struct policy_env *env)
{
	ciao_init(sm, env, CIAO_COMBINED);
}

static const struct policy_param throttle_params[] = {CIAO_PARAM_ROWS};
static const struct policy_param aux_params[] = {CIAO_PARAM_ROWS, CIAO_AUX_PARAM_ROWS};
static const char *const stat_names[] = {CIAO_STATS};

/* clang-format off */
#define CIAO_COMMON \
	.abi = POLICY_ABI, \
	.citation = "J. Zhang et al.: CIAO: Cache Interference-Aware Throughput-Oriented Architecture and Scheduling for " \
		    "GPUs, IPDPS 2018", \
	.refuses = ciao_refuses, .sm_bits = ciao_sm_bits, .sm_bytes = ciao_bytes, \
	POLICY_STAT_NAMES(stat_names), .stats = ciao_add_stats, \
	.on_issue = ciao_on_issue, .on_warp_start = ciao_on_warp_start, .on_warp_exit = ciao_on_warp_exit, \
	.on_barrier = ciao_on_barrier, .on_l1_miss = ciao_on_l1_miss, .on_l1_evict = ciao_on_l1_evict
#define CIAO_AUX .l1_route = ciao_l1_route, .aux_cache = ciao_aux_cache, .aux_index = ciao_aux_index
/* clang-format on */

const struct policy policy_ciao_p = {
    CIAO_COMMON,
    CIAO_AUX,
    .name = "ciao-p",
    .title = "CIAO-P: loads of warps that interfere go to unused shared memory",
    POLICY_PARAMS(aux_params, struct ciao_params),
    .sm_init = ciao_p_init,
};

const struct policy policy_ciao_t = {
    CIAO_COMMON,
    .name = "ciao-t",
    .title = "CIAO-T: stall the warps that interfere",
    POLICY_PARAMS(throttle_params, struct ciao_params),
    .sm_init = ciao_t_init,
    .throttle = ciao_throttle,
};

const struct policy policy_ciao_c = {
    CIAO_COMMON,
    CIAO_AUX,
    .name = "ciao-c",
    .title = "CIAO-C: isolate warps that interfere, stall those that go on",
    POLICY_PARAMS(aux_params, struct ciao_params),
    .sm_init = ciao_c_init,
    .throttle = ciao_throttle,
};
