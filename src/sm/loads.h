/*
 * Loads and atomics in flight. The LSU opens one, L1 says what it waits for and
 * what has come; when nothing is missing and the LSU has closed it, its result
 * goes to the warp.
 */
#ifndef SLUICE_SM_LOADS_H
#define SLUICE_SM_LOADS_H

#include "sm/account.h"
#include "sm/warps.h"

/* Of load.merged: a piece of a bulk copy, of the CTA of this slot, that reports to the mbarrier in the lower bits. */
#define LOAD_REPORTS (UINT32_C(1) << 31)
enum { LOAD_CTA_SHIFT = 16 };
#define LOAD_NONE UINT32_MAX

struct load {                /* 32 bytes: two lie in a host cache line */
	cycle_t done;        /* the last part that has come is here */
	uint32_t generation; /* of its warp, cut off: no slot has 2^32 warps while a load is in flight */
	union {
		uint32_t insn;
		uint32_t next_free; /* of a load that was given back */
	};
	uint32_t merged;  /* requests of the pre-L1 queue that it serves, or LOAD_REPORTS and more; 0: none */
	uint16_t waiting; /* lines (through L1) and sectors (bypassing it) still to come */
	uint16_t bypassed; /* lines that bypassed L1 */
	uint16_t warp;
	uint8_t dst, dst_span;
	uint8_t stall; /* enum stall of instructions that wait for it */
	bool open;     /* the LSU has not handled all its lines yet */
};

struct loads {
	struct load *load; /* owned */
	uint32_t in_flight;
	uint32_t first_free;     /* chain of those given back; LOAD_NONE: empty */
	uint32_t used, capacity; /* behind `used`, those never used */
	uint32_t
	    served; /* chain of finished loads that served merged requests, for the pre-L1 queue to take */
	/* wiring */
	struct account *account;
	struct warps *warps;
};

void loads_init(struct loads *loads);
void loads_free(struct loads *loads);

/* No load is in flight. */
static inline bool loads_idle(const struct loads *loads)
{
	return !loads->in_flight;
}

static inline const struct load *loads_get(const struct loads *loads, uint32_t index)
{
	return &loads->load[index];
}

/* What a load is for. */
struct load_owner {
	const struct decoded *insn;
	uint32_t generation;
	uint32_t insn_index;
	uint16_t warp;
};

/* Make room in the table, which grows to the loads that are in flight at once and never limits them. */
void loads_grow(struct loads *loads);
/* Open a load; returns its number. */
static inline uint32_t loads_open(struct loads *loads, const struct load_owner *owner, enum stall stall)
{
	uint32_t index = loads->first_free;
	if (index != LOAD_NONE)
		loads->first_free = loads->load[index].next_free;
	else if (__builtin_expect((index = loads->used++) == loads->capacity, 0))
		loads_grow(loads);
	struct load *load = &loads->load[index];
	loads->in_flight++;
	*load = (struct load){.generation = owner->generation,
	                      .insn = owner->insn_index,
	                      .warp = owner->warp,
	                      .dst = (uint8_t)owner->insn->dst,
	                      .dst_span = owner->insn->dst_span,
	                      .stall = (uint8_t)stall,
	                      .open = true};
	return index;
}

/* Everything is here: the result goes to the warp, the load is forgotten. */
void loads_finish(struct loads *loads, uint32_t index, cycle_t now);

/* A part is here at `done` that the load did not wait for. */
static inline void loads_hit(struct loads *loads, uint32_t index, cycle_t done)
{
	struct load *load = &loads->load[index];
	if (done > load->done)
		load->done = done;
}

/* One access for several merged requests: it has no result, and waits for loads_take_served() when it ends. */
static inline void loads_drop_result(struct loads *loads, uint32_t index)
{
	loads->load[index].dst_span = 0;
	loads->load[index].merged = 0;
}
/* A piece of a bulk copy: an mbarrier of the CTA is told when it has landed, whether its warp is there or not. */
static inline void loads_report(struct loads *loads, uint32_t index, uint32_t cta_slot, uint16_t mbarrier)
{
	loads->load[index].merged = LOAD_REPORTS | cta_slot << LOAD_CTA_SHIFT | mbarrier;
}
/* It has no register, but is waited for as one of a group of copies. */
static inline void loads_copy(struct loads *loads, uint32_t index, uint8_t group)
{
	loads->load[index].dst = group;
	loads->load[index].dst_span = COPY_SPAN;
}
/* It is the poll of its warp. */
static inline void loads_poll(struct loads *loads, uint32_t index)
{
	loads->load[index].dst_span = POLL_SPAN;
}
static inline void loads_serve_merged(struct loads *loads, uint32_t index, uint32_t first)
{
	loads->load[index].merged = first;
}

/* Take a load that has served merged requests: the first of them, and when its data were there. False: none is left. */
bool loads_take_served(struct loads *loads, uint32_t *first, cycle_t *done);

/* A line bypasses L1. */
static inline void loads_bypass(struct loads *loads, uint32_t index)
{
	loads->load[index].bypassed++;
}

/* So many parts are still to come. */
static inline void loads_wait(struct loads *loads, uint32_t index, uint32_t parts)
{
	loads->load[index].waiting = (uint16_t)(loads->load[index].waiting + parts);
}

/* So many parts have come, the last at `done`. */
static inline void loads_arrive(struct loads *loads, uint32_t index, uint32_t parts, cycle_t done,
                                cycle_t now)
{
	struct load *load = &loads->load[index];
	if (done > load->done)
		load->done = done;
	load->waiting = (uint16_t)(load->waiting - parts);
	if (!load->waiting && !load->open)
		loads_finish(loads, index, now);
}

/* All lines have been looked up: the load ends when the last of them is here. */
static inline void loads_close(struct loads *loads, uint32_t index, cycle_t now)
{
	struct load *load = &loads->load[index];
	load->open = false;
	if (!load->waiting)
		loads_finish(loads, index, now);
}

#endif
