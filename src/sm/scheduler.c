#include "sm/scheduler.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"

void scheduler_reset(struct scheduler *sched, uint32_t sm, uint32_t index, uint32_t warps,
                     struct warp *const *warp, struct sched_alarm *alarm)
{
	memset(sched, 0, sizeof *sched);
	sched->index = index;
	sched->lanes = (warps + SIMD_GROUP - 1) / SIMD_GROUP * SIMD_GROUP;
	sched->next = sched->due_at = CYCLE_NEVER;
	sched->warp = warp;
	sched->alarm = alarm;
	sched->blocked = STALL_MATH_PIPE_THROTTLE;
	memset(sched->time, UINT8_MAX, sizeof sched->time);
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
	sched->time[bit] = TIME_NEVER;
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
	sched->time[bit] = TIME_NEVER;
	sched->due_at = CYCLE_NEVER;
	sched->view.waiting_memory &= ~mask;
	forget_age(sched, bit);
	scheduler_warps_changed(sched);
}

/* ---- ready warps ------------------------------------------------------------------------------------------- */

static_assert((int)UNIT_COUNT <= (int)PIPES, "a byte shuffle names the pipes");

static cycle_t cycle_at(const struct scheduler *sched, uint16_t time)
{
	return time == TIME_NEVER ? CYCLE_NEVER : sched->base + time;
}

/* The warps that are ready at `now` and whose pipe is free. */
static inline uint64_t due_warps(const struct scheduler *sched, cycle_t now)
{
	return simd_u16_due(sched->time, sched->pipe, &sched->pipe_free, sched->lanes,
	                    (uint16_t)(now - sched->base));
}

/* Foresee which warps with a free pipe are ready first from `from` on: what the next pick finds if no warp is parked. */
static inline __attribute__((always_inline)) void foresee(struct scheduler *sched, cycle_t from)
{
	uint16_t time = simd_u16_first(sched->time, sched->pipe, &sched->pipe_free, sched->lanes,
	                               (uint16_t)(from - sched->base), &sched->due);
	sched->next = sched->due_at = cycle_at(sched, time);
}

/* The warps that are ready at `now`, whatever their pipes do. */
static uint64_t ready_warps(const struct scheduler *sched, cycle_t now)
{
	static const struct simd_table all_free;
	cycle_t limit = now - sched->base < TIME_FAR ? now - sched->base : TIME_FAR - 1;
	return simd_u16_due(sched->time, sched->pipe, &all_free, sched->lanes, (uint16_t)limit);
}

/* When the first warp that is not ready at `now` will be. */
static cycle_t next_ready(const struct scheduler *sched, cycle_t now)
{
	return cycle_at(sched, simd_u16_above(sched->time, sched->lanes, (uint16_t)(now - sched->base)));
}

/* Times count from `now` on; those that have come stay so. */
static __attribute__((noinline)) void rebase(struct scheduler *sched, cycle_t now)
{
	uint64_t shift = now - sched->base;
	for (uint32_t i = 0; i < PIPES; i++) {
		uint16_t time = simd_table_get(&sched->pipe_free, i);
		if (time != TIME_NEVER)
			simd_table_set(&sched->pipe_free, i, (uint16_t)(time > shift ? time - shift : 0));
	}
	sched->due_at = CYCLE_NEVER; /* the warps foreseen may have been far only */
	for (uint32_t bit = 0; bit < SCHED_WARPS; bit++) {
		cycle_t exact =
		    sched->time[bit] == TIME_FAR ? sched->far[bit] : sched->base + sched->time[bit];
		cycle_t when = exact > now ? exact - now : 0;
		if (sched->time[bit] != TIME_NEVER)
			sched->time[bit] = (uint16_t)(when < TIME_FAR ? when : TIME_FAR);
	}
	sched->base = now;
}

/* ---- permitted warps ----------------------------------------------------------------------------------------- */

/* Those of the warps that want the LSU while its queue has no room. */
static inline uint64_t lsu_held(const struct scheduler *sched, struct lsu *lsu, uint64_t warps)
{
	if (lsu_has_room(lsu))
		return 0;
	uint64_t memory = warps & simd_u8_low4_is(sched->pipe, sched->lanes, UNIT_LSU);
	return memory && lsu_full(lsu, sched->index) ? memory : 0;
}

/* Warps that are ready and whose pipe is free; sets `next` if there is none. */
static __attribute__((noinline)) uint64_t search_eligible(struct scheduler *sched, struct lsu *lsu,
                                                          cycle_t now)
{
	uint64_t eligible = sched->due_at == now ? sched->due : due_warps(sched, now);
	if (__builtin_expect(lsu_held(sched, lsu, eligible) != 0, 0)) {
		sched->lsu_closed = true;
		simd_table_set(&sched->pipe_free, UNIT_LSU, TIME_NEVER);
		eligible = due_warps(sched, now);
	}
	if (!eligible)
		foresee(sched, now);
	return eligible;
}

/* The same; most of the time they were foreseen. */
static inline uint64_t eligible_warps(struct scheduler *sched, struct lsu *lsu, cycle_t now)
{
	uint64_t eligible = sched->due;
	if (__builtin_expect(sched->due_at != now || !lsu_has_room(lsu), 0))
		eligible = search_eligible(sched, lsu, now);
	sched->blocked = sched->lsu_closed ? STALL_LG_THROTTLE : STALL_MATH_PIPE_THROTTLE;
	return eligible;
}

/* When the first pipe of the warps, which are all busy, comes free. */
static cycle_t first_free_pipe(const struct scheduler *sched, uint64_t warps)
{
	cycle_t first = CYCLE_NEVER;
	for (; warps; warps &= warps - 1) {
		uint32_t pipe = sched->pipe[bits_lowest(warps)] % PIPES;
		cycle_t free = sched->base + simd_table_get(&sched->pipe_free, pipe);
		first = free < first ? free : first;
	}
	return first;
}

/* Of ready warps, those whose pipe is free; sets when the first of the others comes free if there is none. */
static uint64_t free_pipes(struct scheduler *sched, struct lsu *lsu, uint64_t ready, cycle_t now,
                           cycle_t *retry)
{
	uint64_t eligible = ready & due_warps(sched, now), busy = ready ^ eligible,
	         held = lsu_held(sched, lsu, eligible);
	if (held) {
		eligible ^= held;
		sched->blocked = STALL_LG_THROTTLE;
	}
	*retry = eligible ? CYCLE_NEVER : first_free_pipe(sched, busy);
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

static void ask_throttle(struct scheduler *sched, const struct hooks *hooks)
{
	sched->throttle = hooks_throttle(hooks, &sched->view);
	sched->throttle_holds = sched->throttle.until == POLICY_UNTIL_WARPS;
}

/*
 * Warps that policies let go and whose pipe is free; sets when to look again
 * if there is none. A policy may hold back the very warp that others wait for
 * at a barrier: a stuck SM lets its oldest throttled warp go.
 */
static uint64_t throttle(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu, uint64_t ready,
                         bool asked, bool stuck, cycle_t now, cycle_t *retry, bool *released)
{
	if (!asked && !sched->throttle_holds) {
		if (!free_pipes(sched, lsu, ready, now, retry))
			return 0;
		ask_throttle(sched, hooks);
	}
	uint64_t free = unthrottled(sched, ready);
	if (!free && stuck) {
		free = oldest_of(sched, ready);
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

/* Policies are asked whenever a warp becomes ready, its pipe free or not; sets when to ask again if none may issue. */
static uint64_t search_permitted(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu,
                                 bool asked, bool stuck, cycle_t now, cycle_t *retry, bool *released)
{
	uint64_t ready = ready_warps(sched, now), eligible = 0;
	*retry = CYCLE_NEVER;
	if (ready) {
		sched->blocked = STALL_MATH_PIPE_THROTTLE;
		eligible = throttle(sched, hooks, lsu, ready, asked, stuck, now, retry, released);
	}
	cycle_t woken = next_ready(sched, now);
	*retry = woken < *retry ? woken : *retry;
	return eligible;
}

/* The same; most of the time a warp with a free pipe may issue. */
static uint64_t permitted_warps(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu,
                                bool stuck, cycle_t now, cycle_t *retry, bool *released)
{
	uint64_t due = sched->due_at == now ? sched->due : due_warps(sched, now);
	uint64_t held = lsu_held(sched, lsu, due);
	bool asked = false;
	if (due & ~held) {
		asked = !sched->throttle_holds;
		if (asked)
			ask_throttle(sched, hooks);
		uint64_t eligible = unthrottled(sched, due);
		sched->blocked = eligible & held ? STALL_LG_THROTTLE : STALL_MATH_PIPE_THROTTLE;
		if (eligible & ~held)
			return eligible & ~held;
	}
	return search_permitted(sched, hooks, lsu, asked, stuck, now, retry, released);
}

/* What precedes every pick; false: it has issued in this cycle, which may be gone through twice. */
static inline bool begin_pick(struct scheduler *sched, cycle_t now, enum stall *held)
{
	enum { REBASE_AFTER = 1 << 15 };
	if (__builtin_expect(sched->issued > now, 0)) {
		sched->next = sched->issued;
		return false;
	}
	if (__builtin_expect(now - sched->base > REBASE_AFTER, 0))
		rebase(sched, now);
	*held = (enum stall)sched->blocked;
	sched->view.cycle = now;
	return true;
}

static inline uint32_t choose(const struct scheduler *sched, const struct hooks *hooks, uint64_t eligible)
{
	uint32_t last = sched->view.last;
	if (!hooks->order_keeps_last)
		return hooks_order(hooks, &sched->view, eligible);
	if (last < SCHED_WARPS && eligible >> last & 1)
		return last;
	bool single = !(eligible & (eligible - 1)); /* nothing to choose */
	return single ? bits_lowest(eligible) : hooks_order(hooks, &sched->view, eligible);
}

/* `asks` is constant: whether policies throttle warps or look at their next instructions. */
static inline __attribute__((always_inline)) uint32_t pick(struct scheduler *sched, const struct hooks *hooks,
                                                           struct lsu *lsu, bool asks, bool stuck,
                                                           cycle_t now, enum stall *held, bool *released)
{
	if (!begin_pick(sched, now, held))
		return SCHED_NONE;
	if (asks && hooks->asks_next_load)
		sched->view.next_is_load = simd_u8_bit6(sched->pipe, sched->lanes) & sched->view.resident;
	uint64_t eligible = asks && hooks_has_throttle(hooks)
	                        ? permitted_warps(sched, hooks, lsu, stuck, now, &sched->next, released)
	                        : eligible_warps(sched, lsu, now);
	return __builtin_expect(eligible != 0, 1) ? choose(sched, hooks, eligible) : SCHED_NONE;
}

uint32_t scheduler_pick(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu, bool stuck,
                        cycle_t now, enum stall *held, bool *released)
{
	return pick(sched, hooks, lsu, true, stuck, now, held, released);
}

uint32_t scheduler_pick_plain(struct scheduler *sched, const struct hooks *hooks, struct lsu *lsu,
                              cycle_t now, enum stall *held)
{
	return pick(sched, hooks, lsu, false, false, now, held, NULL);
}

/* ---- afterwards -------------------------------------------------------------------------------------------- */

/* When policies are asked again after an issue. */
static cycle_t next_question(struct scheduler *sched, cycle_t now)
{
	foresee(sched, now + 1);
	if (sched->next == now + 1 && (!sched->throttle_holds || unthrottled(sched, sched->due)))
		return now + 1;
	cycle_t open = now + 1, woken = next_ready(sched, now);
	uint64_t ready = ready_warps(sched, now);
	if (!ready || woken <= now + 1)
		return woken;
	if (sched->throttle_holds)
		ready = unthrottled(sched, ready);
	if (!ready) {
		sched->blocked = STALL_POLICY_THROTTLE;
		open += THROTTLE_TIMEOUT;
	} else {
		open = first_free_pipe(sched, ready); /* none is free in the next cycle */
	}
	return open < woken ? open : woken;
}

void scheduler_issued_plain(struct scheduler *sched, cycle_t now)
{
	foresee(sched, now + 1);
}

void scheduler_issued(struct scheduler *sched, const struct hooks *hooks, cycle_t now)
{
	if (hooks_has_throttle(hooks))
		sched->next = next_question(sched, now);
	else
		scheduler_issued_plain(sched, now);
}

void scheduler_retry_throttled(struct scheduler *sched, uint64_t progress, cycle_t now)
{
	if (sched->blocked == STALL_POLICY_THROTTLE && sched->next > now + 1 && !sched->throttle_holds &&
	    progress != sched->throttle_asked && ready_warps(sched, now)) {
		sched->throttle_asked = progress;
		scheduler_look(sched, now + 1);
	}
}
