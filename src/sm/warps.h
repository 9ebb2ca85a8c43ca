/*
 * The warps of an SM: slots, CTAs, trace cursors, barriers.
 *
 * A warp knows the one cycle at which its next instruction can issue, from the scoreboard, instruction fetch and what the
 * instruction before it said; its scheduler is told, and nothing looks at the warp again before then. Slot w belongs to
 * scheduler w mod schedulers.
 */
#ifndef SLUICE_SM_WARPS_H
#define SLUICE_SM_WARPS_H

#include "base/region.h"
#include "policy/hooks.h"
#include "sm/account.h"
#include "sm/copies.h"
#include "sm/ifetch.h"
#include "sm/launch.h"
#include "sm/mbarriers.h"
#include "sm/polls.h"
#include "sm/products.h"
#include "sm/scheduler.h"
#include "sm/scoreboard.h"
#include "trace/cursor.h"

enum {
	CTA_SLOTS = 64, /* CTAs on an SM at most */
	CTA_WARPS = 64, /* warps of a CTA at most */
};

struct warp {
	struct warp_step step;      /* next instruction */
	const struct decoded *insn; /* the same, decoded */
	ready_t ready;              /* when it can issue, and what it waits for */
	ready_t earliest;  /* not before this, whatever its registers say: branches, barriers, fetches */
	ready_t predicate; /* the last predicate, and uniform register, is there */
	ready_t uniform;
	uint64_t active;     /* lanes of the last instruction that was not a branch */
	uint64_t generation; /* launch order on this SM, from 1; 0: slot empty */
	ready_t *reg;        /* its registers: fixed in a launch; its scheduler and its bit there: for ever */
	struct scheduler *sched;
	uint32_t bit, slot, cta_slot, fetch_line;
	uint32_t number;              /* in its CTA */
	bool at_barrier, at_mbarrier; /* at an mbarrier, it is at_barrier as well */
	cycle_t started;
	struct warp_cursor cursor;
};

struct cta {
	uint64_t id;
	uint32_t live, arrived, warps;
	uint32_t first_slot, end_slot; /* its warps lie in between */
	bool used;
	uint8_t *buffer; /* of its stream; kept from launch to launch */
	size_t buffer_bytes;
};

/* A CTA that ended. */
struct cta_end {
	cycle_t when;
	uint32_t slot;
};

struct warps {
	struct warp *warp;
	struct warp *of[SCHED_MAX][SCHED_WARPS]; /* by scheduler and bit there */
	struct scoreboard board;
	struct copies *copies;           /* per slot */
	struct products *products;       /* the same */
	cycle_t products_end[SCHED_MAX]; /* by scheduler: its matrix pipe has taken all */
	struct mbarriers mbarriers;
	struct polls polls;
	struct cta *cta;
	uint32_t resident, resident_ctas;
	uint64_t *generations; /* per slot, for policies */
	uint64_t next_generation;
	struct cta_end ended[CTA_SLOTS]; /* for the dispatcher, which empties it */
	uint32_t ended_count;
	struct error *error;
	bool failed; /* the trace turned out damaged: error says how */
	/* wiring */
	const struct machine *machine;
	const struct launch *launch;
	const struct decoded *insns; /* the launch's */
	struct hooks *hooks;
	struct account *account;
	struct ifetch *ifetch;
	struct trace_reader *reader; /* of the worker */
};

/* Gives warp slots their schedulers, sched[0 .. sm_schedulers). The wiring is the caller's. */
void warps_init(struct warps *warps, const struct machine *machine, struct region *region,
                struct scheduler *sched);
void warps_free(struct warps *warps);
void warps_begin_launch(struct warps *warps, const struct launch *launch);

/* A CTA arrives: its stream is opened and its slot taken; false: the trace is damaged. */
bool warps_open_cta(struct warps *warps, uint64_t id, struct warp_source sources[CTA_WARPS],
                    uint32_t *cta_slot);
/* Then its warps start, some of which may end at once. */
void warps_start(struct warps *warps, uint32_t cta_slot, const struct warp_source *sources, cycle_t now);

/* No next instruction, or the trace is damaged: the warp ends. */
void warps_end(struct warps *warps, uint32_t slot, enum cursor_result result, cycle_t now);
/* A launch is cut at `now`: count the residence of warps that are still there. */
void warps_count_resident(struct warps *warps, cycle_t now);
/* The warp that issued is at a barrier, and has advanced. */
void warps_wait_barrier(struct warps *warps, uint32_t slot, cycle_t now);
/* Finds out anew when the warp can issue, and not before `earliest`, and tells its scheduler. */
void warps_park_again(struct warps *warps, uint32_t slot, ready_t earliest, cycle_t now);
/* A load's result comes at `ready`; span COPY_SPAN: a copy of group `dst`. Ignored if the slot has another warp by now. */
void warps_result(struct warps *warps, uint32_t slot, uint32_t generation, uint32_t dst, uint32_t span,
                  ready_t ready, cycle_t now);

static inline uint32_t warps_cta_slot(const struct warps *warps, uint32_t slot)
{
	return warps->warp[slot].cta_slot;
}
static inline uint64_t warps_cta_id(const struct warps *warps, uint32_t cta_slot)
{
	return warps->cta[cta_slot].id;
}
/* The slot still belongs to this CTA. */
static inline bool warps_cta_is(const struct warps *warps, uint32_t cta_slot, uint64_t id)
{
	return warps->cta[cta_slot].used && warps->cta[cta_slot].id == id;
}

/* ---- moving on ------------------------------------------------------------------------------------------------ */

/* In addition to its registers, an instruction with one of these waits for what warps_others_ready() knows. */
enum { INSN_WAITS_FOR_OTHERS = INSN_USES_PREDICATE | INSN_MEMORY | INSN_ASYNC_COPY };
static inline ready_t warps_others_ready(const struct warps *warps, const struct warp *warp, ready_t ready)
{
	const struct decoded *insn = warp->insn;
	if (insn->flags & INSN_USES_PREDICATE)
		ready = ready_later(ready, warp->predicate);
	if (insn->flags & INSN_MEMORY)
		ready = ready_later(ready, warp->uniform);
	else if (__builtin_expect(is_group_wait(insn), 0))
		return ready_later(ready, insn->op == OP_RECONVERGE
		                              ? products_ready(&warps->products[warp->slot], insn)
		                              : copies_ready(&warps->copies[warp->slot], insn));
	return ready;
}

/* The warp's next run; false: there is none, and the warp has ended. */
bool warps_open_run(struct warps *warps, struct warp *warp, cycle_t now);
/* The addresses of its next instruction, which accesses memory; false: the trace is damaged, and the warp has ended. */
bool warps_read_record(struct warps *warps, struct warp *warp, cycle_t now);

/*
 * Moves on to the next instruction; ends the warp after its last. It may issue at `earliest` at the soonest, or, if the
 * warp `waits`, when what it waits for says so. `sched` and `bit` are the warp's, which the caller has at hand.
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
