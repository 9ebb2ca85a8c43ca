/*
 * stride: a reference prediction table. The line that an instruction loads next is predicted from the last one and the
 * distance between the last two.
 *
 * T.-F. Chen, J.-L. Baer, Effective Hardware-Based Data Prefetching for High-Performance Processors, IEEE Trans. Computers
 * 44, 1995, section 3.1: an entry per instruction with its last address, its stride and a state (initial, transient, steady,
 * no prediction). A right prediction moves towards steady, a wrong one away from it; nothing is fetched without prediction.
 * On a GPU the key is the instruction and the warp (per_warp), because warps interleave (Lee et al., MICRO 2010, III-B);
 * per_warp=no is the naive table. Addresses are those of lines; of an instruction that touches several, the first.
 *
 * Left out: the look-ahead program counter of section 3.2, which `distance` stands for.
 */
#include "policy/define.h"
#include "policy/lib/pc_table.h"

enum { ENTRIES_MOST = 1024 };

struct stride_params {
	uint32_t entries, distance, degree;
	bool per_warp, urgent;
};

POLICY_GIVEN(struct stride_params)

static const struct policy_param params[] = {
    PARAM_U32(struct stride_params, entries, 256, 1, ENTRIES_MOST, "",
              "instructions (and warps) in the table"),
    PARAM_U32(struct stride_params, distance, 1, 1, 64, "strides",
              "ahead of the load is the first line that is fetched"),
    PARAM_U32(struct stride_params, degree, 1, 1, PREFETCH_MOST, "lines",
              "fetched at a time, a stride apart"),
    PARAM_BOOL(struct stride_params, per_warp, 1, 0, 1, "", "an entry for each warp of an instruction"),
    PARAM_BOOL(struct stride_params, urgent, 0, 0, 1, "", "prefetches take the last MSHRs, too"),
};

enum state { STATE_INITIAL, STATE_TRANSIENT, STATE_STEADY, STATE_NONE };

struct entry {
	struct pc_key key;
	uint64_t last;
	int64_t stride;
	enum state state;
};

struct stride {
	struct stride_params params;
	struct pc_table table;
	struct entry entry[];
};

/* Section 3.1: the state after a prediction that was right, or wrong. In the steady state, a wrong one keeps the stride. */
static void learn(struct entry *entry, uint64_t line)
{
	static const enum state after[][2] = {[STATE_INITIAL] = {STATE_TRANSIENT, STATE_STEADY},
	                                      [STATE_TRANSIENT] = {STATE_NONE, STATE_STEADY},
	                                      [STATE_STEADY] = {STATE_INITIAL, STATE_STEADY},
	                                      [STATE_NONE] = {STATE_NONE, STATE_TRANSIENT}};
	int64_t step = (int64_t)(line - entry->last);
	bool right = step == entry->stride;
	if (!right && entry->state != STATE_STEADY)
		entry->stride = step;
	entry->state = after[entry->state][right];
	entry->last = line;
}

static uint32_t stride_prefetch(void *sm, const struct prefetch_cause *cause, struct prefetch *out)
{
	struct stride *s = sm;
	if (cause->index)
		return 0;
	bool is_new;
	struct entry *entry =
	    pc_table_use(&s->table, pc_key_of(cause->pc, s->params.per_warp ? cause->warp : 0), &is_new);
	if (is_new)
		entry->last = cause->line;
	else
		learn(entry, cause->line);
	if (is_new || entry->state == STATE_NONE || !entry->stride)
		return 0;
	for (uint32_t i = 0; i < s->params.degree; i++)
		out[i] = (struct prefetch){
		    .line = cause->line + (uint64_t)(entry->stride * (int64_t)(s->params.distance + i)),
		    .priority = s->params.urgent ? PREFETCH_HIGH : PREFETCH_LOW};
	return s->params.degree;
}

static size_t stride_bytes(const struct policy_env *env)
{
	return sizeof(struct stride) + given(env)->entries * sizeof(struct entry);
}

static void stride_init(void *sm, const struct policy_env *env)
{
	struct stride *s = sm;
	memset(s, 0, stride_bytes(env));
	s->params = *given(env);
	s->table = (struct pc_table){.entry = s->entry, .size = sizeof *s->entry, .count = s->params.entries};
}

/* Tag (32 bits of PC and 8 of the warp), last line, stride and state. */
static uint64_t stride_bits(const struct policy_env *env)
{
	return (uint64_t)given(env)->entries * (32 + 8 + 32 + 16 + 2);
}

const struct policy policy_stride = {
    .abi = POLICY_ABI,
    .name = "stride",
    .title = "lines a constant distance ahead of each load instruction are prefetched",
    .citation =
        "T.-F. Chen, J.-L. Baer: Effective Hardware-Based Data Prefetching for High-Performance Processors, "
        "IEEE Trans. Computers 44(5), 1995",
    POLICY_PARAMS(params, struct stride_params),
    .sm_bytes = stride_bytes,
    .sm_bits = stride_bits,
    .sm_init = stride_init,
    .prefetch_on = PREFETCH_ON_ACCESS,
    .prefetch = stride_prefetch,
};
