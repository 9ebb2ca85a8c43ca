#include "policy/lib/ciao.h"

#include <string.h>

#include "base/bits.h"

/* Backstop: after so many cycles without an issue, a stalled warp is released (ciao_throttle()). */
enum { PATIENCE_CYCLES = 1000, ADDRESS_BITS = 32 };

/* ---- set-up ---------------------------------------------------------------------------------------------- */

static uint32_t tags_per_warp(const struct policy_env *env)
{
	return ciao_given(env)->vta;
}

size_t ciao_bytes(const struct policy_env *env)
{
	return sizeof(struct ciao) + env->warps * sizeof(struct ciao_warp) +
	       env->schedulers * sizeof(uint64_t) + victim_tags_bytes(env->warps, 1, tags_per_warp(env));
}

/*
 * A new warp in the slot runs and may use L1. What its predecessors lost, and to which warps, stays: counters
 * reset "at the start of each kernel" (V-F), as does the count of instructions that scores are divided by.
 */
static void begin_warp(struct ciao_warp *warp, uint64_t generation)
{
	static const struct ciao_pair empty = {.warp = CIAO_NOBODY};
	warp->generation = generation;
	warp->stalled = warp->isolated = warp->waits = false;
	warp->pair[CIAO_ISOLATED] = warp->pair[CIAO_STALLED] = empty;
}

void ciao_init(struct ciao *c, const struct policy_env *env, enum ciao_mode mode)
{
	memset(c, 0, ciao_bytes(env));
	c->mode = mode;
	c->given = *ciao_given(env);
	c->high_end = c->given.high_epoch;
	c->low_end = c->next_end = c->given.low_epoch; /* not longer than the other */
	c->warps = env->warps;
	c->schedulers = env->schedulers;
	for (uint32_t i = 0; i < c->warps; i++)
		c->warp[i].interferer = CIAO_NOBODY;
	c->stalled_mask = (uint64_t *)(c->warp + c->warps);
	c->tags = (struct victim_tags){.sets = 1, .ways = tags_per_warp(env), .order = VICTIM_FIFO};
	victim_tags_init(&c->tags, c->stalled_mask + c->schedulers, c->warps);
}

const char *ciao_refuses(const struct policy_env *env)
{
	if (ciao_given(env)->low_cutoff > ciao_given(env)->high_cutoff)
		return "low_cutoff is above high_cutoff";
	if (ciao_given(env)->low_epoch > ciao_given(env)->high_epoch)
		return "low_epoch is longer than high_epoch";
	return NULL;
}

struct ciao_bits ciao_hardware(const struct policy_env *env)
{
	uint32_t wid = bits_log2_up(env->warps), line = ADDRESS_BITS - bits_log2_up(env->l1_line_bytes);
	return (struct ciao_bits){
	    .tags = victim_tags_bits(env->warps, 1, tags_per_warp(env), line, wid),
	    .counters = (uint64_t)env->warps * 32,
	    .interference_list = ((uint64_t)1 << wid) * (wid + 2),
	    .pair_list = ((uint64_t)1 << wid) * (2 * wid),
	    .line_owner = (uint64_t)env->l1_sets * env->l1_ways * wid,
	    .flags = (uint64_t)env->warps * 2,
	};
}

uint64_t ciao_sm_bits(const struct policy_env *env)
{
	struct ciao_bits b = ciao_hardware(env);
	return b.tags + b.counters + b.interference_list + b.pair_list + b.line_owner + b.flags;
}

void ciao_add_stats(const void *sm, uint64_t *sum)
{
	const struct ciao_stats *s = &((const struct ciao *)sm)->stats;
	const uint64_t value[] = {s->vta_hits,
	                          s->isolations,
	                          s->stalls,
	                          s->returns_to_l1,
	                          s->reactivations,
	                          s->low_epochs,
	                          s->stalled_at_low_epochs,
	                          s->isolated_at_low_epochs,
	                          s->isolated_loads,
	                          s->deadlock_releases,
	                          s->warps_at_low_epochs};
	for (size_t i = 0; i < sizeof value / sizeof *value; i++)
		sum[i] += value[i];
}

/* ---- flags V and I --------------------------------------------------------------------------------------- */

static void note_accused(struct ciao *c, uint32_t warp)
{
	uint64_t bit = (uint64_t)1 << warp % 64, *accused = &c->accused[warp / 64];
	*accused = c->warp[warp].stalled || c->warp[warp].isolated ? *accused | bit : *accused & ~bit;
}

static void set_stalled(struct ciao *c, uint32_t warp, bool stalled)
{
	struct ciao_warp *w = &c->warp[warp];
	if (w->stalled == stalled)
		return;
	w->stalled = stalled;
	c->stalled_mask[warp % c->schedulers] ^= (uint64_t)1 << warp / c->schedulers;
	c->stalled = stalled ? c->stalled + 1 : c->stalled - 1;
	c->running = stalled ? c->running - 1 : c->running + 1;
	note_accused(c, warp);
}

static void set_isolated(struct ciao *c, uint32_t warp, bool isolated)
{
	struct ciao_warp *w = &c->warp[warp];
	if (w->isolated == isolated)
		return;
	w->isolated = isolated;
	c->isolated = isolated ? c->isolated + 1 : c->isolated - 1;
	note_accused(c, warp);
}

static void accuse(struct ciao *c, uint32_t warp, enum ciao_cause cause, uint32_t by)
{
	c->warp[warp].pair[cause] =
	    (struct ciao_pair){.warp = (int32_t)by, .generation = c->warp[by].generation};
}

static void stall(struct ciao *c, uint32_t warp, uint32_t by)
{
	set_stalled(c, warp, true);
	accuse(c, warp, CIAO_STALLED, by);
	c->stats.stalls++;
}

static void isolate(struct ciao *c, uint32_t warp, uint32_t by)
{
	set_isolated(c, warp, true);
	accuse(c, warp, CIAO_ISOLATED, by);
	c->stats.isolations++;
}

static void reactivate(struct ciao *c, uint32_t warp)
{
	set_stalled(c, warp, false);
	c->warp[warp].pair[CIAO_STALLED].warp = CIAO_NOBODY;
	c->stats.reactivations++;
}

/* ---- the detector ---------------------------------------------------------------------------------------- */

bool ciao_score_above(const struct ciao *c, uint32_t warp, double cutoff)
{
	double hits = (double)c->warp[warp].vta_hits, insns = (double)(c->insns - c->window_insns);
	if (c->given.divide)
		return hits > cutoff * insns * c->running;
	return hits * c->running > cutoff * insns;
}

/* A saturating counter keeps the warp that interferes most, not merely last. */
void ciao_note_interference(struct ciao *c, uint32_t of, uint32_t by)
{
	struct ciao_warp *w = &c->warp[of];
	if (w->interferer == (int32_t)by) {
		w->counter = w->counter < CIAO_COUNTER_MAX ? (uint8_t)(w->counter + 1) : CIAO_COUNTER_MAX;
		return;
	}
	bool replace = w->interferer == CIAO_NOBODY || !w->counter;
	if (w->counter)
		w->counter--;
	replace |= !w->counter && !c->given.late_replace;
	if (replace) {
		w->interferer = (int32_t)by;
		w->counter = 0;
	}
}

void ciao_on_l1_evict(void *sm, const struct l1_event *event)
{
	struct ciao *c = sm;
	victim_tags_insert(&c->tags, event->owner, event->line, event->warp);
}

void ciao_on_l1_miss(void *sm, const struct l1_event *event)
{
	struct ciao *c = sm;
	uint32_t by = victim_tags_take(&c->tags, event->warp, event->line);
	if (by == VICTIM_NONE)
		return;
	c->warp[event->warp].vta_hits++;
	c->stats.vta_hits++;
	ciao_note_interference(c, event->warp, by);
}

/* ---- decisions: Algorithm 1 ------------------------------------------------------------------------------ */

/* "Warp(k) needs executing": it has not ended, and does not wait at a barrier. */
static bool needs_executing(const struct ciao *c, const struct ciao_pair *pair)
{
	const struct ciao_warp *w = &c->warp[pair->warp];
	return w->generation == pair->generation && (!w->waits || c->given.barrier_keeps);
}

/* Whether the warp that complained needs executing and is still disturbed. */
static bool still_disturbed(const struct ciao *c, const struct ciao_pair *pair)
{
	return pair->warp != CIAO_NOBODY && needs_executing(c, pair) &&
	       ciao_score_above(c, (uint32_t)pair->warp, c->given.low_cutoff);
}

static void acquit(struct ciao *c, uint32_t warp)
{
	struct ciao_warp *w = &c->warp[warp];
	if (w->stalled) {
		if (!still_disturbed(c, &w->pair[CIAO_STALLED]))
			reactivate(c, warp);
	} else if (w->isolated && !still_disturbed(c, &w->pair[CIAO_ISOLATED])) {
		set_isolated(c, warp, false);
		w->pair[CIAO_ISOLATED].warp = CIAO_NOBODY;
		c->stats.returns_to_l1++;
	}
}

static void complain(struct ciao *c, uint32_t warp)
{
	const struct ciao_warp *w = &c->warp[warp];
	if (w->stalled || (w->waits && !c->given.barrier_keeps) || w->interferer == CIAO_NOBODY ||
	    w->interferer == (int32_t)warp)
		return;
	uint32_t other = (uint32_t)w->interferer;
	const struct ciao_warp *o = &c->warp[other];
	if (!o->generation || o->stalled || !ciao_score_above(c, warp, c->given.high_cutoff))
		return;
	if (c->mode == CIAO_THROTTLE || (c->mode == CIAO_COMBINED && o->isolated))
		stall(c, other, warp);
	else if (!o->isolated)
		isolate(c, other, warp);
}

static void examine(struct ciao *c, uint32_t warp, bool low, bool high)
{
	if (!c->warp[warp].generation)
		return;
	if (low)
		acquit(c, warp);
	if (high)
		complain(c, warp);
}

static uint32_t next_in_turn(struct ciao *c)
{
	for (uint32_t i = 0; i < c->warps; i++) {
		c->turn = (c->turn + 1) % c->warps;
		if (c->warp[c->turn].generation)
			break;
	}
	return c->turn;
}

/* The end of a low epoch alone: the others cannot change. */
static void examine_accused(struct ciao *c)
{
	for (uint32_t word = 0; word < sizeof c->accused / sizeof *c->accused; word++)
		for (uint64_t rest = c->accused[word]; rest; rest &= rest - 1)
			acquit(c, word * 64 + (uint32_t)__builtin_ctzll(rest));
}

void ciao_end_epoch(struct ciao *c, bool low, bool high)
{
	if (!c->given.sweep)
		examine(c, next_in_turn(c), low, high);
	else if (high && c->stats.vta_hits) /* else no warp has been disturbed */
		for (uint32_t i = 0; i < c->warps; i++)
			examine(c, i, low, true);
	else
		examine_accused(c);
	if (low) {
		c->stats.low_epochs++;
		c->stats.warps_at_low_epochs += c->running + c->stalled;
		c->stats.stalled_at_low_epochs += c->stalled;
		c->stats.isolated_at_low_epochs += c->isolated;
	}
	if (high && c->given.window) {
		c->window_insns = c->insns;
		for (uint32_t i = 0; i < c->warps; i++)
			c->warp[i].vta_hits = 0;
	}
}

static __attribute__((noinline)) void pass_ends(struct ciao *c)
{
	bool low = c->epoch_insns >= c->low_end, high = c->epoch_insns >= c->high_end;
	while (c->low_end <= c->epoch_insns)
		c->low_end += c->given.low_epoch;
	while (c->high_end <= c->epoch_insns)
		c->high_end += c->given.high_epoch;
	c->next_end = c->low_end < c->high_end ? c->low_end : c->high_end;
	if (high || c->stalled || c->isolated || !c->given.sweep) {
		ciao_end_epoch(c, low, high);
		return;
	}
	c->stats.low_epochs++; /* no warp to acquit */
	c->stats.warps_at_low_epochs += c->running;
}

/* ---- hooks ------------------------------------------------------------------------------------------------ */

void ciao_on_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle)
{
	struct ciao *c = sm;
	(void)warp, (void)pc;
	c->insns += c->given.score_threads ? lanes : 1;
	c->epoch_insns += c->given.epoch_threads ? lanes : 1;
	c->moved = cycle;
	if (__builtin_expect(c->epoch_insns >= c->next_end, 0))
		pass_ends(c);
}

void ciao_on_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct ciao *c = sm;
	(void)cta;
	begin_warp(&c->warp[warp], ++c->next_generation);
	c->running++;
	c->moved = cycle;
	victim_tags_clear(&c->tags, warp);
}

static bool some_warp_runs(const struct ciao *c)
{
	for (uint32_t i = 0; i < c->warps; i++)
		if (c->warp[i].generation && !c->warp[i].stalled && !c->warp[i].waits)
			return true;
	return false;
}

/*
 * Epochs count instructions: if all remaining warps are stalled or at barriers, no epoch would end. So
 * re-examine all: the warp that accused the last one to be stalled ran then and is not stalled now, so it has
 * ended or waits, and its accusation no longer counts.
 */
static void wake_if_none_runs(struct ciao *c)
{
	if (!c->stalled || some_warp_runs(c))
		return;
	for (uint32_t i = 0; i < c->warps; i++)
		if (c->warp[i].generation)
			acquit(c, i);
}

void ciao_on_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct ciao *c = sm;
	set_stalled(c, warp, false);
	set_isolated(c, warp, false);
	c->warp[warp].generation = 0;
	c->running--;
	c->moved = cycle;
	wake_if_none_runs(c);
}

void ciao_on_barrier(void *sm, uint32_t warp, bool waits, uint64_t cycle)
{
	struct ciao *c = sm;
	(void)cycle;
	c->warp[warp].waits = waits;
	if (waits)
		wake_if_none_runs(c);
}

static void release_oldest(struct ciao *c, const struct sched_view *view, uint64_t held)
{
	for (uint32_t i = 0; i < view->by_age_count; i++)
		if (held >> view->by_age[i] & 1) {
			reactivate(c, view->by_age[i] * c->schedulers + view->scheduler);
			c->stats.deadlock_releases++;
			return;
		}
}

struct throttle ciao_throttle(void *sm, const struct sched_view *view)
{
	struct ciao *c = sm;
	const uint64_t *held = &c->stalled_mask[view->scheduler];
	if (*held && view->cycle >= c->moved + PATIENCE_CYCLES && !view->waiting_memory && !some_warp_runs(c))
		release_oldest(c, view, *held & ~view->waiting_barrier);
	return (struct throttle){~*held, ~*held, *held ? c->moved + PATIENCE_CYCLES : POLICY_CYCLE_NEVER};
}

/* ---- unused shared memory as a cache: section IV-B --------------------------------------------------------- */

/*
 * A row of shared memory is 32 banks of 8 B: two groups, each as wide as a line of 128 B. A tag (25 bits of
 * address, 6 of the warp) takes half a bank, so a row of a group holds 32 tags. The tag lies in the group
 * that does not hold the data, and both are read at once.
 */
enum { ROW_BYTES = 256, GROUPS = 2, TAGS_PER_ROW = 32, MAX_DATA_ROWS = 256 };

uint32_t ciao_aux_lines(uint32_t unused_bytes)
{
	uint32_t rows = unused_bytes / ROW_BYTES, data = MAX_DATA_ROWS;
	while (data && data + (data + TAGS_PER_ROW - 1) / TAGS_PER_ROW > rows)
		data /= 2;
	return data * GROUPS;
}

struct ciao_place ciao_place_of(uint32_t index)
{
	uint32_t row = index / GROUPS, group = index % GROUPS;
	return (struct ciao_place){.index = index,
	                           .data_row = row,
	                           .data_group = group,
	                           .tag_row = row / TAGS_PER_ROW,
	                           .tag_group = !group,
	                           .tag_slot = row % TAGS_PER_ROW};
}

/* `sets` is a power of two. Folded, all address bits count; literally, rows 16 KB apart share two lines (A15). */
uint32_t ciao_aux_index(const void *params, uint64_t line, uint32_t sets)
{
	uint32_t bits = (uint32_t)__builtin_ctz(sets);
	if (!((const struct ciao_params *)params)->literal_index)
		line ^= line >> bits ^ line >> 2 * bits;
	return (uint32_t)line & (sets - 1);
}

struct aux_shape ciao_aux_cache(void *sm, const struct sm_view *view)
{
	struct ciao *c = sm;
	uint32_t used = view->smem_bytes_used < view->smem_bytes ? view->smem_bytes_used : view->smem_bytes;
	c->aux_sets = ciao_aux_lines(view->smem_bytes - used);
	return (struct aux_shape){.sets = c->aux_sets, .ways = 1, .hit_cycles = c->given.hit_cycles};
}

enum l1_route ciao_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	struct ciao *c = sm;
	if (!c->warp[request->warp].isolated || !c->aux_sets || request->is_store || request->is_atomic ||
	    request->space != POLICY_GLOBAL)
		return L1_ROUTE_NONE;
	c->stats.isolated_loads += fail == L1_FAIL_NONE;
	return L1_ROUTE_AUX;
}
