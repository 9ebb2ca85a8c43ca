/*
 * The warp loop: fetch decoded instructions and run them for all lanes of a path,
 * until the path ends, waits, diverges or meets others.
 *
 * Consecutive instructions under one mask are counted and recorded as a span;
 * only branches, guards and, while recording, memory accesses end a span.
 */
#include "cuda/executor/warp.h"

#include "cuda/executor/barrier.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/pace.h"
#include "cuda/executor/wait.h"

/* The state of the running path; the loop keeps it in registers. */
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

/* Record one guarded instruction, in the lanes that run it. */
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

/* Run a lane function whose sources include !%p: those are inverted into scratch. */
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

/* Run a memory access: its handler records it, since it knows the addresses. */
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
	if (s->run->waits)
		waits_select(s->run, s->w);
}

/* What follows an instruction: the next one, another path, the next turn, the end of the launch. */
enum loop_end { LOOP_NEXT, LOOP_RESUME, LOOP_OVER, LOOP_FAULT };

/* Split off the lanes that run a guarded control instruction, for its length. */
static enum control_result part_guarded(struct cursor *s, const struct code *op, uint64_t mask)
{
	uint32_t at = (uint32_t)(op - s->code);
	s->w->paths[s->w->current].pc = at;
	cursor_flush(s, op);
	path_diverge(s->w, mask, at, at + 1, at + 1);
	return CONTROL_SWITCH;
}

/* Whether the phase that the path waits for is over; if not, block the path. */
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
	/* Lanes that exit need no path of their own; the others go on. */
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

/* ---- one instruction of each kind --------------------------------------------------------------------- */

static inline enum loop_end after_control(enum control_result r)
{
	return r == CONTROL_NEXT ? LOOP_NEXT : r == CONTROL_FAULT ? LOOP_FAULT : LOOP_RESUME;
}

static inline enum loop_end step_lane(struct cursor *s, const struct code *op, uint64_t mask)
{
	struct run *run = s->run;
	struct warp *w = s->w;
	bool is_whole = mask == w->live;
	void *dst = place(w, op->dst), *to = is_whole ? dst : run->scratch[0];
	op->fn(to, place(w, op->a), place(w, op->b), place(w, op->c), place(w, op->d), run->lanes);
	if (!is_whole)
		run->host->blend(dst, to, op->bytes, mask, run->lanes);
	return LOOP_NEXT;
}

static inline enum loop_end step_memory(struct cursor *s, const struct code *op, uint64_t mask,
                                        uint64_t limit)
{
	if (!run_memory(s, op, mask))
		return LOOP_FAULT;
	if (s->w->issued + (uint64_t)(op + 1 - s->start) < limit)
		return LOOP_NEXT;
	end_turn(s, op + 1);
	return LOOP_OVER;
}

/*
 * What neighbours have stored is there when a warp that has stored reads: without a barrier between, the turn ends here.
 * On a GPU warps get on together, and programs that lack that barrier mostly come out right.
 */
static inline enum loop_end step_load_shared(struct cursor *s, const struct code *op, uint64_t mask,
                                             uint64_t limit)
{
	if (__builtin_expect(s->w->has_stored, false) && s->w->cta->live_warps > 1) {
		end_turn(s, op);
		return LOOP_OVER;
	}
	return step_memory(s, op, mask, limit);
}

static enum loop_end step_wait(struct cursor *s, const struct code *op, uint64_t mask)
{
	if (!wait_is_over(s, op, mask))
		return LOOP_RESUME;
	return run_memory(s, op, mask) ? LOOP_NEXT : LOOP_FAULT;
}

static inline enum loop_end step_handler(struct cursor *s, const struct code *op, uint64_t mask)
{
	return op->handler(s->run, s->w, op, mask) ? LOOP_NEXT : LOOP_FAULT;
}

static enum loop_end step_sync(struct cursor *s, const struct code *op, uint64_t mask)
{
	struct warp *w = s->w;
	if (mask != w->live && (sync_members(s->run, w, op, mask) & ~mask)) {
		w->paths[w->current].pc = (uint32_t)(op - s->code);
		cursor_flush(s, op);
		enum control_result result = control_sync(s->run, w, op, mask);
		if (result != CONTROL_NEXT)
			return after_control(result);
		/* The path may have more lanes now. */
		w->paths[w->current].pc = (uint32_t)(op - s->code) + 1;
		cursor_flush(s, op + 1);
		return LOOP_RESUME;
	}
	w->epoch++;
	return step_handler(s, op, mask);
}

/* Continue at the target. */
static inline enum loop_end step_branch(struct cursor *s, const struct code **op, uint64_t limit)
{
	const struct code *target = s->code + (*op)->target;
	cursor_flush(s, *op + 1);
	s->start = target;
	*op = target - 1;
	if (s->w->issued < limit)
		return LOOP_NEXT;
	s->w->paths[s->w->current].pc = (uint32_t)(target - s->code);
	return LOOP_OVER;
}

static inline enum loop_end step_branch_if(struct cursor *s, const struct code **op, uint64_t limit)
{
	uint64_t taken = guard_mask(s, *op);
	cursor_step(s, *op, taken);
	if (!taken)
		return LOOP_NEXT;
	if (taken == s->active)
		return step_branch(s, op, limit);
	diverge(s, *op, taken);
	return s->w->issued < limit ? LOOP_RESUME : LOOP_OVER;
}

/* ---- loops that wait ---------------------------------------------------------------------------------- */

/* Whether the turn ends: when its time is over, or to let those run that a write has woken. */
static bool turn_is_over(const struct cursor *s, uint64_t limit)
{
	return s->w->issued + s->w->delay / PACE_INSN >= limit || waits_has_woken(s->run);
}

static enum loop_end step_head(struct cursor *s, const struct code *op, uint64_t limit)
{
	cursor_flush(s, op);
	switch (waits_enter(s->run, s->w, op)) {
	case WAIT_IS_PARKED:
		return LOOP_RESUME;
	case WAIT_RUNS_AGAIN:
		if (!turn_is_over(s, limit))
			return LOOP_NEXT;
		end_turn(s, op);
		return LOOP_OVER;
	default:
		return LOOP_NEXT;
	}
}

/* A branch in such a loop. A round is not interrupted. */
static enum loop_end step_ask(struct cursor *s, const struct code **at, uint64_t limit)
{
	const struct code *op = *at;
	struct warp *w = s->w;
	bool is_if = op->plain == CODE_BRANCH_IF;
	uint64_t taken = is_if ? guard_mask(s, op) : s->active;
	if (is_if)
		cursor_step(s, op, taken);
	cursor_flush(s, op + 1);
	bool goes_on = waits_branch(s->run, w, op, taken);
	if (taken && taken != s->active) {
		path_diverge(w, taken, op->target, (uint32_t)(op - s->code) + 1, op->reconverge);
		return turn_is_over(s, limit) ? LOOP_OVER : LOOP_RESUME;
	}
	s->start = taken ? s->code + op->target : op + 1;
	*at = s->start - 1;
	if (goes_on || !turn_is_over(s, limit))
		return LOOP_NEXT;
	w->paths[w->current].pc = (uint32_t)(s->start - s->code);
	return LOOP_OVER;
}

/* A store that others may see only after what came before: when the warp comes here first, it waits. */
static bool waits_for_stores(struct cursor *s, const struct code *op)
{
	struct warp *w = s->w;
	if (!waits_fences(s->run, op))
		return false;
	w->has_fenced = !w->has_fenced;
	if (!w->has_fenced)
		return false;
	pace_delay(w, PACE_FENCE);
	end_turn(s, op);
	return true;
}

static enum loop_end step_access(struct cursor *s, const struct code *op, unsigned kind, uint64_t mask,
                                 uint64_t limit)
{
	struct warp *w = s->w;
	if (kind == CODE_WRITE && waits_for_stores(s, op))
		return LOOP_OVER;
	cursor_flush(s, op);
	w->issued++;
	s->start = op + 1;
	if (kind == CODE_POLL)
		pace_delay(w, PACE_POLL);
	bool ok = kind == CODE_POLL ? waits_poll(s->run, w, op, mask) : waits_write(s->run, w, op, mask);
	if (!ok)
		return LOOP_FAULT;
	if (w->paths[w->current].round || !turn_is_over(s, limit))
		return LOOP_NEXT;
	end_turn(s, op + 1);
	return LOOP_OVER;
}

static enum loop_end step_fence(struct cursor *s, const struct code *op, uint64_t limit)
{
	pace_delay(s->w, PACE_FENCE);
	cursor_flush(s, op + 1);
	if (s->w->paths[s->w->current].round || !turn_is_over(s, limit))
		return LOOP_NEXT;
	end_turn(s, op + 1);
	return LOOP_OVER;
}

/* Whether the path ends here, where it meets others. */
static inline bool step_join(struct cursor *s, const struct path *path, const struct code *op)
{
	if (path->reconverge != (uint32_t)(op - s->code))
		return false;
	cursor_flush(s, op);
	path_arrive(s->w);
	return true;
}

/* Return the lanes whose predicate holds; memory and control instructions are recorded elsewhere. */
static inline uint64_t step_guard(struct cursor *s, const struct code *op)
{
	uint64_t mask = guard_mask(s, op);
	unsigned kind = op->plain;
	bool is_access =
	    kind == CODE_MEMORY || kind == CODE_LOAD_SHARED || kind == CODE_POLL || kind == CODE_WRITE;
	if (!mask || (!is_access && kind != CODE_CONTROL && kind != CODE_WAIT))
		cursor_step(s, op, mask);
	return mask;
}

static enum loop_end step_rare(struct cursor *s, const struct code *op, unsigned kind, uint64_t mask)
{
	switch (kind) {
	case CODE_CARRY:
		run_carry(s->run, s->w, op, mask);
		return LOOP_NEXT;
	case CODE_NEGATED:
		run_negated(s->run, s->w, op, mask);
		return LOOP_NEXT;
	case CODE_WAIT:
		return step_wait(s, op, mask);
	case CODE_SYNC:
		return step_sync(s, op, mask);
	case CODE_CONTROL:
		return after_control(run_control(s, op, mask));
	default:
		return LOOP_NEXT;
	}
}

/* ---- paths -------------------------------------------------------------------------------------------- */

/* Runs the current path until something else must run. */
static enum loop_end path_run(struct cursor *s, uint64_t limit)
{
	const struct path *const path = &s->w->paths[s->w->current];
	const uint64_t active = s->active;
	for (const struct code *op = s->start;; op++) {
		unsigned kind = op->entry;
		uint64_t mask = active;
		enum loop_end end = LOOP_NEXT;
		if (kind <= CODE_JOIN) {
			if (step_join(s, path, op))
				return LOOP_RESUME;
			if (kind == CODE_HEAD)
				end = step_head(s, op, limit);
			if (end != LOOP_NEXT)
				return end;
			kind = op->body;
		}
		if (kind == CODE_GUARD) {
			mask = step_guard(s, op);
			if (!mask)
				continue;
			kind = op->plain;
		}
		switch (kind) {
		case CODE_LANE:
			end = step_lane(s, op, mask);
			break;
		case CODE_MEMORY:
			end = step_memory(s, op, mask, limit);
			break;
		case CODE_LOAD_SHARED:
			end = step_load_shared(s, op, mask, limit);
			break;
		case CODE_HANDLER:
			end = step_handler(s, op, mask);
			break;
		case CODE_BRANCH:
			end = step_branch(s, &op, limit);
			break;
		case CODE_BRANCH_IF:
			end = step_branch_if(s, &op, limit);
			break;
		case CODE_ASK:
			end = step_ask(s, &op, limit);
			break;
		case CODE_POLL:
		case CODE_WRITE:
			end = step_access(s, op, kind, mask, limit);
			break;
		case CODE_FENCE:
			end = step_fence(s, op, limit);
			break;
		default:
			end = step_rare(s, op, kind, mask);
		}
		if (end != LOOP_NEXT)
			return end;
	}
}

static enum warp_stop run_paths(struct cursor *s, uint64_t limit)
{
	struct warp *w = s->w;
	for (;;) {
		/* Paths that wait at an mbarrier stay blocked here; see mbarrier_release(). Parked ones do, too. */
		if (w->current == PTX_NONE && (w->phase_waiting || (!path_go_ahead(w) && !sync_release(w))))
			return w->live ? WARP_WAITS : WARP_ENDED;
		cursor_load(s);
		enum loop_end end = path_run(s, limit);
		if (end == LOOP_FAULT)
			return WARP_FAULT;
		if ((end == LOOP_OVER || w->issued >= limit) && w->current != PTX_NONE)
			return WARP_SLICE_OVER;
	}
}

enum warp_stop warp_run(struct run *run, struct warp *w, uint64_t budget)
{
	struct cursor s = {.run = run, .w = w, .code = run->kernel->code, .recorded = w->cta->recorded};
	w->has_stored = false;
	enum warp_stop stop = run_paths(&s, w->issued + budget);
	if (run->waits)
		waits_deselect(w);
	return stop;
}
