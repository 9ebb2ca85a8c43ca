/*
 * Cache-conscious wavefront scheduling: a warp that misses a line it lost gets a high lost-locality score,
 * which decays; scores are stacked, highest first, and warps that the stack pushes over the cutoff may not
 * issue loads.
 *
 * Rogers et al., MICRO 2012, in the settings of Khairy (thesis, Cairo 2015), Table 6.1. Left out: the
 * hardware's sorter, which takes 32 cycles; the order here is always the present one.
 *
 * Scores are kept as the cycle in which they will have decayed to the base.
 */
#include <string.h>

#include "base/bits.h"
#include "policy/define.h"
#include "policy/lib/victim_tags.h"

struct ccws_params {
	uint32_t k;
	uint32_t base;
	uint32_t vta;
	uint32_t least;
};

POLICY_GIVEN(struct ccws_params)

enum { VTA_WAYS = 8, ADDRESS_BITS = 32, SCORE_BITS = 10, SCORE_MAX = (1 << SCORE_BITS) - 1 };

struct ccws_warp {
	uint64_t launch; /* order of launch, from 1; 0: slot is empty */
	uint64_t decayed;
};

struct ccws {
	uint32_t k, base, least, warps, schedulers;
	uint32_t resident;
	uint64_t launches, insns, vta_hits;
	uint64_t asked, held, stacked; /* stacks built; warps without load rights in them, and all */
	uint64_t last_decay;           /* the latest cycle in `decayed` */
	uint64_t valid_until;          /* cycle to which the masks below hold, if nothing happens */
	struct victim_tags tags;
	uint64_t *may_load; /* per scheduler */
	uint32_t *order;    /* slots in the stack */
	struct ccws_warp warp[];
};

static uint32_t vta_sets(const struct policy_env *env)
{
	uint32_t tags = given(env)->vta;
	return tags > VTA_WAYS ? tags / VTA_WAYS : 1;
}

static uint32_t vta_ways(const struct policy_env *env)
{
	return given(env)->vta / vta_sets(env);
}

static const char *ccws_refuses(const struct policy_env *env)
{
	uint32_t tags = given(env)->vta;
	return tags & (tags - 1) ? "vta must be a power of two" : NULL;
}

static size_t ccws_bytes(const struct policy_env *env)
{
	return sizeof(struct ccws) + env->warps * sizeof(struct ccws_warp) +
	       env->schedulers * sizeof(uint64_t) +
	       victim_tags_bytes(env->warps, vta_sets(env), vta_ways(env)) + env->warps * sizeof(uint32_t);
}

static void ccws_init(void *sm, const struct policy_env *env)
{
	struct ccws *c = sm;
	memset(c, 0, ccws_bytes(env));
	c->k = given(env)->k;
	c->base = given(env)->base;
	c->least = given(env)->least;
	c->warps = env->warps;
	c->schedulers = env->schedulers;
	c->may_load = (uint64_t *)(c->warp + env->warps);
	c->tags = (struct victim_tags){.sets = vta_sets(env), .ways = vta_ways(env), .order = VICTIM_LRU};
	char *tags = (char *)(c->may_load + env->schedulers);
	victim_tags_init(&c->tags, tags, env->warps);
	c->order = (uint32_t *)(tags + victim_tags_bytes(env->warps, c->tags.sets, c->tags.ways));
}

/* Victim tags, a score per warp, the owner in every line of L1, and two counters. */
static uint64_t ccws_bits(const struct policy_env *env)
{
	uint64_t wid = bits_log2_up(env->warps), line = ADDRESS_BITS - bits_log2_up(env->l1_line_bytes);
	return victim_tags_bits(env->warps, vta_sets(env), vta_ways(env), (uint32_t)line, 0) +
	       (uint64_t)env->warps * SCORE_BITS + (uint64_t)env->l1_sets * env->l1_ways * wid + 2 * 32;
}

/* ---- scores ----------------------------------------------------------------------------------------------- */

static uint64_t score(const struct ccws *c, uint32_t warp, uint64_t cycle)
{
	uint64_t decayed = c->warp[warp].decayed;
	return c->base + (decayed > cycle ? decayed - cycle : 0);
}

static uint64_t cutoff(const struct ccws *c)
{
	return (uint64_t)c->resident * c->base;
}

/* VTA hits per instruction, scaled so that K says how many warps' worth of cutoff they take; what a score can hold. */
static uint64_t lost_locality(const struct ccws *c)
{
	return bits_min(c->vta_hits * c->k * cutoff(c) / (c->insns ? c->insns : 1), SCORE_MAX);
}

static void ccws_on_l1_evict(void *sm, const struct l1_event *event)
{
	struct ccws *c = sm;
	victim_tags_insert(&c->tags, event->owner, event->line, event->warp);
}

static void ccws_on_l1_miss(void *sm, const struct l1_event *event)
{
	struct ccws *c = sm;
	if (victim_tags_take(&c->tags, event->warp, event->line) == VICTIM_NONE)
		return;
	c->vta_hits++;
	uint64_t lost = lost_locality(c);
	if (lost <= score(c, event->warp, event->cycle))
		return;
	c->warp[event->warp].decayed = event->cycle + lost - c->base;
	if (c->warp[event->warp].decayed > c->last_decay)
		c->last_decay = c->warp[event->warp].decayed;
	c->valid_until = 0;
}

/* ---- the stack -------------------------------------------------------------------------------------------- */

static bool above(const struct ccws *c, uint32_t a, uint32_t b, uint64_t cycle)
{
	uint64_t score_a = score(c, a, cycle), score_b = score(c, b, cycle);
	return score_a != score_b ? score_a > score_b : c->warp[a].launch < c->warp[b].launch;
}

/* Keeps the slots sorted; they change little from one time to the next. */
static void sort(struct ccws *c, uint64_t cycle)
{
	for (uint32_t i = 1; i < c->resident; i++) {
		uint32_t warp = c->order[i], at = i;
		for (; at && above(c, warp, c->order[at - 1], cycle); at--)
			c->order[at] = c->order[at - 1];
		c->order[at] = warp;
	}
}

/*
 * Who may load, and until when that holds: the first that does not fit will when the scores up to its own
 * have decayed by what is too much; and one that reaches the base may change places.
 */
static void stack(struct ccws *c, uint64_t cycle)
{
	uint64_t sum = 0, limit = cutoff(c), decaying = 0;
	memset(c->may_load, 0, c->schedulers * sizeof *c->may_load);
	sort(c, cycle);
	c->asked++;
	c->stacked += c->resident;
	c->valid_until = c->last_decay;
	for (uint32_t i = 0; i < c->resident; i++) {
		uint32_t warp = c->order[i];
		sum += score(c, warp, cycle);
		if (c->warp[warp].decayed > cycle) {
			decaying++;
			c->valid_until = bits_min(c->valid_until, c->warp[warp].decayed);
		}
		if (sum > limit && i >= c->least) {
			c->held += c->resident - i;
			c->valid_until =
			    bits_min(c->valid_until, cycle + (sum - limit + decaying - 1) / decaying);
			return;
		}
		c->may_load[warp % c->schedulers] |= (uint64_t)1 << warp / c->schedulers;
	}
}

static struct throttle ccws_throttle(void *sm, const struct sched_view *view)
{
	struct ccws *c = sm;
	if (c->last_decay <= view->cycle) /* all at the base: everybody fits */
		return (struct throttle){UINT64_MAX, UINT64_MAX, POLICY_CYCLE_NEVER};
	if (c->valid_until <= view->cycle)
		stack(c, view->cycle);
	return (struct throttle){UINT64_MAX, c->may_load[view->scheduler], c->valid_until};
}

/* ---- warps ------------------------------------------------------------------------------------------------ */

static void ccws_on_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct ccws *c = sm;
	(void)cta, (void)cycle;
	c->warp[warp] = (struct ccws_warp){.launch = ++c->launches};
	c->order[c->resident++] = warp;
	victim_tags_clear(&c->tags, warp);
	c->valid_until = 0;
}

static void ccws_on_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct ccws *c = sm;
	(void)cycle;
	uint32_t at = 0;
	while (at < c->resident && c->order[at] != warp)
		at++;
	c->resident--;
	for (; at < c->resident; at++)
		c->order[at] = c->order[at + 1];
	c->warp[warp].launch = 0;
	c->valid_until = 0;
}

static void ccws_on_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle)
{
	(void)warp, (void)pc, (void)lanes, (void)cycle;
	((struct ccws *)sm)->insns++;
}

static void ccws_stats(const void *sm, uint64_t *sum)
{
	const struct ccws *c = sm;
	sum[0] += c->vta_hits;
	sum[1] += c->asked;
	sum[2] += c->held;
	sum[3] += c->stacked;
}

static const struct policy_param params[] = {
    PARAM_U32(struct ccws_params, k, 8, 1, 1024, "", "K_throttle: how much lost locality holds back"),
    PARAM_U32(struct ccws_params, base, 100, 1, SCORE_MAX, "", "score of a warp without lost locality"),
    PARAM_U32(struct ccws_params, vta, 16, 1, 1024, "tags", "victim tags per warp, 8-way"),
    PARAM_U32(struct ccws_params, least, 1, 0, 64, "warps",
              "warps of an SM that may load whatever they score"),
};
static const char *const stat_names[] = {"vta_hits", "stacks", "warps_held_in_stacks", "warps_in_stacks"};

const struct policy policy_ccws = {
    .abi = POLICY_ABI,
    .name = "ccws",
    .title = "cache-conscious wavefront scheduling: loads for warps that lost locality",
    .citation = "T. G. Rogers, M. O'Connor, T. M. Aamodt: Cache-Conscious Wavefront Scheduling, MICRO 2012",
    POLICY_PARAMS(params, struct ccws_params),
    .refuses = ccws_refuses,
    .sm_bits = ccws_bits,
    .sm_bytes = ccws_bytes,
    .sm_init = ccws_init,
    POLICY_STAT_NAMES(stat_names),
    .stats = ccws_stats,
    .throttle = ccws_throttle,
    .on_issue = ccws_on_issue,
    .on_warp_start = ccws_on_warp_start,
    .on_warp_exit = ccws_on_warp_exit,
    .on_l1_miss = ccws_on_l1_miss,
    .on_l1_evict = ccws_on_l1_evict,
};
