/*
 * The LSU: instructions are served in order of issue, each takes the pipe for
 * its data, and a head that failed is tried again when something could have
 * helped, not before.
 */
#include "lib/core_fixture.h"
#include "test.h"

#define BASE UINT64_C(0x10000000)

static struct core *core;
static struct lsu *lsu;

/* Warp w executes: an access of its own in lines of `stride` bytes between lanes, then an int. */
struct access {
	enum op_class op;
	enum mem_space space;
	int64_t stride;
	uint64_t base;
};

static uint32_t warp_size = 32;

static void open_lsu(const char *machine, const char *changes, const struct access *access, uint32_t warps)
{
	struct synth *s = synth_new();
	uint64_t lanes = synth_lanes(warp_size);
	synth_kernel(
	    s, &(struct synth_shape){
	           .name = "lsu", .ctas = 1, .warps = warps, .warp_size = warp_size, .shared_bytes = 16384});
	for (uint32_t w = 0; w < warps; w++) {
		synth_warp(s, 0, w);
		synth_stride(s, synth_memory(w, access[w].op, access[w].space, 4, 8, 2), lanes,
		             access[w].base, access[w].stride);
		synth_plain(s, synth_op(warps, OP_INT, 9, 8), lanes);
	}
	core = core_open((struct bench_setup){.machine = machine, .changes = changes}, synth_finish(s));
	lsu = &core->sm->lsu;
	core_start_cta(core, 0, 0);
}

/* The access of warp `slot` enters the queue. */
static void push(uint32_t slot, cycle_t now)
{
	struct warp *warp = &core->sm->warps.warp[slot];
	lsu_push(lsu, warp, slot, (enum mem_space)warp->insn->space, now);
	scoreboard_set(scoreboard_of(&core->sm->warps.board, slot), reg_place(8), 1,
	               READY_NEVER(STALL_LONG_SCOREBOARD));
	warps_advance(&core->sm->warps, warp, ready_at(now + 1, STALL_FIXED_LATENCY), now);
}

/* Nothing comes from outside, and the unit sees one cycle at a time. */
static void step(cycle_t now)
{
	lsu_step(lsu, now, now);
}

/* Runs it from event to event; returns the cycle in which the queue came empty. */
static cycle_t run(void)
{
	cycle_t now = 0;
	while (lsu->count && lsu->next != CYCLE_NEVER) {
		now = lsu->next;
		step(now);
	}
	return now;
}

static struct access load_at(uint64_t line, int64_t stride)
{
	return (struct access){OP_LOAD, SPACE_GLOBAL, stride, BASE + line * 128};
}

TEST(instructions_are_served_in_order_of_issue)
{
	const struct access access[] = {load_at(7, 0), load_at(3, 0), load_at(5, 0)};
	open_lsu("gtx480-khairy", NULL, access, 3);
	push(2, 100);
	push(0, 101);
	push(1, 102);
	run();
	CHECK_EQ(core_sent(core), 3);
	CHECK_EQ(core_packet(core, 0)->line, BASE / 128 + 5);
	CHECK_EQ(core_packet(core, 1)->line, BASE / 128 + 7);
	CHECK_EQ(core_packet(core, 2)->line, BASE / 128 + 3);
	core_close(core);
}

TEST(an_instruction_starts_after_the_issue_latency_and_not_before)
{
	const struct access access[] = {load_at(7, 0)};
	open_lsu("h200", NULL, access, 1);
	push(0, 100);
	CHECK_EQ(lsu->next, 100 + core->machine->lsu_issue_cycles);
	step(lsu->next - 1);
	CHECK_EQ(lsu->count, 1);
	CHECK_EQ(core_sent(core), 0);
	step(lsu->next);
	CHECK_EQ(lsu->count, 0);
	CHECK(!lsu_take_room(lsu)); /* no scheduler waited for it */
	CHECK_EQ(core_sent(core), 1);
	core_close(core);
}

TEST(lines_are_looked_up_so_many_per_cycle)
{
	const struct access access[] = {load_at(0, 128)}; /* 32 lines */
	open_lsu("gtx480-khairy", NULL, access, 1);       /* one per cycle */
	push(0, 100);
	CHECK_EQ(run(), 100 + 31);
	CHECK_EQ(core_sent(core), 32);
	core_close(core);
	open_lsu("gtx480-khairy", "lsu.lines_per_cycle=4 icnt.flit_bytes=0", access, 1);
	push(0, 100);
	CHECK_EQ(run(), 100 + 7);
	core_close(core);
}

/* What the unit does ahead of time, up to the horizon, has the stamps that single steps give. */
TEST(looking_ahead_sends_what_single_cycles_send_and_when)
{
	static const char *const machines[] = {"gtx480-khairy", "h200", "v100-osm"};
	const struct access access[] = {load_at(0, 128), load_at(16, 128), load_at(8, 64)};
	for (uint32_t m = 0; m < 3; m++) {
		struct packet one[128];
		uint32_t sent = 0;
		for (uint32_t ahead = 0; ahead < 2; ahead++) {
			open_lsu(machines[m], NULL, access, 3);
			for (uint32_t w = 0; w < 3; w++)
				push(w, 100 + w);
			while (lsu->count && lsu->next != CYCLE_NEVER)
				lsu_step(lsu, lsu->next, ahead ? 100000 : lsu->next);
			for (uint32_t i = 0; ahead && i < core_sent(core); i++)
				CHECK(one[i].when == core_packet(core, i)->when &&
				      one[i].line == core_packet(core, i)->line);
			CHECK(!ahead || sent == core_sent(core));
			sent = core_sent(core);
			CHECK(sent && sent <= 128);
			memcpy(one, core_packet(core, 0), sent * sizeof *one);
			core_close(core);
		}
	}
}

TEST(a_load_holds_the_pipe_for_its_wavefronts)
{
	const struct access access[] = {load_at(0, 128),
	                                load_at(64, 0)}; /* all lanes on one bank; one word */
	open_lsu("h200", NULL, access, 2);
	push(0, 100);
	push(1, 100);
	cycle_t began = 100 + core->machine->lsu_issue_cycles;
	while (lsu->count > 1)
		step(lsu->next);
	CHECK_EQ(lsu->pipe_free, began + 32);
	step(began + 31);
	CHECK_EQ(lsu->count, 1);
	CHECK_EQ(lsu->next, began + 32);
	step(began + 32);
	CHECK_EQ(lsu->count, 0);
	core_close(core);
}

TEST(a_store_holds_the_pipe_for_its_data)
{
	const struct access access[] = {{OP_STORE, SPACE_GLOBAL, 4, BASE},
	                                {OP_STORE, SPACE_GLOBAL, 128, BASE}};
	open_lsu("h200", NULL, access,
	         2); /* 32 B per cycle; several lines cost one more cycle each, at least two */
	push(0, 100);
	push(1, 100);
	CHECK_EQ(lsu_store_cycles(lsu, &lsu->queue[lsu->head]), 4);
	CHECK_EQ(lsu_store_cycles(lsu, &lsu->queue[(lsu->head + 1) & lsu->mask]), 32 + 32);
	cycle_t began = 100 + core->machine->lsu_issue_cycles;
	step(began);
	CHECK_EQ(lsu->pipe_free, began + 4);
	core_close(core);
}

TEST(a_store_that_joins_another_takes_the_time_of_its_lines_alone)
{
	const struct access access[] = {{OP_STORE, SPACE_GLOBAL, 8, BASE},
	                                {OP_STORE, SPACE_GLOBAL, 8, BASE + 4}};
	open_lsu("h200", NULL, access, 2); /* both touch the same two lines */
	push(0, 100);
	push(1, 100);
	cycle_t began = 100 + core->machine->lsu_issue_cycles;
	step(began);
	CHECK_EQ(lsu->pipe_free, began + 2); /* loads may go on, the next store not yet */
	CHECK_EQ(core->sm->l1.stores_out, began + 8 + 2);
	step(began + 2);
	CHECK_EQ(lsu->next, began + 10);
	step(began + 10);
	CHECK_EQ(lsu->pipe_free, began + 10 + 2);
	CHECK_EQ(core->sm->l1.stores_out, began + 10 + 4);
	CHECK_EQ(core_count(core, COUNT_l1_store_merges), 2);
	core_close(core);
}

TEST(a_head_without_an_mshr_waits_for_a_fill_and_is_charged_for_it)
{
	const struct access access[] = {load_at(1, 0), load_at(2, 0)};
	open_lsu("gtx480-khairy", UNDIVIDED " l1d.mshr_entries=1", access, 2);
	push(0, 100);
	push(1, 100);
	step(100);
	step(lsu->next);
	CHECK_EQ(lsu->count, 1);
	CHECK(lsu->next == CYCLE_NEVER); /* no polling */
	lsu_credited(lsu, 150);          /* not what it waits for */
	CHECK(lsu->next == CYCLE_NEVER);
	core_answer(core, 0, 0x1, 200);
	lsu_filled(lsu, 200);
	CHECK_EQ(lsu->next, 200);
	step(200);
	CHECK_EQ(lsu->count, 0);
	CHECK_EQ(core_sent(core), 2);
	CHECK_EQ(core_count(core, COUNT_l1_fail_mshr_entry), 200 - 101);
	core_close(core);
}

TEST(a_fill_that_did_not_help_leaves_the_head_waiting)
{
	const struct access access[] = {load_at(1, 0), load_at(1, 0), load_at(2, 0), load_at(2, 0)};
	open_lsu("gtx480-khairy", "l1d.mshr_merge=1", access, 4);
	push(0, 100);
	push(2, 100);
	push(3, 100);
	while (lsu->next != CYCLE_NEVER)
		step(lsu->next);
	CHECK_EQ(lsu->count, 1);
	core_answer(core, 0, 0x1, 200); /* the other line */
	lsu_filled(lsu, 200);
	step(200);
	CHECK_EQ(lsu->count, 1);
	CHECK(lsu->next == CYCLE_NEVER);
	core_answer(core, 1, 0x1, 230);
	lsu_filled(lsu, 230);
	step(230);
	CHECK_EQ(lsu->count, 0);
	CHECK_EQ(core_count(core, COUNT_l1_fail_mshr_merge), 230 - 102);
	core_close(core);
}

TEST(a_full_miss_queue_is_tried_when_a_packet_has_left)
{
	const struct access access[] = {load_at(0, 128)};
	open_lsu("gtx480-khairy", "l1d.miss_queue=1 icnt.request_bytes_per_cycle=4 icnt.flit_bytes=0", access,
	         1); /* two cycles each */
	push(0, 100);
	step(100); /* leaves at once */
	CHECK_EQ(lsu->next, 101);
	step(101); /* leaves at 102 */
	step(102);
	CHECK_EQ(core_sent(core), 3);
	step(lsu->next); /* the third leaves at 104: until then the queue is full */
	CHECK_EQ(core_sent(core), 3);
	CHECK_EQ(lsu->next, 104);
	step(104);
	CHECK_EQ(core_sent(core), 4);
	CHECK_EQ(core_count(core, COUNT_l1_fail_miss_queue), 1);
	core_close(core);
}

TEST(a_miss_queue_without_credits_waits_for_one)
{
	const struct access access[] = {load_at(0, 128)};
	open_lsu("gtx480-khairy", "l1d.miss_queue=1 icnt.credits=1", access, 1);
	push(0, 100);
	while (lsu->next != CYCLE_NEVER)
		step(lsu->next);
	CHECK_EQ(core_sent(core), 1);
	credits_add(crossbar_credits(&core->bench.gpu->crossbar, 0, 0), 300);
	port_drain(&core->sm->port, 300);
	lsu_credited(lsu, 300);
	CHECK(lsu->next <= 301);
	step(lsu->next);
	CHECK_EQ(core_sent(core), 2);
	core_close(core);
}

TEST(the_queue_is_full_for_the_sm_and_for_a_scheduler)
{
	const struct access access[] = {load_at(0, 0), load_at(1, 0), load_at(2, 0), load_at(3, 0),
	                                load_at(4, 0)};
	open_lsu("gtx480-khairy", "lsu.queue_sm=3 lsu.queue_scheduler=2", access, 5);
	CHECK(!lsu_full(lsu, 0));
	push(0, 100); /* slots 0, 2, 4 belong to scheduler 0 */
	push(2, 100);
	CHECK(lsu_full(lsu, 0));
	CHECK(!lsu_full(lsu, 1));
	push(1, 100);
	CHECK(lsu_full(lsu, 1)); /* with one of its own, but three of the SM */
	CHECK(!lsu_take_room(lsu));
	step(100); /* the first leaves */
	CHECK_EQ(lsu->count, 2);
	CHECK(lsu_take_room(lsu) && !lsu_take_room(lsu));
	CHECK(!lsu_full(lsu, 0));
	CHECK(!lsu_full(lsu, 1));
	push(4, 101);
	CHECK(lsu_full(lsu, 0));
	core_close(core);
}

TEST(half_a_queue_of_accesses_whose_lanes_all_straddle_lines_has_room)
{
	static const struct {
		const char *machine;
		uint32_t lanes;
	} row[] = {{"gtx480-khairy", 32}, {"gcn-tian", 64}};
	struct access access[9];
	for (uint32_t i = 0; i < 9; i++)
		access[i] = (struct access){OP_LOAD, SPACE_GLOBAL, 256, BASE + 0x100000 * i + 126};
	for (uint32_t i = 0; i < 2; i++) {
		warp_size = row[i].lanes;
		open_lsu(row[i].machine, "lsu.queue_sm=16 lsu.queue_scheduler=16", access, 9);
		uint32_t pushed = 0;
		for (; pushed < 9 && lsu_has_room(lsu); pushed++) {
			push(pushed, 100);
			CHECK_EQ(lsu->queue[pushed].lines, 2 * warp_size);
		}
		CHECK_EQ(pushed, 8);
		core_close(core);
	}
	warp_size = 32;
}

TEST(shared_memory_takes_a_pass_per_conflict)
{
	const struct access access[] = {{OP_LOAD, SPACE_SHARED, 4, 0}, {OP_LOAD, SPACE_SHARED, 16, 0}};
	open_lsu("h200", NULL, access, 2);
	const struct machine *m = core->machine;
	push(0, 2000);
	push(1, 2000);
	cycle_t began = 2000 + m->lsu_issue_cycles;
	step(began);
	CHECK_EQ(ready_cycle(core->sm->warps.warp[0].ready), 2000 + m->smem_latency_cycles);
	CHECK_EQ(lsu->pipe_free, began + 1);
	step(began + 1); /* four lanes on each bank used: 4 passes */
	CHECK_EQ(ready_cycle(core->sm->warps.warp[1].ready),
	         2000 + 1 + m->smem_latency_cycles + 3 * m->smem_wavefront_cycles);
	CHECK_EQ(lsu->pipe_free, began + 1 + 4);
	CHECK_EQ(core_count(core, COUNT_smem_wavefronts), 5);
	CHECK_EQ(core_count(core, COUNT_smem_conflicts), 3);
	core_close(core);
}

TEST_RUN_ALL(true)
