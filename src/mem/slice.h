/*
 * An L2 slice: sectored, write-back, with MSHRs; atomics are performed here.
 * Requests wait in order while an MSHR is missing, or a line that can be reserved.
 */
#ifndef SLUICE_MEM_SLICE_H
#define SLUICE_MEM_SLICE_H

#include "mem/memory.h"

/* A request arrives, from an SM or over the fabric. */
void slice_request(struct mem_event *ev, const struct packet *p);
/* Sectors of an MSHR have come. */
void slice_fill(struct mem_event *ev, uint64_t line, uint32_t mshr, uint8_t sectors);

/* The slice has taken a request of the SM: its port gets the credit back. */
static inline void slice_send_credit(struct mem_event *ev, uint32_t sm, cycle_t when)
{
	const struct crossbar *crossbar = ev->memory->crossbar;
	credits_add(crossbar_credits(crossbar, sm, crossbar->slice_worker[ev->slice->id]),
	            when + ev->memory->machine->icnt_credit_cycles);
}

#endif
