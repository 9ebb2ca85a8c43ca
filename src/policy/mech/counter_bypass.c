/*
 * The counter-based bypass that Tian et al. compare with (section 3.3, after Kharbutli and Solihin): a table,
 * indexed by hashed PC and hashed block, holds how often a block was hit in its last life in L1, and whether
 * that count was the same twice. A miss whose entry says "never, and surely" takes no line.
 *
 * The count of a block is of its accesses (live-time prediction). Left out, as Tian et al. speak of bypassing
 * alone: the replacement of blocks that have had their hits, for which hardware holds the threshold and past
 * count in each tag; they are in the storage, not in the simulation.
 */
#include <string.h>

#include "policy/define.h"

struct counter_bypass_params {
	uint32_t retrain;
};

POLICY_GIVEN(struct counter_bypass_params)

enum { PC_BITS = 7, BLOCK_BITS = 7, COUNT_BITS = 4, SURE_BITS = 1, COUNT_MAX = (1 << COUNT_BITS) - 1 };

static const struct policy_param params[] = {
    PARAM_U32(struct counter_bypass_params, retrain, 32, 0, 65536, "",
              "one of so many predicted bypasses is cached, so that an entry can recover; 0: none"),
};

enum { STAT_MISSES, STAT_BYPASSED, STAT_RETRAINED, STATS };
static const char *const stat_names[STATS] = {
    [STAT_MISSES] = "misses",       /* of coverage: bypassed / (misses + bypassed) */
    [STAT_BYPASSED] = "bypassed",   /* requests that took no line */
    [STAT_RETRAINED] = "retrained", /* predicted bypasses that were cached nevertheless */
};

struct entry {
	uint8_t count;
	bool sure;
};

struct life {
	uint64_t line;
	uint8_t pc; /* hashed */
	uint8_t count;
};

struct counter_bypass {
	uint32_t retrain, noise;
	bool started;
	uint64_t stat[STATS];
	uint64_t last_line, last_pc; /* the request that was answered last: a retry gets the same */
	enum l1_route last_route;
	struct entry table[1 << PC_BITS][1 << BLOCK_BITS];
	struct life life[]; /* of the line in each frame */
};

static size_t counter_bytes(const struct policy_env *env)
{
	return sizeof(struct counter_bypass) + (size_t)env->l1_sets * env->l1_ways * sizeof(struct life);
}

static uint64_t counter_bits(const struct policy_env *env)
{
	uint64_t tag = PC_BITS + 3 * COUNT_BITS + SURE_BITS; /* count, threshold, past count */
	uint64_t table = (uint64_t)(COUNT_BITS + SURE_BITS) << (PC_BITS + BLOCK_BITS);
	return table + env->l1_sets * env->l1_ways * tag;
}

/* The table outlives the launch. */
static void counter_init(void *block, const struct policy_env *env)
{
	struct counter_bypass *b = block;
	memset(b->stat, 0, sizeof b->stat);
	b->last_line = UINT64_MAX;
	if (b->started)
		return;
	b->started = true;
	b->retrain = given(env)->retrain;
	b->noise = 1;
}

static uint8_t hash_pc(uint64_t pc)
{
	return (uint8_t)((pc >> 2 ^ pc >> 9) & ((1 << PC_BITS) - 1));
}

static uint8_t hash_block(uint64_t line)
{
	return (uint8_t)((line ^ line >> BLOCK_BITS ^ line >> 2 * BLOCK_BITS) & ((1 << BLOCK_BITS) - 1));
}

/* One in `retrain`, by a shift register: counting would favour one PC of a loop. */
static bool takes_sample(struct counter_bypass *b)
{
	b->noise = b->noise >> 1 ^ (b->noise & 1 ? 0xa3000000u : 0);
	return b->retrain && b->noise % b->retrain == 0;
}

static enum l1_route predict(struct counter_bypass *b, const struct l1_request *request)
{
	const struct entry *entry = &b->table[hash_pc(request->pc)][hash_block(request->line)];
	if (!entry->sure || entry->count)
		return L1_ROUTE_NONE;
	bool sample = takes_sample(b);
	b->stat[sample ? STAT_RETRAINED : STAT_BYPASSED]++;
	return sample ? L1_ROUTE_NONE : L1_ROUTE_BYPASS;
}

static enum l1_route counter_route(void *block, const struct l1_request *request, enum l1_fail fail)
{
	struct counter_bypass *b = block;
	if (request->is_store || request->is_atomic || request->presence != L1_ABSENT)
		return L1_ROUTE_NONE;
	if (fail == L1_FAIL_NONE || b->last_line != request->line || b->last_pc != request->pc)
		b->last_route = predict(b, request);
	b->last_line = request->line;
	b->last_pc = request->pc;
	return b->last_route;
}

static void begin_life(struct counter_bypass *b, const struct l1_event *event)
{
	if (!event->aux && event->frame != UINT32_MAX && b->life[event->frame].line != event->line)
		b->life[event->frame] = (struct life){event->line, hash_pc(event->pc), 0};
}

static void counter_miss(void *block, const struct l1_event *event)
{
	struct counter_bypass *b = block;
	b->stat[STAT_MISSES] += !event->aux;
	begin_life(b, event);
}

static void counter_fill(void *block, const struct l1_event *event)
{
	begin_life(block, event);
}

static void counter_hit(void *block, const struct l1_event *event)
{
	struct counter_bypass *b = block;
	if (!event->aux && event->frame != UINT32_MAX && b->life[event->frame].count < COUNT_MAX)
		b->life[event->frame].count++;
}

static void counter_evict(void *block, const struct l1_event *event)
{
	struct counter_bypass *b = block;
	if (event->aux)
		return;
	struct life *life = &b->life[event->frame];
	struct entry *entry = &b->table[life->pc][hash_block(event->line)];
	*entry = (struct entry){life->count, entry->count == life->count};
	life->line = UINT64_MAX;
}

POLICY_STATS(counter_stats, struct counter_bypass)

const struct policy policy_counter_bypass = {
    .abi = POLICY_ABI,
    .name = "counter-bypass",
    .title = "counter-based bypass of L1, by PC and block",
    .citation = "M. Kharbutli, Y. Solihin: Counter-Based Cache Replacement and Bypassing Algorithms, IEEE TC "
                "57, 2008; "
                "as compared with by Y. Tian et al., GPGPU-8, 2015",
    POLICY_PARAMS(params, struct counter_bypass_params),
    .sm_bits = counter_bits,
    .sm_bytes = counter_bytes,
    .sm_init = counter_init,
    POLICY_STAT_NAMES(stat_names),
    .stats = counter_stats,
    .l1_route = counter_route,
    .on_l1_hit = counter_hit,
    .on_l1_pending = counter_hit,
    .on_l1_miss = counter_miss,
    .on_l1_evict = counter_evict,
    .on_l1_fill = counter_fill,
};
