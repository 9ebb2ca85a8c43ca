#include "policy/lib/smem_lock.h"

#include <string.h>

size_t smem_lock_bytes(uint32_t frames)
{
	return sizeof(struct smem_lock) + frames * sizeof(((struct smem_lock *)0)->frame[0]);
}

void smem_lock_init(struct smem_lock *lock, uint32_t frames, uint32_t reads_to_unlock, bool relock)
{
	memset(lock, 0, smem_lock_bytes(frames));
	lock->frames = frames;
	lock->reads_to_unlock = reads_to_unlock;
	lock->relock = relock;
}

uint64_t smem_lock_bits(uint32_t frames, uint32_t reads_to_unlock)
{
	uint32_t counter = 0;
	while (reads_to_unlock > 1 && reads_to_unlock >> counter)
		counter++;
	return reads_to_unlock ? (uint64_t)frames * (1 + counter) : 0;
}

static void write_line(struct smem_lock *lock, uint32_t frame)
{
	if (!lock->reads_to_unlock || frame >= lock->frames)
		return;
	lock->locks += !lock->frame[frame].locked;
	lock->frame[frame].locked = 1;
	lock->frame[frame].reads = 0;
}

static void read_line(struct smem_lock *lock, uint32_t frame)
{
	if (frame >= lock->frames || !lock->frame[frame].locked)
		return;
	if (++lock->frame[frame].reads < lock->reads_to_unlock)
		return;
	lock->frame[frame].locked = 0;
	lock->unlocks++;
}

void smem_lock_hit(struct smem_lock *lock, const struct l1_event *event)
{
	if (event->shared && event->is_store && lock->relock)
		write_line(lock, event->frame);
	else if (event->shared && !event->is_store)
		read_line(lock, event->frame);
}

/* A load of bytes that no store has written misses a line that is present: that is a read all the same. */
void smem_lock_miss(struct smem_lock *lock, const struct l1_event *event)
{
	if (event->shared && event->is_store)
		write_line(lock, event->frame);
	else if (event->shared)
		read_line(lock, event->frame);
}

void smem_lock_evict(struct smem_lock *lock, const struct l1_event *event)
{
	if (!event->shared || event->frame >= lock->frames)
		return;
	lock->locked_evictions += lock->frame[event->frame].locked && !event->cta_ended;
	lock->frame[event->frame].locked = 0;
}

/* Return the least recently used of the ways that are locked, or of those that are not. */
static uint32_t oldest(const struct smem_lock *lock, const struct frame_view *ways, uint32_t count,
                       bool locked)
{
	uint32_t found = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		bool is_locked =
		    ways[i].shared && ways[i].frame < lock->frames && lock->frame[ways[i].frame].locked;
		if (ways[i].reserved || is_locked != locked)
			continue;
		if (found == UINT32_MAX || ways[i].recency < ways[found].recency)
			found = i;
	}
	return found;
}

uint32_t smem_lock_victim(const struct smem_lock *lock, const struct frame_view *ways, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!ways[i].valid)
			return i;
	uint32_t found = oldest(lock, ways, count, false);
	return found != UINT32_MAX ? found : oldest(lock, ways, count, true);
}

const char *const smem_lock_stat_names[SMEM_LOCK_STATS] = {"locks", "unlocks", "locked_lines_evicted"};

void smem_lock_stats(const struct smem_lock *lock, uint64_t *sum)
{
	sum[0] += lock->locks;
	sum[1] += lock->unlocks;
	sum[2] += lock->locked_evictions;
}
