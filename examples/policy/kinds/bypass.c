/* few-loads: loads of n lines or more do not use L1. Written by 'sluice policy new --kind bypass'; 'sluice policy hooks' lists what else one may be
 * asked and told. */
#include <sluice/policy.h>

struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 8, 1, 64, "lines", "of an instruction that bypasses L1"),
};

/* The memory of an SM, zeroed before init(). Nothing goes into static variables: threads share the work. */
struct few_loads {
	uint32_t n;
	uint64_t acted; /* lines looked at */
};

static size_t bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct few_loads);
}

static void init(void *block, const struct policy_env *env)
{
	struct few_loads *s = block;
	s->n = ((const struct few_loads_params *)env->params)->n;
	s->acted = 0;
}

/* Asked for each line of a load, and again when a resource is missing (fail). */
static enum l1_route route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	struct few_loads *s = sm;
	(void)fail;
	s->acted++;
	return request->count >= s->n ? L1_ROUTE_BYPASS : L1_ROUTE_NONE;
}

static const char *const stat_names[] = {"acted"};
static void stats(const void *block, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)block)->acted;
}

const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "few-loads",
    .title = "loads of n lines or more do not use L1",
    POLICY_PARAMS(params, struct few_loads_params),
    .sm_bytes = bytes,
    .sm_init = init,
    .stat_names = stat_names,
    .stat_count = 1,
    .stats = stats,
    .l1_route = route,
};
