/* few-loads: each warp issues n instructions in a row, then the next one. Written by 'sluice policy new --kind scheduler'; 'sluice policy hooks' lists what else one may be
 * asked and told. */
#include <sluice/policy.h>

struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 4, 1, 64, "instructions", "in a row"),
};

/* The memory of an SM, zeroed before init(). Nothing goes into static variables: threads share the work. */
struct few_loads {
	uint32_t n;
	uint64_t acted;   /* answers */
	uint32_t left[8]; /* per scheduler: instructions that its warp may still issue */
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

/* Bit i of `eligible`, never 0, is the scheduler's i-th warp; the answer is the number of a bit that is set. */
static uint32_t order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	struct few_loads *s = sm;
	uint32_t *left = &s->left[view->scheduler % 8];
	s->acted++;
	if (view->last < 64 && eligible >> view->last & 1 && *left && (*left)--)
		return view->last;
	*left = s->n - 1;
	uint64_t after = view->last < 63 ? eligible & ~((2ull << view->last) - 1) : 0;
	return (uint32_t)__builtin_ctzll(after ? after : eligible);
}

static const char *const stat_names[] = {"acted"};
static void stats(const void *block, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)block)->acted;
}

const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "few-loads",
    .title = "each warp issues n instructions in a row, then the next one",
    POLICY_PARAMS(params, struct few_loads_params),
    .sm_bytes = bytes,
    .sm_init = init,
    .stat_names = stat_names,
    .stat_count = 1,
    .stats = stats,
    .order = order,
};
