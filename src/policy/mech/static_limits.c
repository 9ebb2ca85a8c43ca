/*
 * Static limits.
 *
 * SWL, static wavefront limiting (Khairy's SWT): of each scheduler, only the n oldest warps that could run may issue. With
 * the best n of a program it is Best-SWL, which `sluice tune` finds. CIAO (Zhang et al., IPDPS 2018), V-A and Table II;
 * Khairy (thesis, Cairo 2015), 5.2. Left out: the greedy warp of GPGPU-Sim's list, which may be a warp beyond the n.
 *
 * CTA throttling: no SM holds more than n CTAs at a time. Khairy, Figure 5.15, compares the best n of each program with
 * limits on warps. Left out: the dynamic relatives (DYNCTA, OWL, lazy CTA scheduling), which the thesis only names.
 */
#include "policy/define.h"
#include "policy/lib/order.h"

struct limit_params {
	uint32_t n;
};

static uint32_t given_n(const struct policy_env *env)
{
	return ((const struct limit_params *)env->params)->n;
}

struct swl {
	uint32_t n;
	uint64_t held; /* answers to a scheduler that held warps back */
};

POLICY_BYTES(swl_bytes, struct swl)

static void swl_init(void *sm, const struct policy_env *env)
{
	*(struct swl *)sm = (struct swl){.n = given_n(env)};
}

static struct throttle swl_throttle(void *sm, const struct sched_view *view)
{
	struct swl *s = sm;
	uint64_t may = oldest_running(view, s->n);
	s->held += (view->resident & ~view->waiting_barrier & ~may) != 0;
	return (struct throttle){may, may, POLICY_UNTIL_WARPS};
}

static void swl_stats(const void *sm, uint64_t *sum)
{
	sum[0] += ((const struct swl *)sm)->held;
}

static const struct policy_param swl_params[] = {
    PARAM_U32(struct limit_params, n, 2, 1, 64, "warps", "warps of a scheduler that may issue"),
};
static const char *const swl_stat_names[] = {"gates_with_warps_held"};

const struct policy policy_swl = {
    .abi = POLICY_ABI,
    .name = "swl",
    .title = "static wavefront limiting: the n oldest warps of each scheduler",
    .citation = "T. G. Rogers, M. O'Connor, T. M. Aamodt: Cache-Conscious Wavefront Scheduling, MICRO 2012",
    POLICY_PARAMS(swl_params, struct limit_params),
    .sm_bytes = swl_bytes,
    .sm_init = swl_init,
    POLICY_STAT_NAMES(swl_stat_names),
    .stats = swl_stats,
    .throttle = swl_throttle,
};

POLICY_BYTES(cta_limit_bytes, uint32_t)

static void cta_limit_init(void *sm, const struct policy_env *env)
{
	*(uint32_t *)sm = given_n(env);
}

static uint32_t cta_limit_answer(void *sm, const struct sm_view *view)
{
	(void)view;
	return *(const uint32_t *)sm;
}

static const struct policy_param cta_limit_params[] = {
    PARAM_U32(struct limit_params, n, 1, 1, 64, "CTAs", "CTAs that an SM holds at most"),
};

const struct policy policy_cta_limit = {
    .abi = POLICY_ABI,
    .name = "cta-limit",
    .title = "static CTA throttling: at most n CTAs per SM",
    .citation =
        "M. Khairy: Adaptive Cache Management for GPGPUs, MSc thesis, Cairo University 2015, Figure 5.15",
    POLICY_PARAMS(cta_limit_params, struct limit_params),
    .sm_bytes = cta_limit_bytes,
    .sm_init = cta_limit_init,
    .cta_limit = cta_limit_answer,
};
