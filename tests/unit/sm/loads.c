/* Loads in flight: a load ends when the LSU is through with it and its last part is here; then its warp goes on. */
#include "lib/core_fixture.h"
#include "test.h"

/* Warp 0 has loaded register 8 and waits for it: nothing has been sent, the test is the memory. */
static struct core *open_loads(uint64_t *generation)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "load", .ctas = 2, .warps = 1});
	for (uint32_t cta = 0; cta < 2; cta++) {
		synth_warp(s, cta, 0);
		synth_stride(s, synth_load(0, 8, 2), 1, 0x1000, 0);
		synth_plain(s, synth_op(1, OP_INT, 9, 8), 1);
	}
	struct core *c = core_open((struct bench_setup){.machine = "gtx480-khairy"}, synth_finish(s));
	core_start_cta(c, 0, 0);
	struct warps *warps = &c->sm->warps;
	*generation = warps->warp[0].generation;
	scoreboard_set(scoreboard_of(&warps->board, 0), reg_place(8), 1, READY_NEVER(STALL_LONG_SCOREBOARD));
	warps_advance(warps, &warps->warp[0], ready_at(1, STALL_FIXED_LATENCY), 1);
	return c;
}

static uint32_t open_load(struct core *c, uint64_t generation)
{
	struct load_owner owner = {&c->launch->insn[0], (uint32_t)generation, 0, 0};
	return loads_open(&c->sm->loads, &owner, STALL_LONG_SCOREBOARD);
}

TEST(the_result_comes_with_the_last_part_and_not_before)
{
	uint64_t generation;
	CORE c = open_loads(&generation);
	const struct warp *warp = &c->sm->warps.warp[0];
	CHECK(ready_is_never(warp->ready));
	CHECK(c->sm->sched[0].view.waiting_memory & 1);
	uint32_t load = open_load(c, generation);
	loads_wait(&c->sm->loads, load, 2);
	loads_close(&c->sm->loads, load, 300);
	loads_arrive(&c->sm->loads, load, 1, 400, 310);
	CHECK(ready_is_never(warp->ready));
	loads_arrive(&c->sm->loads, load, 1, 390, 320);
	CHECK_EQ(ready_cycle(warp->ready), 400);
	CHECK_EQ(ready_stall(warp->ready), STALL_LONG_SCOREBOARD);
	CHECK(!(c->sm->sched[0].view.waiting_memory & 1));
	CHECK(loads_idle(&c->sm->loads));
}

TEST(a_load_stays_open_until_the_lsu_has_looked_all_its_lines_up)
{
	uint64_t generation;
	CORE c = open_loads(&generation);
	const struct warp *warp = &c->sm->warps.warp[0];
	uint32_t load = open_load(c, generation);
	loads_hit(&c->sm->loads, load, 330);
	loads_wait(&c->sm->loads, load, 1);
	loads_arrive(&c->sm->loads, load, 1, 320, 310);
	CHECK(!loads_idle(&c->sm->loads));
	CHECK(ready_is_never(warp->ready));
	loads_close(&c->sm->loads, load, 312);
	CHECK(loads_idle(&c->sm->loads));
	CHECK_EQ(ready_cycle(warp->ready), 330);
}

TEST(a_result_for_a_warp_that_has_ended_goes_to_nobody)
{
	uint64_t generation;
	CORE c = open_loads(&generation);
	uint32_t load = open_load(c, generation);
	loads_wait(&c->sm->loads, load, 1);
	loads_close(&c->sm->loads, load, 300);
	warps_end(&c->sm->warps, 0, CURSOR_END, 301);
	core_start_cta(c, 1, 302); /* another warp in the same slot */
	const struct warp *warp = &c->sm->warps.warp[0];
	ready_t before = warp->ready;
	loads_arrive(&c->sm->loads, load, 1, 400, 310);
	CHECK_EQ(warp->ready, before);
	CHECK_EQ(c->sm->warps.board.reg[reg_place(8)], 0);
	CHECK(loads_idle(&c->sm->loads));
}

TEST(numbers_are_given_back_and_taken_again)
{
	uint64_t generation;
	CORE c = open_loads(&generation);
	struct loads *loads = &c->sm->loads;
	for (uint32_t i = 0; i < 20; i++)
		CHECK_EQ(open_load(c, 0), i);
	loads_close(loads, 17, 10);
	loads_close(loads, 4, 10);
	CHECK_EQ(loads->in_flight, 18);
	CHECK_EQ(open_load(c, 0), 4);
	CHECK_EQ(open_load(c, 0), 17);
	CHECK_EQ(open_load(c, 0), 20);
}

TEST(no_number_of_loads_is_too_many)
{
	enum { MANY = 10000 };
	uint64_t generation;
	CORE c = open_loads(&generation);
	struct loads *loads = &c->sm->loads;
	for (uint32_t i = 0; i < MANY; i++) {
		CHECK_EQ(open_load(c, generation), i);
		loads_wait(loads, i, 1);
		loads_close(loads, i, 10);
	}
	CHECK_EQ(loads->in_flight, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		loads_arrive(loads, i, 1, 100 + i, 90);
	CHECK(loads_idle(loads));
	CHECK_EQ(loads_get(loads, MANY - 1)->done, 100 + MANY - 1);
}

TEST(a_load_that_served_merged_requests_is_kept_until_it_is_taken)
{
	uint64_t generation;
	CORE c = open_loads(&generation);
	struct loads *loads = &c->sm->loads;
	uint32_t load = open_load(c, generation), first = 0;
	cycle_t done = 0;
	loads_drop_result(loads, load);
	loads_serve_merged(loads, load, 7);
	loads_wait(loads, load, 1);
	loads_close(loads, load, 10);
	CHECK(!loads_take_served(loads, &first, &done));
	loads_arrive(loads, load, 1, 100, 90);
	CHECK_EQ(loads->in_flight, 1);
	CHECK(loads_take_served(loads, &first, &done) && first == 7 && done == 100);
	CHECK(loads_idle(loads) && !loads_take_served(loads, &first, &done));
}

TEST(lines_that_bypassed_l1_count_as_replies_when_the_load_ends)
{
	uint64_t generation;
	CORE c = open_loads(&generation);
	uint32_t load = open_load(c, generation);
	loads_bypass(&c->sm->loads, load);
	loads_bypass(&c->sm->loads, load);
	loads_wait(&c->sm->loads, load, 5);
	loads_close(&c->sm->loads, load, 10);
	loads_arrive(&c->sm->loads, load, 4, 100, 90);
	CHECK_EQ(core_count(c, COUNT_l1_replies), 0);
	loads_arrive(&c->sm->loads, load, 1, 100, 90);
	CHECK_EQ(core_count(c, COUNT_l1_replies), 2);
}

TEST_RUN_ALL(true)
