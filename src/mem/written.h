/*
 * What was written and DRAM does not have yet. A slice may hold less of it than
 * its lines have room for; what is beyond goes to DRAM, and the lines stay.
 */
#ifndef SLUICE_MEM_WRITTEN_H
#define SLUICE_MEM_WRITTEN_H

#include "mem/worker.h"

/* The written data of a line go to DRAM. Sectors written in part are completed from there when they leave, not before. */
void written_send(struct mem_event *ev, const struct tag *tag, cycle_t when);
/* The slice holds more written data than it may: the next lines that have some send them, and stay. */
void written_clean(struct mem_event *ev, cycle_t when);

/* Sectors of a line have been written. */
static inline void written_mark(struct mem_event *ev, struct tag *tag, uint8_t sectors, cycle_t when)
{
	struct slice *slice = ev->slice;
	slice->dirty_sectors += bits_count(sectors & (uint8_t)~tag->dirty);
	tag->dirty |= sectors;
	if (__builtin_expect(slice->dirty_sectors > ev->memory->dirty_limit, 0))
		written_clean(ev, when);
}

#endif
