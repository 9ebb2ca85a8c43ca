/*
 * Reads of one cluster for a line that it asked for a moment ago are merged
 * before they reach the slice: a small table of the last reads, per slice.
 */
#ifndef SLUICE_ICNT_MERGE_H
#define SLUICE_ICNT_MERGE_H

#include <stdbool.h>

#include "base/bits.h"
#include "base/cycle.h"

enum { MERGE_SLOTS = 64 };

struct merge_slot {
	uint64_t line;
	cycle_t until;
	uint16_t cluster;
	uint8_t sectors;
	uint8_t reads; /* that it serves */
};

struct read_merger {
	struct merge_slot slot[MERGE_SLOTS];
};

static inline struct merge_slot *merge_slot(struct read_merger *merger, uint64_t line, uint32_t cluster)
{
	return &merger->slot[bits_mix(line * 64 + cluster) % MERGE_SLOTS];
}

/* The data of the cluster's last read are still in flight, hold these sectors, and serve fewer than `most` reads. */
static inline bool merge_covers(const struct merge_slot *slot, uint64_t line, uint32_t cluster,
                                uint8_t sectors, uint32_t most, cycle_t now)
{
	return slot->line == line && slot->until > now && slot->cluster == cluster && slot->reads < most &&
	       !(sectors & ~slot->sectors);
}

#endif
