/* A data array smaller than the tags can name: how many lines there are, and which of them go. */
#include "lib/core_fixture.h"
#include "test.h"

static struct core *open_l1(const char *machine, const char *changes)
{
	return core_open((struct bench_setup){.machine = machine, .changes = changes},
	                 core_memory_trace(32, 0));
}

TEST(the_carve_out_leaves_so_many_lines_and_no_more)
{
	CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=4 l1d.carved=lines");
	c->launch->l1_lines = 3;
	l1_begin_launch(&c->sm->l1, c->launch);
	for (uint32_t i = 0; i < 8; i++) {
		core_load_line(c, i, 0x1, 10 + i);
		core_answer(c, i, 0x1, 100 + i);
		CHECK_EQ(c->sm->l1.lines, i < 3 ? i + 1 : 3);
	}
	CHECK_EQ(core_count(c, COUNT_l1_evictions), 5);
	c->launch->l1_lines = 0; /* shared memory took all of it */
	l1_begin_launch(&c->sm->l1, c->launch);
	uint64_t bypasses = core_count(c, COUNT_l1_bypasses);
	core_load_line(c, 7, 0x1, 300);
	CHECK_EQ(core_count(c, COUNT_l1_bypasses), bypasses + 1);
}

TEST(a_full_data_array_takes_the_oldest_line_of_the_set_or_of_another_if_it_has_none)
{
	CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=4 l1d.carved=lines");
	c->launch->l1_lines = 3;
	l1_begin_launch(&c->sm->l1, c->launch);
	static const uint64_t lines[] = {0, 4, 1, 8, 2};
	for (uint32_t i = 0; i < 5; i++) {
		core_load_line(c, lines[i], 0x1, 10 + i);
		core_answer(c, i, 0x1, 100 + i);
		if (i == 3) { /* of set 0, line 0 has gone for line 8 */
			CHECK_EQ(tags_find(&c->sm->l1.tags, 0, 0), TAG_NONE);
			CHECK(tags_find(&c->sm->l1.tags, 0, 4) != TAG_NONE);
			CHECK(tags_find(&c->sm->l1.tags, 1, 1) != TAG_NONE);
		}
	}
	CHECK(tags_find(&c->sm->l1.tags, 2, 2) != TAG_NONE);
	CHECK_EQ(c->sm->l1.lines, 3);
}

static void bring(struct core *c, const uint64_t *lines, uint32_t count, cycle_t now)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t sent = core_sent(c);
		core_load_line(c, lines[i], 0x1, now + 2 * i);
		core_answer(c, sent, 0x1, now + 2 * i + 1);
	}
}

TEST(a_full_data_array_gives_up_lines_that_were_not_used_again_first)
{
	CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=4 l1d.carved=lines l1d.segmented=yes");
	c->launch->l1_lines = 4;
	l1_begin_launch(&c->sm->l1, c->launch);
	bring(c, (const uint64_t[]){0, 1}, 2, 10);
	core_load_line(c, 0, 0x1, 20);
	core_load_line(c, 1, 0x1, 21);
	bring(c, (const uint64_t[]){4, 5}, 2, 30);
	core_load_line(c, 5, 0x1, 40);
	bring(c, (const uint64_t[]){2}, 1, 50);
	CHECK_EQ(tags_find(&c->sm->l1.tags, 0, 4), TAG_NONE);
	CHECK(tags_find(&c->sm->l1.tags, 0, 0) != TAG_NONE);
	bring(c, (const uint64_t[]){3}, 1, 60);
	CHECK_EQ(tags_find(&c->sm->l1.tags, 1, 1), TAG_NONE); /* both were used: the one longer ago */
	CHECK(tags_find(&c->sm->l1.tags, 1, 5) != TAG_NONE);
	CHECK_EQ(c->sm->l1.lines, 4);
}

TEST(a_full_data_array_gives_up_a_dead_line_of_another_set_before_one_in_use)
{
	CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=4 l1d.carved=lines");
	c->launch->l1_lines = 3;
	l1_begin_launch(&c->sm->l1, c->launch);
	c->sm->l1.reclaim_next = 1; /* whose turn it is: the set of line 1 */
	static const uint64_t lines[] = {1, 0, 4, 8, 12};
	for (uint32_t i = 0; i < 5; i++) {
		core_load_line(c, lines[i], 0x1, 10 + i);
		core_answer(c, i, 0x1, 100 + i);
		if (i == 3) {
			CHECK_EQ(tags_find(&c->sm->l1.tags, 1, 1), TAG_NONE);
			CHECK(tags_find(&c->sm->l1.tags, 0, 0) != TAG_NONE);
		}
	}
	CHECK_EQ(tags_find(&c->sm->l1.tags, 0, 0), TAG_NONE); /* set 2 had nothing to give */
	CHECK_EQ(c->sm->l1.lines, 3);
}

static void use_line(struct core *c, uint64_t line, cycle_t now)
{
	uint32_t sent = core_sent(c);
	core_load_line(c, line, 0x1, now);
	if (core_sent(c) > sent)
		core_answer(c, sent, 0x1, now + 1);
}

static uint64_t hits_of_late_sets(const char *carved)
{
	struct core *c = open_l1("v100-osm", carved); /* 16 sets of 64 ways, of which 32 KiB are left */
	c->launch->l1_lines = 256;
	l1_begin_launch(&c->sm->l1, c->launch);
	cycle_t now = 0;
	for (uint64_t i = 0; i < 256; i++)
		use_line(c, i / 8 * 16 + i % 8, now += 10);
	uint64_t before = core_count(c, COUNT_l1_hits);
	for (uint32_t round = 0; round < 20; round++)
		for (uint64_t i = 0; i < 128; i++)
			use_line(c, i / 8 * 16 + 8 + i % 8, now += 10);
	uint64_t hits = core_count(c, COUNT_l1_hits) - before;
	core_close(c);
	return hits;
}

TEST(a_set_that_comes_late_has_the_ways_that_the_others_have)
{
	CHECK_EQ(hits_of_late_sets("l1d.sets=16 l1d.ways=64 l1d.carved=ways"), 19 * 128);
	/* Those that came first give up lines that are no longer used, one at a time. */
	uint64_t hits = hits_of_late_sets("l1d.sets=16 l1d.ways=64 l1d.carved=lines");
	CHECK(hits > 17 * 128 && hits < 19 * 128);
}

TEST(a_carve_out_may_take_whole_sets)
{
	static const struct {
		uint32_t lines, sets, ways, wide;
	} row[] = {{16, 4, 4, 0}, {12, 3, 4, 0}, {8, 2, 4, 0}, {10, 3, 3, 1}, {3, 1, 3, 0}};
	for (int i = 0; i < 5; i++) {
		CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=4 l1d.carved=sets");
		struct l1 *l1 = &c->sm->l1;
		c->launch->l1_lines = row[i].lines;
		l1_begin_launch(l1, c->launch);
		for (uint64_t line = 0; line < 60; line++)
			use_line(c, line, 10 * line);
		for (uint32_t set = 0; set < 4; set++) {
			uint32_t present = 0;
			for (uint64_t line = 0; line < 60; line++)
				present += tags_find(&l1->tags, set, line) != TAG_NONE;
			CHECK_EQ(present, set < row[i].sets ? row[i].ways + (set < row[i].wide) : 0);
		}
		/* All that was used last is there: nothing is lost to sets that are gone. */
		uint64_t before = core_count(c, COUNT_l1_hits);
		for (uint64_t line = 60 - row[i].sets * row[i].ways; line < 60; line++)
			use_line(c, line, 1000 + 10 * line);
		CHECK_EQ(core_count(c, COUNT_l1_hits) - before, row[i].sets * row[i].ways);
	}
}

TEST(the_policy_s_victim_goes_from_a_carved_out_l1)
{
	static const char *const carved[] = {"l1d.sets=4 l1d.ways=4 l1d.carved=ways",
	                                     "l1d.sets=4 l1d.ways=4 l1d.carved=lines"};
	for (int i = 0; i < 2; i++) {
		CORE c = core_open(
		    (struct bench_setup){.machine = "v100-osm", .policy = "fifo", .changes = carved[i]},
		    core_memory_trace(32, 0));
		c->launch->l1_lines = 8;
		l1_begin_launch(&c->sm->l1, c->launch);
		for (uint64_t line = 0; line < 8; line++)
			use_line(c, line, 10 * line);
		use_line(c, 0, 200);
		use_line(c, 8, 300);
		CHECK_EQ(tags_find(&c->sm->l1.tags, 0, 0), TAG_NONE);
		CHECK(tags_find(&c->sm->l1.tags, 0, 4) != TAG_NONE);
	}
}

/* Loads lines that are not there, and brings them. */
/* Sets 0 and 1 give up a line in turn: one that nothing has found goes before one that was used, but longer ago. */
/* Loads the line and brings it, if it is not there. */
TEST(what_does_not_come_out_even_is_one_more_way_in_some_sets)
{
	static const struct {
		uint32_t lines, want[4];
	} row[] = {{16, {4, 4, 4, 4}}, {8, {2, 2, 2, 2}}, {10, {3, 3, 2, 2}}, {4, {1, 1, 1, 1}}};
	for (int i = 0; i < 4; i++) {
		CORE c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=4");
		c->launch->l1_lines = row[i].lines;
		l1_begin_launch(&c->sm->l1, c->launch);
		for (uint64_t line = 0; line < 32; line++)
			use_line(c, line, 10 * line);
		for (uint32_t set = 0; set < 4; set++) {
			uint32_t present = 0;
			for (uint64_t line = set; line < 32; line += 4)
				present += tags_find(&c->sm->l1.tags, set, line) != TAG_NONE;
			CHECK_EQ(present, row[i].want[set]);
		}
	}
	struct core *c = open_l1("v100-osm", "l1d.sets=4 l1d.ways=4");
	c->launch->l1_lines = 3; /* less than a way */
	l1_begin_launch(&c->sm->l1, c->launch);
	use_line(c, 0, 10);
	CHECK_EQ(core_count(c, COUNT_l1_bypasses), 1);
	core_close(c);
}

TEST_RUN_ALL(true)
