/*
 * The warp loop: fetches decoded instructions and runs them for all lanes of
 * a path, until the path ends, waits, parts or joins.
 *
 * Instructions that follow one another under one mask are counted and recorded
 * in runs; only what leaves a run (branches, guards, memory while recording)
 * costs book-keeping.
 */
#include "cuda/executor/exec_warp.h"

#include "cuda/executor/exec_acts.h"
#include "cuda/executor/exec_barrier.h"
#include "cuda/executor/exec_mask.h"
#include "cuda/executor/exec_mbarrier.h"
#include "cuda/executor/exec_path.h"

/* Where a path stands; the loop keeps it in registers. */
struct stand {
	struct run *run;
	struct warp *w;
	const struct code *code;
	const struct code *start; /* first instruction not yet counted */
	uint64_t active;
	struct recorder_cta *recorded;
};

/* Counts and records [start, end). */
static inline void stand_flush(struct stand *s, const struct code *end)
{
	uint32_t n = (uint32_t)(end - s->start);
	s->w->issued += n;
	if (s->recorded && n)
		recorder_span(s->recorded, s->w->index, s->start->insn, n, s->active);
	s->start = end;
}

/* One guarded instruction, in the lanes that run it. */
static void stand_step(struct stand *s, const struct code *x, uint64_t mask)
{
	if (!s->recorded)
		return;
	stand_flush(s, x);
	recorder_step(s->recorded, s->w->index, x->insn, mask, PTX_SPACE_generic, NULL);
	s->w->issued++;
	s->start = x + 1;
}

static inline uint64_t guard_mask(const struct stand *s, const struct code *x)
{
	uint64_t p = mask_of_predicate(place(s->w, x->guard), s->run->lanes);
	return s->active & (x->guard_not ? ~p : p);
}

/* Sources that are !%p, inverted into scratch. */
static void run_negated(struct run *run, struct warp *w, const struct code *x, uint64_t mask)
{
	const uint32_t source[4] = {x->a, x->b, x->c, x->d};
	void *at[4];
	for (unsigned k = 0; k < 4; k++) {
		at[k] = place(w, source[k]);
		if (!(x->negated >> k & 1))
			continue;
		for (unsigned i = 0; i < run->lanes; i++)
			((mask_u32 *)run->scratch[2 + k])[i] = ~((const mask_u32 *)at[k])[i];
		at[k] = run->scratch[2 + k];
	}
	x->fn(run->scratch[0], at[0], at[1], at[2], at[3], run->lanes);
	act_write(run, w, x->dst, run->scratch[0], x->bytes, mask);
}

static void run_carry(struct run *run, struct warp *w, const struct code *x, uint64_t mask)
{
	memcpy(run->scratch[1], place(w, x->d), (size_t)run->lanes * 4);
	x->fn(run->scratch[0], place(w, x->a), place(w, x->b), place(w, x->c), run->scratch[1], run->lanes);
	act_write(run, w, x->dst, run->scratch[0], x->bytes, mask);
	act_write(run, w, x->d, run->scratch[1], 4, mask);
}

/* Memory: recorded by the act itself, which knows the addresses. */
static inline bool run_memory(struct stand *s, const struct code *x, uint64_t mask)
{
	if (s->recorded) {
		stand_flush(s, x);
		s->w->issued++;
		s->start = x + 1;
	}
	return x->act(s->run, s->w, x, mask);
}

static void stand_load(struct stand *s)
{
	const struct path *p = &s->w->paths[s->w->current];
	s->active = p->mask;
	s->start = s->code + p->pc;
}

enum loop_end { LOOP_RESUME, LOOP_OVER, LOOP_FAULT };

/* A guarded control instruction in some lanes only: they part from the others for its length. */
static enum control_result part_guarded(struct stand *s, const struct code *x, uint64_t mask)
{
	uint32_t at = (uint32_t)(x - s->code);
	s->w->paths[s->w->current].pc = at;
	stand_flush(s, x);
	path_diverge(s->w, mask, at, at + 1, at + 1);
	return CONTROL_SWITCH;
}

/* An mbarrier's phase: the path waits for it, or goes on. */
static bool wait_is_over(struct stand *s, const struct code *x, uint64_t mask)
{
	if (mask != s->active) {
		part_guarded(s, x, mask);
		return false;
	}
	if (mbarrier_is_over(s->run, s->w, x, mask))
		return true;
	s->w->paths[s->w->current].pc = (uint32_t)(x - s->code);
	stand_flush(s, x);
	s->w->phase_waiting++;
	path_block(s->w, PATH_PHASE);
	return false;
}

static enum control_result run_control(struct stand *s, const struct code *x, uint64_t mask)
{
	if (mask != s->active)
		return part_guarded(s, x, mask);
	s->w->paths[s->w->current].pc = (uint32_t)(x - s->code) + 1;
	stand_flush(s, x + 1);
	return x->control(s->run, s->w, x, mask);
}

static void diverge(struct stand *s, const struct code *x, uint64_t taken)
{
	stand_flush(s, x + 1);
	path_diverge(s->w, taken, x->target, (uint32_t)(x - s->code) + 1, x->reconverge);
}

/* Runs the current path until something else must run. */
static enum loop_end path_run(struct stand *s, uint64_t limit)
{
	struct run *const run = s->run;
	struct warp *const w = s->w;
	const struct code *const code = s->code;
	const struct path *const path = &w->paths[w->current];
	const uint64_t active = s->active;
	const unsigned lanes = run->lanes;
	uint64_t mask;
	for (const struct code *x = s->start;; x++) {
		unsigned kind = x->entry;
		mask = active;
	again:
		switch (kind) {
		case CODE_JOIN:
			if (path->reconverge == (uint32_t)(x - code)) {
				stand_flush(s, x);
				path_arrive(w);
				return LOOP_RESUME;
			}
			kind = x->body;
			goto again;
		case CODE_GUARD:
			mask = guard_mask(s, x);
			kind = x->plain;
			if (!mask)
				stand_step(s, x, 0);
			if (!mask)
				break;
			if (kind != CODE_MEMORY && kind != CODE_CONTROL && kind != CODE_WAIT)
				stand_step(s, x, mask);
			goto again;
		case CODE_LANE:
			if (mask == w->live) {
				x->fn(place(w, x->dst), place(w, x->a), place(w, x->b), place(w, x->c),
				      place(w, x->d), lanes);
			} else {
				x->fn(run->scratch[0], place(w, x->a), place(w, x->b), place(w, x->c),
				      place(w, x->d), lanes);
				mask_blend(place(w, x->dst), run->scratch[0], x->bytes, mask, lanes);
			}
			break;
		case CODE_CARRY:
			run_carry(run, w, x, mask);
			break;
		case CODE_NEGATED:
			run_negated(run, w, x, mask);
			break;
		case CODE_MEMORY:
			if (!run_memory(s, x, mask))
				return LOOP_FAULT;
			break;
		case CODE_WAIT:
			if (!wait_is_over(s, x, mask))
				return LOOP_RESUME;
			if (!run_memory(s, x, mask))
				return LOOP_FAULT;
			break;
		case CODE_SYNC:
			if (mask != w->live && (sync_members(run, w, x, mask) & ~mask)) {
				w->paths[w->current].pc = (uint32_t)(x - code);
				stand_flush(s, x);
				enum control_result r = control_sync(run, w, x, mask);
				if (r != CONTROL_NEXT)
					return r == CONTROL_FAULT ? LOOP_FAULT : LOOP_RESUME;
				break;
			}
			w->epoch++;
			/* fall through */
		case CODE_ACT:
			if (!x->act(run, w, x, mask))
				return LOOP_FAULT;
			break;
		case CODE_BRANCH_IF: {
			uint64_t taken = guard_mask(s, x);
			stand_step(s, x, taken);
			if (!taken)
				break;
			if (taken != active) {
				diverge(s, x, taken);
				return w->issued < limit ? LOOP_RESUME : LOOP_OVER;
			}
		}
			/* fall through */
		case CODE_BRANCH:
			stand_flush(s, x + 1);
			x = code + x->target;
			s->start = x--;
			if (w->issued >= limit) {
				w->paths[w->current].pc = (uint32_t)(x + 1 - code);
				return LOOP_OVER;
			}
			break;
		case CODE_CONTROL: {
			enum control_result r = run_control(s, x, mask);
			if (r != CONTROL_NEXT)
				return r == CONTROL_FAULT ? LOOP_FAULT : LOOP_RESUME;
			break;
		}
		default:
			break;
		}
	}
}

enum warp_stop warp_run(struct run *run, struct warp *w, uint64_t budget)
{
	struct stand s = {.run = run, .w = w, .code = run->kernel->code, .recorded = w->cta->recorded};
	uint64_t limit = w->issued + budget;
	for (;;) {
		/* Who waits for lanes at an mbarrier is left to wait, see mbarrier_release(). */
		if (w->current == PTX_NONE && (w->phase_waiting || (!path_go_ahead(w) && !sync_release(w))))
			return w->live ? WARP_WAITS : WARP_ENDED;
		stand_load(&s);
		enum loop_end end = path_run(&s, limit);
		if (end == LOOP_FAULT)
			return WARP_FAULT;
		if ((end == LOOP_OVER || w->issued >= limit) && w->current != PTX_NONE)
			return WARP_SLICE_OVER;
	}
}
