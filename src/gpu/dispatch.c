#include "gpu/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gpu/internal.h"
#include "machine/gpcs.h"

/* SMs in the order in which CTAs go to them. */
struct plan {
	uint32_t *sm;
	uint32_t count;
};

struct groups {
	struct sm_group group[GROUPS_MAX];
	uint32_t count, ahead; /* the first `ahead` of them go ahead */
};

/* ---- placement: GPCs that take turns ---------------------------------------------------------------------- */

/* Plan the first round: one SM per TPC while that is enough, consecutive CTAs inside a GPC. */
static void plan_round(struct plan *plan, const struct machine *m, const struct groups *groups, uint64_t ctas)
{
	uint32_t tpcs = (m->sm_count + m->sm_sms_per_tpc - 1) / m->sm_sms_per_tpc;
	uint32_t step = ctas <= tpcs ? m->sm_sms_per_tpc : 1;
	uint32_t wanted = ctas < m->sm_count ? (uint32_t)ctas : m->sm_count;
	for (uint32_t g = 0, given = 0; g < groups->count; g++) {
		uint32_t first =
		    (groups->group[g].first + step - 1) / step * step; /* no TPC is cut by a GPC's border */
		uint32_t quota = (uint32_t)((uint64_t)wanted * (g + 1) / groups->count) - given;
		for (uint32_t sm = first; sm < groups->group[g].end && quota; sm += step, quota--, given++)
			plan->sm[plan->count++] = sm;
	}
	/* CTAs that rounding left over. */
	for (uint32_t sm = 0; sm < m->sm_count && plan->count < wanted; sm++) {
		bool used = false;
		for (uint32_t i = 0; i < plan->count; i++)
			used |= plan->sm[i] == sm;
		if (!used)
			plan->sm[plan->count++] = sm;
	}
}

static void plan_evenly(struct plan *plan, const struct machine *m, const struct groups *groups,
                        uint64_t ctas, uint32_t slots)
{
	plan_round(plan, m, groups, ctas);
	uint32_t round = plan->count;
	for (uint32_t i = round; i < round * slots; i++)
		plan->sm[plan->count++] = plan->sm[i - round];
}

/* ---- placement: groups that go ahead ---------------------------------------------------------------------- */

/*
 * Measured on an H200: CTAs that the other groups have received when the groups that go ahead take their next, and between
 * that and the one after. They take them between two groups. Their last round is the last of all groups.
 */
enum { AHEAD_FIRST = 72, AHEAD_EVERY = 93 };

static void add_group(struct plan *plan, const struct sm_group *group)
{
	for (uint32_t sm = group->first; sm < group->end; sm++)
		plan->sm[plan->count++] = sm;
}

static void add_ahead(struct plan *plan, const struct groups *groups)
{
	for (uint32_t g = 0; g < groups->ahead; g++)
		add_group(plan, &groups->group[g]);
}

/* Plan `rounds` CTAs for every SM. */
static void plan_full(struct plan *plan, const struct groups *groups, uint32_t rounds)
{
	uint32_t others = 0, due = 0, ahead = rounds;
	for (uint32_t round = 0; round < rounds; round++)
		for (uint32_t g = groups->ahead; g < groups->count; g++) {
			if (ahead && others >= due) {
				add_ahead(plan, groups);
				ahead--;
				due = due ? due + AHEAD_EVERY : AHEAD_FIRST;
			}
			add_group(plan, &groups->group[g]);
			others += groups->group[g].end - groups->group[g].first;
		}
}

static uint32_t tpcs_of(const struct sm_group *group)
{
	return (group->end - group->first) / 2;
}

/*
 * Share fewer CTAs than SMs among the groups: first to those that go ahead, then to the others in turn, one
 * SM each, beginning with the second half of the groups. One SM of every TPC before the second of any.
 */
static void share(const struct groups *groups, uint32_t ctas, uint32_t quota[GROUPS_MAX])
{
	for (uint32_t g = 0; g < groups->count; g++)
		quota[g] = 0;
	for (uint32_t pass = 1; pass <= 2; pass++)
		for (uint32_t g = 0; g < groups->ahead; g++)
			for (; ctas && quota[g] < pass * tpcs_of(&groups->group[g]); ctas--)
				quota[g]++;
	uint32_t others = groups->count - groups->ahead;
	for (uint32_t pass = 1; pass <= 2; pass++)
		for (bool more = true; more && ctas;) {
			more = false;
			for (uint32_t i = 0; i < others && ctas; i++) {
				uint32_t g = groups->ahead + (i + others / 2) % others;
				if (quota[g] == pass * tpcs_of(&groups->group[g]))
					continue;
				quota[g]++;
				ctas--;
				more = true;
			}
		}
}

/* Plan the last, incomplete round. */
static void plan_rest(struct plan *plan, const struct groups *groups, uint32_t ctas)
{
	uint32_t quota[GROUPS_MAX];
	share(groups, ctas, quota);
	for (uint32_t g = 0; g < groups->count; g++) {
		uint32_t tpcs = tpcs_of(&groups->group[g]), whole = quota[g] > tpcs ? quota[g] - tpcs : 0;
		for (uint32_t tpc = 0, first = groups->group[g].first; tpc < quota[g] - whole; tpc++) {
			plan->sm[plan->count++] = first + 2 * tpc;
			if (tpc < whole)
				plan->sm[plan->count++] = first + 2 * tpc + 1;
		}
	}
}

uint32_t placement_plan(const struct machine *m, uint64_t ctas, uint32_t slots, uint32_t *sm)
{
	struct plan plan = {.sm = sm};
	struct groups groups = {0};
	groups.count = machine_groups(m, groups.group);
	while (groups.ahead < groups.count && groups.group[groups.ahead].ahead)
		groups.ahead++;
	if (!groups.ahead) {
		plan_evenly(&plan, m, &groups, ctas, slots);
		return plan.count;
	}
	uint64_t rounds = ctas / m->sm_count;
	plan_full(&plan, &groups, (uint32_t)(rounds < slots ? rounds : slots));
	if (rounds < slots)
		plan_rest(&plan, &groups, (uint32_t)(ctas % m->sm_count));
	return plan.count;
}

/* ---- dispatch --------------------------------------------------------------------------------------------- */

static void activate(struct gpu *gpu, uint32_t sm)
{
	if (gpu->sm[sm].active)
		return;
	sm_begin_launch(&gpu->sm[sm], &gpu->launch);
	uint32_t i = gpu->active_count++;
	for (; i && gpu->active[i - 1] > sm; i--)
		gpu->active[i] = gpu->active[i - 1];
	gpu->active[i] = sm;
}

static uint32_t cta_limit(struct gpu *gpu, uint32_t sm)
{
	if (!hooks_has_cta_limit(&gpu->hooks))
		return gpu->launch.cta_slots;
	struct sm_view view = sm_view_of(&gpu->sm[sm], gpu->end);
	uint32_t limit = hooks_cta_limit(&gpu->sm[sm].hooks, &view);
	return limit < gpu->launch.cta_slots ? limit : gpu->launch.cta_slots;
}

void dispatch_free(struct dispatcher *d)
{
	free(d->plan);
	free(d->given);
	free(d->ended);
	free(d->taken);
}

/* ---- which CTA ---------------------------------------------------------------------------------------------- */

static void order_begin(struct gpu *gpu)
{
	struct dispatcher *d = &gpu->dispatch;
	uint64_t words = d->total / 64 + 1;
	if (!hooks_has_cta_pick(&gpu->hooks))
		return;
	if (words > d->taken_words) {
		free(d->taken);
		d->taken = memory_zeroed(words, sizeof *d->taken);
		d->taken_words = words;
	}
	memset(d->taken, 0, words * sizeof *d->taken);
}

/* Ask for the CTA that goes to an SM with `held` of `most` CTAs; POLICY_CTA_NONE: none for now. */
static uint64_t next_cta(struct gpu *gpu, uint32_t sm, uint32_t held, uint32_t most)
{
	struct dispatcher *d = &gpu->dispatch;
	if (!hooks_has_cta_pick(&gpu->hooks))
		return d->next++;
	const struct trace_kernel *kernel = gpu->launch.kernel;
	struct cta_place place = {.cycle = gpu->end,
	                          .ctas = d->total,
	                          .given = d->next,
	                          .x = kernel->grid.x,
	                          .y = kernel->grid.y,
	                          .z = kernel->grid.z,
	                          .sm = sm,
	                          .sm_count = gpu->machine->sm_count,
	                          .held = held,
	                          .most = most,
	                          .taken = d->taken};
	uint64_t cta = hooks_cta_pick(&gpu->hooks, &place);
	if (cta == POLICY_CTA_NONE)
		return cta;
	d->taken[cta / 64] |= (uint64_t)1 << cta % 64;
	d->next++;
	return cta;
}

/* A policy has left CTAs, and all SMs are empty: start the first that is left, so that the launch ends. */
static void start_one(struct gpu *gpu)
{
	struct dispatcher *d = &gpu->dispatch;
	for (uint32_t i = 0; i < gpu->active_count; i++)
		if (sm_ctas(&gpu->sm[gpu->active[i]]))
			return;
	uint64_t cta = 0;
	while (d->taken[cta / 64] >> cta % 64 & 1)
		cta++;
	d->taken[cta / 64] |= (uint64_t)1 << cta % 64;
	d->next++;
	sm_push_cta(&gpu->sm[gpu->active[0]], cta, gpu->end + gpu->machine->launch_replace_cycles);
}

/* ---- starts and ends ------------------------------------------------------------------------------------------ */

/* CTAs that have just ended on an SM: their places are refilled in their own time. */
static uint32_t ended_on(const struct dispatcher *d, uint32_t sm)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < d->ended_count; i++)
		count += d->ended[i].sm == sm;
	return count;
}

/* A policy may have raised its limit, or left places free: SMs with room take CTAs without waiting for one to end. */
static void fill_room(struct gpu *gpu, cycle_t when)
{
	struct dispatcher *d = &gpu->dispatch;
	for (uint32_t i = 0; i < gpu->active_count && d->next < d->total; i++) {
		struct sm *sm = &gpu->sm[gpu->active[i]];
		uint32_t held = sm_ctas(sm) + ended_on(d, sm->id);
		for (uint32_t limit = cta_limit(gpu, sm->id); held < limit && d->next < d->total; held++) {
			uint64_t cta = next_cta(gpu, sm->id, held, limit);
			if (cta == POLICY_CTA_NONE)
				break;
			sm_push_cta(sm, cta, when);
		}
	}
}

void dispatch_begin(struct gpu *gpu)
{
	const struct machine *m = gpu->machine;
	struct dispatcher *d = &gpu->dispatch;
	d->next = 0;
	d->total = gpu->launch.kernel->cta_count;
	d->retire_free = 0;
	d->last_retired = 0;
	uint32_t used = d->total < m->sm_count ? (uint32_t)d->total : m->sm_count;
	order_begin(gpu);
	uint32_t count = placement_plan(m, d->total, gpu->launch.cta_slots, d->plan);
	cycle_t start = m->launch_start_cycles + (cycle_t)(m->launch_sm_cycles * used);
	uint32_t spacing = gpu->launch.kernel->warps_per_cta * m->launch_sm_warp_cycles;
	if (spacing < m->launch_sm_cta_cycles)
		spacing = m->launch_sm_cta_cycles;
	for (uint32_t sm = 0; sm < m->sm_count; sm++)
		d->given[sm] = 0;
	for (uint32_t i = 0; i < count && d->next < d->total; i++) {
		uint32_t sm = d->plan[i], round = d->given[sm]++;
		activate(gpu, sm);
		uint32_t limit = cta_limit(gpu, sm);
		uint64_t cta =
		    round < limit ? next_cta(gpu, sm, sm_ctas(&gpu->sm[sm]), limit) : POLICY_CTA_NONE;
		if (cta != POLICY_CTA_NONE)
			sm_push_cta(&gpu->sm[sm], cta, start + round * spacing);
	}
	if (hooks_has_cta_pick(&gpu->hooks) && d->next < d->total)
		fill_room(gpu, start);
}

static int by_time(const void *a, const void *b)
{
	const struct ended *x = a, *y = b;
	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return (x->sm > y->sm) - (x->sm < y->sm);
}

void dispatch_refill(struct gpu *gpu)
{
	const struct machine *m = gpu->machine;
	struct dispatcher *d = &gpu->dispatch;
	d->ended_count = 0;
	for (uint32_t i = 0; i < gpu->active_count; i++) {
		struct sm *sm = &gpu->sm[gpu->active[i]];
		for (uint32_t k = 0; k < sm->warps.ended_count; k++)
			d->ended[d->ended_count++] = (struct ended){sm->warps.ended[k].when, sm->id};
		sm->warps.ended_count = 0;
	}
	if (hooks_has_cta_limit(&gpu->hooks) || hooks_has_cta_pick(&gpu->hooks))
		fill_room(gpu, gpu->end + m->launch_replace_cycles);
	if (!d->ended_count) {
		if (hooks_has_cta_pick(&gpu->hooks) && d->next < d->total)
			start_one(gpu);
		return;
	}
	qsort(d->ended, d->ended_count, sizeof *d->ended, by_time);
	for (uint32_t i = 0; i < d->ended_count; i++) {
		struct sm *sm = &gpu->sm[d->ended[i].sm];
		fine_t noticed = fine_of(d->ended[i].when);
		if (noticed < d->retire_free)
			noticed = d->retire_free;
		d->retire_free = noticed + (fine_t)(m->launch_cta_interval * FINE_PER_CYCLE);
		d->last_retired = cycle_of(d->retire_free);
		uint32_t limit = cta_limit(gpu, sm->id);
		if (d->next >= d->total || sm_ctas(sm) >= limit)
			continue;
		uint64_t cta = next_cta(gpu, sm->id, sm_ctas(sm), limit);
		if (cta != POLICY_CTA_NONE)
			sm_push_cta(sm, cta, cycle_of(noticed) + m->launch_replace_cycles);
	}
	if (hooks_has_cta_pick(&gpu->hooks) && d->next < d->total)
		start_one(gpu);
}
