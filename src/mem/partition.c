/* Setting up and resetting the memory side; the events themselves are in slice.c. */
#include "mem/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Pseudo-random distances, the same for every run: a cluster is nearer to some slices than to others. */
static void build_paths(struct memory *memory, uint32_t clusters)
{
	uint32_t slices = memory->map.slices, spread = memory->machine->icnt_spread_cycles;
	memory->path = memory_zeroed((size_t)clusters * slices, 1);
	for (uint32_t cluster = 0; cluster < clusters; cluster++)
		for (uint32_t slice = 0; slice < slices; slice++) {
			uint64_t hash = bits_mix(cluster * 0x10001u + slice + 1);
			memory->path[cluster * slices + slice] = (uint8_t)(map_reduce(hash, spread + 1) / 2);
		}
}

static uint32_t fine_per_sector(const struct machine *machine, double bytes_per_l2_cycle)
{
	double core_per_l2 = machine->clock_core_mhz / machine->clock_l2_mhz;
	return (uint32_t)lround(256.0 * core_per_l2 * machine->l2_sector_bytes / bytes_per_l2_cycle);
}

static bool slice_init(struct slice *slice, const struct memory *memory, uint32_t id, struct error *err)
{
	const struct machine *m = memory->machine;
	slice->id = (uint16_t)id;
	slice->side = memory->map.sides == 2 && id >= memory->map.side_first[1];
	uint32_t waiters = m->l2_mshr_entries;
	waiters = m->l2_mshr_merge > 16 ? waiters * 16 : waiters * m->l2_mshr_merge;
	mshrs_init(&slice->mshrs, m->l2_mshr_entries, waiters);
	slice->merge = memory_zeroed(MERGE_SLOTS, sizeof *slice->merge);
	return tags_init(&slice->tags, m->l2_sets, m->l2_ways, m->l2_index, m->l2_line_bytes, err);
}

static bool partition_init(struct partition *partition, const struct memory *memory, uint32_t id,
                           struct error *err)
{
	const struct machine *m = memory->machine;
	partition->id = id;
	partition->slice = &memory->slice[id * memory->map.slices_per_channel];
	for (uint32_t k = 0; k < memory->map.slices_per_channel; k++) {
		partition->slice[k].partition = partition;
		if (!slice_init(&partition->slice[k], memory, id * memory->map.slices_per_channel + k, err))
			return false;
	}
	dram_init(&partition->dram, m, &partition->counters);
	partition->replies = memory_zeroed(memory->workers, sizeof *partition->replies);
	partition->far = memory_zeroed(memory->workers, sizeof *partition->far);
	if (!m->l3_bytes_per_channel)
		return true;
	uint32_t sets = m->l3_bytes_per_channel / m->l2_line_bytes / m->l3_ways;
	if (!sets)
		return error_set(err, "l3.bytes_per_channel holds no set of %u ways", m->l3_ways);
	return tags_init(&partition->l3, sets, m->l3_ways, SET_INDEX_SEQ, m->l2_line_bytes, err);
}

static void init_owners(struct memory *memory)
{
	uint32_t slices = memory->map.slices, sms = memory->machine->sm_count;
	memory->slice_worker = memory_zeroed(slices, sizeof *memory->slice_worker);
	memory->sm_worker = memory_zeroed(sms, sizeof *memory->sm_worker);
	memory->credits = memory_zeroed((size_t)sms * memory->workers, sizeof *memory->credits);
}

void memory_share(struct memory *memory, uint32_t owners)
{
	memory->owners = owners;
	for (uint32_t i = 0; i < memory->map.slices; i++)
		memory->slice_worker[i] = (uint16_t)(i / memory->map.slices_per_channel % owners);
	for (uint32_t i = 0; i < memory->machine->sm_count; i++)
		memory->sm_worker[i] = (uint16_t)(i % owners);
}

bool memory_init(struct memory *memory, const struct machine *machine, const struct chain *chain,
                 uint32_t workers, const uint16_t *sm_cluster, const uint8_t *sm_side, uint32_t clusters,
                 struct error *err)
{
	memset(memory, 0, sizeof *memory);
	memory->machine = machine;
	memory->chain = chain;
	memory->asks = chain->has_l2_route || chain->has_l2_reply;
	memory->workers = workers;
	memory->sm_cluster = sm_cluster;
	memory->sm_side = sm_side;
	address_map_init(&memory->map, machine);
	memory->sector_bytes = machine->l2_sector_bytes;
	memory->sectors_per_fetch = machine->l2_fetch_bytes / machine->l2_sector_bytes;
	memory->sectors_per_line = machine->l2_line_bytes / machine->l2_sector_bytes;
	memory->read_fine = fine_per_sector(machine, machine->l2_read_bytes_per_cycle);
	memory->write_fine = fine_per_sector(machine, machine->l2_write_bytes_per_cycle);
	double core_per_l2 = machine->clock_core_mhz / machine->clock_l2_mhz;
	memory->atomic_sector_fine = (uint32_t)lround(256 * core_per_l2 * machine->l2_atomic_sector_cycles);
	memory->atomic_lane_fine = (uint32_t)lround(256 * core_per_l2 * machine->l2_atomic_lane_cycles);
	memory->dram_per_core = machine->clock_dram_mhz / machine->clock_core_mhz;
	build_paths(memory, clusters);
	init_owners(memory);
	memory->slice = memory_zeroed(memory->map.slices, sizeof *memory->slice);
	memory->partition = memory_zeroed(machine->dram_channels, sizeof *memory->partition);
	for (uint32_t i = 0; i < machine->dram_channels; i++)
		if (!partition_init(&memory->partition[i], memory, i, err))
			return false;
	return true;
}

static void partition_free(struct partition *partition, const struct memory *memory)
{
	for (uint32_t k = 0; partition->slice && k < memory->map.slices_per_channel; k++) {
		tags_free(&partition->slice[k].tags);
		mshrs_free(&partition->slice[k].mshrs);
		free(partition->slice[k].waiting.item);
		free(partition->slice[k].far_waiting.item);
		free(partition->slice[k].merge);
	}
	for (uint32_t w = 0; partition->replies && w < memory->workers; w++) {
		free(partition->replies[w].item);
		free(partition->far[w].item);
	}
	free(partition->replies);
	free(partition->far);
	tags_free(&partition->l3);
	dram_free(&partition->dram);
}

void memory_free(struct memory *memory)
{
	for (uint32_t i = 0; memory->partition && i < memory->machine->dram_channels; i++)
		partition_free(&memory->partition[i], memory);
	free(memory->partition);
	free(memory->path);
	free(memory->slice);
	free(memory->slice_worker);
	free(memory->sm_worker);
	free(memory->credits);
}

void memory_reset(struct memory *memory, bool flush)
{
	for (uint32_t i = 0; i < memory->machine->dram_channels; i++) {
		struct partition *partition = &memory->partition[i];
		for (uint32_t k = 0; k < memory->map.slices_per_channel; k++) {
			struct slice *slice = &partition->slice[k];
			slice->free = 0;
			memset(slice->merge, 0, MERGE_SLOTS * sizeof *slice->merge);
			if (flush)
				tags_flush(&slice->tags);
		}
		if (flush && partition->l3.entries)
			tags_flush(&partition->l3);
		dram_reset(&partition->dram);
		partition->dram_event = CYCLE_NEVER;
		partition->last_write = 0;
		partition->busy = 0;
		memset(&partition->counters, 0, sizeof partition->counters);
	}
}

void memory_worker_init(struct memory_worker *worker, struct memory *memory)
{
	memset(worker, 0, sizeof *worker);
	worker->memory = memory;
	hooks_init_gpu(&worker->hooks, memory->chain, NULL, NULL);
	calendar_reset(&worker->calendar);
}

void memory_worker_free(struct memory_worker *worker)
{
	calendar_free(&worker->calendar);
	order_free(&worker->order);
}

void memory_worker_reset(struct memory_worker *worker)
{
	calendar_reset(&worker->calendar);
	memset(worker->sent, 0, sizeof worker->sent);
}

cycle_t memory_worker_next(struct memory_worker *worker)
{
	return calendar_next(&worker->calendar);
}
