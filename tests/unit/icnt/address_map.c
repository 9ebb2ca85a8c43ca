/*
 * The address map: every line has one slice of its partition, the load is even,
 * and lines are numbered without gaps within a slice and a channel.
 */
#include "icnt/address_map.h"

#include "lib/bench.h"
#include "test.h"

static struct address_map map_of(const char *machine)
{
	struct error err;
	struct address_map map;
	struct machine *m = machine_load(machine, &err);
	address_map_init(&map, m);
	machine_free(m);
	return map;
}

TEST(slices_of_a_partition_share_the_lines_evenly)
{
	for (const char *const *name = bench_machines(); *name; name++) {
		enum { PER_SLICE = 512 };
		struct address_map map = map_of(*name);
		uint32_t *lines = calloc(map.slices, sizeof *lines);
		uint64_t total = (uint64_t)map.slices * PER_SLICE;
		for (uint64_t block = 0; block < total; block++) {
			uint64_t line = block << map.block_shift;
			uint32_t home = map_home(&map, line), slice = map_slice(&map, line, home);
			CHECK(home < map.partitions);
			CHECK(slice >= map.first[home] && slice < map.first[home] + map.count[home]);
			lines[slice]++;
		}
		for (uint32_t s = 0; s < map.slices; s++)
			CHECK(map.hash ? lines[s] > PER_SLICE / 2 && lines[s] < 2 * PER_SLICE
			               : lines[s] == PER_SLICE);
		free(lines);
	}
}

TEST(two_partitions_split_the_channels_and_serve_every_line_in_both)
{
	static const char *const machines[] = {"h200", "a100"};
	for (uint32_t i = 0; i < 2; i++) {
		struct address_map map = map_of(machines[i]);
		CHECK_EQ(map.partitions, 2);
		CHECK_EQ(map.first[1], map.count[0]);
		CHECK_EQ(map.count[0] + map.count[1], map.slices);
		CHECK_EQ(map.count[0] / map.slices_per_channel, (map.channels + 1) / 2);
		uint32_t home[2] = {0};
		for (uint64_t line = 0; line < 100000; line++) {
			home[map_home(&map, line)]++;
			CHECK(map_slice(&map, line, 0) < map.first[1]);
			CHECK(map_slice(&map, line, 1) >= map.first[1]);
		}
		CHECK(home[0] > 45000 && home[1] > 45000);
	}
}

/* As seen on the GPU (validation/probes/home.cu): blocks of 4 KiB of the second page of 2 MiB, and the pages from there on. 0: near to
 * SM 0, which is in the second partition here.
 */
TEST(an_h200_s_blocks_live_where_they_were_seen)
{
	static const char blocks[] = "1001100101100110100110010110011001100110100110010110011010011001";
	static const char pages[] = "11001101001100101100110";
	struct address_map map = map_of("h200");
	for (uint64_t i = 0; blocks[i]; i++)
		CHECK_EQ(map_home(&map, (0x300000200000 + i * 4096) >> map.line_shift), blocks[i] == '0');
	for (uint64_t i = 0; pages[i]; i++)
		CHECK_EQ(map_home(&map, (0x300000200000 + (i << 21)) >> map.line_shift), pages[i] == '0');
}

/* Numbers of the lines of one slice, or channel, are those from 0 on, each once. */
static bool without_gaps(const struct address_map *map, uint32_t slice, bool of_channel)
{
	uint64_t next = 0;
	uint32_t partition = map->partitions == 2 && slice >= map->first[1];
	for (uint64_t line = 0; line < (uint64_t)map->slices * 64; line++) {
		uint32_t at = map_slice(map, line, partition);
		bool mine = of_channel ? at / map->slices_per_channel == slice / map->slices_per_channel
		                       : at == slice;
		if (!mine)
			continue;
		if ((of_channel ? map_channel_line(map, line) : map_slice_line(map, line, partition)) !=
		    next++)
			return false;
	}
	return next;
}

TEST(lines_are_numbered_without_gaps_where_no_hash_spreads_them)
{
	for (const char *const *name = bench_machines(); *name; name++) {
		struct address_map map = map_of(*name);
		for (uint32_t s = 0; s < map.slices && map.hash != SLICE_HASH_YES; s++) {
			CHECK(without_gaps(&map, s, false));
			CHECK(map.hash || without_gaps(&map, s, true));
		}
		CHECK(map.hash != SLICE_HASH_YES || map_slice_line(&map, 12345, 0) == 12345);
	}
}

/* Lines a stride apart use all slices of a partition, none of them twice as often as it should. */
TEST(no_stride_favours_a_slice_of_an_even_map)
{
	enum { PER_SLICE = 256 };
	struct address_map map = map_of("h200");
	CHECK_EQ(map.hash, SLICE_HASH_EVEN);
	for (uint64_t stride = 1; stride <= 4096; stride *= 2) {
		uint32_t blocks[64] = {0};
		for (uint64_t i = 0; i < map.count[0] * PER_SLICE; i++)
			blocks[map_slice(&map, (i * stride) << map.block_shift, 0)]++;
		for (uint32_t s = 0; s < map.count[0]; s++)
			CHECK(blocks[s] > PER_SLICE / 2 && blocks[s] < 2 * PER_SLICE);
	}
}

TEST(a_row_lies_in_one_bank_and_rows_use_all_banks)
{
	for (const char *const *name = bench_machines(); *name; name++) {
		struct address_map map = map_of(*name);
		uint64_t used = 0;
		if (map.bank_index == BANK_INDEX_SEQ)
			continue;
		for (uint64_t row = 0; row < 4096; row++) {
			struct bank_row first = map_bank_row(&map, row * map.lines_per_row_stripe);
			struct bank_row last = map_bank_row(&map, (row + 1) * map.lines_per_row_stripe - 1);
			CHECK_EQ(first.row, row);
			CHECK(last.row == row && last.bank == first.bank);
			CHECK(first.bank < map.banks);
			used |= (uint64_t)1 << first.bank;
		}
		CHECK_EQ(bits_count(used), map.banks);
	}
}

/* GPGPU-Sim's map of a GTX 480, dramid@8 with RRRRRRRRRRRR.BBBCCCCB.CCSSSSSS within a channel: 16 banks of 4 KB rows. */
TEST(banks_in_turn_share_the_blocks_of_a_channel)
{
	struct address_map map = map_of("gtx480-ciao");
	CHECK_EQ(map.channels, 6);
	for (uint64_t address = 0; address < 1 << 22; address += 128) {
		uint64_t in_channel = address / 256 / 6 * 256 + address % 256;
		struct bank_row place = map_bank_row(&map, address / 128);
		CHECK_EQ(place.row, in_channel >> 16);
		CHECK_EQ(place.bank, (in_channel >> 13 & 7) << 1 | (in_channel >> 8 & 1));
		/* The slices of a channel have banks of their own. */
		uint32_t slice = map_slice(&map, address / 128, 0);
		CHECK_EQ(slice, address / 256 % 6 * 2 + (in_channel >> 8 & 1));
	}
}

TEST_RUN_ALL(true)
