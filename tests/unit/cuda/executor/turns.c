/* Turns of CTAs and warps: waits that end, spins that do not, and computations that are neither. */
#include "lib/exec_kernel.h"

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

/* Each thread stores its number and reads what a thread `ahead` further on stores: a barrier is missing. */
#define NEIGHBOUR(ahead)                                                                                     \
	PTX_HEAD KERNEL(                                                                                     \
	    "neighbour") ".shared .align 4 .b8 room[1024];\n"                                                \
	                 "mov.u32 %r5, room; shl.b32 %r6, %r4, 2; add.s32 %r7, %r5, %r6;\n"                  \
	                 "st.shared.u32 [%r7], %r4; add.s32 %r8, %r4, " ahead                                \
	                 "; and.b32 %r8, %r8, 255; shl.b32 %r8, %r8, 2; add.s32 %r9, %r5, %r8;\n"            \
	                 "ld.shared.u32 %r10, [%r9];\n" STORE

static unsigned wrong_neighbours(const char *text, unsigned ahead)
{
	struct fixture *f;
	const uint32_t *out = run(text, "neighbour", (struct grid){2, 256, 0}, &f);
	unsigned wrong = 0;
	for (unsigned i = 0; out && i < 512; i++)
		wrong += out[i] != (i + ahead) % 256;
	fixture_free(f);
	return out ? wrong : 512;
}

TEST(a_warp_that_has_stored_reads_what_its_neighbours_store_with_it)
{
	CHECK_EQ(wrong_neighbours(NEIGHBOUR("32"), 32), 0);
	CHECK_EQ(wrong_neighbours(NEIGHBOUR("64"), 64), 0);
	CHECK_EQ(wrong_neighbours(NEIGHBOUR("192"), 192), 0);
}

TEST_RUN_ALL(true)
