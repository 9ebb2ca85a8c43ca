#include "gpu/dispatch.h"

#include <stdlib.h>

#include "gpu/internal.h"
#include "gpu/placement.h"

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

void dispatch_begin(struct gpu *gpu)
{
	const struct machine *m = gpu->machine;
	struct dispatcher *d = &gpu->dispatch;
	d->next = 0;
	d->total = gpu->launch.kernel->cta_count;
	d->retire_free = 0;
	d->last_retired = 0;
	uint32_t used = d->total < m->sm_count ? (uint32_t)d->total : m->sm_count;
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
		if (round < cta_limit(gpu, sm))
			sm_push_cta(&gpu->sm[sm], d->next++, start + round * spacing);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct ended *x = a, *y = b;
	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return (x->sm > y->sm) - (x->sm < y->sm);
}

/* Places that are free because a CTA just ended: they are refilled in their own time. */
static uint32_t ended_on(const struct dispatcher *d, uint32_t sm)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < d->ended_count; i++)
		count += d->ended[i].sm == sm;
	return count;
}

/* A policy may have raised its limit: SMs with room take CTAs without waiting for one to end. */
static void fill_room(struct gpu *gpu)
{
	struct dispatcher *d = &gpu->dispatch;
	for (uint32_t i = 0; i < gpu->active_count && d->next < d->total; i++) {
		struct sm *sm = &gpu->sm[gpu->active[i]];
		uint32_t held = sm_ctas(sm) + ended_on(d, sm->id);
		for (uint32_t limit = cta_limit(gpu, sm->id); held < limit && d->next < d->total; held++)
			sm_push_cta(sm, d->next++, gpu->end + gpu->machine->launch_replace_cycles);
	}
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
	if (hooks_has_cta_limit(&gpu->hooks))
		fill_room(gpu);
	if (!d->ended_count)
		return;
	qsort(d->ended, d->ended_count, sizeof *d->ended, by_time);
	for (uint32_t i = 0; i < d->ended_count; i++) {
		struct sm *sm = &gpu->sm[d->ended[i].sm];
		fine_t noticed = fine_of(d->ended[i].when);
		if (noticed < d->retire_free)
			noticed = d->retire_free;
		d->retire_free = noticed + (fine_t)(m->launch_cta_interval * 256);
		d->last_retired = cycle_of(d->retire_free);
		if (d->next < d->total && sm_ctas(sm) < cta_limit(gpu, sm->id))
			sm_push_cta(sm, d->next++, cycle_of(noticed) + m->launch_replace_cycles);
	}
}
