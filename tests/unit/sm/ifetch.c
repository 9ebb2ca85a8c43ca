/* Instruction fetch: the first fetch of a line comes from afar and brings the next lines along, once. */
#include "sm/ifetch.h"

#include "test.h"

static const struct machine machine = {
    .sm_fetch_cold_cycles = 100, .sm_fetch_prefetch_lines = 2, .sm_const_cold_cycles = 60};

TEST(a_cold_line_comes_after_the_cold_latency_with_its_followers)
{
	struct ifetch ifetch = {.machine = &machine};
	ifetch_begin_launch(&ifetch, 6);
	CHECK_EQ(ifetch_line(&ifetch, 1, 10), ready_at(110, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch_line(&ifetch, 1, 50), ready_at(110, STALL_NO_INSTRUCTION)); /* asked for already */
	CHECK_EQ(ifetch_line(&ifetch, 3, 50), ready_at(110, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch_line(&ifetch, 4, 50), ready_at(150, STALL_NO_INSTRUCTION)); /* one too far */
	CHECK_EQ(ifetch_line(&ifetch, 0, 70), ready_at(170, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch_line(&ifetch, 2, 70), ready_at(110, STALL_NO_INSTRUCTION)); /* not fetched again */
	ifetch_free(&ifetch);
}

TEST(prefetching_ends_with_the_code)
{
	struct ifetch ifetch = {.machine = &machine};
	ifetch_begin_launch(&ifetch, 6);
	ifetch_begin_launch(&ifetch, 2); /* of a shorter kernel */
	ifetch.line[1] = 0;
	CHECK_EQ(ifetch_line(&ifetch, 1, 5), ready_at(105, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch.line[2], 0);
	ifetch_free(&ifetch);
}

TEST(a_launch_starts_with_nothing_fetched)
{
	struct ifetch ifetch = {.machine = &machine};
	ifetch_begin_launch(&ifetch, 4);
	ifetch_line(&ifetch, 0, 0);
	ifetch_constant(&ifetch, 0, 0);
	ifetch_begin_launch(&ifetch, 4);
	CHECK_EQ(ifetch_line(&ifetch, 0, 7), ready_at(107, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch_constant(&ifetch, 0, 7), ready_at(67, STALL_CONSTANT));
	ifetch_free(&ifetch);
}

TEST(the_next_lines_follow_as_a_stream_that_goes_on_when_they_are_used)
{
	struct machine streams = machine;
	streams.sm_fetch_next_cycles = 20;
	struct ifetch ifetch = {.machine = &streams};
	ifetch_begin_launch(&ifetch, 12);
	CHECK_EQ(ifetch_line(&ifetch, 0, 10), ready_at(110, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch_line(&ifetch, 1, 115), ready_at(130, STALL_NO_INSTRUCTION)); /* asks for line 3 */
	CHECK_EQ(ifetch_line(&ifetch, 2, 135), ready_at(150, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch_line(&ifetch, 3, 500), ready_at(215, STALL_NO_INSTRUCTION)); /* long here */
	CHECK_EQ(ifetch_line(&ifetch, 5, 501),
	         ready_at(600, STALL_NO_INSTRUCTION)); /* asked for with line 3 */
	CHECK_EQ(ifetch_line(&ifetch, 9, 502), ready_at(602, STALL_NO_INSTRUCTION)); /* a jump */
	CHECK_EQ(ifetch.present, 6);
	ifetch_free(&ifetch);
}

TEST(a_full_cache_loses_the_line_fetched_longest_ago_and_gets_it_back_from_nearer)
{
	struct machine small = machine;
	small.sm_fetch_prefetch_lines = 0;
	small.sm_icache_lines = 2;
	small.sm_fetch_miss_cycles = 30;
	struct ifetch ifetch = {.machine = &small};
	ifetch_begin_launch(&ifetch, 4);
	ifetch_line(&ifetch, 0, 0);
	ifetch_line(&ifetch, 1, 200);
	ifetch_line(&ifetch, 0, 300); /* so that 1 is the older */
	CHECK_EQ(ifetch_line(&ifetch, 2, 400), ready_at(500, STALL_NO_INSTRUCTION));
	CHECK_EQ(ifetch_line(&ifetch, 0, 600), ready_at(100, STALL_NO_INSTRUCTION)); /* still here */
	CHECK_EQ(ifetch_line(&ifetch, 1, 700), ready_at(730, STALL_NO_INSTRUCTION)); /* was lost */
	CHECK_EQ(ifetch.present, 2);
	ifetch_free(&ifetch);
}

TEST(the_first_constant_is_cold_and_later_ones_are_not)
{
	struct ifetch ifetch = {.machine = &machine};
	ifetch_begin_launch(&ifetch, 1);
	CHECK_EQ(ifetch_constant(&ifetch, ready_at(12, STALL_CONSTANT), 10), ready_at(70, STALL_CONSTANT));
	CHECK_EQ(ifetch_constant(&ifetch, ready_at(22, STALL_CONSTANT), 20), ready_at(70, STALL_CONSTANT));
	CHECK_EQ(ifetch_constant(&ifetch, ready_at(92, STALL_CONSTANT), 90), ready_at(92, STALL_CONSTANT));
	ifetch_free(&ifetch);
}

TEST_RUN_ALL(true)
