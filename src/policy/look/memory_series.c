/* Samples of the memory partitions. */
#include "policy/look/memory_series.h"

#include <string.h>

#include "policy/chain.h"

size_t look_memory_bytes(uint32_t partitions, uint32_t samples)
{
	return sizeof(struct look_memory) +
	       partitions * (sizeof(struct memory_track) + samples * sizeof(struct memory_sample));
}

void look_memory_init(struct look_memory *memory, uint32_t partitions, uint32_t samples, uint32_t period,
                      bool folds)
{
	memory->partitions = partitions;
	memory->most = samples;
	memory->period = period;
	memory->folds = folds;
	struct memory_sample *sample = (struct memory_sample *)&memory->track[partitions];
	for (uint32_t i = 0; i < partitions; i++)
		memory->track[i].sample = sample + (size_t)i * samples;
}

void look_memory_clear(struct look_memory *memory)
{
	for (uint32_t i = 0; i < memory->partitions; i++)
		memory->track[i] = (struct memory_track){.sample = memory->track[i].sample};
}

static void fold(struct memory_track *track)
{
	track->count /= 2;
	track->level++;
	for (uint32_t i = 0; i < track->count; i++)
		track->sample[i] = track->sample[2 * i + 1];
}

void look_memory_sample(void *gpu, uint32_t partition, uint64_t cycle, const struct counters *counters)
{
	struct look_memory *memory = gpu;
	struct memory_track *track = &memory->track[partition];
	const struct memory_sample sample = {.l2_reads = counters->value[COUNT_l2_read_sectors],
	                                     .l2_read_hits = counters->value[COUNT_l2_read_hit_sectors],
	                                     .dram_reads = counters->value[COUNT_dram_read_bytes],
	                                     .dram_writes = counters->value[COUNT_dram_write_bytes]};
	if (cycle == MEMORY_WATCH_END) {
		track->end = sample;
		return;
	}
	if (track->count == memory->most && memory->folds)
		fold(track);
	if (cycle % ((uint64_t)memory->period << track->level))
		return;
	if (track->count == memory->most)
		track->dropped++;
	else
		track->sample[track->count++] = sample;
}

uint32_t look_memory_level(const struct look_memory *memory)
{
	uint32_t level = 0;
	for (uint32_t i = 0; i < memory->partitions; i++)
		level = memory->track[i].level > level ? memory->track[i].level : level;
	return level;
}

bool look_memory_is_cut(const struct look_memory *memory)
{
	for (uint32_t i = 0; i < memory->partitions; i++)
		if (memory->track[i].dropped)
			return true;
	return false;
}

/* Nothing happens after the last sample but what the end has. */
static struct memory_sample sample_at(const struct look_memory *memory, const struct memory_track *track,
                                      uint64_t cycle)
{
	uint64_t index = cycle / ((uint64_t)memory->period << track->level);
	if (cycle != MEMORY_WATCH_END && !index)
		return (struct memory_sample){0};
	return cycle != MEMORY_WATCH_END && index <= track->count ? track->sample[index - 1] : track->end;
}

struct memory_sample look_memory_at(const struct look_memory *memory, uint64_t cycle)
{
	struct memory_sample sum = {0};
	for (uint32_t i = 0; i < memory->partitions; i++) {
		struct memory_sample s = sample_at(memory, &memory->track[i], cycle);
		sum.l2_reads += s.l2_reads;
		sum.l2_read_hits += s.l2_read_hits;
		sum.dram_reads += s.dram_reads;
		sum.dram_writes += s.dram_writes;
	}
	return sum;
}
