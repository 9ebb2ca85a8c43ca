/* Control flow of warps: lanes part, meet again, return, wait for one another, in every shape PTX can give it. */
#include "lib/exec_fixture.h"

#define REGS ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>; .reg .f32 %f<9>; .reg .b64 %rd<30>;\n"
/* %r1: global thread index; %rd1: address of out[index] (32-bit elements). */
#define OUT                                                                                                  \
	"mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r1, %r2, %r3, %r4;\n" \
	"ld.param.u64 %rd2, [out]; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd1, %rd2, %rd3;\n"
#define KERNEL(name) ".visible .entry " name "(.param .u64 out)\n{\n" REGS OUT
#define STORE "st.global.u32 [%rd1], %r10; ret;\n}\n"

static uint32_t *run_with(const struct exec_options *options, const char *text, const char *kernel,
                          struct grid g, struct fixture **fixture)
{
	struct fixture *f = *fixture = fixture_new(text, options);
	uint64_t out = fixture_buffer(f, (uint64_t)g.ctas * g.threads * 4);
	return fixture_launch(f, kernel, g, out, 0, 0) == EXEC_DONE ? device_host(out) : NULL;
}

static uint32_t *run(const char *text, const char *kernel, struct grid g, struct fixture **fixture)
{
	return run_with(NULL, text, kernel, g, fixture);
}

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

/* ---- barriers ------------------------------------------------------------------------------------------- */

static const char reversal[] = PTX_HEAD
    ".visible .entry reversal(.param .u64 out)\n{\n.shared .align 4 .b8 buf[1024];\n" REGS OUT
    "mov.u32 %r5, buf; shl.b32 %r6, %r4, 2; add.s32 %r7, %r5, %r6; st.shared.u32 [%r7], %r1; bar.sync 0;\n"
    "sub.s32 %r8, %r3, %r4; sub.s32 %r8, %r8, 1; shl.b32 %r8, %r8, 2; add.s32 %r8, %r5, %r8; ld.shared.u32 "
    "%r10, [%r8];\n" STORE;

TEST(a_barrier_makes_stores_of_all_warps_visible)
{
	struct fixture *f;
	uint32_t *out = run(reversal, "reversal", (struct grid){2, 256, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 512; i++)
		CHECK_EQ(out[i], (i / 256) * 256 + 255 - i % 256);
	fixture_free(f);
}

static const char early[] =
    PTX_HEAD KERNEL("early") "setp.ge.u32 %p1, %r4, 40; @%p1 bra GONE; bar.sync 0; setp.lt.u32 %p2, %r4, 20; "
                             "bar.red.popc.u32 %r10, 0, %p2;\n"
                             "bar.red.and.pred %p3, 0, %p2; bar.red.or.pred %p4, 0, !%p2; selp.b32 %r5, "
                             "1000, 0, %p3; selp.b32 %r6, 100, 0, %p4;\n"
                             "add.s32 %r10, %r10, %r5; add.s32 %r10, %r10, %r6;\n"
                             "st.global.u32 [%rd1], %r10; GONE: ret;\n}\n";

TEST(barriers_do_not_wait_for_lanes_that_have_exited)
{
	struct fixture *f;
	uint32_t *out = run(early, "early", (struct grid){1, 128, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 128; i++)
		CHECK_EQ(out[i], i < 40 ? 120 : 0);
	fixture_free(f);
}

/* Producer warp arrives at barrier 1 without waiting; consumer warp waits there for both. */
static const char named[] = PTX_HEAD
    ".visible .entry named(.param .u64 out)\n{\n.shared .align 4 .b8 buf[128];\n" REGS OUT
    "mov.u32 %r5, buf; and.b32 %r6, %r4, 31; shl.b32 %r6, %r6, 2; add.s32 %r7, %r5, %r6; setp.lt.u32 %p1, "
    "%r4, 32; mov.u32 %r10, 1;\n"
    "@%p1 bra CONSUME; add.s32 %r8, %r4, 100; st.shared.u32 [%r7], %r8; bar.arrive 1, 64; bra.uni END;\n"
    "CONSUME: bar.sync 1, 64; ld.shared.u32 %r10, [%r7];\nEND:\n" STORE;

TEST(a_named_barrier_couples_producer_and_consumer_warps)
{
	struct fixture *f;
	uint32_t *out = run(named, "named", (struct grid){1, 64, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], i < 32 ? 132 + i : 1);
	fixture_free(f);
}

static const char stuck[] =
    PTX_HEAD KERNEL("stuck") "setp.lt.u32 %p1, %r4, 32; @%p1 bra ONE; bar.sync 0; bra.uni END;\nONE: "
                             "bar.sync 1; END: mov.u32 %r10, 1;\n" STORE;

TEST(a_barrier_that_cannot_complete_is_reported)
{
	struct fixture *f;
	CHECK(!run(stuck, "stuck", (struct grid){1, 64, 0}, &f));
	CHECK_EQ(f->status, EXEC_SPINNING);
	CHECK(strstr(f->err.text, "barrier") && strstr(f->err.text, "kernel stuck"));
	fixture_free(f);
}

/* ---- spinning ------------------------------------------------------------------------------------------- */

/* Every CTA adds one to a counter and waits until all have. */
static const char grid_barrier[] = PTX_HEAD ".global .align 4 .u32 count;\n" KERNEL(
    "grid_barrier") "setp.ne.u32 %p1, %r4, 0; @%p1 bra JOIN; atom.global.add.u32 %r5, [count], 1; mov.u32 "
                    "%r6, %nctaid.x;\n"
                    "SPIN: ld.volatile.global.u32 %r7, [count]; setp.lt.u32 %p2, %r7, %r6; @%p2 bra SPIN;\n"
                    "JOIN: bar.sync 0; ld.volatile.global.u32 %r10, [count];\n" STORE;

TEST(ctas_that_wait_for_one_another_take_turns)
{
	struct fixture *f;
	uint32_t *out = run(grid_barrier, "grid_barrier", (struct grid){20, 64, 0}, &f);
	CHECK(out);
	for (unsigned i = 0; i < 20 * 64; i++)
		CHECK_EQ(out[i], 20);
	fixture_free(f);
}

/* What spins in vain does so until its budget is spent: a small one makes a quick test. */
static const struct exec_options impatient = {
    .warp_size = 32, .sm_count = 4, .ctas_per_sm = 8, .spin_budget = 100000};

TEST(a_spin_that_cannot_end_is_reported_with_its_place)
{
	struct fixture *f;
	/* 32 CTAs are co-resident, the 33rd never comes. */
	CHECK(!run_with(&impatient, grid_barrier, "grid_barrier", (struct grid){33, 32, 0}, &f));
	CHECK_EQ(f->status, EXEC_SPINNING);
	CHECK(strstr(f->err.text, "kernel grid_barrier") && strstr(f->err.text, "CTA ("));
	fixture_free(f);
}

/* All lanes of all warps take one lock, hold it, and release it behind the loop that took it. */
static const char lock[] = PTX_HEAD ".global .align 4 .u32 mutex;\n.global .align 4 .u32 sum;\n" KERNEL(
    "lock") "TRY: atom.global.cas.b32 %r5, [mutex], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra TRY;\n"
            "ld.volatile.global.u32 %r6, [sum]; add.s32 %r6, %r6, 1; st.volatile.global.u32 [sum], %r6;\n"
            "atom.global.exch.b32 %r7, [mutex], 0; mov.u32 %r10, %r6;\n" STORE;

TEST(a_lock_that_is_released_behind_the_spin_loop_makes_progress)
{
	struct fixture *f;
	uint32_t *out = run_with(&impatient, lock, "lock", (struct grid){1, 64, 0}, &f);
	bool seen[65] = {false};
	CHECK(out);
	for (unsigned i = 0; i < 64; i++) {
		CHECK(out[i] >= 1 && out[i] <= 64 && !seen[out[i]]);
		seen[out[i]] = true;
	}
	fixture_free(f);
}

/* A loop of 10,000 rounds, ten times the budget below, that reads nothing and stores at its end. */
#define COUNTED(name, body)                                                                                  \
	PTX_HEAD KERNEL(name) "mov.u32 %r10, 1; mov.u32 %r6, 0;\n"                                           \
	                      "LOOP: mad.lo.s32 %r10, %r10, 5, 1; " body                                     \
	                      " add.s32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 10000; @%p1 bra LOOP;\n" STORE
static const char computes[] = COUNTED("computes", "");
static const char computes_reading[] = COUNTED("reads", "ld.global.u32 %r7, [%rd2];");
static const char endless[] = PTX_HEAD KERNEL("endless") "LOOP: bra.uni LOOP;\n" STORE;
static const char waits[] = PTX_HEAD ".global .align 4 .u32 flag;\n" KERNEL(
    "waits") "LOOP: ld.volatile.global.u32 %r7, [flag]; setp.eq.u32 %p2, %r7, 0; @%p2 bra LOOP;\n" STORE;
static const char waits_counting[] = PTX_HEAD ".global .align 4 .u32 flag;\n" KERNEL(
    "counts") "mov.u32 %r10, 0;\nLOOP: ld.volatile.global.u32 %r7, [flag]; add.s32 %r10, %r10, 1; setp.eq.u32 "
              "%p2, %r7, 0; @%p2 bra LOOP;\n" STORE;

static enum exec_status status_with_budget(const char *text, const char *kernel, unsigned ctas)
{
	struct exec_options o = {.warp_size = 32, .sm_count = 2, .ctas_per_sm = 2, .spin_budget = 4000};
	struct fixture *f = fixture_new(text, &o);
	uint64_t out = fixture_buffer(f, 4096);
	enum exec_status status = fixture_launch(f, kernel, (struct grid){ctas, 32, 0}, out, 0, 0);
	fixture_free(f);
	return status;
}

TEST(a_computation_is_no_spin_however_long)
{
	CHECK_EQ(status_with_budget(computes, "computes", 1), EXEC_DONE);
	CHECK_EQ(status_with_budget(computes, "computes", 6), EXEC_DONE);
	CHECK_EQ(status_with_budget(computes_reading, "reads", 1), EXEC_DONE);
	CHECK_EQ(status_with_budget(computes_reading, "reads", 6), EXEC_DONE);
}

TEST(a_loop_that_only_others_could_end_is_a_spin)
{
	CHECK_EQ(status_with_budget(endless, "endless", 1), EXEC_SPINNING);
	CHECK_EQ(status_with_budget(waits, "waits", 1), EXEC_SPINNING);
	CHECK_EQ(status_with_budget(waits, "waits", 6), EXEC_SPINNING);
	CHECK_EQ(status_with_budget(waits_counting, "counts", 6), EXEC_SPINNING);
}

/* Each lane adds up 8192 * (lane + 1) numbers, read from changing places; nothing is stored meanwhile. */
static const char patient[] =
    PTX_HEAD KERNEL("patient") "add.s32 %r5, %r4, 1; shl.b32 %r5, %r5, 13; mov.u32 %r10, 0; mov.u32 %r6, 0;\n"
                               "LOOP: and.b32 %r7, %r6, 31; mul.wide.u32 %rd4, %r7, 4; add.s64 %rd5, %rd2, "
                               "%rd4; ld.global.u32 %r8, [%rd5]; add.s32 "
                               "%r10, %r10, %r8;\n"
                               "add.s32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r5; @%p1 bra LOOP;\n" STORE;

TEST(a_long_loop_that_computes_is_not_taken_for_a_wait)
{
	struct fixture *f;
	CHECK(run(patient, "patient", (struct grid){1, 32, 0}, &f));
	/* As many turns as the last lane takes, and everything before and behind once. */
	CHECK_EQ(exec_totals(f->exec).warp_insns, 11 + 8 * 8192 * 32 + 2);
	fixture_free(f);
}

TEST_RUN_ALL(true)
