#include "sm/scheduler.h"

#include <string.h>

#include "base/bits.h"

void scheduler_reset(struct scheduler *sched, uint32_t sm, uint32_t index, uint32_t warps)
{
	memset(sched, 0, sizeof *sched);
	sched->index = index;
	sched->lanes = (warps + SIMD_GROUP - 1) / SIMD_GROUP * SIMD_GROUP;
	sched->next = CYCLE_NEVER;
	sched->blocked = STALL_MATH_PIPE_THROTTLE;
	for (uint32_t i = 0; i < SCHED_WARPS; i++)
		sched->visit[i] = VISIT_NEVER;
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
	sched->visit[bit] = VISIT_NEVER;
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
	sched->view.next_is_load &= ~mask;
	sched->view.waiting_memory &= ~mask;
	forget_age(sched, bit);
	scheduler_warps_changed(sched);
}

/* ---- who is ready ------------------------------------------------------------------------------------------ */

/* Visits count from `visited` on; those that have come stay in the past. */
static void rebase(struct scheduler *sched)
{
	uint64_t shift = sched->visited - sched->base;
	for (uint32_t i = 0; i < sched->lanes; i++)
		if (sched->visit[i] != VISIT_NEVER)
			sched->visit[i] = (uint16_t)(sched->visit[i] > shift ? sched->visit[i] - shift : 0);
	sched->base = sched->visited;
}

/* Visits have come of warps that are ready only later. */
static uint64_t visit_distant(struct scheduler *sched, uint64_t come, cycle_t now, cycle_t *soonest)
{
	uint64_t early = 0;
	for (uint64_t rest = come & sched->distant; rest; rest &= rest - 1) {
		uint32_t bit = bits_lowest(rest);
		uint64_t mask = (uint64_t)1 << bit;
		cycle_t when = sched->ready_cycle[bit];
		if (when - now <= VISIT_SPAN || when <= now)
			sched->distant &= ~mask;
		else
			when = now + VISIT_SPAN;
		if (when <= now)
			continue;
		sched->visit[bit] = (uint16_t)(when - sched->base);
		*soonest = when < *soonest ? when : *soonest;
		early |= mask;
	}
	return early;
}

/* Makes the visits up to `now`; `next` becomes that of the next. */
static void visit(struct scheduler *sched, cycle_t now)
{
	enum { REBASE_AFTER = 1 << 14 };
	uint64_t ahead = now - sched->base;
	uint16_t limit = (uint16_t)(ahead < VISIT_NEVER - 1 ? ahead : VISIT_NEVER - 1), next;
	uint64_t come = simd_u15_at_most(sched->visit, sched->lanes, limit, &next);
	sched->next = next == VISIT_NEVER ? CYCLE_NEVER : sched->base + next;
	sched->visited = now;
	if (__builtin_expect(ahead > REBASE_AFTER, 0))
		rebase(sched);
	if (__builtin_expect((come & sched->distant) != 0, 0))
		come &= ~visit_distant(sched, come, now, &sched->next);
	sched->ready = come;
}

/* ---- who may ----------------------------------------------------------------------------------------------- */

static uint64_t unit_warps(const struct scheduler *sched, uint32_t unit)
{
	return simd_u8_equal(sched->unit, sched->lanes, (uint8_t)unit);
}

/* Warps whose pipe is free; sets when the first of the others comes free. */
static inline uint64_t free_pipes(struct scheduler *sched, struct lsu *lsu, uint64_t ready, cycle_t now,
                                  cycle_t *retry)
{
	uint64_t eligible = ready;
	for (uint32_t busy = sched->busy; busy; busy &= busy - 1) {
		uint32_t unit = bits_lowest(busy);
		if (sched->pipe_free[unit] <= now) {
			sched->busy &= ~(1u << unit);
			continue;
		}
		uint64_t held = eligible & unit_warps(sched, unit);
		if (!held)
			continue;
		eligible &= ~held;
		sched->blocked = STALL_MATH_PIPE_THROTTLE;
		if (sched->pipe_free[unit] < *retry)
			*retry = sched->pipe_free[unit];
	}
	uint64_t memory = eligible & unit_warps(sched, UNIT_LSU);
	if (memory && lsu_full(lsu, sched->index)) {
		eligible &= ~memory;
		sched->blocked = STALL_LG_THROTTLE;
	}
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
		sched->throttle = hooks_gate(hooks, &sched->view);
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
	*retry = now + THROTTLE_TIMEOUT < sched->throttle.until ? now + THROTTLE_TIMEOUT : sched->throttle.until;
	*retry = *retry > now ? *retry : now + 1;
	return 0;
}

uint32_t scheduler_pick(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu, bool stuck,
                        cycle_t now, enum stall *held, bool *released)
{
	/* A cycle may be gone through twice, but nobody issues twice in it. */
	if (__builtin_expect(sched->issued > now, 0)) {
		sched->next = sched->issued;
		return SCHED_NONE;
	}
	visit(sched, now);
	if (!sched->ready)
		return SCHED_NONE;
	*held = (enum stall)sched->blocked;
	sched->blocked = STALL_MATH_PIPE_THROTTLE;
	cycle_t retry = CYCLE_NEVER;
	sched->view.cycle = now;
	uint64_t eligible = hooks_has_gate(hooks)
	                        ? throttle(sched, hooks, lsu, stuck, now, &retry, released)
	                        : free_pipes(sched, lsu, sched->ready, now, &retry);
	if (eligible)
		return hooks_order(hooks, &sched->view, eligible);
	sched->next = retry < sched->next ? retry : sched->next;
	return SCHED_NONE;
}

/* ---- afterwards -------------------------------------------------------------------------------------------- */

/* The first cycle, from `now` on, in which some ready warp finds its pipe free. */
static cycle_t pipes_open(const struct scheduler *sched, uint64_t ready, cycle_t now)
{
	uint64_t open = ready;
	cycle_t soonest = CYCLE_NEVER;
	for (uint32_t busy = sched->busy; busy; busy &= busy - 1) {
		uint32_t unit = bits_lowest(busy);
		if (sched->pipe_free[unit] <= now)
			continue;
		uint64_t held = ready & unit_warps(sched, unit);
		if (!held)
			continue;
		open &= ~held;
		soonest = sched->pipe_free[unit] < soonest ? sched->pipe_free[unit] : soonest;
	}
	return open ? now : soonest;
}

void scheduler_issued(struct scheduler *sched, cycle_t now)
{
	if (!sched->ready || sched->next <= now + 1)
		return;
	uint64_t ready = sched->throttle_holds ? unthrottled(sched, sched->ready) : sched->ready;
	cycle_t open = ready ? pipes_open(sched, ready, now + 1) : now + 1 + THROTTLE_TIMEOUT;
	if (!ready)
		sched->blocked = STALL_POLICY_THROTTLE;
	sched->next = open < sched->next ? open : sched->next;
}
