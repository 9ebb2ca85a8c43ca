#include "mem/written.h"

#include "mem/fetch.h"
#include "mem/left.h"

void written_send(struct mem_event *ev, const struct tag *tag, cycle_t when)
{
	if (tag->partial)
		fetch_traffic(ev, tag->line, bits_count(tag->partial) * ev->memory->sector_bytes, false,
		              when);
	if (!tag->dirty)
		return;
	fetch_traffic(ev, tag->line, bits_count(tag->dirty) * ev->memory->sector_bytes, true, when);
	ev->slice->dirty_sectors -= bits_count(tag->dirty);
}

void written_clean(struct mem_event *ev, cycle_t when)
{
	struct slice *slice = ev->slice;
	uint32_t entries = slice->tags.sets * slice->tags.ways;
	left_put_all(slice, ev->memory);
	while (slice->dirty_sectors > ev->memory->dirty_limit) {
		struct tag *tag = &slice->tags.entries[slice->clean_next];
		slice->clean_next = slice->clean_next + 1 == entries ? 0 : slice->clean_next + 1;
		if (!tag_present(&slice->tags, tag) || !tag->dirty)
			continue;
		written_send(ev, tag, when);
		tag->dirty = tag->partial = 0;
	}
}
