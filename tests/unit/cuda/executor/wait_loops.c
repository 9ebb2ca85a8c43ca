/* Which loops wait for memory, and which do not: the analysis of a kernel's text. */
#include "cuda/executor/wait_loops.h"
#include "lib/exec_kernel.h"

static const char head[] = PTX_HEAD ".global .align 8 .u32 flag;\n.global .align 8 .u32 other;\n" KERNEL("k");

/* Loops of kernel k with this body; and the first of them. */
static unsigned loops_of(const char *body, struct wait_loop *first, unsigned *polls)
{
	char text[4096];
	struct wait_loops found = {0};
	snprintf(text, sizeof text, "%s%s\n%s", head, body, STORE);
	struct fixture *f = fixture_new(text, NULL);
	const struct ptx_module *m = f->module->ptx;
	wait_loops_find(&found, m, &m->functions[ptx_find_function(m, "k")]);
	unsigned count = found.loop_count;
	*first = count ? found.loops[0] : (struct wait_loop){0};
	*polls = found.poll_count;
	wait_loops_free(&found);
	fixture_free(f);
	return count;
}

static unsigned count_of(const char *body)
{
	struct wait_loop first;
	unsigned polls;
	return loops_of(body, &first, &polls);
}

#define BACK "setp.eq.u32 %p1, %r5, 0; @%p1 bra L;"

TEST(a_loop_that_reads_until_the_value_is_right_waits)
{
	CHECK_EQ(count_of("L: ld.volatile.global.u32 %r5, [flag]; " BACK), 1);
	CHECK_EQ(count_of("L: ld.acquire.gpu.global.u32 %r5, [%rd2]; " BACK), 1);
	CHECK_EQ(count_of("L: ld.relaxed.gpu.global.u32 %r5, [%rd2]; membar.gl; " BACK), 1);
	CHECK_EQ(count_of("L: ld.global.cg.u32 %r5, [%rd2]; " BACK), 1);
	CHECK_EQ(count_of("L: atom.global.or.b32 %r5, [flag], 0; " BACK), 1);
	/* A lock. */
	CHECK_EQ(count_of("L: atom.global.cas.b32 %r5, [flag], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;"),
	         1);
	CHECK_EQ(count_of("L: atom.global.exch.b32 %r5, [flag], 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;"), 1);
}

TEST(counting_and_sleeping_in_the_loop_do_not_matter)
{
	CHECK_EQ(
	    count_of("mov.u32 %r6, 8; L: nanosleep.u32 %r6; min.u32 %r6, %r6, 256; shl.b32 %r6, %r6, 1;\n"
	             "add.s32 %r10, %r10, 1; ld.volatile.global.u32 %r5, [flag]; " BACK),
	    1);
	/* Lanes ask together. */
	CHECK_EQ(count_of("L: ld.volatile.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r5, 0;\n"
	                  "vote.sync.any.pred %p1, %p2, -1; @%p1 bra L;"),
	         1);
}

TEST(a_loop_that_may_end_otherwise_does_not_wait)
{
	/* After so many rounds, or at a time. */
	CHECK_EQ(count_of("mov.u32 %r6, 0; L: ld.volatile.global.u32 %r5, [flag]; add.s32 %r6, %r6, 1;\n"
	                  "setp.gt.u32 %p2, %r6, 100; @%p2 bra E; " BACK " E:"),
	         0);
	CHECK_EQ(
	    count_of(
	        "L: ld.volatile.global.u32 %r5, [flag]; mov.u32 %r6, %clock; add.s32 %r5, %r5, %r6; " BACK),
	    0);
	/* A list is followed; slots of a table are tried. */
	CHECK_EQ(count_of("L: ld.volatile.global.u64 %rd2, [%rd2]; setp.ne.u64 %p1, %rd2, 0; @%p1 bra L;"),
	         0);
	CHECK_EQ(count_of("L: atom.global.cas.b32 %r5, [%rd2], 0, %r4; add.s64 %rd2, %rd2, 4; " BACK), 0);
}

TEST(a_loop_with_other_effects_does_not_wait)
{
	CHECK_EQ(count_of("L: st.global.u32 [%rd1], %r4; ld.volatile.global.u32 %r5, [flag]; " BACK), 0);
	CHECK_EQ(count_of("L: red.global.add.u32 [other], 1; ld.volatile.global.u32 %r5, [flag]; " BACK), 0);
	CHECK_EQ(count_of("L: bar.sync 0; ld.volatile.global.u32 %r5, [flag]; " BACK), 0);
	/* Plain loads are not meant to see other threads' stores. */
	CHECK_EQ(count_of("L: ld.global.u32 %r5, [flag]; " BACK), 0);
}

TEST(an_update_by_compare_and_swap_takes_turns_in_any_order)
{
	CHECK_EQ(
	    count_of("ld.global.u32 %r5, [flag]; L: mov.u32 %r6, %r5; add.s32 %r7, %r6, 1;\n"
	             "atom.global.cas.b32 %r5, [flag], %r6, %r7; setp.ne.u32 %p1, %r5, %r6; @%p1 bra L;"),
	    0);
	CHECK_EQ(
	    count_of("L: ld.volatile.global.u32 %r6, [flag]; add.s32 %r7, %r6, 1;\n"
	             "atom.global.cas.b32 %r5, [flag], %r6, %r7; setp.ne.u32 %p1, %r5, %r6; @%p1 bra L;"),
	    0);
}

TEST(the_question_in_front_of_a_loop_belongs_to_it)
{
	struct wait_loop loop;
	unsigned polls;
	CHECK_EQ(loops_of("ld.volatile.global.u32 %r5, [flag]; setp.ne.u32 %p1, %r5, 0; @%p1 bra E;\n"
	                  "L: nanosleep.u32 100; ld.volatile.global.u32 %r5, [flag]; " BACK
	                  " E: mov.u32 %r10, 1;",
	                  &loop, &polls),
	         1);
	CHECK(loop.question != PTX_NONE && loop.question < loop.first);
	CHECK_EQ(polls, 2);
	/* Of another word: an ordinary load. */
	CHECK_EQ(loops_of("ld.volatile.global.u32 %r5, [other]; setp.ne.u32 %p1, %r5, 0; @%p1 bra E;\n"
	                  "L: nanosleep.u32 100; ld.volatile.global.u32 %r5, [flag]; " BACK
	                  " E: mov.u32 %r10, 1;",
	                  &loop, &polls),
	         1);
	CHECK_EQ(loop.question, PTX_NONE);
	CHECK_EQ(polls, 1);
}

TEST(a_round_may_begin_in_the_middle_of_the_loop)
{
	struct wait_loop loop;
	unsigned polls;
	/* The question comes first, and reads what was loaded at the end. */
	CHECK_EQ(loops_of("ld.volatile.global.u32 %r5, [flag];\n"
	                  "L: setp.eq.u32 %p2, %r5, 0; vote.sync.any.pred %p1, %p2, -1; @!%p1 bra E;\n"
	                  "ld.volatile.global.u32 %r5, [flag]; bra.uni L; E: mov.u32 %r10, %r5;",
	                  &loop, &polls),
	         1);
	CHECK(loop.head > loop.first && loop.head < loop.last);
	CHECK(loop.question < loop.first);
}

TEST(nested_waits_are_both_waits)
{
	CHECK_EQ(
	    count_of(
	        "O: membar.gl; L: ld.volatile.global.u32 %r5, [flag]; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\n"
	        "atom.global.cas.b32 %r6, [flag], 0, 1; setp.ne.u32 %p2, %r6, 0; @%p2 bra O;") +
	        count_of("O: L: ld.volatile.global.u32 %r5, [flag]; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;"),
	    2 + 1);
}

TEST_RUN_ALL(true)
