/* Races in shared memory: what is one, and how it is reported. */
#include "lib/exec_snippet.h"

#define MINE "shl.b32 %r3, %r1, 2; mov.u32 %r4, room; add.u32 %r3, %r3, %r4; st.shared.u32 [room+2044], 0;\n"
static const struct race_row {
	struct snippet s;
	bool races;
} races[] = {
    {{.body = "st.shared.u32 [room], %r1;"}, true},
    {{.body = "ld.shared.u32 %r2, [room];"}, false},
    {{.body =
          "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [room], 1; bar.warp.sync -1; ld.shared.u32 %r2, [room];"},
     false},
    {{.body = "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [room], 1; ld.shared.u32 %r2, [room];"}, true},
    {{.body =
          "setp.eq.u32 %p1, %r1, 0; @%p1 st.volatile.shared.u32 [room], 1; ld.volatile.shared.u32 %r2, [room];"},
     false},
    {{.body = "setp.eq.u32 %p1, %r1, 0; @%p1 st.volatile.shared.u32 [room], 1; ld.shared.u32 %r2, [room];"},
     true},
    {{.body = "atom.shared.add.u32 %r2, [room], 1;"}, false},
    {{.body =
          "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [room], 1; ld.shared.v4.u32 {_, %r2, %r3, %r4}, [room];"},
     false},
    {{.body =
          "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [room], 1; ld.shared.v4.u32 {%r5, _, %r3, %r4}, [room];"},
     true},
    {{.body = "atom.shared.add.u32 %r2, [room], 1; ld.shared.u32 %r2, [room];"}, true},
    {{.body = "mov.u32 %r4, room; add.u32 %r3, %r1, %r4; st.shared.u8 [%r3], %r1;"}, false},
    {{.body =
          "ld.shared.u32 %r2, [room]; ld.shared.u32 %r3, [room]; setp.eq.u32 %p1, %r1, 3; @%p1 st.shared.u16 "
          "[room+2], %h1;"},
     true},
};

TEST(races_in_one_warp_are_told_from_what_only_looks_like_one)
{
	struct exec_options o = {
	    .warp_size = 32, .sm_count = 1, .ctas_per_sm = 2, .spin_budget = 1 << 20, .check_races = true};
	for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
		struct fixture *f = snippet_new(&races[i].s, &o);
		CHECK(f);
		snippet_run(f, &races[i].s, 32);
		if ((exec_totals(f->exec).races != 0) != races[i].races)
			printf("# %s: %llu races\n", races[i].s.body,
			       (unsigned long long)exec_totals(f->exec).races);
		CHECK_EQ(exec_totals(f->exec).races != 0, races[i].races);
		CHECK_EQ(exec_race(f->exec, 0) != NULL, races[i].races);
		fixture_free(f);
	}
}

TEST(a_race_names_lines_and_each_pair_once_per_place)
{
	static char body[16384] = ".loc 1 7 1\n";
	for (unsigned i = 0; i < 120; i++)
		sprintf(body + strlen(body), "st.shared.u32 [room+%u], %%r1;\n", 8 * i);
	struct exec_options o = {
	    .warp_size = 32, .sm_count = 1, .ctas_per_sm = 1, .spin_budget = 1 << 20, .check_races = true};
	struct snippet s = {.body = body, .globals = ".file 1 \"a.cu\""};
	struct fixture *f = snippet_new(&s, &o);
	CHECK(f);
	uint64_t data = fixture_buffer(f, 4096), out = fixture_buffer(f, 8192);
	void *args[2] = {&data, &out};
	/* Two CTAs in one place: the second begins anew. */
	CHECK_EQ(fixture_run(f, "k", (struct grid){2, 32, 0}, args), EXEC_DONE);
	CHECK_EQ(exec_totals(f->exec).races, 2 * 120 * 31);
	CHECK(strstr(exec_race(f->exec, 0), "stores at a.cu:7"));
	CHECK(exec_race(f->exec, 99) && !exec_race(f->exec, 100));
	fixture_free(f);
}

TEST_RUN_ALL(true)
