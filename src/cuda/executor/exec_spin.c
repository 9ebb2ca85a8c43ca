/*
 * A spin is a loop that nothing inside of it can end: a warp that comes to the
 * same state (registers, paths) twice while no memory has changed goes round
 * for ever unless somebody else changes memory. A computation, however long,
 * has a counter somewhere and never does. Cycles are found as Brent does: the
 * state is compared with one that is kept for 1, 2, 4, ... turns.
 */
#include "cuda/executor/exec_spin.h"

#include <xxhash.h>

#include "cuda/executor/exec_state.h"

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
	return XXH3_64bits_withSeed(data, bytes, hash);
}

static uint64_t hash_path(uint64_t hash, const struct path *p, uint32_t index)
{
	const uint64_t fields[] = {p->mask,     p->pc,     p->reconverge, p->frame,   p->parent,
	                           p->children, p->callee, p->state,      p->barrier, index};
	return mix(hash, fields, sizeof fields);
}

static uint64_t warp_state(const struct run *run, const struct warp *w)
{
	uint64_t hash = mix(w->live, w->ready, w->ready_count * sizeof *w->ready);
	hash = mix(hash, &w->current, sizeof w->current);
	for (uint32_t i = 0; i < w->path_count; i++)
		if (w->paths[i].state != PATH_FREE)
			hash = hash_path(hash, &w->paths[i], i);
	for (uint32_t i = 0; i < w->frame_count; i++)
		hash = mix(hash, w->frames[i].registers,
		           (size_t)run->kernel->functions[w->frames[i].function].frame_bytes);
	return hash;
}

static void keep(struct spin *s, uint64_t state, uint64_t limit)
{
	s->state = state;
	s->age = 0;
	s->age_limit = limit;
}

void spin_note(const struct run *run, struct warp *w, bool changed_own)
{
	struct spin *s = &w->spin;
	uint64_t state = warp_state(run, w);
	if (s->epoch != run->progress.epoch || changed_own) {
		s->epoch = run->progress.epoch;
		s->is_proven = false;
		keep(s, state, 1);
		return;
	}
	s->is_proven |= state == s->state;
	if (++s->age >= s->age_limit && !s->is_proven)
		keep(s, state, 2 * s->age_limit);
}

static bool cta_spins(const struct run *run, const struct cta *cta)
{
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		const struct warp *w = &cta->warps[i];
		bool waits = !w->live || w->current == PTX_NONE;
		if (!waits && !(w->spin.is_proven && w->spin.epoch == run->progress.epoch))
			return false;
	}
	return true;
}

bool spin_is_proven(const struct run *run)
{
	/* A CTA that a GPU would hold, too, may come and end the wait. */
	if (run->next_cta < run->cta_total && run->open_ctas < run->max_open)
		return false;
	for (uint32_t i = 0; i < run->cta_slots; i++)
		if (run->ctas[i].is_open && !cta_spins(run, &run->ctas[i]))
			return false;
	return true;
}
