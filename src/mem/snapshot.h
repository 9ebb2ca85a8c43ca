/* What L2 and L3 held before a launch, for launches that are simulated more than once. */
#ifndef SLUICE_MEM_SNAPSHOT_H
#define SLUICE_MEM_SNAPSHOT_H

#include "mem/memory.h"

struct snapshot;
struct snapshot *snapshot_take(struct memory *memory);
void snapshot_restore(const struct snapshot *snapshot, struct memory *memory);
void snapshot_free(struct snapshot *snapshot);

#endif
