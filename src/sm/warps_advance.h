/*
 * A warp moves on from one instruction to the next: its record in the trace, its fetch, when it can issue. Every
 * instruction passes here, so it is inlined where instructions issue.
 */
#ifndef SLUICE_SM_WARPS_ADVANCE_H
#define SLUICE_SM_WARPS_ADVANCE_H

#include "sm/warps.h"
#include "trace/cursor.h"

/* Beside its registers, an instruction with one of these waits for what warps_others_ready() knows. */
enum { INSN_WAITS_FOR_OTHERS = INSN_USES_PREDICATE | INSN_MEMORY | INSN_ASYNC_COPY };
static inline ready_t warps_others_ready(const struct warps *warps, const struct warp *warp, ready_t ready)
{
	const struct decoded *insn = warp->insn;
	if (insn->flags & INSN_USES_PREDICATE)
		ready = ready_later(ready, warp->predicate);
	if (insn->flags & INSN_MEMORY)
		ready = ready_later(ready, warp->uniform);
	else if (__builtin_expect(is_copy_wait(insn), 0))
		return ready_later(ready, copies_ready(&warps->copies[warp->slot], insn));
	return ready;
}

/* The warp's next run; false: there is none, and the warp has ended. */
bool warps_open_run(struct warps *warps, struct warp *warp, cycle_t now);
/* The addresses of its next instruction, which accesses memory; false: the trace is damaged, and the warp has ended. */
bool warps_read_record(struct warps *warps, struct warp *warp, cycle_t now);

/*
 * Moves on to the next instruction; ends the warp after its last. It may issue at `earliest` at the soonest, or, if the
 * warp `waits`, when what it waits for says so. `sched` and `bit` are the warp's: who issues has them at hand.
 */
static inline __attribute__((always_inline)) void warps_move_on(struct warps *warps, struct warp *warp,
                                                                struct scheduler *sched, uint32_t bit,
                                                                ready_t earliest, bool waits, cycle_t now)
{
	if (__builtin_expect(!cursor_in_run(&warp->cursor), 0) && !warps_open_run(warps, warp, now))
		return;
	warp->step.insn = cursor_take(&warp->cursor);
	const struct decoded *insn = warp->insn = &warps->insns[warp->step.insn];
	ready_t ready = waits ? 0 : earliest;
	scheduler_note_next(sched, bit, insn);
	if (__builtin_expect(insn->fetch_line != warp->fetch_line, 0)) {
		warp->fetch_line = insn->fetch_line;
		ready = ready_later(ready, ifetch_line(warps->ifetch, insn->fetch_line, now));
	}
	warp->earliest = ready;
	ready = scoreboard_ready(warp->reg, insn, waits ? earliest : ready);
	if (__builtin_expect(insn->flags & INSN_WAITS_FOR_OTHERS, 0)) {
		if (insn->flags & INSN_MEMORY && !warps_read_record(warps, warp, now))
			return;
		ready = warps_others_ready(warps, warp, ready);
	}
	warp->ready = ready;
	scheduler_set_ready(sched, bit, ready);
}

/* The same, with a time that has not gone by. */
static inline void warps_advance(struct warps *warps, struct warp *warp, ready_t earliest, cycle_t now)
{
	warps_move_on(warps, warp, warp->sched, warp->bit, earliest, false, now);
}
/* And without one, READY_NEVER(): warps_wait_barrier() or phase_waits_begin() comes next. */
static inline void warps_advance_waiting(struct warps *warps, struct warp *warp, ready_t never, cycle_t now)
{
	warps_move_on(warps, warp, warp->sched, warp->bit, never, true, now);
}

#endif
