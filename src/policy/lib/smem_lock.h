/*
 * Locks on lines of shared memory (OSM, sections 3 and 6.4): a line that a write inserts may not be replaced
 * before it has been read. One bit per line; with a threshold above one, a counter of reads as well.
 *
 * Section 3 locks an address "when it is written", section 6.4 "once" it is "inserted": both hold of the
 * write that takes a line. A write to a line that has been read already locks nothing ("we do not lock these
 * addresses for future reads"), unless `relock` asks for the other reading.
 */
#ifndef SLUICE_POLICY_LIB_SMEM_LOCK_H
#define SLUICE_POLICY_LIB_SMEM_LOCK_H

#include "policy/policy.h"

struct smem_lock {
	uint32_t reads_to_unlock; /* 0: nothing is ever locked */
	bool relock;              /* every write locks, not only that which inserts the line */
	uint32_t frames;
	uint64_t locks, unlocks;
	uint64_t locked_evictions; /* the whole set was locked */
	struct {
		uint8_t locked, reads;
	} frame[];
};

size_t smem_lock_bytes(uint32_t frames);
void smem_lock_init(struct smem_lock *lock, uint32_t frames, uint32_t reads_to_unlock, bool relock);
/* Storage in hardware. */
uint64_t smem_lock_bits(uint32_t frames, uint32_t reads_to_unlock);

/* Events of a cache, as hooks get them; those of other lines are ignored. */
void smem_lock_hit(struct smem_lock *lock, const struct l1_event *event);
void smem_lock_miss(struct smem_lock *lock, const struct l1_event *event);
void smem_lock_evict(struct smem_lock *lock, const struct l1_event *event);

/* Return an empty way, else the least recently used that is not locked, else the least recently used. */
uint32_t smem_lock_victim(const struct smem_lock *lock, const struct frame_view *ways, uint32_t count);

/* What a policy with locks counts. */
enum { SMEM_LOCK_STATS = 3 };
extern const char *const smem_lock_stat_names[SMEM_LOCK_STATS];
void smem_lock_stats(const struct smem_lock *lock, uint64_t *sum);

#endif
