/* Merging of a cluster's reads: only what is in flight, of the same line and cluster, and wholly covered. */
#include "icnt/merge.h"

#include "test.h"

TEST(a_read_is_covered_while_the_data_are_in_flight_and_no_longer)
{
	struct merge_slot slot = {.line = 77, .until = 200, .cluster = 3, .sectors = 0x6};
	CHECK(merge_covers(&slot, 77, 3, 0x6, 4, 199));
	CHECK(!merge_covers(&slot, 77, 3, 0x6, 4, 200));
	CHECK(merge_covers(&slot, 77, 3, 0x2, 4, 0));
	CHECK(!merge_covers(&slot, 77, 3, 0x7, 4, 0));
	CHECK(!merge_covers(&slot, 77, 2, 0x6, 4, 0));
	CHECK(!merge_covers(&slot, 78, 3, 0x6, 4, 0));
}

TEST(a_read_serves_so_many_and_no_more)
{
	struct merge_slot slot = {.line = 77, .until = 200, .cluster = 3, .sectors = 0x6, .reads = 3};
	CHECK(merge_covers(&slot, 77, 3, 0x6, 4, 0));
	slot.reads = 4;
	CHECK(!merge_covers(&slot, 77, 3, 0x6, 4, 0));
}

TEST(clusters_and_lines_spread_over_the_table)
{
	static struct read_merger merger;
	uint32_t used[MERGE_SLOTS] = {0}, most = 0;
	for (uint64_t line = 0; line < 512; line++)
		for (uint32_t cluster = 0; cluster < 8; cluster++) {
			uint64_t at = (uint64_t)(merge_slot(&merger, line, cluster) - merger.slot);
			CHECK(at < MERGE_SLOTS);
			used[at]++;
			most = used[at] > most ? used[at] : most;
		}
	CHECK(most < 2 * 512 * 8 / MERGE_SLOTS);
}

TEST_RUN_ALL(true)
