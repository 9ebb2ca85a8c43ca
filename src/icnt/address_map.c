#include "icnt/address_map.h"

void address_map_init(struct address_map *map, const struct machine *machine)
{
	uint32_t line = machine->l2_line_bytes;
	map->channels = machine->dram_channels;
	map->slices_per_channel = machine->l2_slices_per_channel;
	map->slices = map->channels * map->slices_per_channel;
	map->partitions = machine->l2_partitions;
	map->hash = machine->l2_hash;
	map->home_index = machine->l2_home_index;
	map->line_shift = bits_log2_up(line);
	map->block_shift =
	    machine->l2_interleave_bytes > line ? bits_log2_up(machine->l2_interleave_bytes / line) : 0;
	map->home_shift = bits_log2_up(machine->l2_home_block_bytes / line);
	map->banks = machine->dram_banks;
	map->bank_index = machine->dram_bank_index;
	map->banks_in_turn = machine->dram_banks_in_turn;
	map->lines_per_row = machine->dram_row_bytes / line;
	map->lines_per_row_stripe = (uint64_t)machine->dram_row_bytes / line * map->channels;
	uint32_t first_half = (map->channels + 1) / 2 * map->slices_per_channel;
	map->first[0] = 0;
	map->count[0] = map->partitions == 2 ? first_half : map->slices;
	map->first[1] = map->partitions == 2 ? first_half : 0;
	map->count[1] = map->slices - map->first[1];
}
