/* The scoreboard: an instruction waits for the last of its registers, and for what that one waits for. */
#include "sm/scoreboard.h"

#include "test.h"

static const struct decoded reads_3_4_5 = {.reg = {3, 4, 5, REG_END}};
static const struct decoded reads_nothing = {.reg = {REG_END, REG_END, REG_END}};

TEST(the_latest_register_decides_and_brings_its_reason)
{
	struct scoreboard board;
	scoreboard_init(&board, 4);
	scoreboard_set(scoreboard_of(&board, 2), 3, 1, ready_at(50, STALL_FIXED_LATENCY));
	scoreboard_set(scoreboard_of(&board, 2), 4, 1, ready_at(90, STALL_SHORT_SCOREBOARD));
	scoreboard_set(scoreboard_of(&board, 2), 5, 1, ready_at(70, STALL_CONSTANT));
	scoreboard_set(scoreboard_of(&board, 2), 6, 1, ready_at(500, STALL_CONSTANT)); /* not its register */
	ready_t ready = scoreboard_ready(scoreboard_of(&board, 2), &reads_3_4_5, ready_at(10, STALL_IDLE));
	CHECK_EQ(ready_cycle(ready), 90);
	CHECK_EQ(ready_stall(ready), STALL_SHORT_SCOREBOARD);
	ready =
	    scoreboard_ready(scoreboard_of(&board, 2), &reads_3_4_5, ready_at(91, STALL_BRANCH_RESOLVING));
	CHECK_EQ(ready_cycle(ready), 91);
	CHECK_EQ(ready_stall(ready), STALL_BRANCH_RESOLVING);
	CHECK_EQ(scoreboard_ready(scoreboard_of(&board, 2), &reads_nothing, ready_at(10, STALL_IDLE)),
	         ready_at(10, STALL_IDLE));
	scoreboard_free(&board);
}

TEST(warps_do_not_wait_for_one_another)
{
	struct scoreboard board;
	scoreboard_init(&board, 4);
	scoreboard_set(scoreboard_of(&board, 1), 3, 1, READY_NEVER(STALL_LONG_SCOREBOARD));
	CHECK_EQ(scoreboard_ready(scoreboard_of(&board, 0), &reads_3_4_5, 0), 0);
	CHECK_EQ(scoreboard_ready(scoreboard_of(&board, 2), &reads_3_4_5, 0), 0);
	CHECK(ready_is_never(scoreboard_ready(scoreboard_of(&board, 1), &reads_3_4_5, 0)));
	scoreboard_free(&board);
}

TEST(a_load_in_flight_has_a_reason_and_no_time)
{
	struct scoreboard board;
	scoreboard_init(&board, 1);
	scoreboard_set(scoreboard_of(&board, 0), 4, 2,
	               READY_NEVER(STALL_LONG_SCOREBOARD)); /* a pair of registers */
	ready_t ready = scoreboard_ready(scoreboard_of(&board, 0), &reads_3_4_5, ready_at(99, STALL_BARRIER));
	CHECK(ready_cycle(ready) == CYCLE_NEVER);
	CHECK_EQ(ready_stall(ready), STALL_LONG_SCOREBOARD);
	scoreboard_set(scoreboard_of(&board, 0), 4, 1, ready_at(1, STALL_LONG_SCOREBOARD));
	CHECK(ready_is_never(
	    scoreboard_ready(scoreboard_of(&board, 0), &reads_3_4_5, 0))); /* the other half is not there */
	scoreboard_set(scoreboard_of(&board, 0), 5, 1, ready_at(2, STALL_LONG_SCOREBOARD));
	CHECK_EQ(ready_cycle(scoreboard_ready(scoreboard_of(&board, 0), &reads_3_4_5, 0)), 2);
	scoreboard_free(&board);
}

TEST(what_has_no_destination_is_nobodys_and_a_reset_clears_the_registers_in_use)
{
	struct scoreboard board;
	scoreboard_init(&board, 2);
	scoreboard_begin_launch(&board, 8);
	scoreboard_set(scoreboard_of(&board, 0), 7, 0, READY_NEVER(STALL_LONG_SCOREBOARD));
	CHECK_EQ(scoreboard_ready(scoreboard_of(&board, 0), &reads_nothing, 0), 0);
	CHECK_EQ(scoreboard_ready(scoreboard_of(&board, 1), &(struct decoded){.reg = {1, 2, REG_END}}, 0), 0);
	scoreboard_set(scoreboard_of(&board, 0), 3, 3, READY_NEVER(STALL_LONG_SCOREBOARD));
	scoreboard_reset(&board, scoreboard_of(&board, 0));
	CHECK_EQ(scoreboard_ready(scoreboard_of(&board, 0), &reads_3_4_5, 0), 0);
	scoreboard_free(&board);
}

TEST(warps_lie_as_close_as_the_kernel_lets_them_in_whole_cache_lines)
{
	struct scoreboard board;
	scoreboard_init(&board, 4);
	scoreboard_begin_launch(&board, 17);
	CHECK_EQ(scoreboard_of(&board, 1) - scoreboard_of(&board, 0), 24);
	scoreboard_set(scoreboard_of(&board, 1), 16, 1, READY_NEVER(STALL_LONG_SCOREBOARD));
	scoreboard_begin_launch(&board, 257);
	CHECK_EQ(scoreboard_of(&board, 3) - scoreboard_of(&board, 0), 3 * 264);
	scoreboard_reset(&board, scoreboard_of(&board, 0)); /* what the kernel before has left there */
	CHECK_EQ(scoreboard_ready(scoreboard_of(&board, 0), &(struct decoded){.reg = {40, REG_END}}, 0), 0);
	scoreboard_set(scoreboard_of(&board, 3), 256, 1, READY_NEVER(STALL_LONG_SCOREBOARD));
	scoreboard_free(&board);
}

TEST_RUN_ALL(true)
