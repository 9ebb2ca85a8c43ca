/* Stores and atomics at L1: what each write policy keeps, sends on, drops or fetches. */
#include "lib/core_fixture.h"
#include "test.h"

static struct core *open_l1(const char *machine, const char *changes)
{
	return core_open((struct bench_setup){.machine = machine, .changes = changes},
	                 core_memory_trace(32, 0));
}

static enum l1_fail store(struct core *c, uint32_t insn, struct line_request request, cycle_t now)
{
	struct mem_insn mem = core_access(c, insn);
	mem.began = now;
	return l1_store(&c->sm->l1, &mem, &request, &mem.joined, now);
}

/* The first four bytes of every sector. */
static struct line_request words(struct core *c, uint64_t line, uint8_t sectors)
{
	struct line_request request = core_line(c, line, sectors);
	request.full = 0;
	for (uint32_t chunk = 0; chunk < LINE_CHUNKS; chunk++)
		request.bytes[chunk] &= 0xf;
	return request;
}

static void fetch(struct core *c, uint64_t line, uint8_t sectors, cycle_t now)
{
	core_load_line(c, line, sectors, now);
	core_answer(c, core_sent(c) - 1, sectors, now + 100);
}

static bool hits(struct core *c, struct line_request request, cycle_t now)
{
	uint64_t before = core_count(c, COUNT_l1_hits);
	struct mem_insn mem = core_access(c, CORE_LOAD);
	enum l1_fail fail = l1_load(&c->sm->l1, &mem, &request, now);
	loads_close(&c->sm->loads, mem.load, now);
	return fail == L1_FAIL_NONE && core_count(c, COUNT_l1_hits) == before + 1;
}

TEST(write_evict_drops_the_line_and_sends_the_store)
{
	CORE c = open_l1("gtx480-khairy", UNDIVIDED);
	fetch(c, 3, 0x1, 10);
	CHECK(hits(c, core_line(c, 3, 0x1), 200));
	CHECK_EQ(store(c, CORE_STORE, core_line(c, 3, 0x1), 201), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_packet(c, 1)->op, PACKET_WRITE);
	CHECK_EQ(core_count(c, COUNT_l1_store_hits), 1);
	CHECK_EQ(c->sm->l1.lines, 0);
	CHECK(!hits(c, core_line(c, 3, 0x1), 202));
}

TEST(write_evict_leaves_a_line_that_waits_for_its_fill)
{
	CORE c = open_l1("gtx480-khairy", UNDIVIDED);
	core_load_line(c, 3, 0x1, 10);
	CHECK_EQ(store(c, CORE_STORE, core_line(c, 3, 0x1), 11), L1_FAIL_NONE);
	core_answer(c, 0, 0x1, 200);
	CHECK(hits(c, core_line(c, 3, 0x1), 201));
}

TEST(without_allocation_a_store_to_an_absent_line_only_passes)
{
	CORE c = open_l1("gtx480-khairy", UNDIVIDED);
	CHECK_EQ(store(c, CORE_STORE, core_line(c, 3, 0x1), 10), L1_FAIL_NONE);
	CHECK_EQ(c->sm->l1.lines, 0);
	CHECK_EQ(core_packet(c, 0)->op, PACKET_WRITE);
	CHECK_EQ(core_count(c, COUNT_l1_stores), 1);
	CHECK_EQ(core_count(c, COUNT_l1_store_hits), 0);
}

TEST(write_through_keeps_the_line_and_sends_the_store)
{
	CORE c = open_l1("v100-osm", NULL);
	fetch(c, 3, 0x1, 10);
	CHECK_EQ(store(c, CORE_STORE, core_line(c, 3, 0x1), 200), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 2);
	CHECK(hits(c, core_line(c, 3, 0x1), 201));
}

TEST(a_masked_line_serves_the_bytes_that_were_stored_and_no_others)
{
	CORE c = open_l1("v100-osm", NULL);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 10), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1); /* nothing is fetched */
	CHECK_EQ(c->sm->l1.lines, 1);
	CHECK(hits(c, words(c, 3, 0x1), 20));
	CHECK(!hits(c, core_line(c, 3, 0x1), 21));
	CHECK_EQ(core_packet(c, 1)->sectors, 0x1);
}

TEST(stores_that_fill_a_sector_make_it_whole)
{
	CORE c = open_l1("v100-osm", NULL);
	for (uint32_t part = 0; part < 8; part++) {
		struct line_request request = words(c, 3, 0x2);
		request.bytes[1] = 0xfu << 4 * part;
		CHECK_EQ(store(c, CORE_STORE, request, 10 + part), L1_FAIL_NONE);
	}
	const struct tags *tags = &c->sm->l1.tags;
	CHECK_EQ(tags->entries[tags_find(tags, l1_set(&c->sm->l1, 3, 0), 3)].valid, 0x2);
	CHECK(hits(c, core_line(c, 3, 0x2), 100));
	CHECK(!hits(c, core_line(c, 3, 0x3), 101));
}

TEST(allocate_fetch_asks_for_what_the_store_did_not_write)
{
	CORE c = open_l1("v100-osm", "l1d.write_miss=allocate-fetch");
	CHECK_EQ(store(c, CORE_STORE, core_line(c, 3, 0x3), 10), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_packet(c, 0)->op, PACKET_READ);
	CHECK_EQ(core_packet(c, 0)->sectors, 0xc);
	CHECK_EQ(core_packet(c, 1)->op, PACKET_WRITE);
	core_answer(c, 0, 0xc, 300);
	CHECK(hits(c, core_line(c, 3, 0xf), 301));
	CHECK_EQ(c->sm->l1.mshrs.free_entries, c->sm->l1.mshrs.entries);
}

TEST(write_back_keeps_a_local_store_until_the_line_leaves)
{
	CORE c = open_l1("gtx480-khairy", UNDIVIDED " l1d.sets=1 l1d.ways=2");
	fetch(c, 3, 0x1, 10);
	CHECK_EQ(store(c, CORE_LOCAL_STORE, core_line(c, 3, 0x1), 200), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1); /* kept */
	CHECK_EQ(core_count(c, COUNT_l1_store_hits), 1);
	fetch(c, 4, 0x1, 300);
	fetch(c, 5, 0x1, 500);
	CHECK_EQ(core_count(c, COUNT_l1_writebacks), 1);
	const struct packet *back = core_packet(c, 2);
	CHECK_EQ(back->op, PACKET_WRITE);
	CHECK_EQ(back->line, 3);
	CHECK_EQ(back->sectors, 0x1);
}

TEST(a_local_store_to_an_absent_line_is_sent_on)
{
	CORE c = open_l1("gtx480-khairy", UNDIVIDED);
	CHECK_EQ(store(c, CORE_LOCAL_STORE, core_line(c, 3, 0x1), 10), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_packet(c, 0)->op, PACKET_WRITE);
}

TEST(an_atomic_drops_the_line_and_its_load_waits_for_every_sector)
{
	CORE c = open_l1("v100-osm", NULL);
	fetch(c, 3, 0x3, 10);
	struct mem_insn mem = core_access(c, CORE_ATOMIC);
	struct line_request request = core_line(c, 3, 0x3);
	request.lanes = 5;
	CHECK_EQ(l1_atomic(&c->sm->l1, &mem, &request, 200), L1_FAIL_NONE);
	loads_close(&c->sm->loads, mem.load, 200);
	CHECK_EQ(core_packet(c, 1)->op, PACKET_ATOMIC);
	CHECK_EQ(core_packet(c, 1)->lanes, 5);
	CHECK_EQ(c->sm->l1.lines, 0);
	core_answer(c, 1, 0x1, 300);
	CHECK(!loads_idle(&c->sm->loads));
	core_answer(c, 1, 0x2, 310);
	CHECK(loads_idle(&c->sm->loads));
	CHECK(!hits(c, core_line(c, 3, 0x1), 400)); /* the answer fills nothing */
}

TEST(nobody_waits_for_a_reduction)
{
	CORE c = open_l1("v100-osm", NULL);
	struct mem_insn mem = core_access(c, CORE_REDUCE);
	struct line_request request = core_line(c, 3, 0x1);
	CHECK_EQ(l1_atomic(&c->sm->l1, &mem, &request, 10), L1_FAIL_NONE);
	CHECK_EQ(core_packet(c, 0)->op, PACKET_REDUCE);
	loads_close(&c->sm->loads, mem.load, 10);
	CHECK(loads_idle(&c->sm->loads));
}

TEST(a_full_miss_queue_fails_stores_and_atomics)
{
	CORE c = open_l1("v100-osm", "l1d.miss_queue=1 icnt.credits=1");
	struct mem_insn mem = core_access(c, CORE_ATOMIC);
	struct line_request request = core_line(c, 7, 0x1);
	for (uint64_t line = 0; line < 2; line++)
		core_load_line(c, line, 0x1, 10);
	CHECK_EQ(store(c, CORE_STORE, request, 50), L1_FAIL_MISS_QUEUE);
	CHECK_EQ(l1_atomic(&c->sm->l1, &mem, &request, 50), L1_FAIL_MISS_QUEUE);
	CHECK_EQ(core_count(c, COUNT_l1_stores), 0);
	CHECK_EQ(loads_get(&c->sm->loads, mem.load)->waiting, 0);
}

TEST(a_store_joins_the_one_directly_before_it_to_the_same_line_and_not_for_long)
{
	CORE c = open_l1("h200", "l1d.store_merge_cycles=8");
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x3), 100), L1_FAIL_NONE);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x3), 108), L1_FAIL_NONE); /* joins it */
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x6), 110), L1_FAIL_NONE); /* of this one sector */
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_packet(c, 1)->sectors, 0x4);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x7), 119), L1_FAIL_NONE); /* they have left */
	CHECK_EQ(core_sent(c), 3);
	CHECK_EQ(store(c, CORE_STORE, words(c, 4, 0x1), 120), L1_FAIL_NONE);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 121), L1_FAIL_NONE); /* another was between */
	CHECK_EQ(core_sent(c), 5);
	CHECK_EQ(core_count(c, COUNT_l1_stores), 6);
	CHECK_EQ(core_count(c, COUNT_l1_store_merges), 1);
}

TEST(a_store_of_more_lines_than_can_wait_sends_all_before_it_on)
{
	CORE c = open_l1("h200", "l1d.store_merge_cycles=8");
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 100), L1_FAIL_NONE);
	struct mem_insn wide = core_access(c, CORE_STORE);
	struct line_request request = words(c, 3, 0x1);
	wide.began = 101;
	wide.lines = STORE_MERGE_LINES + 1;
	CHECK_EQ(l1_store(&c->sm->l1, &wide, &request, &wide.joined, 101), L1_FAIL_NONE);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 102), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 3);
	CHECK_EQ(core_count(c, COUNT_l1_store_merges), 0);
}

/* A load of `wavefronts` cycles begins; its line hits, or is asked for. */
static void load_between(struct core *c, uint64_t line, cycle_t wavefronts, cycle_t now)
{
	struct line_request request = core_line(c, line, 0x1);
	struct mem_insn mem = core_access(c, CORE_LOAD);
	mem.began = now;
	CHECK_EQ(l1_load(&c->sm->l1, &mem, &request, now), L1_FAIL_NONE);
	l1_hold_store(&c->sm->l1, &mem, now + wavefronts);
	loads_close(&c->sm->loads, mem.load, now);
}

TEST(a_store_waits_for_others_while_loads_have_the_data_banks)
{
	CORE c = open_l1("h200", "l1d.store_merge_cycles=8 l1d.store_hold_cycles=80");
	fetch(c, 5, 0x1, 10);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 200), L1_FAIL_NONE);
	uint32_t sent = core_sent(c);
	load_between(c, 5, 32, 204);
	load_between(c, 5, 32, 236);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 268), L1_FAIL_NONE); /* joins the first */
	CHECK_EQ(core_sent(c), sent);
	load_between(c, 5, 32, 277); /* too late: it had left */
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 309), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), ++sent);
	load_between(c, 6, 32, 313); /* a miss has them, too */
	CHECK_EQ(core_sent(c), ++sent);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 345), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), sent);
}

TEST(a_store_leaves_when_none_has_come_for_long)
{
	CORE c = open_l1("h200", "l1d.store_merge_cycles=8 l1d.store_hold_cycles=60");
	fetch(c, 5, 0x1, 10);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 200), L1_FAIL_NONE);
	uint32_t sent = core_sent(c);
	load_between(c, 5, 32, 204);
	load_between(c, 5, 32, 236); /* without a pause, but too long after the store */
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 268), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), ++sent);
	load_between(c, 5, 32, 272);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 304), L1_FAIL_NONE); /* soon enough */
	CHECK_EQ(core_sent(c), sent);
}

TEST(a_load_that_bypasses_l1_holds_no_store_back)
{
	CORE c = open_l1("h200", "l1d.store_merge_cycles=8 l1d.store_hold_cycles=80");
	fetch(c, 5, 0x1, 10);
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 200), L1_FAIL_NONE);
	uint32_t sent = core_sent(c);
	struct mem_insn mem = core_access(c, CORE_LOAD);
	mem.began = 204;
	struct decoded *insn = (struct decoded *)&c->launch->insn[mem.insn];
	uint16_t flags = insn->flags;
	insn->flags |= INSN_BYPASS_L1;
	l1_hold_store(&c->sm->l1, &mem, 236);
	insn->flags = flags;
	CHECK_EQ(store(c, CORE_STORE, words(c, 3, 0x1), 236), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), ++sent);
}

/* Stores to half as many lines again as L1 holds, one or many at once, whole sectors or words of them; loads between them. */
static void store_and_load(struct core *c, bool at_once)
{
	struct line_request request[40];
	uint64_t state = 7;
	for (cycle_t now = 100; now < 40100; now += 100) {
		uint32_t lines = synth_random(&state) & 1 ? 1 + (uint32_t)synth_random(&state) % 40 : 1;
		struct mem_insn mem = core_access(c, CORE_STORE);
		mem.lines = (uint16_t)lines;
		for (uint32_t i = 0; i < lines; i++) {
			uint64_t line = synth_random(&state) % 3000;
			uint8_t sectors = (uint8_t)(1 + synth_random(&state) % 15);
			request[i] =
			    synth_random(&state) & 1 ? words(c, line, sectors) : core_line(c, line, sectors);
		}
		for (uint32_t twice = 0; twice < 2; twice++) { /* the second may join the first */
			mem.began = now + 4 * twice;
			if (at_once)
				l1_store_lines(&c->sm->l1, &mem, request, &mem.joined, mem.began);
			for (uint32_t i = 0; !at_once && i < lines; i++)
				CHECK_EQ(l1_store(&c->sm->l1, &mem, &request[i], &mem.joined, mem.began),
				         L1_FAIL_NONE);
		}
		uint32_t sent = core_sent(c);
		uint64_t line = synth_random(&state) % 3000;
		CHECK_EQ(core_load_line(c, line, 0xf, now + 20), L1_FAIL_NONE);
		if (core_sent(c) > sent)
			core_answer(c, sent, core_packet(c, sent)->sectors, now + 50);
	}
}

TEST(all_lines_of_a_store_at_once_are_as_one_after_the_other)
{
	static const char changes[] = "icnt.credits=65535 l1d.store_merge_cycles=";
	char merging[sizeof changes + 1];
	for (uint32_t cycles = 0; cycles < 2; cycles++) {
		snprintf(merging, sizeof merging, "%s%d", changes, cycles ? 8 : 0);
		struct core *one = open_l1("h200", merging), *all = open_l1("h200", merging);
		CHECK(all->sm->l1.plain_stores);
		store_and_load(one, false);
		store_and_load(all, true);
		CHECK(core_same(all, one));
		CHECK(core_count(all, COUNT_l1_store_hits) > 1000 &&
		      core_count(all, COUNT_l1_evictions) > 1000);
		CHECK((core_count(all, COUNT_l1_store_merges) > 100) == (cycles > 0));
		core_close(one);
		core_close(all);
	}
}

TEST(stores_that_can_fail_or_that_somebody_asks_about_go_one_by_one)
{
	static const struct {
		const char *machine, *changes;
		bool plain;
	} row[] = {{"h200", NULL, true},
	           {"h200", "l1d.miss_queue=8", false},
	           {"gtx480-khairy", NULL, false}, /* write-evict */
	           {"h200", "l1d.local_write=write-back", false}};
	for (uint32_t i = 0; i < sizeof row / sizeof *row; i++) {
		CORE c = open_l1(row[i].machine, row[i].changes);
		CHECK_EQ(c->sm->l1.plain_stores, row[i].plain);
	}
}

TEST_RUN_ALL(true)
