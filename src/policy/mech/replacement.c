/*
 * Replacement policies of L1.
 *
 * lru: the least recently used line goes, as when no policy owns l1_victim. Misses and hits renew a line, fills do not.
 * fifo: the line that was allocated first goes, however often it was used since.
 * plru: pseudo-LRU with a tree of bits per set, as in the L1 of Tian's machine. Each bit points to the half of its ways that
 * was used longer ago. A hit or an allocation turns the bits on the path to the line away from it; the victim is the line that
 * the bits point to. A number of ways that is no power of two gets the next larger tree without the missing leaves. Where the
 * bits point only to reserved lines, the other half is taken.
 * rrip: SRRIP, static re-reference interval prediction (Jaleel et al. 2010). Every line has an M-bit prediction of its next
 * use: 2^M - 2 (distant) for a new line, 0 (soon) after a hit. The line with the greatest value goes, and the others age by as
 * much as it lacked to 2^M - 1. They age at the eviction, because L1 asks for a victim more than once. Left out: BRRIP, DRRIP.
 */
#include "base/bits.h"
#include "policy/define.h"
#include "policy/lib/frames.h"

static uint32_t frames_of(const struct policy_env *env)
{
	return env->l1_sets * env->l1_ways;
}

/* ---- lru ---------------------------------------------------------------------------------------------------- */

static uint32_t lru_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                           uint32_t count)
{
	(void)sm, (void)request;
	return frames_lru(ways, count);
}

/* A rank per line. */
static uint64_t lru_sm_bits(const struct policy_env *env)
{
	return (uint64_t)frames_of(env) * bits_log2_up(env->l1_ways);
}

const struct policy policy_lru = {
    .abi = POLICY_ABI,
    .name = "lru",
    .title = "the least recently used line of the set is replaced",
    .citation = "textbook; CIAO and LCM name it for L1 (IPDPS 2018, Table I; Micromachines 2021, Table 2)",
    .sm_bits = lru_sm_bits,
    .l1_victim = lru_victim,
};

/* ---- fifo --------------------------------------------------------------------------------------------------- */

struct fifo {
	uint32_t frames;
	uint64_t clock;
	uint64_t state[]; /* per frame its line, then per frame the time it came */
};

static uint32_t fifo_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                            uint32_t count)
{
	const struct fifo *fifo = sm;
	if (request->aux || frames_free(ways, count) != UINT32_MAX)
		return frames_lru(ways, count);
	const uint64_t *came = &fifo->state[fifo->frames];
	uint32_t first = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++)
		if (!ways[i].reserved &&
		    (first == UINT32_MAX || came[ways[i].frame] < came[ways[first].frame]))
			first = i;
	return first;
}

static void fifo_enter(void *sm, const struct l1_event *event)
{
	struct fifo *fifo = sm;
	if (frames_enter(fifo->state, event))
		fifo->state[fifo->frames + event->frame] = ++fifo->clock;
}

static size_t fifo_sm_bytes(const struct policy_env *env)
{
	return sizeof(struct fifo) + 2 * (size_t)frames_of(env) * sizeof(uint64_t);
}

static void fifo_sm_init(void *sm, const struct policy_env *env)
{
	struct fifo *fifo = sm;
	fifo->frames = frames_of(env);
	fifo->clock = 0;
	frames_clear(fifo->state, fifo->frames);
}

/* The next way to go, per set. */
static uint64_t fifo_sm_bits(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * bits_log2_up(env->l1_ways);
}

const struct policy policy_fifo = {
    .abi = POLICY_ABI,
    .name = "fifo",
    .title = "the line of the set that came first is replaced",
    .citation = "textbook",
    .sm_bits = fifo_sm_bits,
    .sm_bytes = fifo_sm_bytes,
    .sm_init = fifo_sm_init,
    .l1_victim = fifo_victim,
    .on_l1_miss = fifo_enter,
    .on_l1_fill = fifo_enter,
};

/* ---- plru --------------------------------------------------------------------------------------------------- */

struct plru {
	uint64_t *line_of; /* behind this block */
	uint8_t *node; /* per set, from the root; node n has children 2n + 1 and 2n + 2; 1: points right */
	uint32_t ways, leaves;
};

static uint8_t *tree_of(const struct plru *plru, uint32_t set)
{
	return &plru->node[(size_t)set * (plru->leaves - 1)];
}

static void turn_away(struct plru *plru, uint32_t frame)
{
	uint8_t *node = tree_of(plru, frame / plru->ways);
	uint32_t way = frame % plru->ways, at = 0;
	for (uint32_t half = plru->leaves / 2; half; half /= 2) {
		bool right = way & half;
		node[at] = !right;
		at = 2 * at + 1 + right;
	}
}

/* Whether a way of first .. first + count may be evicted. */
static bool any_goes(const struct frame_view *ways, uint32_t total, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count && i < total; i++)
		if (!ways[i].reserved)
			return true;
	return false;
}

static uint32_t plru_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                            uint32_t count)
{
	const struct plru *plru = sm;
	if (request->aux || frames_free(ways, count) != UINT32_MAX)
		return frames_lru(ways, count);
	if (!any_goes(ways, count, 0, count))
		return UINT32_MAX;
	const uint8_t *node = tree_of(plru, ways[0].frame / plru->ways);
	uint32_t first = 0, at = 0;
	for (uint32_t half = plru->leaves / 2; half; half /= 2) {
		bool right = node[at];
		if (!any_goes(ways, count, right ? first + half : first, half))
			right = !right;
		first += right ? half : 0;
		at = 2 * at + 1 + right;
	}
	return first;
}

static void plru_on_hit(void *sm, const struct l1_event *event)
{
	if (!event->aux)
		turn_away(sm, event->frame);
}

static void plru_enter(void *sm, const struct l1_event *event)
{
	struct plru *plru = sm;
	if (frames_enter(plru->line_of, event))
		turn_away(plru, event->frame);
}

static uint32_t leaves_of(const struct policy_env *env)
{
	return 1u << bits_log2_up(env->l1_ways);
}

static size_t plru_sm_bytes(const struct policy_env *env)
{
	return sizeof(struct plru) + (size_t)frames_of(env) * sizeof(uint64_t) +
	       (size_t)env->l1_sets * (leaves_of(env) - 1);
}

static void plru_sm_init(void *sm, const struct policy_env *env)
{
	struct plru *plru = sm;
	uint32_t frames = frames_of(env);
	plru->ways = env->l1_ways;
	plru->leaves = leaves_of(env);
	plru->line_of = (uint64_t *)(plru + 1);
	plru->node = (uint8_t *)(plru->line_of + frames);
	frames_clear(plru->line_of, frames);
	memset(plru->node, 0, (size_t)env->l1_sets * (plru->leaves - 1));
}

static uint64_t plru_sm_bits(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * (env->l1_ways - 1);
}

const struct policy policy_plru = {
    .abi = POLICY_ABI,
    .name = "plru",
    .title = "the line that a tree of bits per set points to is replaced",
    .citation = "textbook; the L1 of Y. Tian et al.: Adaptive GPU Cache Bypassing, GPGPU-8 2015",
    .sm_bits = plru_sm_bits,
    .sm_bytes = plru_sm_bytes,
    .sm_init = plru_sm_init,
    .l1_victim = plru_victim,
    .on_l1_hit = plru_on_hit,
    .on_l1_miss = plru_enter,
    .on_l1_fill = plru_enter,
};

/* ---- rrip --------------------------------------------------------------------------------------------------- */

struct rrip_params {
	uint32_t bits;
	bool frequency;
};

POLICY_GIVEN(struct rrip_params)

static const struct policy_param params[] = {
    PARAM_U32(struct rrip_params, bits, 2, 1, 8, "", "of the prediction of a line"),
    PARAM_BOOL(struct rrip_params, frequency, 0, 0, 1, "",
               "a hit makes the prediction one less (FP) instead of 0 (HP)"),
};

struct rrip {
	uint64_t *line_of; /* behind this block */
	uint8_t *value;    /* per frame */
	uint32_t ways;
	uint8_t distant;
	bool frequency;
};

static uint32_t rrip_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                            uint32_t count)
{
	const struct rrip *rrip = sm;
	if (request->aux || frames_free(ways, count) != UINT32_MAX)
		return frames_lru(ways, count);
	uint32_t victim = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++)
		if (!ways[i].reserved &&
		    (victim == UINT32_MAX || rrip->value[ways[i].frame] > rrip->value[ways[victim].frame]))
			victim = i;
	return victim;
}

/* Age the set by as much as the victim lacked to the most distant prediction. */
static void rrip_on_evict(void *sm, const struct l1_event *event)
{
	struct rrip *rrip = sm;
	if (event->aux)
		return;
	uint8_t *set = &rrip->value[event->frame / rrip->ways * rrip->ways];
	uint32_t steps = rrip->distant - rrip->value[event->frame];
	for (uint32_t i = 0; i < rrip->ways; i++)
		set[i] = (uint8_t)(set[i] + steps < rrip->distant ? set[i] + steps : rrip->distant);
}

static void rrip_on_hit(void *sm, const struct l1_event *event)
{
	struct rrip *rrip = sm;
	if (event->aux)
		return;
	uint8_t *value = &rrip->value[event->frame];
	*value = rrip->frequency && *value ? (uint8_t)(*value - 1) : 0;
}

static void rrip_enter(void *sm, const struct l1_event *event)
{
	struct rrip *rrip = sm;
	if (frames_enter(rrip->line_of, event))
		rrip->value[event->frame] = (uint8_t)(rrip->distant - 1);
}

static size_t rrip_sm_bytes(const struct policy_env *env)
{
	return sizeof(struct rrip) + (size_t)frames_of(env) * (sizeof(uint64_t) + 1);
}

static void rrip_sm_init(void *sm, const struct policy_env *env)
{
	struct rrip *rrip = sm;
	uint32_t frames = frames_of(env);
	rrip->ways = env->l1_ways;
	rrip->distant = (uint8_t)((1u << given(env)->bits) - 1);
	rrip->frequency = given(env)->frequency;
	rrip->line_of = (uint64_t *)(rrip + 1);
	rrip->value = (uint8_t *)(rrip->line_of + frames);
	frames_clear(rrip->line_of, frames);
	memset(rrip->value, rrip->distant, frames);
}

static uint64_t rrip_sm_bits(const struct policy_env *env)
{
	return (uint64_t)frames_of(env) * given(env)->bits;
}

const struct policy policy_rrip = {
    .abi = POLICY_ABI,
    .name = "rrip",
    .title = "the line whose next use is predicted to be most distant is replaced (SRRIP)",
    .citation =
        "A. Jaleel, K. B. Theobald, S. C. Steely Jr., J. Emer: High Performance Cache Replacement Using "
        "Re-Reference Interval Prediction (RRIP), ISCA 2010",
    POLICY_PARAMS(params, struct rrip_params),
    .sm_bits = rrip_sm_bits,
    .sm_bytes = rrip_sm_bytes,
    .sm_init = rrip_sm_init,
    .l1_victim = rrip_victim,
    .on_l1_hit = rrip_on_hit,
    .on_l1_evict = rrip_on_evict,
    .on_l1_miss = rrip_enter,
    .on_l1_fill = rrip_enter,
};
