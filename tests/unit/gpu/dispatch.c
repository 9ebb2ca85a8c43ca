/* Which SMs the first CTAs go to. */
#include "gpu/dispatch.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static uint32_t sm[132 * 32];

/* Groups of an H200 by their first SM: two of four SMs that go ahead, then GPCs of 16, 16, 18, 18, 8, 16, 16 and 16. */
static const uint32_t first[] = {0, 4, 8, 24, 40, 58, 76, 84, 100, 116, 132};

static uint32_t group_of(uint32_t wanted)
{
	uint32_t group = 0;
	while (wanted >= first[group + 1])
		group++;
	return group;
}

/* The plan as runs of CTAs in one group: "a4 b4 c16" and so on, as far as there is room. */
static const char *runs(const char *machine, uint64_t ctas, uint32_t slots)
{
	static char text[512];
	struct error err = {""};
	struct machine *m = machine_load(machine, &err);
	uint32_t count = placement_plan(m, ctas, slots, sm);
	machine_free(m);
	int at = 0;
	text[0] = 0;
	for (uint32_t i = 0, run = 0; i < count && at < 480; i++) {
		run++;
		uint32_t group = group_of(sm[i]);
		if (i + 1 < count && group_of(sm[i + 1]) == group)
			continue;
		at += snprintf(text + at, sizeof text - (size_t)at, "%s%c%u", at ? " " : "", 'a' + (int)group,
		               run);
		run = 0;
	}
	return text;
}

static void check_runs(uint64_t ctas, const char *expected)
{
	const char *got = runs("h200", ctas, 8);
	if (strcmp(got, expected))
		printf("# %s\n# expected %s\n", got, expected);
	CHECK(!strcmp(got, expected));
}

/* As seen on the GPU (validation/probes/placement.cu). */
TEST(small_grids_take_the_groups_that_go_ahead_first_and_then_one_sm_of_each_gpc)
{
	static const struct {
		uint64_t ctas;
		const char *runs;
	} seen[] = {
	    {1, "a1"},
	    {2, "a2"},
	    {3, "a2 b1"},
	    {4, "a2 b2"},
	    {5, "a3 b2"},
	    {8, "a4 b4"},
	    {12, "a4 b4 g1 h1 i1 j1"},
	    {16, "a4 b4 c1 d1 e1 f1 g1 h1 i1 j1"},
	    {17, "a4 b4 c1 d1 e1 f1 g2 h1 i1 j1"},
	    {48, "a4 b4 c5 d5 e5 f5 g4 h6 i5 j5"},
	    {66, "a4 b4 c8 d8 e7 f7 g4 h8 i8 j8"},
	    {96, "a4 b4 c11 d11 e12 f12 g8 h12 i11 j11"},
	    {128, "a4 b4 c16 d16 e16 f16 g8 h16 i16 j16"},
	    {132, "a4 b4 c16 d16 e18 f18 g8 h16 i16 j16"},
	};
	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
		check_runs(seen[i].ctas, seen[i].runs);
}

TEST(some_sms_take_their_next_cta_ahead_of_the_others)
{
	check_runs(264, "a4 b4 c16 d16 e18 f18 g8 a4 b4 h16 i16 j16 c16 d16 e18 f18 g8 h16 i16 j16");
	check_runs(300, "a4 b4 c16 d16 e18 f18 g8 a4 b4 h16 i16 j16 c16 d16 e18 f18 g8 h16 i16 j16 "
	                "a4 b4 c3 d3 e3 f3 g4 h4 i4 j4");
	check_runs(
	    528,
	    "a4 b4 c16 d16 e18 f18 g8 a4 b4 h16 i16 j16 c16 d16 e18 a4 b4 f18 g8 h16 i16 j16 c16 a4 b4 d16 e18 f18 "
	    "g8 h16 i16 j16 c16 d16 e18 f18 g8 h16 i16 j16");
}

TEST(one_sm_of_a_tpc_works_before_two_do)
{
	runs("h200", 48, 8);
	for (uint32_t i = 8; i < 48; i++)
		CHECK_EQ(sm[i] % 2, 0);
	runs("h200", 100, 8);
	CHECK_EQ(sm[8], 8);
	CHECK_EQ(sm[9], 9); /* neighbours go to the two SMs of a TPC */
}

TEST(every_sm_gets_as_many_as_fit_and_no_more)
{
	static const char *const machines[] = {"h200", "a100", "gtx480-ciao"};
	for (uint32_t i = 0; i < 3; i++) {
		struct error err = {""};
		struct machine *m = machine_load(machines[i], &err);
		uint32_t count = placement_plan(m, 1000000, 8, sm), given[132] = {0};
		CHECK_EQ(count, m->sm_count * 8);
		for (uint32_t k = 0; k < count; k++)
			given[sm[k]]++;
		for (uint32_t k = 0; k < m->sm_count; k++)
			CHECK_EQ(given[k], 8);
		machine_free(m);
	}
}

TEST_RUN_ALL(true)
