/* few-loads: runs of n CTAs are dispatched in alternate directions. Written by 'sluice policy new --kind cta'; 'sluice policy hooks' lists what else one may be
 * asked and told. */
#include <sluice/policy.h>

struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 8, 1, 64, "CTAs", "of a run"),
};

/* The memory of the GPU, zeroed before init(). Nothing goes into static variables: threads share the work. */
struct few_loads {
	uint32_t n;
	uint64_t acted; /* CTAs placed */
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

/* Asked about each free place; place->given counts the CTAs that have been given, so a function of it is an order. */
static uint64_t pick(void *gpu, const struct cta_place *place)
{
	struct few_loads *s = gpu;
	uint64_t first = place->given / s->n * s->n, within = place->given - first;
	uint64_t length = place->ctas - first < s->n ? place->ctas - first : s->n;
	s->acted++;
	return first / s->n % 2 ? first + length - 1 - within : place->given;
}

static const char *const stat_names[] = {"acted"};
static void stats(const void *block, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)block)->acted;
}

const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "few-loads",
    .title = "runs of n CTAs are dispatched in alternate directions",
    POLICY_PARAMS(params, struct few_loads_params),
    .gpu_bytes = bytes,
    .gpu_init = init,
    .stat_names = stat_names,
    .stat_count = 1,
    .gpu_stats = stats,
    .cta_pick = pick,
};
