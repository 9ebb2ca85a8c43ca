/* Stores that wait to leave an SM: which joins which, and for how long. */
#include "sm/store_merge.h"

#include "test.h"

/* All sectors of `lines` lines from `first` on, stored by a warp of its scheduler; how many of the lines joined others. */
static uint32_t store(struct store_merge *merge, uint16_t warp, uint8_t scheduler, uint64_t first,
                      uint32_t lines, cycle_t now)
{
	struct mem_insn mem = {.warp = warp, .scheduler = scheduler, .began = now, .lines = (uint16_t)lines};
	uint32_t joined = 0;
	for (uint32_t i = 0; i < lines; i++)
		joined += store_merge_join(merge, &mem, first + i, 0xf, now) == 0xf;
	store_merge_hold(merge, now + 10);
	return joined;
}

TEST(stores_of_several_lines_join_line_by_line)
{
	struct store_merge merge;
	store_merge_reset(&merge);
	CHECK_EQ(store(&merge, 0, 0, 100, 6, 50), 0);
	CHECK_EQ(store(&merge, 0, 0, 100, 6, 60), 6);
	CHECK_EQ(store(&merge, 5, 1, 103, 6, 70), 3); /* any scheduler */
	CHECK_EQ(store(&merge, 5, 1, 103, 6, 81), 0); /* too late */
}

TEST(a_line_has_the_sectors_of_all_that_joined)
{
	struct store_merge merge;
	struct mem_insn mem = {.began = 5};
	store_merge_reset(&merge);
	CHECK_EQ(store_merge_join(&merge, &mem, 7, 0x1, 5), 0);
	store_merge_hold(&merge, 100);
	mem.began = 6;
	CHECK_EQ(store_merge_join(&merge, &mem, 7, 0x2, 6), 0);
	mem.began = 7;
	CHECK_EQ(store_merge_join(&merge, &mem, 7, 0x7, 7), 0x3);
}

TEST(another_store_of_the_scheduler_between_makes_it_leave_and_one_of_another_does_not)
{
	struct store_merge merge;
	store_merge_reset(&merge);
	store(&merge, 0, 0, 100, 2, 50);
	store(&merge, 0, 0, 200, 2, 51);
	CHECK_EQ(store(&merge, 0, 0, 100, 2, 52), 0);
	store(&merge, 1, 1, 300, 2, 53);
	store(&merge, 2, 2, 400, 2, 54);
	CHECK_EQ(store(&merge, 0, 0, 100, 2, 55), 2);
}

/* Rounds of stores by `schedulers` warps to lines of their own: do those of the second round join? */
static uint32_t second_round(uint8_t schedulers, uint32_t lines)
{
	struct store_merge merge;
	uint32_t joined = 0;
	store_merge_reset(&merge);
	for (cycle_t round = 0; round < 2; round++)
		for (uint8_t s = 0; s < schedulers; s++)
			joined += store(&merge, s, s, s * 1000u, lines, 1 + round * schedulers + s);
	return joined;
}

TEST(no_more_than_24_lines_wait)
{
	CHECK_EQ(second_round(4, 6), 24);
	CHECK_EQ(second_round(2, 8), 16);
	CHECK_EQ(second_round(1, 16), 16);
	CHECK_EQ(second_round(2, 16), 0);
	CHECK(second_round(4, 8) < 32);
}

TEST_RUN_ALL(true)
