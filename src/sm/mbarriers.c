#include "sm/mbarriers.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

enum { OBJECTS_FIRST = 16 };

void mbarriers_begin_launch(struct mbarriers *m, const struct launch *launch, uint32_t warp_slots,
                            uint32_t cta_slots)
{
	m->in_use = launch->has_phase_waits;
	m->objects = launch->kernel->shared_bytes / MBARRIER_BYTES;
	if (!m->in_use || m->cta)
		return;
	m->cta_slots = cta_slots;
	m->cta = memory_zeroed(cta_slots, sizeof *m->cta);
	m->wait = memory_zeroed(warp_slots, sizeof *m->wait);
	m->stages = memory_zeroed(warp_slots, sizeof *m->stages);
	for (uint32_t i = 0; i < cta_slots; i++) {
		m->cta[i].object = memory_zeroed(OBJECTS_FIRST, sizeof *m->cta[i].object);
		m->cta[i].mask = OBJECTS_FIRST - 1;
	}
}

void mbarriers_free(struct mbarriers *m)
{
	for (uint32_t i = 0; m->cta && i < m->cta_slots; i++)
		free(m->cta[i].object);
	free(m->cta);
	free(m->wait);
	free(m->stages);
}

void mbarriers_begin_cta(struct mbarriers *m, uint32_t cta_slot, uint64_t first_warp, uint32_t warps)
{
	struct mbarrier_table *t = &m->cta[cta_slot];
	memset(t->object, 0, (t->mask + (size_t)1) * sizeof *t->object);
	t->used = t->waiting = 0;
	t->first_warp = first_warp;
	t->warps = warps;
}

/* ---- objects ------------------------------------------------------------------------------------------------- */

static struct mbarrier *place_of(const struct mbarrier_table *t, uint32_t number)
{
	uint32_t at = number & t->mask;
	while (t->object[at].key && t->object[at].key != number + 1)
		at = (at + 1) & t->mask;
	return &t->object[at];
}

static void grow(struct mbarrier_table *t)
{
	struct mbarrier_table larger = *t;
	larger.mask = 2 * t->mask + 1;
	larger.object = memory_zeroed(larger.mask + (size_t)1, sizeof *larger.object);
	for (uint32_t i = 0; i <= t->mask; i++)
		if (t->object[i].key)
			*place_of(&larger, t->object[i].key - 1) = t->object[i];
	free(t->object);
	*t = larger;
}

/* `number` < m->objects, so that no trace makes a table of more than shared memory holds. */
static struct mbarrier *object_at(struct mbarrier_table *t, uint32_t number)
{
	struct mbarrier *o = place_of(t, number);
	if (o->key)
		return o;
	if (2 * ++t->used > t->mask) {
		grow(t);
		o = place_of(t, number);
	}
	o->key = number + 1;
	return o;
}

static void happen(struct mbarrier *o, cycle_t when)
{
	if (when > o->when)
		o->when = when;
}

/* ---- what happens ---------------------------------------------------------------------------------------------- */

bool mbarriers_change(struct mbarriers *m, uint32_t cta_slot, const struct warp_step *step, cycle_t now)
{
	struct mbarrier_table *t = &m->cta[cta_slot];
	uint64_t address[TRACE_MAX_LANES];
	unsigned lanes = step_addresses(step, address);
	for (unsigned i = 0; i < lanes; i++) {
		if (address[i] / MBARRIER_BYTES >= m->objects)
			continue; /* of another CTA of the cluster */
		struct mbarrier *o = object_at(t, (uint32_t)(address[i] / MBARRIER_BYTES));
		o->counts.changes++;
		happen(o, now);
	}
	return t->waiting != 0;
}

bool mbarriers_land(struct mbarriers *m, uint32_t cta_slot, uint32_t generation, uint32_t object,
                    cycle_t done)
{
	struct mbarrier_table *t = &m->cta[cta_slot];
	if (generation - (uint32_t)t->first_warp >= t->warps || object - 1 >= m->objects)
		return false;
	struct mbarrier *o = object_at(t, object - 1);
	o->counts.pieces++;
	happen(o, done);
	return t->waiting != 0;
}

/* ---- arrivals of copies ------------------------------------------------------------------------------------------ */

void mbarriers_begin_warp(struct mbarriers *m, uint32_t slot)
{
	m->stages[slot] = (struct copy_stages){0};
}

uint32_t mbarriers_copy(struct mbarriers *m, uint32_t slot)
{
	uint32_t stage = m->stages[slot].next % COPY_STAGES;
	m->stages[slot].under_way[stage]++;
	return stage;
}

/* The arrival of the first stage; true as for a change. */
static bool arrive_first(struct mbarriers *m, uint32_t cta_slot, struct copy_stages *s, cycle_t when)
{
	uint32_t stage = s->first++ % COPY_STAGES;
	struct mbarrier *o = object_at(&m->cta[cta_slot], s->number[stage]);
	o->counts.changes = (uint16_t)(o->counts.changes + s->lanes[stage]);
	happen(o, when);
	return m->cta[cta_slot].waiting != 0;
}

bool mbarriers_copied(struct mbarriers *m, uint32_t cta_slot, uint32_t slot, uint32_t stage, cycle_t done)
{
	struct copy_stages *s = &m->stages[slot];
	bool look = false;
	s->under_way[stage]--;
	while (s->first != s->next && !s->under_way[s->first % COPY_STAGES])
		look |= arrive_first(m, cta_slot, s, done);
	return look;
}

bool mbarriers_end_warp(struct mbarriers *m, uint32_t cta_slot, uint32_t slot, cycle_t now)
{
	struct copy_stages *s = &m->stages[slot];
	bool look = false;
	while (s->first != s->next)
		look |= arrive_first(m, cta_slot, s, now);
	return look;
}

bool mbarriers_change_after_copies(struct mbarriers *m, uint32_t cta_slot, uint32_t slot,
                                   const struct warp_step *step, cycle_t now)
{
	struct copy_stages *s = &m->stages[slot];
	uint32_t stage = s->next % COPY_STAGES;
	bool is_there = s->first == s->next && !s->under_way[stage],
	     is_full = s->next - s->first == COPY_STAGES - 1;
	bool is_one = step->kind == ADDR_STRIDE && (!step->stride || !(step->mask & (step->mask - 1)));
	if (is_there || is_full || !is_one || step->base / MBARRIER_BYTES >= m->objects)
		return mbarriers_change(m, cta_slot, step, now);
	s->number[stage] = (uint32_t)(step->base / MBARRIER_BYTES);
	s->lanes[stage] = (uint16_t)bits_count(step->mask);
	s->next++;
	return false;
}

/* ---- waits ----------------------------------------------------------------------------------------------------- */

/* Counts are modulo 2^16, and what is waited for is never that far away. */
static bool has_come(uint16_t have, uint16_t want)
{
	return (int16_t)(uint16_t)(have - want) >= 0;
}

void mbarriers_wait(struct mbarriers *m, uint32_t slot, uint64_t address, uint64_t mark)
{
	uint64_t number = address / MBARRIER_BYTES;
	m->wait[slot] = (struct phase_wait){.number = (uint32_t)number, .counts = mark_counts(mark)};
	if (number >= m->objects)
		m->wait[slot] = (struct phase_wait){0};
}

bool mbarriers_is_over(struct mbarriers *m, uint32_t cta_slot, uint32_t slot, cycle_t *when)
{
	const struct phase_wait *w = &m->wait[slot];
	*when = 0;
	if (!w->counts.changes && !w->counts.pieces)
		return true;
	const struct mbarrier *o = object_at(&m->cta[cta_slot], w->number);
	*when = o->when;
	return has_come(o->counts.changes, w->counts.changes) && has_come(o->counts.pieces, w->counts.pieces);
}
