/*
 * L1: a request hits, waits for what is in flight or misses; it fails for
 * exactly one cause, and then nothing has changed; the carve-out bounds what
 * it holds.
 */
#include "lib/core_fixture.h"
#include "test.h"

/* 2 sets of 2 ways, lines of four sectors, 2 MSHRs of 2, all else ample. */
#define SMALL "l1d.sets=2 l1d.ways=2 l1d.mshr_entries=2 l1d.mshr_merge=2"

static struct core *open_l1(const char *machine, const char *changes)
{
	return core_open((struct bench_setup){.machine = machine, .changes = changes},
	                 core_memory_trace(32, 0));
}

TEST(sectors_miss_once_are_pending_and_then_hit)
{
	CORE c = open_l1("v100-osm", SMALL);
	CHECK_EQ(core_load_line(c, 6, 0x3, 10), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_packet(c, 0)->sectors, 0x3);
	CHECK_EQ(core_packet(c, 0)->op, PACKET_READ);
	CHECK_EQ(core_load_line(c, 6, 0x2, 11), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_count(c, COUNT_l1_pending_hits), 1);
	CHECK(!loads_idle(&c->sm->loads));
	core_answer(c, 0, 0x3, 300);
	CHECK(loads_idle(&c->sm->loads));
	CHECK_EQ(core_load_line(c, 6, 0x3, 301), L1_FAIL_NONE);
	CHECK_EQ(core_load_line(c, 6, 0x6, 302), L1_FAIL_NONE); /* one of the two is not there */
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_packet(c, 1)->sectors, 0x4);
	CHECK_EQ(core_count(c, COUNT_l1_misses), 2);
	CHECK_EQ(core_count(c, COUNT_l1_hits), 1);
	CHECK_EQ(core_count(c, COUNT_l1_accesses), 4);
	CHECK_EQ(core_count(c, COUNT_l1_load_hit_sectors), 1 + 2 + 1);
	CHECK_EQ(c->pc_misses[CORE_LOAD], 3);
}

TEST(a_line_that_comes_in_parts_serves_each_load_with_its_last_part)
{
	CORE c = open_l1("v100-osm", SMALL);
	core_load_line(c, 6, 0x1, 10);
	core_load_line(c, 6, 0x3, 11);
	CHECK_EQ(core_packet(c, 1)->sectors, 0x2);
	CHECK_EQ(core_packet(c, 1)->token, core_packet(c, 0)->token); /* one MSHR for the line */
	core_answer(c, 0, 0x1, 200);
	CHECK_EQ(core_count(c, COUNT_l1_replies), 1);
	CHECK_EQ(c->sm->l1.mshrs.free_entries, 1);
	core_answer(c, 1, 0x2, 250);
	CHECK_EQ(core_count(c, COUNT_l1_replies), 2);
	CHECK_EQ(c->sm->l1.mshrs.free_entries, 2);
	CHECK(loads_idle(&c->sm->loads));
}

TEST(a_miss_brings_its_whole_block_and_a_bypass_only_what_was_asked_for)
{
	struct core *c = open_l1("v100-osm", SMALL " l1d.fetch_bytes=64");
	core_load_line(c, 6, 0x1, 10);
	CHECK_EQ(core_packet(c, 0)->sectors, 0x3);
	core_load_line(c, 6, 0x2, 11); /* comes along */
	CHECK_EQ(core_count(c, COUNT_l1_pending_hits), 1);
	core_load_line(c, 7, 0x4, 12);
	CHECK_EQ(core_packet(c, 1)->sectors, 0xc);
	core_answer(c, 0, 0x3, 200);
	core_load_line(c, 6, 0x6, 201); /* half of it is there, half in the other block */
	CHECK_EQ(core_packet(c, 2)->sectors, 0xc);
	core_answer(c, 1, 0xc, 202);
	core_answer(c, 2, 0xc, 203);
	CHECK_EQ(c->sm->l1.mshrs.free_entries, 2);
	core_load_line(c, 6, 0xf, 204);
	CHECK_EQ(core_count(c, COUNT_l1_hits), 1);
	CHECK_EQ(core_sent(c), 3);
	CHECK_EQ(c->pc_misses[CORE_LOAD], 3); /* sectors that were asked for */
	core_close(c);

	c = core_open((struct bench_setup){.machine = "gtx780-lcm", .policy = "bypass-all"},
	              core_memory_trace(32, 0));
	core_load_line(c, 6, 0x4, 10);
	CHECK_EQ(core_packet(c, 0)->sectors, 0x4);
	core_close(c);
	c = open_l1("gtx780-lcm", "");
	core_load_line(c, 6, 0x4, 10);
	CHECK_EQ(core_packet(c, 0)->sectors, 0xf);
	core_close(c);
}

/* Nothing but the counters of failed cycles, which are the LSU's, may change. */
static bool fails_without_trace(struct core *c, uint64_t line, enum l1_fail want)
{
	struct counters before = c->sm->account.counters;
	uint32_t sent = core_sent(c), entries = c->sm->l1.mshrs.free_entries,
	         waiters = c->sm->l1.mshrs.free_waiters, lines = c->sm->l1.lines;
	struct mem_insn mem = core_access(c, CORE_LOAD);
	struct line_request request = core_line(c, line, 0x1);
	enum l1_fail fail = l1_load(&c->sm->l1, &mem, &request, 50);
	loads_close(&c->sm->loads, mem.load, 50);
	return fail == want && !memcmp(&before, &c->sm->account.counters, sizeof before) &&
	       sent == core_sent(c) && entries == c->sm->l1.mshrs.free_entries &&
	       waiters == c->sm->l1.mshrs.free_waiters && lines == c->sm->l1.lines;
}

TEST(a_full_set_of_reserved_lines_fails_for_the_line)
{
	CORE c = open_l1("v100-osm", "l1d.sets=2 l1d.ways=2 l1d.allocate=on-miss");
	core_load_line(c, 0, 0x1, 10);
	core_load_line(c, 2, 0x1, 10);
	CHECK(fails_without_trace(c, 4, L1_FAIL_LINE_ALLOC));
	CHECK_EQ(core_load_line(c, 1, 0x1, 51), L1_FAIL_NONE); /* the other set */
	core_answer(c, 0, 0x1, 200);
	CHECK_EQ(core_load_line(c, 4, 0x1, 201), L1_FAIL_NONE);
	CHECK_EQ(core_count(c, COUNT_l1_evictions), 1);
}

TEST(without_a_free_mshr_a_new_line_fails_for_the_entry)
{
	CORE c = open_l1("v100-osm", SMALL);
	core_load_line(c, 0, 0x1, 10);
	core_load_line(c, 1, 0x1, 10);
	CHECK(fails_without_trace(c, 2, L1_FAIL_MSHR_ENTRY));
	CHECK_EQ(core_load_line(c, 0, 0x1, 51), L1_FAIL_NONE); /* a line in flight needs none */
	core_answer(c, 1, 0x1, 200);
	CHECK_EQ(core_load_line(c, 2, 0x1, 201), L1_FAIL_NONE);
}

TEST(a_line_that_enough_wait_for_fails_for_the_merge)
{
	CORE c = open_l1("v100-osm", SMALL);
	core_load_line(c, 0, 0x1, 10);
	core_load_line(c, 0, 0x1, 10);
	CHECK(fails_without_trace(c, 0, L1_FAIL_MSHR_MERGE));
	core_answer(c, 0, 0x1, 200);
	CHECK_EQ(core_load_line(c, 0, 0x1, 201), L1_FAIL_NONE);
}

TEST(a_full_miss_queue_fails_a_miss_and_no_hit)
{
	CORE c = open_l1("v100-osm", "l1d.miss_queue=1 icnt.credits=1");
	core_load_line(c, 0, 0x1, 10);
	core_answer(c, 0, 0x1, 20);
	core_load_line(c, 1, 0x1, 40); /* waits for a credit: the queue is full */
	CHECK(port_waits(&c->sm->port));
	CHECK(fails_without_trace(c, 2, L1_FAIL_MISS_QUEUE));
	CHECK_EQ(core_load_line(c, 0, 0x1, 51), L1_FAIL_NONE);
	CHECK_EQ(core_load_line(c, 1, 0x1, 51), L1_FAIL_NONE); /* in flight */
}

TEST(the_least_recently_used_line_is_evicted)
{
	CORE c = open_l1("v100-osm", SMALL);
	for (uint32_t i = 0; i < 2; i++) {
		core_load_line(c, 2 * i, 0x1, 10 + i);
		core_answer(c, i, 0x1, 100 + i);
	}
	core_load_line(c, 0, 0x1, 200); /* line 2 is the older one now */
	core_load_line(c, 4, 0x1, 201);
	core_answer(c, 2, 0x1, 300);
	uint64_t misses = core_count(c, COUNT_l1_misses);
	core_load_line(c, 0, 0x1, 400);
	CHECK_EQ(core_count(c, COUNT_l1_misses), misses);
	core_load_line(c, 2, 0x1, 401);
	CHECK_EQ(core_count(c, COUNT_l1_misses), misses + 1);
}

TEST(a_flush_empties_it_and_data_in_flight_come_to_no_line)
{
	CORE c = open_l1("v100-osm", "l1d.sets=2 l1d.ways=2 l1d.allocate=on-miss");
	core_load_line(c, 0, 0x1, 10);
	core_answer(c, 0, 0x1, 100);
	core_load_line(c, 1, 0x1, 110);
	l1_flush(&c->sm->l1);
	CHECK_EQ(c->sm->l1.lines, 0);
	core_answer(c, 1, 0x1, 200);
	CHECK(loads_idle(&c->sm->loads));
	CHECK_EQ(c->sm->l1.mshrs.free_entries, c->sm->l1.mshrs.entries);
	for (uint64_t line = 0; line < 2; line++) {
		CHECK_EQ(core_load_line(c, line, 0x1, 300), L1_FAIL_NONE);
		CHECK_EQ(core_sent(c), 3 + line);
	}
}

TEST(data_whose_frame_another_line_took_after_a_flush_do_not_fill_it)
{
	CORE c = open_l1("v100-osm", "l1d.sets=1 l1d.ways=1 l1d.allocate=on-miss");
	core_load_line(c, 0, 0x1, 10);
	l1_flush(&c->sm->l1);
	core_load_line(c, 1, 0x1, 20);
	core_answer(c, 0, 0x1, 100);
	core_load_line(c, 1, 0x1, 110);
	CHECK_EQ(core_count(c, COUNT_l1_hits), 0);
	CHECK_EQ(core_count(c, COUNT_l1_pending_hits), 1);
	CHECK_EQ(core_load_line(c, 2, 0x1, 120), L1_FAIL_LINE_ALLOC); /* still reserved for line 1 */
}

/* 4 sets of 4 ways: those that are left keep 4, and are the fewest that hold what is left. */
/* First in, first out: line 0 of the set was used last, and goes all the same. */
TEST(the_fast_path_takes_lines_that_hit_are_in_flight_and_miss)
{
	CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=2");
	struct line_request request[4];
	CHECK(c->sm->l1.plain);
	for (uint32_t i = 0; i < 3; i++) {
		core_load_line(c, i, 0xf, 10 + i);
		core_answer(c, i, i == 2 ? 0x7 : 0xf, 100 + i); /* line 2 lacks a sector */
	}
	for (uint32_t i = 0; i < 4; i++) {
		request[i] = core_line(c, i, 0xf);
		request[i].index = (uint8_t)i;
	}
	/* What line 2 has is found, and where it was found is known from then on. */
	struct mem_insn mem = core_access(c, CORE_LOAD), part = core_access(c, CORE_LOAD);
	struct line_request first = core_line(c, 2, 0x1);
	struct l1_walk before = {.now = 150, .first = 0, .per_cycle = 1};
	part.lines = 1;
	mem.lines = 4;
	CHECK_EQ(l1_load_lines(&c->sm->l1, &part, &first, 1, &before), L1_FAIL_NONE);
	CHECK_EQ(loads_get(&c->sm->loads, part.load)->waiting, 0);
	uint64_t hits = core_count(c, COUNT_l1_hits), misses = core_count(c, COUNT_l1_misses);
	struct l1_walk walk = {.now = 200, .first = 0, .per_cycle = 1};
	CHECK_EQ(l1_load_lines(&c->sm->l1, &mem, request, 4, &walk), L1_FAIL_NONE);
	CHECK_EQ(walk.last, 3);
	CHECK_EQ(core_count(c, COUNT_l1_hits), hits + 2);
	CHECK_EQ(core_count(c, COUNT_l1_pending_hits), 1); /* of line 2, the last sector is still in flight */
	CHECK_EQ(core_count(c, COUNT_l1_misses), misses + 1);
	CHECK_EQ(loads_get(&c->sm->loads, mem.load)->waiting, 2);
	/* The second of them, a cycle later, is the last that has come. */
	CHECK_EQ(loads_get(&c->sm->loads, mem.load)->done, 201 + c->launch->insn[mem.insn].hit_wait);
}

/* Loads of twice as many lines as L1 holds, one or many at once; what they miss comes after every third load. */
static void load_many(struct core *c, bool at_once)
{
	struct line_request request[40];
	uint64_t state = 7;
	uint32_t answered = 0;
	for (cycle_t now = 100; now < 60100; now += 100) {
		struct mem_insn mem = core_access(c, CORE_LOAD);
		mem.lines = (uint16_t)(1 + synth_random(&state) % 40);
		mem.sectors = 0;
		for (uint8_t i = 0; i < mem.lines; i++) {
			uint64_t line = synth_random(&state) % 512;
			request[i] = core_line(c, line, (uint8_t)(1 + synth_random(&state) % 15));
			request[i].index = i;
			mem.sectors = (uint16_t)(mem.sectors + bits_count(request[i].sectors));
		}
		struct l1_walk walk = {.now = now, .first = 0, .per_cycle = 1};
		if (at_once && mem.lines == 1 && l1_hits_alone(&c->sm->l1, &mem, request, now))
			walk.last = 0;
		else if (at_once)
			CHECK_EQ(l1_load_lines(&c->sm->l1, &mem, request, mem.lines, &walk), L1_FAIL_NONE);
		for (uint32_t i = 0; !at_once && i < mem.lines; i++)
			CHECK_EQ(l1_load(&c->sm->l1, &mem, &request[i], now + i), L1_FAIL_NONE);
		loads_close(&c->sm->loads, mem.load, now + 40);
		for (; now % 300 == 0 && answered < core_sent(c); answered++)
			core_answer(c, answered, core_packet(c, answered)->sectors, now + 50);
	}
}

TEST(all_lines_of_a_load_at_once_are_as_one_after_the_other)
{
	static const char ample[] = "icnt.credits=65535 l1d.sets=16 l1d.ways=16";
	struct core *one = open_l1("v100-osm", ample), *all = open_l1("v100-osm", ample);
	CHECK(all->sm->l1.plain);
	load_many(one, false);
	load_many(all, true);
	CHECK(core_same(all, one));
	CHECK(core_count(all, COUNT_l1_hits) > 1000 && core_count(all, COUNT_l1_pending_hits) > 100);
	CHECK(core_count(all, COUNT_l1_evictions) > 1000);
	core_close(one);
	core_close(all);
}

TEST(a_line_hits_alone_where_it_was_found_last_and_nowhere_else)
{
	CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=2");
	struct mem_insn mem = core_access(c, CORE_LOAD);
	struct line_request request = core_line(c, 2, 0x3), whole = core_line(c, 2, 0xf);
	struct l1_walk walk = {.now = 150, .first = 0, .per_cycle = 1};
	core_load_line(c, 2, 0x3, 10);
	mem.lines = 1;
	mem.sectors = 2;
	CHECK(!l1_hits_alone(&c->sm->l1, &mem, &request, 50)); /* it is in flight */
	core_answer(c, 0, 0x3, 100);
	CHECK_EQ(l1_load_lines(&c->sm->l1, &mem, &request, 1, &walk), L1_FAIL_NONE); /* it is found */
	uint64_t hits = core_count(c, COUNT_l1_hits), sectors = core_count(c, COUNT_l1_load_hit_sectors);
	CHECK(l1_hits_alone(&c->sm->l1, &mem, &request, 200));
	CHECK_EQ(core_count(c, COUNT_l1_hits), hits + 1);
	CHECK_EQ(core_count(c, COUNT_l1_load_hit_sectors), sectors + 2);
	CHECK_EQ(loads_get(&c->sm->loads, mem.load)->done, 200 + c->launch->insn[mem.insn].hit_wait);
	CHECK(!l1_hits_alone(&c->sm->l1, &mem, &whole, 210)); /* half of it has not come */
	l1_flush(&c->sm->l1);
	CHECK(!l1_hits_alone(&c->sm->l1, &mem, &request, 220));
	CHECK_EQ(core_count(c, COUNT_l1_hits), hits + 1);
}

/* Three lines of a two-way set, the first used again while it was in flight: it stays if that counts as a use. */
TEST(a_hit_on_a_line_in_flight_makes_it_recent_where_the_machine_says_so)
{
	for (uint32_t refreshes = 0; refreshes < 2; refreshes++) {
		CORE c = open_l1("gtx480-khairy",
		                 refreshes ? UNDIVIDED " l1d.sets=1 l1d.ways=2 l1d.pending_refreshes=yes"
		                           : UNDIVIDED " l1d.sets=1 l1d.ways=2 l1d.pending_refreshes=no");
		static const uint32_t order[] = {0, 1, 0}; /* the last finds line 0 in flight */
		struct mem_insn mem[4];
		for (uint32_t i = 0; i < 3; i++) {
			mem[i] = core_access(c, CORE_LOAD);
			struct line_request request = core_line(c, order[i], 0x1);
			CHECK_EQ(l1_load(&c->sm->l1, &mem[i], &request, 10 + i), L1_FAIL_NONE);
		}
		CHECK_EQ(core_count(c, COUNT_l1_pending_hits), 1);
		core_answer(c, 0, 0x1, 200);
		core_answer(c, 1, 0x1, 210);
		mem[3] = core_access(c, CORE_LOAD);
		struct line_request request = core_line(c, 2, 0x1);
		CHECK_EQ(l1_load(&c->sm->l1, &mem[3], &request, 300), L1_FAIL_NONE);
		CHECK_EQ(tags_find(&c->sm->l1.tags, 0, core_line(c, 0, 0x1).line) != TAG_NONE, refreshes);
	}
}

/* The port takes so many bytes per cycle: sectors that come together are there one after the other. */
TEST(fills_take_the_fill_port_in_turn)
{
	CORE c = open_l1("gtx480-khairy", UNDIVIDED " icnt.flit_bytes=0"); /* 64 B per cycle */
	struct mem_insn mem[3];
	cycle_t done[3];
	for (uint32_t i = 0; i < 3; i++) {
		mem[i] = core_access(c, CORE_LOAD);
		struct line_request request = core_line(c, i, 0x1);
		CHECK_EQ(l1_load(&c->sm->l1, &mem[i], &request, 10), L1_FAIL_NONE);
	}
	for (uint32_t i = 0; i < 3; i++) {
		core_answer(c, i, 0x1, 200);
		done[i] = loads_get(&c->sm->loads, mem[i].load)->done;
		CHECK_EQ(done[i], done[0] + 2 * i);
	}
	CHECK_EQ(done[0], 200 + c->machine->l1d_hit_cycles - c->machine->lsu_issue_cycles);
}

TEST_RUN_ALL(true)
