/*
 * What replacement policies share: which line a frame of L1 holds as far as events have said, and the choice
 * of a way.
 *
 * An allocation is seen as the first event that names a frame with another line than before: the miss where
 * L1 takes a line at once, the fill where it takes it with the data. A store that invalidates a line is not
 * seen; a line that comes back to its own frame after that keeps what was known of it.
 */
#ifndef SLUICE_POLICY_LIB_FRAMES_H
#define SLUICE_POLICY_LIB_FRAMES_H

#include <string.h>

#include "policy/policy.h"

#define FRAME_EMPTY UINT64_MAX

static inline void frames_clear(uint64_t *line_of, uint32_t count)
{
	memset(line_of, 0xff, count * sizeof *line_of);
}

/* Does the frame take the event's line just now? */
static inline bool frames_enter(uint64_t *line_of, const struct l1_event *event)
{
	if (event->aux || event->frame == UINT32_MAX || line_of[event->frame] == event->line)
		return false;
	line_of[event->frame] = event->line;
	return true;
}

/* An invalid way, or UINT32_MAX. */
static inline uint32_t frames_free(const struct frame_view *ways, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!ways[i].valid)
			return i;
	return UINT32_MAX;
}

/* An invalid way, else the least recently used that is not reserved, else UINT32_MAX. */
static inline uint32_t frames_lru(const struct frame_view *ways, uint32_t count)
{
	uint32_t oldest = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		if (!ways[i].valid)
			return i;
		if (!ways[i].reserved && (oldest == UINT32_MAX || ways[i].recency < ways[oldest].recency))
			oldest = i;
	}
	return oldest;
}

#endif
