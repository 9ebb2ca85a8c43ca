/* Control flow of warps: lanes diverge and meet again, in every shape that PTX can give it. */
#include "lib/exec_kernel.h"

static const char branches[] = PTX_HEAD KERNEL(
    "branches") "and.b32 %r5, %r1, 3; setp.eq.s32 %p1, %r5, 0; @%p1 bra A; setp.eq.s32 %p2, %r5, 1; @%p2 bra "
                "B;\n"
                "setp.eq.s32 %p3, %r5, 2; mov.u32 %r10, 300; @!%p3 bra END; mov.u32 %r10, 200; bra.uni END;\n"
                "A: mov.u32 %r10, 10; bra.uni END; B: mov.u32 %r10, 100; add.s32 %r10, %r10, %r1;\n"
                "END: add.s32 %r10, %r10, 1;\n" STORE;

TEST(lanes_that_part_get_their_own_values)
{
	struct fixture *f;
	uint32_t *out = run(branches, "branches", (struct grid){3, 70, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 210; i++)
		CHECK_EQ(out[i], (i & 3) == 0 ? 11 : (i & 3) == 1 ? 101 + i : (i & 3) == 2 ? 201 : 301);
	/* They meet again: the add behind the branches is issued once per warp, 3 CTAs of 3 warps. */
	CHECK(exec_totals(f->exec).warp_insns <= 9 * 28);
	fixture_free(f);
}

/* for (i = 0; i < lane; i++) { for (j = 0; j <= i; j++) { if (j == 5) break; if (j & 1) continue; s += j; } if (s > 40) break; } */
static const char loops[] = PTX_HEAD KERNEL(
    "loops") "mov.u32 %r10, 0; mov.u32 %r5, 0;\n"
             "OUTER: setp.ge.u32 %p1, %r5, %r4; @%p1 bra END; mov.u32 %r6, 0;\n"
             "INNER: setp.gt.u32 %p2, %r6, %r5; @%p2 bra NEXT; setp.eq.u32 %p3, %r6, 5; @%p3 bra NEXT;\n"
             "and.b32 %r7, %r6, 1; setp.ne.u32 %p4, %r7, 0; @%p4 bra CONT; add.s32 %r10, %r10, %r6;\n"
             "CONT: add.s32 %r6, %r6, 1; bra.uni INNER;\n"
             "NEXT: setp.gt.u32 %p5, %r10, 40; @%p5 bra END; add.s32 %r5, %r5, 1; bra.uni OUTER;\n"
             "END:\n" STORE;

static unsigned loops_expected(unsigned lane)
{
	unsigned s = 0;
	for (unsigned i = 0; i < lane; i++) {
		for (unsigned j = 0; j <= i; j++) {
			if (j == 5)
				break;
			if (j & 1)
				continue;
			s += j;
		}
		if (s > 40)
			break;
	}
	return s;
}

TEST(nested_loops_with_break_and_continue_count_as_in_c)
{
	struct fixture *f;
	uint32_t *out = run(loops, "loops", (struct grid){1, 64, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], loops_expected(i));
	fixture_free(f);
}

static const char guards[] =
    PTX_HEAD KERNEL("guards") "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; mov.u32 %r10, 7; @%p1 mov.u32 "
                              "%r10, 8; @!%p1 add.s32 %r10, %r10, %r1;\n"
                              "setp.lt.u32 %p2|%p3, %r1, 10; selp.b32 %r6, 1000, 0, %p2; @%p3 add.s32 %r6, "
                              "%r6, 2000; add.s32 %r10, %r10, %r6;\n"
                              "and.pred %p4, %p1, !%p2; @%p4 add.s32 %r10, %r10, 5; setp.gt.u32 %p5, %r1, "
                              "40; @%p5 exit;\n" STORE;

TEST(guards_mask_single_instructions_and_exit_ends_some_lanes)
{
	struct fixture *f;
	uint32_t *out = run(guards, "guards", (struct grid){1, 64, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++) {
		unsigned want = (i & 1 ? 8 : 7 + i) + (i < 10 ? 1000 : 2000) + ((i & 1) && i >= 10 ? 5 : 0);
		CHECK_EQ(out[i], i > 40 ? 0 : want);
	}
	fixture_free(f);
}

static const char table[] = PTX_HEAD KERNEL(
    "table") "rem.u32 %r5, %r1, 3; ts: .branchtargets C0, C1, C2; brx.idx %r5, ts;\n"
             "C0: mov.u32 %r10, 5; bra.uni END; C1: mov.u32 %r10, 6; bra.uni END; C2: mov.u32 %r10, 7;\n"
             "END: add.s32 %r10, %r10, 1;\n" STORE;

TEST(branch_tables_send_each_lane_to_its_target)
{
	struct fixture *f;
	uint32_t *out = run(table, "table", (struct grid){1, 64, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], 6 + i % 3);
	fixture_free(f);
}

/* Lane 0 has a path of its own in the loop, since it may leave there; 5 rounds. */
static const char leaves[] = PTX_HEAD KERNEL(
    "leaves") "mov.u32 %r5, 0; mov.u32 %r10, -1; setp.ne.u32 %p1, %r4, 0;\n"
              "L: @%p1 bra MEET; ld.volatile.global.u32 %r7, [%rd2+256]; setp.eq.u32 %p2, %r7, %r5; @%p2 bra END;\n"
              "st.volatile.global.u32 [%rd2+260], %r5;\n"
              "MEET: bar.warp.sync -1; activemask.b32 %r8; setp.gt.u32 %p4, %r5, 2; @%p4 bra SKIP; and.b32 %r10, %r10, %r8;\n"
              "SKIP: add.s32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 5; @%p3 bra L;\n"
              "END: bar.warp.sync -1; activemask.b32 %r9; and.b32 %r10, %r10, %r9;\n" STORE;

TEST(lanes_that_meet_at_a_barrier_of_the_warp_go_on_together)
{
	struct fixture *f = fixture_new(leaves, NULL);
	uint64_t out = fixture_buffer(f, 512);
	((uint32_t *)device_host(out))[64] = 3; /* the round in which lane 0 leaves */
	CHECK_EQ(fixture_launch(f, "leaves", (struct grid){1, 32, 0}, out, 0, 0), EXEC_DONE);
	for (unsigned i = 0; i < 32; i++)
		CHECK_EQ(((uint32_t *)device_host(out))[i], UINT32_MAX);
	fixture_free(f);
}

TEST_RUN_ALL(true)
