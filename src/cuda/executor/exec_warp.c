/*
 * The warp loop: fetches decoded instructions and runs them for all lanes of
 * a path, until the path ends, waits, parts or joins.
 *
 * Instructions that follow one another under one mask are counted and recorded
 * in runs; only what leaves a run (branches, guards, memory while recording)
 * costs book-keeping.
 */
#include "cuda/executor/exec_warp.h"

#include "cuda/executor/exec_barrier.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"
#include "cuda/executor/exec_mbarrier.h"
#include "cuda/executor/exec_path.h"

/* Where a path stands; the loop keeps it in registers. */
struct cursor {
	struct run *run;
	struct warp *w;
	const struct code *code;
	const struct code *start; /* first instruction not yet counted */
	uint64_t active;
	struct recorder_cta *recorded;
};

/* Counts and records [start, end). */
static inline void cursor_flush(struct cursor *s, const struct code *end)
{
	uint32_t n = (uint32_t)(end - s->start);
	s->w->issued += n;
	if (s->recorded && n)
		recorder_span(s->recorded, s->w->index, s->start->insn, n, s->active);
	s->start = end;
}

/* One guarded instruction, in the lanes that run it. */
static void cursor_step(struct cursor *s, const struct code *op, uint64_t mask)
{
	if (!s->recorded)
		return;
	cursor_flush(s, op);
	recorder_step(s->recorded, s->w->index, op->insn, mask, PTX_SPACE_generic, NULL);
	s->w->issued++;
	s->start = op + 1;
}

static inline uint64_t guard_mask(const struct cursor *s, const struct code *op)
{
	uint64_t p = mask_of_predicate(place(s->w, op->guard), s->run->lanes);
	return s->active & (op->guard_not ? ~p : p);
}

/* Sources that are !%p, inverted into scratch. */
static void run_negated(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const uint32_t source[4] = {op->a, op->b, op->c, op->d};
	void *at[4];
	for (unsigned k = 0; k < 4; k++) {
		at[k] = place(w, source[k]);
		if (!(op->negated >> k & 1))
			continue;
		for (unsigned i = 0; i < run->lanes; i++)
			((mask_u32 *)run->scratch[2 + k])[i] = ~((const mask_u32 *)at[k])[i];
		at[k] = run->scratch[2 + k];
	}
	op->fn(run->scratch[0], at[0], at[1], at[2], at[3], run->lanes);
	lanes_write(run, w, op->dst, run->scratch[0], op->bytes, mask);
}

static void run_carry(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	memcpy(run->scratch[1], place(w, op->d), (size_t)run->lanes * 4);
	op->fn(run->scratch[0], place(w, op->a), place(w, op->b), place(w, op->c), run->scratch[1],
	       run->lanes);
	lanes_write(run, w, op->dst, run->scratch[0], op->bytes, mask);
	lanes_write(run, w, op->d, run->scratch[1], 4, mask);
}

/* Memory: recorded by the handler itself, which knows the addresses. */
static inline bool run_memory(struct cursor *s, const struct code *op, uint64_t mask)
{
	if (s->recorded) {
		cursor_flush(s, op);
		s->w->issued++;
		s->start = op + 1;
	}
	return op->handler(s->run, s->w, op, mask);
}

static void cursor_load(struct cursor *s)
{
	const struct path *p = &s->w->paths[s->w->current];
	s->active = p->mask;
	s->start = s->code + p->pc;
}

enum loop_end { LOOP_RESUME, LOOP_OVER, LOOP_FAULT };

/* A guarded control instruction in some lanes only: they part from the others for its length. */
static enum control_result part_guarded(struct cursor *s, const struct code *op, uint64_t mask)
{
	uint32_t at = (uint32_t)(op - s->code);
	s->w->paths[s->w->current].pc = at;
	cursor_flush(s, op);
	path_diverge(s->w, mask, at, at + 1, at + 1);
	return CONTROL_SWITCH;
}

/* An mbarrier's phase: the path waits for it, or goes on. */
static bool wait_is_over(struct cursor *s, const struct code *op, uint64_t mask)
{
	if (mask != s->active) {
		part_guarded(s, op, mask);
		return false;
	}
	if (mbarrier_is_over(s->run, s->w, op, mask))
		return true;
	s->w->paths[s->w->current].pc = (uint32_t)(op - s->code);
	cursor_flush(s, op);
	s->w->phase_waiting++;
	path_block(s->w, PATH_PHASE);
	return false;
}

static enum control_result exit_guarded(struct cursor *s, const struct code *op, uint64_t mask)
{
	s->w->paths[s->w->current].pc = (uint32_t)(op - s->code) + 1;
	cursor_flush(s, op);
	s->w->issued++;
	if (s->recorded)
		recorder_step(s->recorded, s->w->index, op->insn, mask, PTX_SPACE_generic, NULL);
	return control_exit(s->run, s->w, op, mask);
}

static enum control_result run_control(struct cursor *s, const struct code *op, uint64_t mask)
{
	/* Who ends needs no path of its own; the others go on. */
	if (mask != s->active && op->control == control_exit)
		return exit_guarded(s, op, mask);
	if (mask != s->active)
		return part_guarded(s, op, mask);
	s->w->paths[s->w->current].pc = (uint32_t)(op - s->code) + 1;
	cursor_flush(s, op + 1);
	return op->control(s->run, s->w, op, mask);
}

static void diverge(struct cursor *s, const struct code *op, uint64_t taken)
{
	cursor_flush(s, op + 1);
	path_diverge(s->w, taken, op->target, (uint32_t)(op - s->code) + 1, op->reconverge);
}

/* The path goes on at `next` when the warp's turn comes again. */
static void end_turn(struct cursor *s, const struct code *next)
{
	s->w->paths[s->w->current].pc = (uint32_t)(next - s->code);
	cursor_flush(s, next);
}

/* Runs the current path until something else must run. */
static enum loop_end path_run(struct cursor *s, uint64_t limit)
{
	struct run *const run = s->run;
	struct warp *const w = s->w;
	const struct code *const code = s->code;
	const struct path *const path = &w->paths[w->current];
	const uint64_t active = s->active;
	const unsigned lanes = run->lanes;
	uint64_t mask;
	for (const struct code *op = s->start;; op++) {
		unsigned kind = op->entry;
		mask = active;
	again:
		switch (kind) {
		case CODE_JOIN:
			if (path->reconverge == (uint32_t)(op - code)) {
				cursor_flush(s, op);
				path_arrive(w);
				return LOOP_RESUME;
			}
			kind = op->body;
			goto again;
		case CODE_GUARD:
			mask = guard_mask(s, op);
			kind = op->plain;
			if (!mask)
				cursor_step(s, op, 0);
			if (!mask)
				break;
			if (kind != CODE_MEMORY && kind != CODE_CONTROL && kind != CODE_WAIT)
				cursor_step(s, op, mask);
			goto again;
		case CODE_LANE:
			if (mask == w->live) {
				op->fn(place(w, op->dst), place(w, op->a), place(w, op->b), place(w, op->c),
				       place(w, op->d), lanes);
			} else {
				op->fn(run->scratch[0], place(w, op->a), place(w, op->b), place(w, op->c),
				       place(w, op->d), lanes);
				mask_blend(place(w, op->dst), run->scratch[0], op->bytes, mask, lanes);
			}
			break;
		case CODE_CARRY:
			run_carry(run, w, op, mask);
			break;
		case CODE_NEGATED:
			run_negated(run, w, op, mask);
			break;
		case CODE_MEMORY:
			if (!run_memory(s, op, mask))
				return LOOP_FAULT;
			if (w->issued + (uint64_t)(op + 1 - s->start) >= limit) {
				end_turn(s, op + 1);
				return LOOP_OVER;
			}
			break;
		case CODE_WAIT:
			if (!wait_is_over(s, op, mask))
				return LOOP_RESUME;
			if (!run_memory(s, op, mask))
				return LOOP_FAULT;
			break;
		case CODE_SYNC:
			if (mask != w->live && (sync_members(run, w, op, mask) & ~mask)) {
				w->paths[w->current].pc = (uint32_t)(op - code);
				cursor_flush(s, op);
				enum control_result r = control_sync(run, w, op, mask);
				if (r != CONTROL_NEXT)
					return r == CONTROL_FAULT ? LOOP_FAULT : LOOP_RESUME;
				break;
			}
			w->epoch++;
			/* fall through */
		case CODE_HANDLER:
			if (!op->handler(run, w, op, mask))
				return LOOP_FAULT;
			break;
		case CODE_BRANCH_IF: {
			uint64_t taken = guard_mask(s, op);
			cursor_step(s, op, taken);
			if (!taken)
				break;
			if (taken != active) {
				diverge(s, op, taken);
				return w->issued < limit ? LOOP_RESUME : LOOP_OVER;
			}
		}
			/* fall through */
		case CODE_BRANCH:
			cursor_flush(s, op + 1);
			op = code + op->target;
			s->start = op--;
			if (w->issued >= limit) {
				w->paths[w->current].pc = (uint32_t)(op + 1 - code);
				return LOOP_OVER;
			}
			break;
		case CODE_CONTROL: {
			enum control_result r = run_control(s, op, mask);
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
	struct cursor s = {.run = run, .w = w, .code = run->kernel->code, .recorded = w->cta->recorded};
	uint64_t limit = w->issued + budget;
	for (;;) {
		/* Who waits for lanes at an mbarrier is left to wait, see mbarrier_release(). */
		if (w->current == PTX_NONE && (w->phase_waiting || (!path_go_ahead(w) && !sync_release(w))))
			return w->live ? WARP_WAITS : WARP_ENDED;
		cursor_load(&s);
		enum loop_end end = path_run(&s, limit);
		if (end == LOOP_FAULT)
			return WARP_FAULT;
		if ((end == LOOP_OVER || w->issued >= limit) && w->current != PTX_NONE)
			return WARP_SLICE_OVER;
	}
}
