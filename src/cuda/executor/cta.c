#define _DEFAULT_SOURCE
/* What a CTA consists of: its warps' registers and special registers, shared and local memory. */
#include "cuda/executor/cta.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/barrier.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/warp.h"

/* ---- special registers -------------------------------------------------------------------------------- */

static uint64_t thread_sreg(const struct run *run, unsigned sreg, uint64_t thread, unsigned lane)
{
	struct trace_dim b = run->launch->block;
	uint64_t bit = UINT64_C(1) << (lane & 31);
	switch (sreg) {
	case PTX_SREG_tid_x:
		return thread % b.x;
	case PTX_SREG_tid_y:
		return thread / b.x % b.y;
	case PTX_SREG_tid_z:
		return thread / b.x / b.y;
	case PTX_SREG_laneid:
		return lane;
	case PTX_SREG_lanemask_eq:
		return bit;
	case PTX_SREG_lanemask_lt:
		return bit - 1;
	case PTX_SREG_lanemask_le:
		return bit | (bit - 1);
	case PTX_SREG_lanemask_gt:
		return ~(bit | (bit - 1));
	default:
		return ~(bit - 1);
	}
}

static bool is_thread_sreg(unsigned sreg)
{
	return sreg <= PTX_SREG_tid_z || sreg == PTX_SREG_laneid ||
	       (sreg >= PTX_SREG_lanemask_eq && sreg <= PTX_SREG_lanemask_ge);
}

/* Values that all threads of a warp share. */
static void fill_sregs(const struct run *run, const struct warp *w, uint64_t values[PTX_SREG_COUNT])
{
	const struct trace_dim g = run->launch->grid, b = run->launch->block, c = run->cluster;
	const uint32_t *id = w->cta->id;
	const struct {
		uint8_t first; /* of x, y and z */
		uint32_t value[3];
	} triples[] = {
	    {PTX_SREG_ntid_x, {b.x, b.y, b.z}},
	    {PTX_SREG_ctaid_x, {id[0], id[1], id[2]}},
	    {PTX_SREG_nctaid_x, {g.x, g.y, g.z}},
	    {PTX_SREG_clusterid_x, {id[0] / c.x, id[1] / c.y, id[2] / c.z}},
	    {PTX_SREG_nclusterid_x, {g.x / c.x, g.y / c.y, g.z / c.z}},
	    {PTX_SREG_cluster_ctaid_x, {id[0] % c.x, id[1] % c.y, id[2] % c.z}},
	    {PTX_SREG_cluster_nctaid_x, {c.x, c.y, c.z}},
	};
	for (size_t t = 0; t < sizeof triples / sizeof *triples; t++)
		for (unsigned axis = 0; axis < 3; axis++)
			values[triples[t].first + axis] = triples[t].value[axis];
	values[PTX_SREG_warpid] = w->index;
	values[PTX_SREG_nwarpid] = run->warps_per_cta;
	values[PTX_SREG_smid] = w->cta->linear % run->exec->options.sm_count;
	values[PTX_SREG_nsmid] = run->exec->options.sm_count;
	values[PTX_SREG_gridid] = run->exec->totals.launches;
	values[PTX_SREG_dynamic_smem_size] = run->launch->dynamic_shared_bytes;
	values[PTX_SREG_total_smem_size] = run->shared_bytes;
	values[PTX_SREG_warp_sz] = run->lanes;
	values[PTX_SREG_cluster_ctarank] = w->cta->cluster_rank;
	values[PTX_SREG_cluster_nctarank] = run->cluster_size;
	values[PTX_SREG_is_explicit_cluster] = run->cluster_size > 1 ? UINT32_MAX : 0;
}

/* Write the special registers that differ between threads, once for a slot, or the others, for each CTA. */
static void write_sregs(const struct run *run, struct warp *w, bool of_threads)
{
	uint64_t values[PTX_SREG_COUNT] = {0};
	if (!of_threads)
		fill_sregs(run, w, values);
	for (unsigned s = 0; s < PTX_SREG_COUNT; s++) {
		uint32_t at = run->kernel->sreg_place[s];
		if (at == PTX_NONE || is_thread_sreg(s) != of_threads)
			continue;
		unsigned bytes = s == PTX_SREG_gridid ? 8 : 4;
		if (!of_threads)
			lane_broadcast(w->specials + at, values[s], bytes, run->lanes);
		for (unsigned i = 0; of_threads && i < run->lanes; i++)
			lane_set(w->specials + at, bytes, i,
			         thread_sreg(run, s, (uint64_t)w->index * run->lanes + i, i));
	}
}

/* ---- slots -------------------------------------------------------------------------------------------- */

static void warp_init(struct run *run, struct cta *cta, uint32_t index)
{
	const struct exec_kernel *k = run->kernel;
	struct warp *w = &cta->warps[index];
	w->index = index;
	w->cta = cta;
	w->specials = memory_zeroed(k->warp_bytes + 1, 1);
	w->free_frame = memory_zeroed(k->function_count, sizeof *w->free_frame);
	memset(w->free_frame, 0xff, k->function_count * sizeof *w->free_frame);
	frame_new(w, 0, k->functions[0].frame_bytes);
	w->frames[0].call_node = PTX_NONE;
	w->base[PLACE_CONST] = k->pool;
	w->base[PLACE_WARP] = w->specials;
	w->base[PLACE_LAUNCH] = run->launch_pool;
	write_sregs(run, w, true);
}

/* The stacks of a CTA's threads; pages are taken as they are used. */
static bool map_local(struct run *run, struct cta *cta)
{
	cta->local_bytes = run->kernel->local_limit * run->lanes * run->warps_per_cta;
	if (!cta->local_bytes)
		return true;
	cta->local = mmap(NULL, cta->local_bytes, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (cta->local != MAP_FAILED)
		return true;
	cta->local = NULL;
	return false;
}

bool cta_slot_init(struct run *run, struct cta *cta)
{
	*cta = (struct cta){0};
	if (!map_local(run, cta))
		return false;
	cta->warps = memory_zeroed(run->warps_per_cta, sizeof *cta->warps);
	cta->shared = memory_zeroed(run->shared_bytes + 1, 1);
	for (uint32_t i = 0; i < run->warps_per_cta; i++)
		warp_init(run, cta, i);
	return true;
}

void cta_slot_free(struct run *run, struct cta *cta)
{
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		struct warp *w = &cta->warps[i];
		for (uint32_t f = 0; f < w->frame_count; f++)
			free(w->frames[f].registers);
		free(w->frames);
		free(w->free_frame);
		free(w->paths);
		free(w->specials);
	}
	if (cta->local)
		munmap(cta->local, cta->local_bytes);
	free(cta->warps);
	free(cta->shared);
	free(cta->shadow);
	phases_free(cta);
}

static void warp_open(struct run *run, struct cta *cta, struct warp *w)
{
	uint32_t first = w->index * run->lanes;
	uint32_t count = run->threads - first < run->lanes ? run->threads - first : run->lanes;
	w->live = mask_of_lanes(count);
	w->issued = 0;
	w->epoch = 0;
	w->phase_waiting = 0;
	w->has_taken = w->has_fenced = false;
	w->time = w->delay = 0;
	memset(w->barrier_mask, 0, sizeof w->barrier_mask);
	write_sregs(run, w, false);
	path_start(w, run->kernel->functions[0].first);
	cta->live_warps++;
	cta->live_threads += count;
}

void cta_open(struct run *run, struct cta *cta, uint64_t linear)
{
	struct trace_dim g = run->launch->grid;
	cta->linear = linear;
	cta->id[0] = (uint32_t)(linear % g.x);
	cta->id[1] = (uint32_t)(linear / g.x % g.y);
	cta->id[2] = (uint32_t)(linear / g.x / g.y);
	cta->is_open = true;
	cta->live_warps = cta->live_threads = 0;
	cta->cluster_arrived = cta->cluster_phase = 0;
	cta->epoch = 0;
	memset(cta->barriers, 0, sizeof cta->barriers);
	memset(cta->shared, 0, run->shared_bytes);
	phases_open_cta(run, cta);
	if (run->exec->options.check_races)
		race_open_cta(run, cta);
	for (uint32_t i = 0; i < run->warps_per_cta; i++)
		warp_open(run, cta, &cta->warps[i]);
	if (run->launch->recorder)
		cta->recorded = recorder_begin_cta(run->launch->recorder, linear);
	run->open_ctas++;
}

void cta_close(struct run *run, struct cta *cta)
{
	if (cta->recorded)
		recorder_end_cta(run->launch->recorder, cta->recorded);
	cta->recorded = NULL;
	cta->is_open = false;
	run->open_ctas--;
	run->exec->totals.ctas++;
}
