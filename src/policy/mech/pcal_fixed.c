/*
 * Priority-based cache allocation with fixed numbers: per scheduler, so many
 * warps hold tokens and may take lines of L1, and so many more run past it.
 *
 * Li et al., HPCA 2015, as Khairy (thesis, Cairo 2015, 3 and 5.6) and LCM (Fang
 * et al., 2021) describe it; both numbers come from trying (`sluice tune`). Left
 * out: the search for them at run time; statpcal follows the load of memory.
 */
#include "policy/lib/tokens.h"

struct pcal_fixed_params {
	uint32_t tokens;
	uint32_t bypass;
};

static const struct pcal_fixed_params *given(const struct policy_env *env)
{
	return env->params;
}

static void fixed_init(void *sm, const struct policy_env *env)
{
	tokens_init(sm, env, given(env)->tokens, given(env)->bypass);
}

static struct throttle fixed_throttle(void *sm, const struct sched_view *view)
{
	return tokens_throttle(sm, view);
}

static enum l1_route fixed_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	return tokens_route(sm, request, fail);
}

static void fixed_stats(const void *sm, uint64_t *sum)
{
	sum[0] += ((const struct tokens *)sm)->bypasses;
}

/* A token bit per warp. */
static uint64_t fixed_bits(const struct policy_env *env)
{
	return env->warps;
}

static const struct policy_param params[] = {
    PARAM_U32(struct pcal_fixed_params, tokens, 1, 1, 64, "warps",
              "warps of a scheduler that may take lines of L1"),
    PARAM_U32(struct pcal_fixed_params, bypass, 2, 0, 64, "warps",
              "further warps of a scheduler that run without taking any"),
};
static const char *const stat_names[] = {"bypasses"};

const struct policy policy_pcal_fixed = {
    .abi = POLICY_ABI,
    .name = "pcal-fixed",
    .title = "PCAL with fixed numbers: some warps cache, some bypass, the rest waits",
    .citation = "D. Li et al.: Priority-Based Cache Allocation in Throughput Processors, HPCA 2015",
    POLICY_PARAMS(params, struct pcal_fixed_params),
    .sm_bits = fixed_bits,
    .sm_bytes = tokens_bytes,
    .sm_init = fixed_init,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = fixed_stats,
    .throttle = fixed_throttle,
    .l1_route = fixed_l1_route,
};
