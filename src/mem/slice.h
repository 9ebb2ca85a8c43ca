/*
 * An L2 slice: sectored, write-back, with MSHRs; atomics are performed here. Requests wait in order while an MSHR is
 * missing, or a line that can be reserved.
 *
 * A slice that was emptied holds what other programs left: lines at addresses that no trace has, equally many in each set,
 * some of them dirty. Short launches use few sets, so the lines of a set are installed before its first look-up. They are
 * then older than all lines of the launch, as if they had been there from the start.
 *
 * A slice may hold less written data than its lines have room for (l2.dirty_bytes). What exceeds the limit is written to
 * DRAM, and the lines stay.
 */
#ifndef SLUICE_MEM_SLICE_H
#define SLUICE_MEM_SLICE_H

#include "mem/worker.h"

/* Handle a request that arrives from an SM or over the fabric; slice_expect_page() has set packet.set. */
void slice_request(struct mem_event *ev, const struct packet *p);
/* Handle the arrival of sectors for an MSHR. */
void slice_fill(struct mem_event *ev, uint32_t mshr, uint8_t sectors);

/* Find the sets of the requests in a page of the calendar (packet.set) and prefetch what its events will read. */
void slice_expect_page(const struct memory *memory, struct calendar_page *page);

/* Call when the slice has been emptied: every set is to get its lines of other programs. */
void left_begin(struct slice *slice, const struct memory *memory);
/* Install the lines of one set, or of all sets that have not been looked up. */
void left_put(struct slice *slice, const struct memory *memory, uint32_t set);
void left_put_all(struct slice *slice, const struct memory *memory);
/* Call before the tags of a set are looked up. */
static inline void left_look(struct slice *slice, const struct memory *memory, uint32_t set)
{
	if (__builtin_expect(slice->left[set], 0))
		left_put(slice, memory, set);
}

#endif
