/*
 * Barriers: of the CTA (bar.sync, bar.arrive, bar.red) and of the warp
 * (bar.warp.sync and the *.sync instructions).
 *
 * A CTA barrier counts lanes. Without a thread count it is complete when every
 * live lane has arrived; with one, arriving warps count whole, as hardware has
 * it. Lanes of one warp may arrive on different paths.
 */
#include "cuda/executor/exec_barrier.h"

#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"
#include "cuda/executor/exec_path.h"

/* ---- of the CTA --------------------------------------------------------------------------------------- */

static void write_reduction(struct run *run, struct warp *w, const struct path *p, const struct barrier *b)
{
	const struct code *op = &run->kernel->code[p->pc - 1];
	const struct ptx_insn *insn = &run->kernel->module->ptx->insns[op->insn];
	uint32_t value = b->popc;
	if (insn->mode != PTX_MODE_red)
		return;
	if (insn->combine == PTX_COMBINE_and)
		value = b->some_false ? 0 : ~0u;
	else if (insn->combine == PTX_COMBINE_or)
		value = b->some_true ? ~0u : 0;
	lane_broadcast(run->scratch[0], value, 4, run->lanes);
	run->host->blend(w->frames[p->frame].registers + op->dst, run->scratch[0], 4, p->mask, run->lanes);
}

static void barrier_complete(struct run *run, struct cta *cta, uint32_t id)
{
	struct barrier b = cta->barriers[id];
	if (!b.expected || b.expected >= run->threads)
		cta->epoch++;
	cta->barriers[id] = (struct barrier){0};
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		struct warp *w = &cta->warps[i];
		w->barrier_mask[id] = 0;
		for (uint32_t p = 0; w->waiting && p < w->path_count; p++) {
			if (w->paths[p].state != PATH_BARRIER || w->paths[p].barrier != id)
				continue;
			write_reduction(run, w, &w->paths[p], &b);
			path_wake(w, p);
		}
	}
}

static bool barrier_is_complete(const struct run *run, const struct cta *cta, uint32_t id)
{
	uint32_t expected = cta->barriers[id].expected, counted = 0;
	for (uint32_t i = 0; i < run->warps_per_cta; i++) {
		const struct warp *w = &cta->warps[i];
		bool all = (w->barrier_mask[id] & w->live) == w->live;
		if (!expected && !all)
			return false;
		if (w->barrier_mask[id])
			counted += all ? run->lanes : bits_count(w->barrier_mask[id]);
	}
	return counted && counted >= expected;
}

void barrier_lanes_left(struct run *run, struct cta *cta)
{
	for (uint32_t id = 0; id < BARRIERS; id++)
		if (cta->barriers[id].arrived && barrier_is_complete(run, cta, id))
			barrier_complete(run, cta, id);
}

static void add_to_reduction(const struct run *run, const struct warp *w, const struct code *op,
                             uint64_t mask, struct barrier *b)
{
	uint64_t p = mask_of_predicate(place(w, op->c), run->lanes);
	p = (op->negated & 4 ? ~p : p) & mask;
	b->popc += bits_count(p);
	b->some_true |= p != 0;
	b->some_false |= p != mask;
}

enum control_result control_barrier(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct cta *cta = w->cta;
	uint64_t id = lane_get(place(w, op->a), 4, bits_lowest(mask));
	if (id >= BARRIERS) {
		fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION,
		         "barrier %u does not exist; there are 0 to %u", (unsigned)id, BARRIERS - 1);
		return CONTROL_FAULT;
	}
	struct barrier *b = &cta->barriers[id];
	b->expected = (uint32_t)lane_get(place(w, op->b), 4, bits_lowest(mask));
	b->arrived += bits_count(mask);
	w->barrier_mask[id] |= mask;
	if (op->mode == PTX_MODE_red)
		add_to_reduction(run, w, op, mask, b);
	if (op->mode != PTX_MODE_arrive) {
		w->paths[w->current].barrier = (uint8_t)id;
		path_block(w, PATH_BARRIER);
	}
	/* Counting first: most arrivals are not the last. */
	if ((b->expected || b->arrived >= cta->live_threads) && barrier_is_complete(run, cta, (uint32_t)id))
		barrier_complete(run, cta, (uint32_t)id);
	return CONTROL_SWITCH;
}

/* ---- of the warp -------------------------------------------------------------------------------------- */

uint64_t sync_members(const struct run *run, const struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t members = 0;
	for (; mask; mask &= mask - 1)
		members |= lane_get(place(w, op->d), 4, bits_lowest(mask));
	return (run->lanes == 64 ? members | members << 32 : members) & w->live;
}

/*
 * Lanes that `d` names are elsewhere: wait for them. Those that have come run
 * the instruction together; if nobody else of the warp can run, it goes on
 * without the missing ones.
 */
enum control_result control_sync(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct path me = w->paths[w->current];
	uint64_t members = sync_members(run, w, op, mask), all = mask;
	for (uint32_t i = 0; w->waiting && i < w->path_count; i++) {
		const struct path *p = &w->paths[i];
		if (p->state == PATH_SYNC && p->pc == me.pc && p->frame == me.frame)
			all |= p->mask;
	}
	if ((members & ~all) && (w->ready_count || w->phase_waiting)) {
		path_block(w, PATH_SYNC);
		return CONTROL_SWITCH;
	}
	w->epoch++;
	if (!op->handler(run, w, op, all))
		return CONTROL_FAULT;
	for (uint32_t i = 0; w->waiting && i < w->path_count; i++) {
		struct path *p = &w->paths[i];
		if (p->state == PATH_SYNC && p->pc == me.pc && p->frame == me.frame) {
			p->pc++;
			path_wake(w, i);
		}
	}
	return CONTROL_NEXT;
}

bool sync_release(struct warp *w)
{
	bool any = false;
	for (uint32_t i = 0; w->waiting && i < w->path_count; i++) {
		if (w->paths[i].state == PATH_SYNC) {
			path_wake(w, i);
			any = true;
		}
	}
	return any;
}
