#include "sm/scheduler.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"

void scheduler_reset(struct scheduler *sched, uint32_t sm, uint32_t index, uint32_t warps, cycle_t *alarm)
{
	memset(sched, 0, sizeof *sched);
	sched->index = index;
	sched->lanes = (warps + SIMD_GROUP - 1) / SIMD_GROUP * SIMD_GROUP;
	sched->next = CYCLE_NEVER;
	sched->alarm = alarm;
	sched->blocked = STALL_MATH_PIPE_THROTTLE;
	sched->view = (struct sched_view){.sm = sm,
	                                  .scheduler = index,
	                                  .age = sched->age,
	                                  .by_age = sched->by_age,
	                                  .next_pc = sched->next_pc,
	                                  .last = UINT32_MAX};
}

/* ---- warps come and go ----------------------------------------------------------------------------------- */

void scheduler_add(struct scheduler *sched, uint32_t bit, uint64_t age)
{
	uint64_t mask = (uint64_t)1 << bit;
	sched->view.resident |= mask;
	sched->ready &= ~mask;
	sched->age[bit] = age;
	uint32_t i = sched->view.by_age_count++;
	for (; i && sched->age[sched->by_age[i - 1]] > age; i--)
		sched->by_age[i] = sched->by_age[i - 1];
	sched->by_age[i] = (uint8_t)bit;
	scheduler_warps_changed(sched);
}

static void forget_age(struct scheduler *sched, uint32_t bit)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < sched->view.by_age_count; i++)
		if (sched->by_age[i] != bit)
			sched->by_age[kept++] = sched->by_age[i];
	sched->view.by_age_count = kept;
}

void scheduler_remove(struct scheduler *sched, uint32_t bit)
{
	uint64_t mask = (uint64_t)1 << bit;
	sched->view.resident &= ~mask;
	sched->pipe[bit] = 0;
	sched->view.waiting_memory &= ~mask;
	forget_age(sched, bit);
	scheduler_warps_changed(sched);
}

/* ---- who is ready ------------------------------------------------------------------------------------------ */

static void put_in_slot(struct scheduler *sched, uint64_t warps, cycle_t when)
{
	sched->wake[when % WAKE_SLOTS] |= warps;
	sched->occupied |= (uint64_t)1 << when % WAKE_SLOTS;
}

/* Of warps whose slot has come, some are ready only later: returns the others. */
static uint64_t wake_distant(struct scheduler *sched, uint64_t warps, cycle_t now)
{
	for (uint64_t rest = warps & sched->distant; rest; rest &= rest - 1) {
		uint64_t mask = rest & -rest;
		cycle_t when = sched->ready_cycle[bits_lowest(rest)];
		if (when <= now || when - now < WAKE_SLOTS)
			sched->distant &= ~mask;
		else
			when = now + WAKE_SLOTS - 1;
		if (when <= now)
			continue;
		put_in_slot(sched, mask, when);
		warps &= ~mask;
	}
	return warps;
}

static inline void empty_slot(struct scheduler *sched, uint32_t slot, cycle_t now)
{
	uint64_t warps = sched->wake[slot];
	sched->wake[slot] = 0;
	sched->occupied &= ~((uint64_t)1 << slot);
	if (__builtin_expect((warps & sched->distant) != 0, 0))
		warps = wake_distant(sched, warps, now);
	sched->ready |= warps;
}

static __attribute__((noinline)) void empty_slots(struct scheduler *sched, cycle_t now)
{
	cycle_t from = sched->woken + 1;
	uint64_t span = now - sched->woken,
	         due = bits_rotate_right(sched->occupied, (uint32_t)from % WAKE_SLOTS);
	if (span < WAKE_SLOTS)
		due &= ((uint64_t)1 << span) - 1;
	sched->woken = now;
	for (; due; due &= due - 1)
		empty_slot(sched, (uint32_t)(from + bits_lowest(due)) % WAKE_SLOTS, now);
}

/* Wakes the warps whose cycle has come; `next` becomes that of the next. */
static inline void wake(struct scheduler *sched, cycle_t now)
{
	if (__builtin_expect(now == sched->woken + 1, 1)) {
		sched->woken = now;
		if (sched->wake[now % WAKE_SLOTS])
			empty_slot(sched, (uint32_t)now % WAKE_SLOTS, now);
	} else if (now > sched->woken) {
		empty_slots(sched, now);
	}
	cycle_t from = sched->woken + 1;
	sched->next = sched->occupied
	                  ? from + bits_lowest(bits_rotate_right(sched->occupied, (uint32_t)from % 64))
	                  : CYCLE_NEVER;
}

/* ---- who may ----------------------------------------------------------------------------------------------- */

static_assert((int)UNIT_COUNT <= (int)PIPES, "a byte shuffle names the pipes");

/* Pipe times count from `now` on; those that have come free stay so. */
static void rebase_pipes(struct scheduler *sched, cycle_t now)
{
	uint64_t shift = now - sched->pipe_base;
	for (uint32_t i = 0; i < PIPES; i++)
		sched->pipe_free[i] =
		    (uint16_t)(sched->pipe_free[i] > shift ? sched->pipe_free[i] - shift : 0);
	sched->pipe_base = now;
}

/* The warps whose pipe is taken at `now`. */
static inline uint64_t busy_warps(const struct scheduler *sched, cycle_t now)
{
	uint8_t busy[PIPES];
	simd_u15_flag_above(sched->pipe_free, (uint16_t)(now - sched->pipe_base), busy);
	return simd_u8_flagged(sched->pipe, sched->lanes, busy);
}

static inline uint64_t pipe_warps(const struct scheduler *sched, uint32_t pipe)
{
	uint8_t wanted[PIPES] = {0};
	wanted[pipe] = UINT8_MAX;
	return simd_u8_flagged(sched->pipe, sched->lanes, wanted);
}

/* When the first busy pipe that one of the warps waits for comes free. */
static __attribute__((noinline)) cycle_t first_free_pipe(const struct scheduler *sched, uint64_t warps,
                                                         cycle_t now)
{
	cycle_t soonest = CYCLE_NEVER;
	for (uint32_t pipe = 0; pipe < UNIT_COUNT; pipe++) {
		cycle_t free = sched->pipe_base + sched->pipe_free[pipe];
		if (free > now && free < soonest && warps & pipe_warps(sched, pipe))
			soonest = free;
	}
	return soonest;
}

/* Warps whose pipe is free; sets when the first of the others comes free. */
static inline uint64_t free_pipes(struct scheduler *sched, struct lsu *lsu, uint64_t ready, cycle_t now,
                                  cycle_t *retry)
{
	uint64_t held = ready & busy_warps(sched, now), eligible = ready ^ held;
	uint64_t memory = eligible & pipe_warps(sched, UNIT_LSU);
	if (memory && lsu_full(lsu, sched->index)) {
		eligible ^= memory;
		sched->blocked = STALL_LG_THROTTLE;
	}
	if (!eligible)
		*retry = first_free_pipe(sched, held, now);
	return eligible;
}

/* Those of the warps that the policies' last answer lets go. */
static uint64_t unthrottled(const struct scheduler *sched, uint64_t warps)
{
	return warps & sched->throttle.issue & (sched->throttle.load | ~sched->view.next_is_load);
}

static uint64_t oldest_of(const struct scheduler *sched, uint64_t warps)
{
	for (uint32_t i = 0; i < sched->view.by_age_count; i++)
		if (warps >> sched->by_age[i] & 1)
			return (uint64_t)1 << sched->by_age[i];
	return warps;
}

/*
 * Warps that policies let go and whose pipe is free; sets when to look again
 * if there is none. A policy may hold back the very warp that others wait for
 * at a barrier: a stuck SM lets its oldest throttled warp go.
 */
static uint64_t throttle(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu, bool stuck,
                         cycle_t now, cycle_t *retry, bool *released)
{
	if (!sched->throttle_holds) {
		if (!free_pipes(sched, lsu, sched->ready, now, retry))
			return 0;
		sched->throttle = hooks_throttle(hooks, &sched->view);
		sched->throttle_holds = sched->throttle.until == POLICY_UNTIL_WARPS;
	}
	uint64_t free = unthrottled(sched, sched->ready);
	if (!free && stuck) {
		free = oldest_of(sched, sched->ready);
		*released = true;
	}
	*retry = CYCLE_NEVER;
	sched->blocked = STALL_MATH_PIPE_THROTTLE;
	if (free)
		return free_pipes(sched, lsu, free, now, retry);
	sched->blocked = STALL_POLICY_THROTTLE;
	*retry =
	    now + THROTTLE_TIMEOUT < sched->throttle.until ? now + THROTTLE_TIMEOUT : sched->throttle.until;
	*retry = *retry > now ? *retry : now + 1;
	return 0;
}

uint32_t scheduler_pick(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu, bool stuck,
                        cycle_t now, enum stall *held, bool *released)
{
	enum { REBASE_AFTER = 1 << 14 };
	/* A cycle may be gone through twice, but nobody issues twice in it. */
	if (__builtin_expect(sched->issued > now, 0)) {
		sched->next = sched->issued;
		return SCHED_NONE;
	}
	wake(sched, now);
	if (!sched->ready)
		return SCHED_NONE;
	if (__builtin_expect(now - sched->pipe_base > REBASE_AFTER, 0))
		rebase_pipes(sched, now);
	*held = (enum stall)sched->blocked;
	sched->blocked = STALL_MATH_PIPE_THROTTLE;
	cycle_t retry = CYCLE_NEVER;
	sched->view.cycle = now;
	if (hooks->asks_next_load)
		sched->view.next_is_load = simd_u8_bit6(sched->pipe, sched->lanes) & sched->view.resident;
	uint64_t eligible = hooks_has_throttle(hooks)
	                        ? throttle(sched, hooks, lsu, stuck, now, &retry, released)
	                        : free_pipes(sched, lsu, sched->ready, now, &retry);
	if (eligible) {
		uint32_t last = sched->view.last;
		bool again = hooks->order_keeps_last && last < SCHED_WARPS && eligible >> last & 1;
		return again ? last : hooks_order(hooks, &sched->view, eligible);
	}
	sched->next = retry < sched->next ? retry : sched->next;
	return SCHED_NONE;
}

/* ---- afterwards -------------------------------------------------------------------------------------------- */

void scheduler_issued(struct scheduler *sched, cycle_t now)
{
	if (!sched->ready || sched->next <= now + 1)
		return;
	uint64_t ready = sched->throttle_holds ? unthrottled(sched, sched->ready) : sched->ready;
	cycle_t open = now + 1;
	if (!ready) {
		sched->blocked = STALL_POLICY_THROTTLE;
		open += THROTTLE_TIMEOUT;
	} else if (!(ready & ~busy_warps(sched, now + 1))) {
		open = first_free_pipe(sched, ready, now + 1);
	}
	sched->next = open < sched->next ? open : sched->next;
}
