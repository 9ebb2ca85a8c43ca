/*
 * Where an address lives: L2 partition, slice, DRAM channel, bank and row.
 *
 * Slices are numbered through channels: slice = channel * slices_per_channel
 * + k. Of two L2 partitions, the first has the first half of the channels (rounded up).
 */
#ifndef SLUICE_ICNT_ADDRESS_MAP_H
#define SLUICE_ICNT_ADDRESS_MAP_H

#include "base/bits.h"
#include "machine/machine.h"

struct address_map {
	uint32_t slices, slices_per_channel, channels, partitions, hash, home_index;
	uint32_t first[2], count[2];                  /* slices of each L2 partition */
	uint32_t line_shift, block_shift, home_shift; /* of line numbers */
	uint32_t banks, bank_index, banks_in_turn;
	uint64_t lines_per_row;
	uint64_t lines_per_row_stripe; /* lines of one row index over all channels */
};

void address_map_init(struct address_map *map, const struct machine *machine);

/* A hash value spread evenly over 0 .. n-1. */
static inline uint32_t map_reduce(uint64_t hash, uint32_t n)
{
	return (uint32_t)((hash >> 32) * n >> 32);
}

/*
 * Measured on an H200 (validation/probes/home.cu), whose pages of 2 MiB are given out in order: the XOR of some address bits.
 * What is above 64 MiB takes part in a way that is not known; here it is hashed. The first page begins in the second
 * partition, whose SMs include what the GPU calls SM 0.
 */
static inline uint32_t map_home_hopper(const struct address_map *map, uint64_t line)
{
	uint64_t address = line << map->line_shift;
	const uint64_t bits =
	    1u << 12 | 1u << 13 | 1u << 15 | 1u << 17 | 1u << 19 | 1u << 21 | 1u << 22 | 1u << 24;
	uint32_t above = (uint32_t)(bits_spread(address >> 26 & 0x3fff) >> 63);
	return 1 ^ above ^ (uint32_t)__builtin_parityll(address & bits);
}

/* The L2 partition in which a line lives. */
static inline uint32_t map_home(const struct address_map *map, uint64_t line)
{
	if (map->partitions == 1)
		return 0;
	if (map->home_index == HOME_INDEX_HOPPER)
		return map_home_hopper(map, line);
	return map_reduce(bits_spread(line >> map->home_shift), map->slices) >= map->count[0];
}

/* Blocks in turn, but that every round begins with another slice: whatever the stride, none is favoured. */
static inline uint32_t map_slice_even(uint64_t block, uint32_t slices)
{
	uint32_t at = (uint32_t)(block % slices) + map_reduce(bits_spread(block / slices), slices);
	return at < slices ? at : at - slices;
}

/* The slice that serves `line` in an L2 partition. Without a hash blocks go to the channels in turn, then to their slices. */
static inline uint32_t map_slice(const struct address_map *map, uint64_t line, uint32_t partition)
{
	uint64_t block = line >> map->block_shift;
	if (map->hash == SLICE_HASH_EVEN)
		return map->first[partition] + map_slice_even(block, map->count[partition]);
	if (map->hash == SLICE_HASH_YES)
		return map->first[partition] +
		       map_reduce(bits_spread(block ^ 0x5851f42d4c957f2du), map->count[partition]);
	return (uint32_t)(block % map->channels * map->slices_per_channel +
	                  block / map->channels % map->slices_per_channel);
}

/*
 * Lines of one slice, and of one channel, numbered without gaps: the bits that
 * chose the slice are the same for all its lines and can choose no set. A hash
 * of the whole block leaves no such bits.
 */
static inline uint64_t map_slice_line(const struct address_map *map, uint64_t line, uint32_t partition)
{
	if (map->hash == SLICE_HASH_YES)
		return line;
	uint64_t within = line & (((uint64_t)1 << map->block_shift) - 1);
	return (line >> map->block_shift) / map->count[partition] << map->block_shift | within;
}

static inline uint64_t map_channel_line(const struct address_map *map, uint64_t line)
{
	if (map->hash)
		return line;
	uint64_t block = line >> map->block_shift, within = line & (((uint64_t)1 << map->block_shift) - 1);
	return block / map->channels << map->block_shift | within;
}

/* Where a line lies in its channel. */
struct bank_row {
	uint64_t row;
	uint32_t bank;
};

/* Rows in sequence; each of the banks that take turns has its share of the channel's blocks. */
static inline struct bank_row map_bank_in_turn(const struct address_map *map, uint64_t line)
{
	uint64_t in_channel = map_channel_line(map, line), block = in_channel >> map->block_shift;
	uint64_t within = in_channel & (((uint64_t)1 << map->block_shift) - 1);
	uint64_t chunk = (block / map->banks_in_turn << map->block_shift | within) / map->lines_per_row;
	uint32_t groups = map->banks / map->banks_in_turn;
	return (struct bank_row){
	    chunk / groups, (uint32_t)(chunk % groups * map->banks_in_turn + block % map->banks_in_turn)};
}

static inline struct bank_row map_bank_row(const struct address_map *map, uint64_t line)
{
	if (map->bank_index == BANK_INDEX_SEQ)
		return map_bank_in_turn(map, line);
	uint64_t row = line / map->lines_per_row_stripe;
	return (struct bank_row){row, map->bank_index == BANK_INDEX_HASH
	                                  ? map_reduce(bits_mix(row), map->banks)
	                                  : (uint32_t)((row ^ row / map->banks) % map->banks)};
}

#endif
