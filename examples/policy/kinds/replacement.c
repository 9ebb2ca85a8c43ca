/* few-loads: lines with n uses or more are evicted last. Written by 'sluice policy new --kind replacement'; 'sluice policy hooks' lists what else one may be
 * asked and told. */
#include <sluice/policy.h>
#include <sluice/policy/lib/frames.h>

struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 2, 1, 64, "uses", "that protect a line"),
};

/* The memory of an SM, zeroed before init(). Nothing goes into static variables: threads share the work. */
struct few_loads {
	uint32_t n;
	uint64_t acted; /* victims chosen */
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

/* May be asked several times per replacement, so it changes no state that it decides by. */
static uint32_t victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                       uint32_t count)
{
	struct few_loads *s = sm;
	uint32_t oldest = UINT32_MAX;
	(void)request;
	s->acted++;
	for (uint32_t i = 0; i < count; i++)
		if (!ways[i].reserved && ways[i].valid && ways[i].uses < s->n &&
		    (oldest == UINT32_MAX || ways[i].recency < ways[oldest].recency))
			oldest = i;
	uint32_t usual = frames_lru(ways, count); /* an empty way, else the least recently used */
	return usual == UINT32_MAX || !ways[usual].valid || oldest == UINT32_MAX ? usual : oldest;
}

static const char *const stat_names[] = {"acted"};
static void stats(const void *block, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)block)->acted;
}

const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "few-loads",
    .title = "lines with n uses or more are evicted last",
    POLICY_PARAMS(params, struct few_loads_params),
    .sm_bytes = bytes,
    .sm_init = init,
    .stat_names = stat_names,
    .stat_count = 1,
    .stats = stats,
    .frame_history = true, /* for uses */
    .l1_victim = victim,
};
