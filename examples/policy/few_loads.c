/* A policy of your own, whole: of each scheduler's warps, only the n oldest may issue loads. See docs/own-policy.md. */
#include <sluice/policy.h>

struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 2, 1, 64, "warps", "warps of a scheduler that may issue loads"),
};

/* The memory of one SM; it is zeroed before init(), which comes at every launch. */
struct few_loads {
	uint32_t n;
	uint64_t held; /* answers that held a load back */
};

static size_t bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct few_loads);
}

static void init(void *sm, const struct policy_env *env)
{
	const struct few_loads_params *given = env->params;
	((struct few_loads *)sm)->n = given->n;
}

/* Asked when a warp could issue: bit i of a mask is the scheduler's i-th warp. */
static struct throttle throttle(void *sm, const struct sched_view *view)
{
	struct few_loads *s = sm;
	uint64_t may_load = 0;
	for (uint32_t i = 0; i < view->by_age_count && i < s->n; i++)
		may_load |= 1ull << view->by_age[i];
	s->held += (view->next_is_load & ~may_load) != 0;
	return (struct throttle){.issue = UINT64_MAX, .load = may_load, .until = POLICY_CYCLE_NEVER};
}

static void stats(const void *sm, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)sm)->held;
}

static const char *const stat_names[] = {"gates_with_loads_held"};

/* The one name that sluice looks for. */
const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "few-loads",
    .title = "only the n oldest warps of each scheduler load",
    POLICY_PARAMS(params, struct few_loads_params),
    .sm_bytes = bytes,
    .sm_init = init,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = stats,
    .throttle = throttle,
};
