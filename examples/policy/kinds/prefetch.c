/* few-loads: the line n strides ahead of each load is prefetched. Written by 'sluice policy new --kind prefetch'; 'sluice policy hooks' lists what else one may be
 * asked and told. */
#include <sluice/policy.h>
#include <sluice/policy/lib/pc_table.h>

struct few_loads_params {
	uint32_t n;
};
static const struct policy_param params[] = {
    PARAM_U32(struct few_loads_params, n, 1, 1, 64, "strides", "ahead"),
};

/* The memory of an SM, zeroed before init(). Nothing goes into static variables: threads share the work. */
struct few_loads {
	uint32_t n;
	uint64_t acted; /* lines named */
	struct pc_table table;
	struct entry {
		struct pc_key key;
		int64_t last, stride;
	} entry[64];
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

/* Asked after the events of prefetch_on; it fills in `out` and returns how many lines those are. */
static uint32_t prefetch(void *sm, const struct prefetch_cause *cause, struct prefetch *out)
{
	struct few_loads *s = sm;
	bool is_new;
	s->table = (struct pc_table){s->entry, sizeof *s->entry, 64, s->table.clock};
	struct entry *entry =
	    pc_table_use(&s->table, pc_key_of(cause->pc << 8 | cause->index, cause->warp), &is_new);
	int64_t stride = is_new ? 0 : (int64_t)cause->line - entry->last;
	bool again = stride && stride == entry->stride;
	*entry = (struct entry){entry->key, (int64_t)cause->line, stride};
	out[0] = (struct prefetch){.line = cause->line + (uint64_t)(stride * (int64_t)s->n)};
	s->acted++;
	return again;
}

static const char *const stat_names[] = {"acted"};
static void stats(const void *block, uint64_t *sum)
{
	sum[0] += ((const struct few_loads *)block)->acted;
}

const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "few-loads",
    .title = "the line n strides ahead of each load is prefetched",
    POLICY_PARAMS(params, struct few_loads_params),
    .sm_bytes = bytes,
    .sm_init = init,
    .stat_names = stat_names,
    .stat_count = 1,
    .stats = stats,
    .prefetch_on = PREFETCH_ON_ACCESS,
    .prefetch = prefetch,
};
