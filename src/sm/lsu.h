/* What the load/store unit and its request window share, inlined. */
#ifndef SLUICE_SM_LSU_H
#define SLUICE_SM_LSU_H

#include "sm/sm.h"

/* The head of the queue leaves it; schedulers that waited for the room may go on. */
static inline void lsu_pop(struct sm *sm, const struct mem_insn *mem, cycle_t now)
{
	sm->sched[sm->warp[mem->warp].sched].queued--;
	sm->queue_head = (sm->queue_head + 1) & sm->queue_mask;
	sm->queue_count--;
	for (uint32_t s = 0; s < sm->schedulers; s++)
		if (sm->sched[s].blocked == CAUSE_LSU && sm->sched[s].next > now)
			sm->sched[s].next = now;
}

static inline void lsu_take_pipe(struct sm *sm, const struct mem_insn *mem, cycle_t cycles, cycle_t now)
{
	cycle_t end = mem->began + cycles;
	sm->pipe_free = end > now + 1 ? end : now + 1;
}

/* Cycles a store's data take: a line per pass costs its sectors; more lines than passes cost extra each. */
static inline cycle_t lsu_store_cycles(const struct sm *sm, const struct mem_insn *mem)
{
	const struct machine *m = sm->machine;
	uint32_t passes = sm->launch->insn[mem->insn].width / 4;
	uint32_t cycles = mem->sectors * m->l1d_sector_bytes / m->lsu_store_bytes_per_cycle;
	if (mem->lines > (passes ? passes : 1))
		cycles += mem->lines * m->lsu_store_line_cycles;
	uint32_t least = mem->lines * m->lsu_store_min_cycles;
	return cycles > least ? cycles : least;
}

static inline void lsu_count_fail(struct sm *sm, enum l1_fail fail, cycle_t cycles)
{
	static const enum counter counter[] = {
	    [L1_FAIL_LINE_ALLOC] = COUNT_l1_fail_line_alloc,
	    [L1_FAIL_MSHR_ENTRY] = COUNT_l1_fail_mshr_entry,
	    [L1_FAIL_MSHR_MERGE] = COUNT_l1_fail_mshr_merge,
	    [L1_FAIL_MISS_QUEUE] = COUNT_l1_fail_miss_queue,
	};
	count(sm, counter[fail], cycles);
}

typedef enum l1_fail l1_access(struct sm *, struct mem_insn *, const struct line_request *, cycle_t);

/* Opens a load for the instruction; false: too many are in flight. */
static inline bool load_begin(struct sm *sm, struct mem_insn *mem)
{
	if (!sm->free_loads)
		return false;
	const struct decoded *insn = &sm->launch->insn[mem->insn];
	mem->load = sm->free_load != UINT32_MAX ? sm->free_load : sm->loads_used++;
	struct load *load = &sm->loads[mem->load];
	if (sm->free_load != UINT32_MAX)
		sm->free_load = load->next_free;
	sm->free_loads--;
	*load = (struct load){.generation = mem->generation,
	                      .insn = mem->insn,
	                      .warp = mem->warp,
	                      .dst = insn->dst,
	                      .dst_span = insn->dst_span,
	                      .cause = CAUSE_MEMORY,
	                      .open = true};
	return true;
}

/* All lines have been looked up: the load ends when the last of them is here. */
static inline void load_close(struct sm *sm, uint32_t index, cycle_t now)
{
	struct load *load = &sm->loads[index];
	load->open = false;
	if (!load->waiting)
		load_finish(sm, index, now);
}

#endif
