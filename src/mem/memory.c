/* Set-up, reset and snapshots of the memory side. */
#include "mem/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mem/slice.h"

/* Slice time of `l2_cycles` cycles of the L2 clock. */
static uint32_t fine_of_l2(const struct machine *machine, double l2_cycles)
{
	double core_per_l2 = machine->clock_core_mhz / machine->clock_l2_mhz;
	return (uint32_t)lround(FINE_PER_CYCLE * core_per_l2 * l2_cycles);
}

static uint32_t fine_per_sector(const struct machine *machine, double bytes_per_l2_cycle)
{
	double core_per_l2 = machine->clock_core_mhz / machine->clock_l2_mhz;
	return (uint32_t)lround(FINE_PER_CYCLE * core_per_l2 * machine->l2_sector_bytes / bytes_per_l2_cycle);
}

static void slice_init(struct slice *slice, const struct memory *memory, struct region *region, uint32_t id)
{
	const struct machine *m = memory->machine;
	const struct address_map *map = &memory->crossbar->map;
	slice->id = (uint16_t)id;
	slice->local = (uint8_t)(id % map->slices_per_channel);
	slice->l2_partition = map->partitions == 2 && id >= map->first[1];
	enum { MERGE_MAX = 16 }; /* waiters per MSHR, on average, that the table has room for */
	uint32_t merge = bits_min32(m->l2_mshr_merge, MERGE_MAX);
	mshr_table_init(&slice->mshrs, region, m->l2_mshr_entries, m->l2_mshr_entries * merge,
	                m->l2_mshr_merge);
	tags_init_in(&slice->tags, m->l2_sets, m->l2_ways, &memory->l2_index, region);
	slice->tags.plru = m->l2_replacement == REPLACEMENT_PLRU;
	slice->left = memory_zeroed(m->l2_sets, sizeof *slice->left);
}

static void partition_init(struct partition *partition, const struct memory *memory, struct region *region,
                           uint32_t id)
{
	const struct machine *m = memory->machine;
	uint32_t slices = memory->crossbar->map.slices_per_channel, workers = memory->crossbar->workers;
	partition->id = id;
	partition->word = id / 64;
	partition->bit = (uint64_t)1 << id % 64;
	partition->slice = &memory->slice[id * slices];
	for (uint32_t k = 0; k < slices; k++) {
		partition->slice[k].partition = partition;
		slice_init(&partition->slice[k], memory, region, id * slices + k);
	}
	dram_init(&partition->dram, m, &partition->counters);
	partition->replies = memory_zeroed(workers, sizeof *partition->replies);
	partition->fabric = memory_zeroed(2 * (size_t)workers, sizeof *partition->fabric);
	if (m->l3_bytes_per_channel) {
		tags_init(&partition->l3, memory->l3_index.sets, m->l3_ways, &memory->l3_index);
		partition->l3.plru = m->l3_replacement == REPLACEMENT_PLRU;
	}
}

static bool build_indices(struct memory *memory, struct error *err)
{
	const struct machine *m = memory->machine;
	if (!index_build(&memory->l2_index, m->l2_index, m->l2_sets, m->l2_line_bytes, err))
		return false;
	if (!m->l3_bytes_per_channel)
		return true;
	uint32_t sets = m->l3_bytes_per_channel / m->l2_line_bytes / m->l3_ways;
	if (!sets)
		return error_set(err, "l3.bytes_per_channel holds no set of %u ways", m->l3_ways);
	return index_build(&memory->l3_index, SET_INDEX_SEQ, sets, m->l2_line_bytes, err);
}

/* Lines of a slice, of `bytes` in all slices: no more than it has room for. */
static uint32_t left_lines(const struct machine *m, uint32_t slices, uint32_t bytes)
{
	return bits_min32(bytes / m->l2_line_bytes / slices, m->l2_sets * m->l2_ways);
}

bool memory_init(struct memory *memory, const struct crossbar *crossbar, const struct chain *chain,
                 struct region *region, struct error *err)
{
	const struct machine *m = crossbar->machine;
	*memory = (struct memory){
	    .machine = m,
	    .crossbar = crossbar,
	    .chain = chain,
	    .asks =
	        chain->has_l2_route || chain->has_l2_reply || chain->has_l2_victim || chain->has_on_l2_access,
	    .allocates_on_miss = m->l2_allocate == ALLOCATE_ON_MISS,
	    .merges_reads = m->icnt_merge_reads,
	    .cycles = {.latency = m->l2_latency_cycles,
	               .partition = m->l2_partition_cycles,
	               .reply = m->icnt_reply_cycles,
	               .credit = m->icnt_credit_cycles},
	    .dirty_limit = m->l2_dirty_bytes ? m->l2_dirty_bytes / m->l2_sector_bytes / crossbar->map.slices
	                                     : UINT32_MAX,
	    .kept_mshrs = crossbar->map.partitions == 1 ? 0 : (m->l2_mshr_entries + 3) / 4,
	    .left_lines =
	        left_lines(m, crossbar->map.slices, bits_max32(m->launch_left_bytes, m->launch_dirty_bytes)),
	    .left_dirty = left_lines(m, crossbar->map.slices, m->launch_dirty_bytes),
	    .fetches_on_write = m->l2_write_miss == WRITE_MISS_ALLOCATE_FETCH,
	    .sector_bytes = m->l2_sector_bytes,
	    .sectors_per_fetch = m->l2_fetch_bytes / m->l2_sector_bytes,
	    .sectors_per_line = m->l2_line_bytes / m->l2_sector_bytes,
	    .read_fine = fine_per_sector(m, m->l2_read_bytes_per_cycle),
	    .partial_fine = fine_of_l2(m, m->l2_partial_write_cycles),
	    .refresh_period =
	        m->dram_refresh_per_mille ? m->dram_refresh_cycles * 1000 / m->dram_refresh_per_mille : 0,
	    .request_fine = fine_of_l2(m, m->l2_read_request_cycles),
	    .write_fine = fine_per_sector(m, m->l2_write_bytes_per_cycle),
	    .atomic_fine = {.sector = fine_of_l2(m, m->l2_atomic_sector_cycles),
	                    .lane = fine_of_l2(m, m->l2_atomic_lane_cycles),
	                    .pass = fine_of_l2(m, m->l2_atomic_pass_cycles),
	                    .result = fine_of_l2(m, m->l2_atomic_return_cycles)},
	    .dram_per_core = m->clock_dram_mhz / m->clock_core_mhz,
	    .slice = memory_zeroed(crossbar->map.slices, sizeof *memory->slice),
	    .partition = memory_zeroed(m->dram_channels, sizeof *memory->partition),
	};
	if (m->icnt_reply_bytes_per_cycle) {
		memory->reply_switch = memory_zeroed(1, sizeof *memory->reply_switch);
		reply_switch_init(memory->reply_switch, m, crossbar->map.slices);
	}
	if (!build_indices(memory, err))
		return false;
	for (uint32_t i = 0; i < m->dram_channels; i++)
		partition_init(&memory->partition[i], memory, region, i);
	return true;
}

static void partition_free(struct partition *partition, const struct crossbar *crossbar)
{
	for (uint32_t k = 0; partition->slice && k < crossbar->map.slices_per_channel; k++) {
		mshr_table_free(&partition->slice[k].mshrs);
		free(partition->slice[k].left);
		free(partition->slice[k].waiting.item);
		free(partition->slice[k].fabric_waiting.item);
	}
	for (uint32_t w = 0; partition->replies && w < crossbar->workers; w++)
		free(partition->replies[w].item);
	for (uint32_t w = 0; partition->fabric && w < 2 * crossbar->workers; w++)
		free(partition->fabric[w].item);
	free(partition->performed.item);
	free(partition->replies);
	free(partition->fabric);
	tags_free(&partition->l3);
	dram_free(&partition->dram);
}

void memory_free(struct memory *memory)
{
	for (uint32_t i = 0; memory->partition && i < memory->machine->dram_channels; i++)
		partition_free(&memory->partition[i], memory->crossbar);
	if (memory->reply_switch)
		reply_switch_free(memory->reply_switch);
	free(memory->reply_switch);
	free(memory->partition);
	free(memory->slice);
}

static void partition_reset(struct partition *partition, const struct memory *memory, bool flush)
{
	uint32_t slices = memory->crossbar->map.slices_per_channel;
	for (uint32_t k = 0; k < slices; k++) {
		struct slice *slice = &partition->slice[k];
		/* A slice that served no request remembers no reads. */
		if (slice->free)
			memset(&slice->merger, 0, sizeof slice->merger);
		slice->free = slice->last_partial = 0;
		if (!flush)
			continue;
		tags_flush(&slice->tags);
		slice->clean_next = 0;
		left_begin(slice, memory);
	}
	if (flush && partition->l3.entries)
		tags_flush(&partition->l3);
	dram_reset(&partition->dram);
	partition->dram_event = CYCLE_NEVER;
	partition->last_write = 0;
	partition->performed.count = 0;
	partition->busy = 0;
	memset(&partition->counters, 0, sizeof partition->counters);
}

void memory_reset(struct memory *memory, bool flush)
{
	for (uint32_t i = 0; i < memory->machine->dram_channels; i++)
		partition_reset(&memory->partition[i], memory, flush);
	if (memory->reply_switch)
		reply_switch_reset(memory->reply_switch);
}

/* ---- snapshots ------------------------------------------------------------------------------------------------------- */

struct kept_tags {
	struct tag *entries;
	uint8_t *mark;
	uint32_t stamp, flushed;
	uint32_t dirty_sectors, clean_next; /* of a slice */
};

struct snapshot {
	uint32_t count; /* slices, then partitions */
	struct kept_tags tags[];
};

static void keep(struct kept_tags *kept, const struct tags *tags)
{
	size_t entries = (size_t)tags->sets * tags->ways;
	if (!tags->entries)
		return;
	kept->entries = memory_grow(NULL, entries, sizeof *kept->entries);
	memcpy(kept->entries, tags->entries, entries * sizeof *kept->entries);
	kept->stamp = tags->stamp;
	kept->flushed = tags->flushed;
	if (!tags->mark_ways)
		return;
	kept->mark = memory_grow(NULL, tags->sets, tags->mark_ways);
	memcpy(kept->mark, tags->mark, (size_t)tags->sets * tags->mark_ways);
}

static void put_back(const struct kept_tags *kept, struct tags *tags)
{
	if (!tags->entries)
		return;
	memcpy(tags->entries, kept->entries, (size_t)tags->sets * tags->ways * sizeof *kept->entries);
	tags->stamp = kept->stamp;
	tags->flushed = kept->flushed;
	if (tags->mark_ways)
		memcpy(tags->mark, kept->mark, (size_t)tags->sets * tags->mark_ways);
}

/* Complete the lines that other programs left, so that the tags of all slices can be copied. */
static void settle(struct memory *memory)
{
	for (uint32_t i = 0; i < memory->crossbar->map.slices; i++)
		left_put_all(&memory->slice[i], memory);
}

struct snapshot *snapshot_take(struct memory *memory)
{
	uint32_t slices = memory->crossbar->map.slices, channels = memory->machine->dram_channels;
	struct snapshot *s = memory_zeroed(1, sizeof *s + (slices + channels) * sizeof *s->tags);
	s->count = slices + channels;
	settle(memory);
	for (uint32_t i = 0; i < slices; i++) {
		keep(&s->tags[i], &memory->slice[i].tags);
		s->tags[i].dirty_sectors = memory->slice[i].dirty_sectors;
		s->tags[i].clean_next = memory->slice[i].clean_next;
	}
	for (uint32_t i = 0; i < channels; i++)
		keep(&s->tags[slices + i], &memory->partition[i].l3);
	return s;
}

void snapshot_restore(const struct snapshot *s, struct memory *memory)
{
	uint32_t slices = memory->crossbar->map.slices;
	settle(memory);
	for (uint32_t i = 0; i < slices; i++) {
		put_back(&s->tags[i], &memory->slice[i].tags);
		memory->slice[i].dirty_sectors = s->tags[i].dirty_sectors;
		memory->slice[i].clean_next = s->tags[i].clean_next;
	}
	for (uint32_t i = slices; i < s->count; i++)
		put_back(&s->tags[i], &memory->partition[i - slices].l3);
}

void snapshot_free(struct snapshot *s)
{
	for (uint32_t i = 0; s && i < s->count; i++) {
		free(s->tags[i].entries);
		free(s->tags[i].mark);
	}
	free(s);
}
