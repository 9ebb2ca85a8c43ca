/*
 * A warp scheduler: which of its warps could issue, which may, which does.
 *
 * It owns what its policies see of it (`view`), when each warp is ready, the pipes of its partition of the SM and the
 * answer of throttling policies. Warps are told apart by their bit here; the SM knows which warps they are. Times are kept in 16
 * bits, from `base` on, so that all warps are compared at once; `next` says when anything can change.
 */
#ifndef SLUICE_SM_SCHEDULER_H
#define SLUICE_SM_SCHEDULER_H

#include <stdalign.h>

#include "base/simd_times.h"
#include "policy/hooks.h"
#include "sm/launch.h"
#include "sm/lsu.h"
#include "sm/ready.h"

enum {
	SCHED_WARPS = 64,
	PIPES = 16,
	PIPE_LOAD = 1 << 6,      /* added to the pipe of a load: shuffles look at the low bits alone */
	THROTTLE_TIMEOUT = 1000, /* an SM that stands still for so long lets its oldest throttled warp go */
};
#define SCHED_NONE UINT32_MAX
/* Of scheduler.time: as late as it goes; without a time. */
enum { TIME_FAR = UINT16_MAX - 1, TIME_NEVER = UINT16_MAX };

/* The schedulers of an SM share it and alone change it: none of them can issue before `at`. */
struct sched_alarm {
	cycle_t at;
};

static inline void sched_alarm_clear(struct sched_alarm *alarm)
{
	alarm->at = CYCLE_NEVER;
}
static inline void sched_alarm_lower(struct sched_alarm *alarm, cycle_t when)
{
	alarm->at = when < alarm->at ? when : alarm->at;
}

struct scheduler {
	cycle_t next;              /* nothing can issue before */
	struct sched_alarm *alarm; /* of all schedulers of the SM; lowered with `next` */
	struct warp *const *warp;  /* the SM's, by bit */
	cycle_t issued;            /* the cycle after its last issue: at most one per cycle */
	cycle_t base;              /* times of warps and pipes count from here */
	cycle_t due_at;            /* the warps that are ready then and whose pipe is free: `due` */
	uint64_t due;
	uint32_t index, lanes;   /* lanes: warps, rounded up to whole groups */
	uint8_t blocked;         /* enum stall: why ready warps could not issue */
	bool lsu_closed;         /* its warps found the LSU's queue full: it will say when there is room */
	bool throttle_holds;     /* the policies' answer stands until its warps change */
	uint64_t throttle_asked; /* the SM's progress when a throttled scheduler tried last */
	struct simd_table pipe_free; /* when a pipe comes free; TIME_NEVER: of the LSU, while it is closed */
	alignas(16) uint8_t pipe[SCHED_WARPS]; /* of the next instruction; PIPE_LOAD: it is a load */
	/* When a warp only waits for a pipe, a policy or its turn; see far[]. */
	alignas(16) uint16_t time[SCHED_WARPS];
	struct sched_view view; /* kept up to date, not copied; next_is_load when policies are asked */
	struct throttle throttle;
	cycle_t far[SCHED_WARPS]; /* the times of those that are TIME_FAR */
	uint64_t age[SCHED_WARPS], next_pc[SCHED_WARPS];
	uint8_t by_age[SCHED_WARPS];
};

/* Empty the scheduler at the start of a launch. It has `warps` slots, whose warps `warp` points to by bit. */
void scheduler_reset(struct scheduler *sched, uint32_t sm, uint32_t index, uint32_t warps,
                     struct warp *const *warp, struct sched_alarm *alarm);

/* Something may issue at `when`, other than was foreseen. */
static inline void scheduler_look(struct scheduler *sched, cycle_t when)
{
	sched->due_at = CYCLE_NEVER;
	sched->next = sched->next < when ? sched->next : when;
	sched_alarm_lower(sched->alarm, when);
}

/* A warp of this age arrives; it sleeps until it is parked. Ends: it leaves. */
void scheduler_add(struct scheduler *sched, uint32_t bit, uint64_t age);
void scheduler_remove(struct scheduler *sched, uint32_t bit);

/* The warp's next instruction. */
static inline void scheduler_note_next(struct scheduler *sched, uint32_t bit, const struct decoded *insn)
{
	sched->pipe[bit] = insn->pipe;
	sched->next_pc[bit] = insn->pc;
}

/* scheduler.time of a warp whose time does not fit, or that has none. */
static inline uint16_t scheduler_far(struct scheduler *sched, uint32_t bit, ready_t ready)
{
	sched->far[bit] = ready >> READY_SHIFT;
	if (!ready_is_never(ready))
		return TIME_FAR;
	if (ready_stall(ready) == STALL_LONG_SCOREBOARD)
		sched->view.waiting_memory |= (uint64_t)1 << bit;
	return TIME_NEVER;
}

/* The warp, which has just issued, can do so again at `ready`, now or later; without a time, when it is parked again. */
static inline void scheduler_set_ready(struct scheduler *sched, uint32_t bit, ready_t ready)
{
	cycle_t ahead = (ready >> READY_SHIFT) - sched->base;
	sched->time[bit] =
	    __builtin_expect(ahead < TIME_FAR, 1) ? (uint16_t)ahead : scheduler_far(sched, bit, ready);
}

/* The same of a warp that has not: the scheduler looks at it then. */
static inline void scheduler_park(struct scheduler *sched, uint32_t bit, ready_t ready, cycle_t now)
{
	ready = ready_later(ready, ready_at(now, STALL_IDLE));
	scheduler_set_ready(sched, bit, ready);
	if (!ready_is_never(ready))
		scheduler_look(sched, ready >> READY_SHIFT);
}

/* A value that the warp waited for has come; it is parked next. */
static inline void scheduler_wake(struct scheduler *sched, uint32_t bit)
{
	sched->view.waiting_memory &= ~((uint64_t)1 << bit);
}

/* Warps came, went or met: policies are asked again. */
static inline void scheduler_warps_changed(struct scheduler *sched)
{
	sched->throttle_holds = false;
}

static inline void scheduler_at_barrier(struct scheduler *sched, uint32_t bit)
{
	sched->view.waiting_barrier |= (uint64_t)1 << bit;
	scheduler_warps_changed(sched);
}

static inline void scheduler_past_barrier(struct scheduler *sched, uint32_t bit)
{
	sched->view.waiting_barrier &= ~((uint64_t)1 << bit);
	scheduler_warps_changed(sched);
}

/* The LSU's queue has room again. */
static inline void scheduler_lsu_room(struct scheduler *sched, cycle_t now)
{
	if (sched->lsu_closed)
		simd_table_set(&sched->pipe_free, UNIT_LSU, 0);
	sched->lsu_closed = false;
	if (sched->blocked == STALL_LG_THROTTLE)
		scheduler_look(sched, now);
}

/* Something was observed in this cycle: policies may answer otherwise in the next. */
void scheduler_retry_throttled(struct scheduler *sched, uint64_t progress, cycle_t now);

/*
 * The bit of the warp that issues now, or SCHED_NONE; `next` is when to ask again then. *held: what kept ready warps
 * from issuing before. `stuck`: the SM waits for nothing from outside and has not issued for THROTTLE_TIMEOUT; if all
 * its ready warps are throttled, the oldest may go, and *released says so.
 */
uint32_t scheduler_pick(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu, bool stuck,
                        cycle_t now, enum stall *held, bool *released);

/* The picked warp has issued, and its next time been set. */
void scheduler_issued(struct scheduler *sched, const struct hooks *hooks, cycle_t now);
/* Both where no policy throttles warps or looks at their next instructions. */
uint32_t scheduler_pick_plain(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu,
                              cycle_t now, enum stall *held);
void scheduler_issued_plain(struct scheduler *sched, cycle_t now);

/* Its instruction takes its pipe; scheduler_set_ready() comes next, or scheduler_remove(). */
static inline void scheduler_take_pipe(struct scheduler *sched, uint32_t bit, const struct decoded *insn,
                                       cycle_t now)
{
	simd_table_set(&sched->pipe_free, insn->unit, (uint16_t)(now + insn->interval - sched->base));
	sched->view.last = bit;
	sched->issued = now + 1;
}

#endif
