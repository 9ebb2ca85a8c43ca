/*
 * A PC-based predictor of L1 lines that are not used again (Tian et al., GPGPU-8 2015, section 3). A table of counters, indexed
 * by hashed PC, counts up when a line leaves that this PC touched last, and down when such a line is hit. A miss by a PC at the
 * threshold takes no line. A bit per line of L2 remembers such a bypass; the next miss to the line finds it and is cached.
 *
 * A predicted bypass holds an MSHR, as its reply may still fill a line; a second miss to the line merges with it. The rest of
 * the paper's GPU (pseudo-LRU, oldest first, the cache walk) is baseline-tian and its machine.
 */
#include <string.h>

#include "policy/define.h"

struct tian_params {
	uint32_t entries;
	uint32_t bits;
	uint32_t threshold;
	uint32_t initial;
	bool train_refused;
};

POLICY_GIVEN(struct tian_params)

static const struct policy_param params[] = {
    PARAM_U32(struct tian_params, entries, 128, 2, 4096, "", "counters, indexed by hashed PC"),
    PARAM_U32(struct tian_params, bits, 4, 1, 8, "", "of a counter"),
    PARAM_U32(struct tian_params, threshold, 8, 1, 255, "", "a counter at or above it predicts no reuse"),
    PARAM_U32(struct tian_params, initial, 0, 0, 255, "", "value of all counters at the start of the run"),
    PARAM_BOOL(struct tian_params, train_refused, 0, 0, 1, "",
               "count victims of fills that L2's bit ordered, which the listing does not"),
};

enum { STAT_MISSES, STAT_PREDICTED, STAT_BYPASSED, STAT_REFUSED, STATS };
static const char *const stat_names[STATS] = {
    [STAT_MISSES] = "misses",       /* of coverage: bypassed / misses */
    [STAT_PREDICTED] = "predicted", /* misses predicted to see no reuse */
    [STAT_BYPASSED] = "bypassed",   /* replies that took no line */
    [STAT_REFUSED] =
        "refused", /* replies that did, as L2 had seen a bypass: the false positives it catches */
};

struct line_state {
	uint64_t line;
	uint16_t hash; /* of the PC that touched it last */
};

struct tian {
	uint32_t entries, most, threshold;
	bool started, train_refused;
	uint64_t stat[STATS];
	uint64_t asked_line; /* the request that was routed last, and what was predicted for it */
	bool asked_bypass;
	uint64_t refused_cycle, refused_pc; /* a fill that L2's bit ordered evicts now */
	uint8_t count[4096];
	struct line_state state[];
};

/* Bits to L2, and back. */
enum {
	ASK_LOAD = 1,   /* a load that was predicted */
	ASK_BYPASS = 2, /* to take no line */
	SAY_SEEN = 1,   /* the line was bypassed before */
	SAY_BYPASS = 2, /* the prediction comes back */
};

/* ---- L2 ------------------------------------------------------------------------------------------------ */

/*
 * A bit per line of L2 that remembers a bypass of L1; here a byte per frame of each slice. Slices share
 * nothing, so that each may have a thread of its own.
 */
/* A line in flight to a slice. The paper's L2 has its frame, with the bit, from the miss on. */
struct coming {
	uint64_t line;
	bool bypassed;
};

enum { COMING = 64 }; /* per slice; of more, the oldest is forgotten */

struct slice_state {
	struct coming coming[COMING];
	uint32_t count; /* of all that ever came; the last COMING are kept */
};

struct tian_l2 {
	uint32_t frames; /* of a slice */
	uint32_t slices;
	uint8_t *bypassed; /* behind the slices' states */
	struct slice_state slice[];
};

/* A bit per line of L2, in all. */
static uint64_t tian_l2_bits(const struct policy_env *env)
{
	return (uint64_t)env->l2_slices * env->l2_sets * env->l2_ways;
}

static size_t tian_l2_bytes(const struct policy_env *env)
{
	return sizeof(struct tian_l2) + env->l2_slices * sizeof(struct slice_state) + tian_l2_bits(env);
}

static void tian_l2_init(void *block, const struct policy_env *env)
{
	struct tian_l2 *l2 = block;
	l2->frames = env->l2_sets * env->l2_ways;
	l2->slices = env->l2_slices;
	l2->bypassed = (uint8_t *)&l2->slice[env->l2_slices];
	for (uint32_t s = 0; s < l2->slices; s++)
		for (uint32_t i = 0; i < COMING; i++)
			l2->slice[s].coming[i].line = UINT64_MAX;
}

static uint8_t *bit_of(struct tian_l2 *l2, const struct l2_request *request)
{
	return &l2->bypassed[(size_t)request->slice * l2->frames + request->frame];
}

/* Return the state of a line in flight; a new one has seen no bypass. */
static struct coming *coming_of(struct tian_l2 *l2, const struct l2_request *request)
{
	struct slice_state *slice = &l2->slice[request->slice];
	for (uint32_t i = 0; i < COMING; i++)
		if (slice->coming[i].line == request->line)
			return &slice->coming[i];
	struct coming *coming = &slice->coming[slice->count++ % COMING];
	*coming = (struct coming){request->line, false};
	return coming;
}

/* Answer a miss of L1 with the line's bit. The next miss does not find it again. */
static uint8_t tian_l2_reply(void *block, const struct l2_request *request)
{
	if (!(request->feedback & ASK_LOAD))
		return 0;
	bool bypass = request->feedback & ASK_BYPASS, seen;
	struct coming *coming = request->frame == UINT32_MAX ? coming_of(block, request) : NULL;
	if (coming) {
		seen = coming->bypassed;
		coming->bypassed = !seen && bypass;
	} else {
		uint8_t *bit = bit_of(block, request);
		seen = *bit;
		*bit = !seen && bypass;
	}
	return (uint8_t)((seen ? SAY_SEEN : 0) | (bypass ? SAY_BYPASS : 0));
}

static void tian_l2_fill(void *block, const struct l2_request *request)
{
	struct coming *coming = coming_of(block, request);
	*bit_of(block, request) = coming->bypassed;
	coming->line = UINT64_MAX;
}

/* ---- L1 ------------------------------------------------------------------------------------------------ */

static uint64_t lines_of(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * env->l1_ways;
}

static size_t tian_bytes(const struct policy_env *env)
{
	return sizeof(struct tian) + lines_of(env) * sizeof(struct line_state);
}

static uint64_t tian_bits(const struct policy_env *env)
{
	uint32_t entries = given(env)->entries, hash_bits = 0;
	while (1u << hash_bits < entries)
		hash_bits++;
	return (uint64_t)entries * given(env)->bits + lines_of(env) * hash_bits;
}

/* The table outlives the launch: kernels are short and recur. */
static void tian_init(void *block, const struct policy_env *env)
{
	struct tian *t = block;
	memset(t->stat, 0, sizeof t->stat);
	t->asked_line = UINT64_MAX;
	if (t->started)
		return;
	t->started = true;
	t->entries = given(env)->entries;
	t->most = (1u << given(env)->bits) - 1;
	t->threshold = given(env)->threshold;
	t->train_refused = given(env)->train_refused;
	memset(t->count, (int)given(env)->initial, sizeof t->count);
	t->refused_cycle = UINT64_MAX;
}

static const char *tian_refuses(const struct policy_env *env)
{
	double most = (double)((1u << given(env)->bits) - 1);
	if (given(env)->threshold > most || given(env)->initial > most)
		return "threshold and initial value must fit into the bits of a counter";
	return NULL;
}

static uint16_t hash_pc(const struct tian *t, uint64_t pc)
{
	return (uint16_t)((pc >> 2 ^ pc >> 9) % t->entries);
}

static enum l1_route tian_route(void *block, const struct l1_request *request, enum l1_fail fail)
{
	(void)fail;
	struct tian *t = block;
	t->asked_line = UINT64_MAX;
	if (request->is_store || request->is_atomic ||
	    (request->presence != L1_ABSENT && request->presence != L1_PART))
		return L1_ROUTE_NONE;
	t->asked_line = request->line;
	t->asked_bypass = request->presence == L1_ABSENT && t->count[hash_pc(t, request->pc)] >= t->threshold;
	return t->asked_bypass ? L1_ROUTE_LATE : L1_ROUTE_NONE;
}

/* Tell L2 what was predicted for the request: evictions may have trained the counter since. */
static uint8_t tian_feedback(void *block, const struct l1_request *request)
{
	const struct tian *t = block;
	if (request->is_store || request->is_atomic || t->asked_line != request->line)
		return 0;
	return (uint8_t)(ASK_LOAD | (t->asked_bypass ? ASK_BYPASS : 0));
}

static enum answer tian_alloc(void *block, const struct l1_event *fill)
{
	struct tian *t = block;
	if (!(fill->feedback & SAY_BYPASS))
		return ANSWER_NONE;
	bool seen = fill->feedback & SAY_SEEN;
	t->stat[seen ? STAT_REFUSED : STAT_BYPASSED]++;
	t->refused_cycle = seen ? fill->cycle : UINT64_MAX;
	t->refused_pc = fill->pc;
	return seen ? ANSWER_YES : ANSWER_NO;
}

static void tian_touch(void *block, const struct l1_event *event)
{
	struct tian *t = block;
	if (event->aux || event->frame == UINT32_MAX)
		return; /* in flight, without a line */
	uint8_t *count = &t->count[t->state[event->frame].hash];
	*count = (uint8_t)(*count - (*count > 0));
	t->state[event->frame].hash = hash_pc(t, event->pc);
}

/* Note the line of a miss or, with late allocation, of its reply. */
static void tian_install(struct tian *t, const struct l1_event *event)
{
	if (!event->aux && event->frame != UINT32_MAX && t->state[event->frame].line != event->line)
		t->state[event->frame] = (struct line_state){event->line, hash_pc(t, event->pc)};
}

static void tian_miss(void *block, const struct l1_event *event)
{
	struct tian *t = block;
	t->stat[STAT_MISSES] += !event->aux;
	t->stat[STAT_PREDICTED] += t->asked_line == event->line && t->asked_bypass;
	tian_install(t, event);
}

static void tian_fill(void *block, const struct l1_event *event)
{
	tian_install(block, event);
}

static void tian_evict(void *block, const struct l1_event *event)
{
	struct tian *t = block;
	if (event->aux)
		return;
	bool refused = t->refused_cycle == event->cycle && t->refused_pc == event->pc;
	uint8_t *count = &t->count[t->state[event->frame].hash];
	if (!refused || t->train_refused)
		*count = (uint8_t)(*count + (*count < t->most));
	t->state[event->frame].line = UINT64_MAX;
}

POLICY_STATS(tian_stats, struct tian)

const struct policy policy_tian = {
    .abi = POLICY_ABI,
    .name = "tian",
    .title = "PC-based bypass of L1 with a bit in L2 that corrects it",
    .citation =
        "Y. Tian, S. Puthoor, J. L. Greathouse, B. M. Beckmann, D. A. Jimenez: Adaptive GPU Cache Bypassing, "
        "GPGPU-8, 2015",
    POLICY_PARAMS(params, struct tian_params),
    .refuses = tian_refuses,
    .sm_bits = tian_bits,
    .gpu_bits = tian_l2_bits,
    /* Table 3, compared with the baseline: tags of 1.7867 instead of 1.34096 pJ, the table, 7.72904 instead of 7.538627 mW. */
    .l1_access_pj = 1.7867 - 1.34096 + 0.126232,
    .l1_fill_pj = 1.7867 - 1.34096,
    .l1_static_mw = 7.72904 - 7.538627,
    .sm_bytes = tian_bytes,
    .gpu_bytes = tian_l2_bytes,
    .sm_init = tian_init,
    .gpu_init = tian_l2_init,
    POLICY_STAT_NAMES(stat_names),
    .stats = tian_stats,
    .l1_route = tian_route,
    .l1_feedback = tian_feedback,
    .l1_alloc = tian_alloc,
    .l2_reply = tian_l2_reply,
    .on_l2_fill = tian_l2_fill,
    .on_l1_hit = tian_touch,
    .on_l1_pending = tian_touch,
    .on_l1_miss = tian_miss,
    .on_l1_evict = tian_evict,
    .on_l1_fill = tian_fill,
};
