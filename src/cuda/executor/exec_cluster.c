/*
 * Clusters: CTAs that run together, wait for each other at a barrier, and see
 * each other's shared memory. Addresses of other CTAs come from mapa; see
 * CLUSTER_SHIFT.
 */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"
#include "cuda/executor/exec_mbarrier.h"

static struct cta *first_of(const struct run *run, const struct cta *cta)
{
	return &run->ctas[cta->cluster_first];
}

/* ---- the barrier ---------------------------------------------------------------------------------------- */

static void complete_if_all_here(struct run *run, struct cta *first)
{
	uint32_t live = 0;
	for (uint32_t i = 0; i < run->cluster_size; i++)
		live += first[i].is_open ? first[i].live_threads : 0;
	if (!first->cluster_arrived || first->cluster_arrived < live)
		return;
	first->cluster_arrived = 0;
	first->cluster_phase++;
	mbarrier_wake_cluster(run, first);
}

void cluster_lanes_left(struct run *run, struct cta *cta)
{
	complete_if_all_here(run, first_of(run, cta));
}

bool handle_cluster_arrive(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct cta *first = first_of(run, w->cta);
	(void)op;
	for (uint64_t left = mask; left; left &= left - 1)
		w->cluster_phase[bits_lowest(left)] = first->cluster_phase;
	first->cluster_arrived += bits_count(mask);
	complete_if_all_here(run, first);
	return true;
}

bool cluster_is_over(const struct run *run, const struct warp *w, uint64_t mask)
{
	uint32_t phase = first_of(run, w->cta)->cluster_phase;
	for (; mask; mask &= mask - 1)
		if (w->cluster_phase[bits_lowest(mask)] == phase)
			return false;
	return true;
}

bool handle_cluster_wait(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	access_record(run, w, op, mask, PTX_SPACE_generic, NULL);
	return true;
}

/* ---- addresses ------------------------------------------------------------------------------------------ */

/* The address of the same place in the CTA of rank b. */
bool handle_mapa(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t window = op->mode ? SHARED_WINDOW : 0, own = (UINT64_C(1) << CLUSTER_SHIFT) - 1;
	for (unsigned i = 0; i < run->lanes; i++) {
		uint64_t offset = (lane_get(place(w, op->a), op->bytes, i) - window) & own;
		uint64_t rank = lane_get(place(w, op->b), 4, i);
		/* A CTA on its own is the whole cluster, and its addresses are plain ones. */
		uint64_t above = run->cluster_size > 1 || rank ? rank + 1 : 0;
		lane_set(run->scratch[0], op->bytes, i, window + (above << CLUSTER_SHIFT) + offset);
	}
	lanes_write(run, w, op->dst, run->scratch[0], op->bytes, mask);
	return true;
}

bool handle_getctarank(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t window = op->mode ? SHARED_WINDOW : 0;
	for (unsigned i = 0; i < run->lanes; i++) {
		uint64_t above = (lane_get(place(w, op->a), op->bytes, i) - window) >> CLUSTER_SHIFT;
		lane_set(run->scratch[0], 4, i, above ? above - 1 : w->cta->cluster_rank);
	}
	lanes_write(run, w, op->dst, run->scratch[0], 4, mask);
	return true;
}

uint8_t *access_shared_host(struct run *run, struct warp *w, uint64_t offset, uint64_t bytes)
{
	uint64_t rank = offset >> CLUSTER_SHIFT, own = offset & ((UINT64_C(1) << CLUSTER_SHIFT) - 1);
	const struct cta *cta = w->cta;
	if (rank > run->cluster_size || own > run->shared_bytes || run->shared_bytes - own < bytes)
		return NULL;
	if (rank)
		cta = &run->ctas[w->cta->cluster_first + rank - 1];
	return cta->shared + own;
}
