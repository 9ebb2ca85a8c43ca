/* few-loads: of the n least recently used lines of L2, a clean one is evicted before a dirty one. Written by 'sluice policy new --kind l2'; 'sluice policy hooks' lists what else one may be
 * asked and told. */
#include <sluice/policy.h>

struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 4, 1, 64, "lines", "among which a clean one is looked for"),
};

/* The memory of the GPU, zeroed before init(). Nothing goes into static variables: threads share the work. */
struct few_loads {
	uint32_t n;
	uint64_t acted; /* lines that the first slice took */
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

/* `choice` is the machine's own: an empty way, else the least recently used. Slices run in parallel, so nothing is written. */
static uint32_t victim(void *gpu, const struct l2_request *request, const struct l2_frame *ways,
                       uint32_t count, uint32_t choice)
{
	const struct few_loads *s = gpu;
	(void)request;
	for (uint32_t i = 0; i < count && ways[choice].valid && ways[choice].dirty; i++) {
		uint32_t older = 0;
		for (uint32_t k = 0; k < count; k++)
			older += ways[k].recency < ways[i].recency;
		if (!ways[i].reserved && !ways[i].dirty && older < s->n)
			return i;
	}
	return choice;
}

/* Counted where one thread alone is: on the first slice. */
static void on_fill(void *gpu, const struct l2_request *request)
{
	((struct few_loads *)gpu)->acted += request->slice == 0;
}

static const char *const stat_names[] = {"acted"};
static void stats(const void *block, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)block)->acted;
}

const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "few-loads",
    .title = "of the n least recently used lines of L2, a clean one is evicted before a dirty one",
    POLICY_PARAMS(params, struct few_loads_params),
    .gpu_bytes = bytes,
    .gpu_init = init,
    .stat_names = stat_names,
    .stat_count = 1,
    .gpu_stats = stats,
    .l2_victim = victim,
    .on_l2_fill = on_fill,
};
