/*
 * Turns: which warp runs when.
 *
 * Warps of a CTA take short turns in the order of their numbers. CTAs run in
 * launch order, one at a time. A wait can end when a warp ends or memory changes
 * (struct progress). When neither has happened for a while and warps seem to
 * wait, others are let in: first lanes of the same warp that wait for the
 * spinning ones (path_rotate()), then the next CTA, up to as many as a GPU holds
 * at once.
 *
 * A spin is a loop that nothing inside it can end. A warp that comes to the same
 * state (registers, paths) twice while memory has not changed is in one: it goes
 * on for ever unless another warp changes memory. A computation, however long,
 * has a counter somewhere and never repeats a state. Cycles are found by Brent's
 * algorithm: the state is compared with one that is kept for 1, 2, 4 ... turns.
 */
#include "cuda/executor/cta.h"

#include <xxhash.h>

#include "cuda/executor/access.h"
#include "cuda/executor/barrier.h"
#include "cuda/executor/pace.h"
#include "cuda/executor/wait.h"
#include "cuda/executor/warp.h"

enum {
	/* Turns of warps end at the first access or taken branch after so many instructions. */
	WARP_TURN_INSNS = 64,
	WARP_SLICE_INSNS = 20000, /* when the CTA has one warp left, or warps seem to wait */
	SPIN_SLICE_INSNS = 500,   /* when CTAs wait for one another */
	/* Warp instructions without progress after which others are let in, once that has happened (IDLE_INSNS at first). */
	IDLE_AGAIN_INSNS = 8192
};

/* ---- spins --------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
	return XXH3_64bits_withSeed(data, bytes, hash);
}

static uint64_t hash_path(uint64_t hash, const struct path *p, uint32_t index)
{
	const uint64_t fields[] = {p->mask,     p->pc,     p->reconverge, p->frame,   p->parent,
	                           p->children, p->callee, p->state,      p->barrier, index};
	return mix(hash, fields, sizeof fields);
}

static uint64_t warp_state(const struct run *run, const struct warp *w)
{
	uint64_t hash = mix(w->live, w->ready, w->ready_count * sizeof *w->ready);
	hash = mix(hash, &w->current, sizeof w->current);
	for (uint32_t i = 0; i < w->path_count; i++)
		if (w->paths[i].state != PATH_FREE)
			hash = hash_path(hash, &w->paths[i], i);
	for (uint32_t i = 0; i < w->frame_count; i++)
		hash = mix(hash, w->frames[i].registers,
		           (size_t)run->kernel->functions[w->frames[i].function].frame_bytes);
	return hash;
}

static void keep_state(struct spin *s, uint64_t state, uint64_t limit)
{
	s->state = state;
	s->age = 0;
	s->age_limit = limit;
}

/* Compare the warp's state after a turn without progress; `changed_own`: it changed its own local memory. */
static void note_spin(const struct run *run, struct warp *w, bool changed_own)
{
	struct spin *s = &w->spin;
	uint64_t state = warp_state(run, w);
	if (s->epoch != run->progress.epoch || changed_own) {
		s->epoch = run->progress.epoch;
		s->is_proven = false;
		keep_state(s, state, 1);
		return;
	}
	s->is_proven |= state == s->state;
	if (++s->age >= s->age_limit && !s->is_proven)
		keep_state(s, state, 2 * s->age_limit);
}

static bool cta_spins(const struct run *run, const struct cta *cta)
{
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		const struct warp *w = &cta->warps[i];
		bool waits = !w->live || w->current == PTX_NONE;
		if (!waits && !(w->spin.is_proven && w->spin.epoch == run->progress.epoch))
			return false;
	}
	return true;
}

/* Whether every warp that could run spins, and no CTA is left that could end this. */
static bool spin_is_proven(const struct run *run)
{
	/* A GPU would hold one more CTA, which may end the wait. */
	if (run->next_cta < run->cta_total && run->open_ctas < run->max_open)
		return false;
	for (uint32_t i = 0; i < run->cta_slots; i++)
		if (run->ctas[i].is_open && !cta_spins(run, &run->ctas[i]))
			return false;
	return true;
}

/* ---- faults of waits without an end -------------------------------------------------------------------- */

static const struct code *warp_place(const struct run *run, const struct warp *w)
{
	uint32_t path = w->current;
	for (uint32_t i = 0; path == PTX_NONE && i < w->path_count; i++)
		if (w->paths[i].state == PATH_BARRIER || w->paths[i].state == PATH_SYNC ||
		    w->paths[i].state == PATH_PHASE || w->paths[i].state == PATH_PARKED)
			path = i;
	uint32_t pc = path == PTX_NONE ? 0 : w->paths[path].pc;
	bool is_behind = w->current == PTX_NONE && path != PTX_NONE && w->paths[path].state != PATH_PARKED;
	return &run->kernel->code[pc && is_behind ? pc - 1 : pc];
}

static bool fault_stuck(struct run *run, const struct cta *cta)
{
	const struct warp *w = &cta->warps[0];
	for (uint32_t i = 0; i < run->warps_per_cta && !w->live; i++)
		w = &cta->warps[i];
	return fault_at(run, w, warp_place(run, w), w->live, EXEC_SPINNING,
	                "%u warps of the CTA wait at a barrier that the others never reach", cta->live_warps);
}

/* The warp to name: the first that spins, of the first CTA that is open. */
static const struct warp *first_spinning(const struct run *run, const struct warp *w)
{
	const struct cta *first = w->cta;
	for (uint32_t i = 0; i < run->cta_slots; i++)
		if (run->ctas[i].is_open && run->ctas[i].linear < first->linear)
			first = &run->ctas[i];
	for (uint32_t i = 0; i < run->warps_per_cta; i++)
		if (first->warps[i].live &&
		    (first->warps[i].current != PTX_NONE || waits_is_parked(run, &first->warps[i])))
			return &first->warps[i];
	return w;
}

/* ---- progress ------------------------------------------------------------------------------------------ */

static void start_anew(struct progress *p)
{
	p->idle_insns = 0;
	p->changed = p->waits = p->computes = false;
	p->epoch++;
}

/*
 * Whether to give up. The host may still end a proven spin, so it gets its budget.
 * Without proof (a loop that counts its rounds or reads the clock), all turns must
 * look like waits, for SPIN_UNPROVEN_FACTOR budgets.
 */
static bool spins_for_ever(const struct run *run)
{
	const struct progress *p = &run->progress;
	uint64_t budget = run->exec->options.spin_budget, limit = run->exec->options.insn_limit;
	if (limit && run->exec->totals.warp_insns > limit)
		return true;
	if (p->idle_insns < budget)
		return false;
	return spin_is_proven(run) || (!p->computes && p->idle_insns / SPIN_UNPROVEN_FACTOR >= budget);
}

/* Account for a turn; false: the launch waits for ever, which has been reported. */
static bool account(struct run *run, struct warp *w, uint64_t insns, bool ended)
{
	struct progress *p = &run->progress;
	run->exec->totals.warp_insns += insns;
	run->clock += insns;
	p->idle_insns += insns;
	p->waits |= p->repeated > p->fresh;
	p->computes |= p->is_watched && p->repeated <= p->fresh;
	if (p->changed || ended)
		start_anew(p);
	else if (p->is_watched)
		note_spin(run, w, p->changed_own);
	p->is_watched = p->idle_insns >= p->patience / 2;
	if (!spins_for_ever(run))
		return true;
	const struct warp *named = first_spinning(run, w);
	return fault_at(
	    run, named, warp_place(run, named), named->live, EXEC_SPINNING,
	    "waits for ever: %llu warp instructions without a warp that ends or memory that changes",
	    (unsigned long long)p->idle_insns);
}

/* Whether others should be let in: after a long time even if the turns do not look like a wait. */
static bool is_stuck(const struct run *run, bool looks_like_waiting)
{
	const struct progress *p = &run->progress;
	return (p->idle_insns > p->patience && looks_like_waiting) ||
	       p->idle_insns > run->exec->options.spin_budget / 4;
}

/* ---- turns of warps ------------------------------------------------------------------------------------ */

enum turn { TURN_DONE, TURN_OVER, TURN_FAULT, TURN_IDLE /* all wait for other CTAs */ };

/* Turns are short, so that warps of a CTA advance together as on a GPU, and longer where that changes nothing. */
static uint64_t turn_insns(const struct run *run, const struct cta *cta)
{
	if (run->interleaved)
		return SPIN_SLICE_INSNS;
	return run->progress.is_watched || cta->live_warps == 1 ? WARP_SLICE_INSNS : WARP_TURN_INSNS;
}

static enum turn take_turn(struct run *run, struct warp *w, uint64_t insns)
{
	struct progress *p = &run->progress;
	uint64_t before = w->issued;
	p->repeated = p->fresh = 0;
	p->changed_own = false;
	enum warp_stop stop = warp_run(run, w, insns);
	pace_advance(w, w->issued - before);
	if (stop == WARP_FAULT || !account(run, w, w->issued - before, stop == WARP_ENDED))
		return TURN_FAULT;
	if (stop == WARP_ENDED && --w->cta->live_warps == 0)
		return TURN_DONE;
	if (stop == WARP_SLICE_OVER && is_stuck(run, p->repeated > p->fresh))
		path_rotate(w);
	return TURN_OVER;
}

/* Let every parked path that a write has woken run a round; false: a fault. They end neither warps nor CTAs. */
static bool run_woken(struct run *run)
{
	for (struct warp *w = waits_next(run); w; w = waits_next(run))
		if (take_turn(run, w, 0) == TURN_FAULT)
			return false;
	return true;
}

static enum turn warp_turn(struct run *run, struct cta *cta, struct warp *w)
{
	uint64_t insns = run->wave ? pace_insns(run, w) : turn_insns(run, cta);
	enum turn turn = insns ? take_turn(run, w, insns) : TURN_OVER;
	if (run->waits && turn != TURN_FAULT && !run_woken(run))
		return TURN_FAULT;
	return turn;
}

static bool has_parked(const struct run *run, const struct cta *cta)
{
	for (uint32_t i = 0; run->waits && i < run->warps_per_cta; i++)
		if (cta->warps[i].live && waits_is_parked(run, &cta->warps[i]))
			return true;
	return false;
}

/* No warp can run: let the waits for phases of one warp give up. */
static bool release_waits(struct run *run, struct cta *cta)
{
	for (uint32_t i = 0; i < run->warps_per_cta; i++)
		if (mbarrier_release(run, &cta->warps[i]))
			return true;
	return false;
}

/* Give every warp that can run one turn. */
static enum turn cta_round(struct run *run, struct cta *cta)
{
	bool ran = false;
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		struct warp *w = &cta->warps[i];
		if (!w->live || w->current == PTX_NONE)
			continue;
		ran = true;
		enum turn turn = warp_turn(run, cta, w);
		if (turn != TURN_OVER)
			return turn;
	}
	if (!ran && (run->cluster_size > 1 || has_parked(run, cta)))
		return TURN_IDLE;
	ran = ran || release_waits(run, cta);
	return ran || fault_stuck(run, cta) ? TURN_OVER : TURN_FAULT;
}

/* Run rounds of a CTA until it ends, waits for others, or others should be let in. */
static enum turn cta_turn(struct run *run, struct cta *cta)
{
	for (bool ran = false;; ran = true) {
		enum turn turn = cta_round(run, cta);
		if (turn == TURN_IDLE && ran)
			return TURN_OVER;
		if (turn != TURN_OVER || run->interleaved)
			return turn;
		if (is_stuck(run, run->progress.waits))
			return TURN_OVER;
	}
}

/* ---- turns of CTAs ------------------------------------------------------------------------------------- */

/* The linear number of a CTA in the grid, from its cluster's number and its rank there. */
static uint64_t linear_of(const struct run *run, uint64_t cluster, uint32_t rank)
{
	struct trace_dim g = run->launch->grid, c = run->cluster;
	uint64_t across = g.x / c.x, down = g.y / c.y;
	uint64_t x = cluster % across * c.x + rank % c.x,
	         y = cluster / across % down * c.y + rank / c.x % c.y,
	         z = cluster / across / down * c.z + rank / c.x / c.y;
	return x + g.x * (y + g.y * z);
}

static bool is_free(const struct run *run, uint32_t first)
{
	for (uint32_t i = 0; i < run->cluster_size; i++)
		if (run->ctas[first + i].is_open)
			return false;
	return true;
}

/* Open the next cluster in adjacent free slots: shared memory of CTAs that have ended stays until all have. */
static bool open_next(struct run *run)
{
	uint32_t slot = 0, size = run->cluster_size;
	while (slot < run->cta_slots && !is_free(run, slot))
		slot += size;
	if (run->next_cta == run->cta_total || slot + size > run->max_open)
		return false;
	for (; run->cta_slots < slot + size; run->cta_slots++)
		if (!cta_slot_init(run, &run->ctas[run->cta_slots]))
			return false;
	for (uint32_t i = 0; i < size; i++, run->next_cta++) {
		run->ctas[slot + i].cluster_first = slot;
		run->ctas[slot + i].cluster_rank = i;
		cta_open(run, &run->ctas[slot + i], linear_of(run, run->next_cta / size, i));
	}
	return true;
}

/* No open CTA can run. Let the first wait give up; without one, let parked paths ask again, or fail. */
static bool end_deadlock(struct run *run)
{
	struct cta *first = NULL;
	for (uint32_t i = 0; i < run->cta_slots; i++) {
		if (!run->ctas[i].is_open)
			continue;
		if (release_waits(run, &run->ctas[i]))
			return true;
		first = first ? first : &run->ctas[i];
	}
	if (run->waits && waits_ask_again(run))
		return run_woken(run);
	return !first || fault_stuck(run, first);
}

/* Every warp waits, some of them for memory: let in the next CTA, or lanes that wait for parked ones; false: there are none. */
static bool let_in_others(struct run *run)
{
	if (!run->waits || !waits_has_parked(run))
		return false;
	if (!open_next(run))
		return waits_go_ahead(run);
	run->interleaved = true;
	return true;
}

/* Open one more CTA, and be less patient from now on. */
static void let_in(struct run *run)
{
	run->progress.patience = IDLE_AGAIN_INSNS;
	if (open_next(run)) {
		run->interleaved = true;
		start_anew(&run->progress);
	}
}

/* In a kernel that waits, CTAs run side by side as on a GPU: so many as fit there, and their registers into some memory here. */
static uint32_t wave_of(const struct run *run)
{
	enum { WAVE_BYTES = 128 << 20 };
	const struct exec_launch *l = run->launch;
	const struct exec_options *o = &run->exec->options;
	uint64_t bytes =
	    (uint64_t)run->kernel->functions[0].frame_bytes * run->warps_per_cta + run->shared_bytes;
	uint64_t wave = (uint64_t)o->sm_count * (l->ctas_per_sm ? l->ctas_per_sm : o->ctas_per_sm);
	uint64_t most = bytes * wave > WAVE_BYTES ? WAVE_BYTES / bytes : wave;
	most = most < run->max_open ? most : run->max_open;
	return run->waits ? (uint32_t)(most ? most : 1) : 0;
}

/* Open as many CTAs as a wave has, and let time pass. */
static void fill_wave(struct run *run)
{
	if (!run->wave)
		return;
	run->window += PACE_WINDOW;
	while (run->open_ctas < run->wave && open_next(run))
		continue;
	run->interleaved = true;
}

bool cta_run_all(struct run *run)
{
	run->wave = wave_of(run);
	while (run->open_ctas || open_next(run)) {
		fill_wave(run);
		bool ran = false;
		for (uint32_t i = 0; i < run->cta_slots; i++) {
			struct cta *cta = &run->ctas[i];
			if (!cta->is_open)
				continue;
			enum turn turn = cta_turn(run, cta);
			if (turn == TURN_FAULT)
				return false;
			ran |= turn != TURN_IDLE;
			if (turn == TURN_DONE) {
				cta_close(run, cta);
				if (run->open_ctas == 0)
					run->interleaved = false;
			}
		}
		if (!ran && run->open_ctas && !let_in_others(run) && !end_deadlock(run))
			return false;
		if (is_stuck(run, run->progress.waits))
			let_in(run);
	}
	if (run->next_cta == run->cta_total)
		return true;
	run->status = EXEC_STACK_OVERFLOW;
	return error_set(run->report, "the host has no room for stacks of %llu bytes for each of %u threads",
	                 (unsigned long long)run->kernel->local_limit, run->threads);
}
