/*
 * What memory did by the end of each period, per memory partition: the part of
 * the time series that SMs do not see. A partition's track is written by the
 * worker that owns the partition.
 */
#ifndef SLUICE_POLICY_LOOK_MEMORY_SERIES_H
#define SLUICE_POLICY_LOOK_MEMORY_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/counters.h"

/* Sums since the launch began. */
struct memory_sample {
	uint64_t l2_reads, l2_read_hits;  /* sectors */
	uint64_t dram_reads, dram_writes; /* bytes */
};

struct memory_track {
	uint32_t count, level; /* sample i is of cycle (i + 1) x (period << level) */
	uint32_t dropped;
	struct memory_sample end; /* of the launch */
	struct memory_sample *sample;
};

/* The GPU's block; samples follow the tracks. */
struct look_memory {
	uint32_t partitions, most, period;
	bool folds; /* keeps every other sample when there is no room */
	struct memory_track track[];
};

size_t look_memory_bytes(uint32_t partitions, uint32_t samples);
void look_memory_init(struct look_memory *memory, uint32_t partitions, uint32_t samples, uint32_t period,
                      bool folds);
/* When a launch begins. */
void look_memory_clear(struct look_memory *memory);
/* For chain.memory_watch: the counters of a partition as of `cycle`, a multiple of the period, or of the end. */
void look_memory_sample(void *gpu, uint32_t partition, uint64_t cycle, const struct counters *counters);
/* The most periods that a sample of a track stands for, as a power of two. */
uint32_t look_memory_level(const struct look_memory *memory);
/* Whether samples found no room. */
bool look_memory_is_cut(const struct look_memory *memory);
/* All partitions together as of `cycle`, a multiple of (period << look_memory_level()); UINT64_MAX: the end. */
struct memory_sample look_memory_at(const struct look_memory *memory, uint64_t cycle);

#endif
