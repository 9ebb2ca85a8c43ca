/* few-loads: of each scheduler's warps, only the n oldest may issue loads. A whole policy, and what 'sluice policy new'
 * begins with. 'sluice policy hooks' lists what one may be asked and told: each is a field of the struct at the end. */
#include <sluice/policy.h>

/* --policy ./few-loads.so:n=3. A row gives default, least, most, unit and a sentence. */
struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 2, 1, 64, "warps", "warps of a scheduler that may issue loads"),
};

/* The memory of one SM, zeroed before init(). Nothing goes into static variables: SMs run in several threads. */
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
	((struct few_loads *)sm)->n = ((const struct few_loads_params *)env->params)->n;
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

/* Numbers of your own, added up over all SMs: "policy_counters" in the JSON of 'sluice run --json'. */
static const char *const stat_names[] = {"loads_held"};
static void stats(const void *sm, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)sm)->held;
}

const struct policy sluice_policy = {
    /* the one name that sluice looks for */
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
