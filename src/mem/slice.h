/*
 * An L2 slice: sectored, write-back, with MSHRs; atomics are performed here.
 * Requests wait in order while an MSHR is missing, or a line that can be reserved.
 */
#ifndef SLUICE_MEM_SLICE_H
#define SLUICE_MEM_SLICE_H

#include "mem/worker.h"

/* A request arrives, from an SM or over the fabric; expect_page() has found its set. */
void slice_request(struct mem_event *ev, const struct packet *p);
/* Sectors of an MSHR have come. */
void slice_fill(struct mem_event *ev, uint32_t mshr, uint8_t sectors);

#endif
