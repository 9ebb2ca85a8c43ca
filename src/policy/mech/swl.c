/*
 * Static wavefront limiting (SWL; Khairy's SWT): of each scheduler, only the n
 * oldest warps that could run may issue anything. With the best n of a program
 * it is Best-SWL, which `sluice tune` finds.
 *
 * CIAO (Zhang et al., IPDPS 2018), V-A and Table II; Khairy (thesis, Cairo
 * 2015), 5.2. Left out: the greedy warp of GPGPU-Sim's list, which may be a
 * warp beyond the n.
 */
#include "policy/lib/oldest.h"

struct swl_params {
	uint32_t n;
};

static const struct swl_params *given(const struct policy_env *env)
{
	return env->params;
}

struct swl {
	uint32_t n;
	uint64_t held; /* times that a scheduler was asked and held warps back */
};

static size_t swl_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct swl);
}

static void swl_init(void *sm, const struct policy_env *env)
{
	*(struct swl *)sm = (struct swl){.n = given(env)->n};
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

static const struct policy_param params[] = {
    PARAM_U32(struct swl_params, n, 2, 1, 64, "warps", "warps of a scheduler that may issue"),
};
static const char *const stat_names[] = {"gates_with_warps_held"};

const struct policy policy_swl = {
    .abi = POLICY_ABI,
    .name = "swl",
    .title = "static wavefront limiting: the n oldest warps of each scheduler",
    .citation = "T. G. Rogers, M. O'Connor, T. M. Aamodt: Cache-Conscious Wavefront Scheduling, MICRO 2012",
    POLICY_PARAMS(params, struct swl_params),
    .sm_bytes = swl_bytes,
    .sm_init = swl_init,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = swl_stats,
    .throttle = swl_throttle,
};
