/* Blocks, reconvergence points, liveness and registers of small programs whose answers are known. */
#include "fixture.h"

/* The reconvergence point of instruction `insn`, or -1. */
static long reconverge(const char *text, uint32_t insn)
{
	struct ptx_module *m = ptx_of(text);
	if (!m)
		return -2;
	long at = m->flow[insn].reconverge == PTX_NONE ? -1 : (long)m->flow[insn].reconverge;
	ptx_module_free(m);
	return at;
}

TEST(an_if_reconverges_behind_it)
{
	const char *text = PTX_KERNEL("@%p1 bra END;\n mov.u32 %r1, 1;\n END: ret;");
	CHECK_EQ(reconverge(text, 0), 2);
}

TEST(both_sides_of_an_else_reconverge_behind_both)
{
	const char *text = PTX_KERNEL("@%p1 bra ELSE;\n mov.u32 %r1, 1;\n bra.uni END;\n"
	                              "ELSE: mov.u32 %r1, 2;\n END: st.global.u32 [%rd1], %r1;\n ret;");
	CHECK_EQ(reconverge(text, 0), 4);
	CHECK_EQ(reconverge(text, 2), 4);
}

/* As clang ends every function: a label behind the last ret. */
TEST(a_label_at_the_end_is_not_where_a_kernel_ends)
{
	const char *text = PTX_KERNEL("@%p1 bra DONE;\n AGAIN: @%p2 bra DONE;\n bra.uni AGAIN;\n"
	                              "DONE: add.s32 %r1, %r1, 1;\n ret;\n END:");
	CHECK_EQ(reconverge(text, 0), 3);
	CHECK_EQ(reconverge(text, 1), 3);
}

TEST(a_loop_reconverges_where_it_is_left)
{
	const char *text = PTX_KERNEL("TOP: add.s32 %r1, %r1, 1;\n @%p1 bra TOP;\n ret;");
	CHECK_EQ(reconverge(text, 1), 2);
}

TEST(a_break_reconverges_behind_the_loop_and_a_continue_at_its_end)
{
	const char *text = PTX_KERNEL("TOP: @%p1 bra OUT;\n"         /* 0: break */
	                              "@%p2 bra NEXT;\n"             /* 1: continue */
	                              "mov.u32 %r1, 1;\n"            /* 2 */
	                              "NEXT: add.s32 %r2, %r2, 1;\n" /* 3 */
	                              "@%p3 bra TOP;\n"              /* 4 */
	                              "OUT: ret;");                  /* 5 */
	CHECK_EQ(reconverge(text, 0), 5);
	CHECK_EQ(reconverge(text, 1), 3);
	CHECK_EQ(reconverge(text, 4), 5);
}

TEST(nested_loops_reconverge_each_behind_itself)
{
	const char *text = PTX_KERNEL("OUTER: mov.u32 %r1, 0;\n" /* 0 */
	                              "INNER: @%p1 bra DONE;\n"  /* 1: break of the outer loop */
	                              "@%p2 bra INNER;\n"        /* 2 */
	                              "mov.u32 %r2, 0;\n"        /* 3 */
	                              "@%p3 bra OUTER;\n"        /* 4 */
	                              "DONE: ret;");             /* 5 */
	CHECK_EQ(reconverge(text, 1), 5);
	CHECK_EQ(reconverge(text, 2), 5);
	CHECK_EQ(reconverge(text, 4), 5);
}

/* Two entries into one loop: no structure, but one place that all paths pass. */
TEST(irreducible_control_flow_has_a_reconvergence_point_too)
{
	const char *text = PTX_KERNEL("@%p1 bra B;\n"        /* 0 */
	                              "A: mov.u32 %r1, 1;\n" /* 1 */
	                              "B: mov.u32 %r2, 2;\n" /* 2 */
	                              "@%p2 bra A;\n"        /* 3 */
	                              "@%p3 bra B;\n"        /* 4 */
	                              "ret;");               /* 5 */
	CHECK_EQ(reconverge(text, 0), 2);
	CHECK_EQ(reconverge(text, 3), 4);
	CHECK_EQ(reconverge(text, 4), 5);
}

TEST(threads_that_end_are_not_waited_for)
{
	/* One lane of many leaves the loop by exit: the others still meet behind the inner branch. */
	const char *text = PTX_KERNEL("TOP: @%p1 bra SKIP;\n"        /* 0 */
	                              "@%p2 bra SKIP;\n"             /* 1 */
	                              "exit;\n"                      /* 2 */
	                              "SKIP: add.s32 %r1, %r1, 1;\n" /* 3 */
	                              "@%p3 exit;\n"                 /* 4 */
	                              "@%p4 bra TOP;\n"              /* 5 */
	                              "ret;");                       /* 6 */
	CHECK_EQ(reconverge(text, 0), 3);
	CHECK_EQ(reconverge(text, 1), 3);
	CHECK_EQ(reconverge(text, 5), 6);
}

TEST(a_branch_inside_an_endless_loop_reconverges_in_it)
{
	const char *text = PTX_KERNEL("TOP: @%p1 bra ELSE;\n mov.u32 %r1, 1;\n bra NEXT;\n"
	                              "ELSE: mov.u32 %r1, 2;\n NEXT: st.global.u32 [%rd1], %r1;\n bra TOP;");
	CHECK_EQ(reconverge(text, 0), 4);
}

TEST(a_return_of_a_function_is_where_its_branches_reconverge)
{
	const char *text = PTX_HEAD ".func f() { .reg .pred %p1; @%p1 bra L; ret; L: ret; }";
	CHECK_EQ(reconverge(text, 0), -1);
}

TEST(the_cases_of_a_switch_reconverge_behind_it)
{
	const char *text = PTX_KERNEL("T: .branchtargets A, B, C;\n brx.idx %r1, T;\n"
	                              "A: mov.u32 %r1, 1;\n bra C;\n B: mov.u32 %r1, 2;\n C: ret;");
	CHECK_EQ(reconverge(text, 0), 4);
}

TEST(blocks_are_numbered_in_the_order_of_the_text)
{
	struct ptx_module *m =
	    ptx_of(PTX_HEAD ".func b();\n.entry a() { .reg .pred %p1; @%p1 bra L; call b; L: ret; }\n"
	                    ".func b() { ret; }");
	CHECK(m != NULL);
	CHECK(m->flow[0].block == 0 && m->flow[1].block == 1 && m->flow[2].block == 2 &&
	      m->flow[3].block == 3);
	CHECK_EQ(m->block_count, 4);
	ptx_module_free(m);
}

/* ---- liveness -------------------------------------------------------------------------------------------- */

static long pressure(const char *text)
{
	struct ptx_module *m = ptx_of(text);
	long p = m ? (long)m->functions[0].pressure : -1;
	ptx_module_free(m);
	return p;
}

TEST(pressure_is_what_lives_at_once)
{
	/* Three values at once, then two, then one. */
	CHECK_EQ(
	    pressure(PTX_KERNEL(
	        "ld.global.u32 %r1, [0]; ld.global.u32 %r2, [0]; ld.global.u32 %r3, [0]; add.s32 %r4, %r1, %r2;\n"
	        "add.s32 %r5, %r4, %r3; st.global.u32 [0], %r5; ret;")),
	    3);
	/* A result may take the place of a source that dies. */
	CHECK_EQ(
	    pressure(PTX_KERNEL("ld.global.u32 %r1, [0]; add.s32 %r2, %r1, 1; st.global.u32 [0], %r2; ret;")),
	    1);
	/* 64-bit values take two, predicates none. */
	CHECK_EQ(pressure(PTX_KERNEL(
	             "ld.global.u64 %rd1, [0]; ld.global.u64 %rd2, [0]; setp.eq.s64 %p1, %rd1, %rd2; ret;")),
	         4);
	/* A result that nobody reads takes a register for a moment. */
	CHECK_EQ(pressure(PTX_KERNEL("ld.global.u32 %r1, [0]; ret;")), 1);
	CHECK_EQ(pressure(PTX_KERNEL("ret;")), 0);
}

TEST(values_live_around_a_loop)
{
	/* %r1 is read in the loop each time round: it lives across %r2 and %r3, though it is not written there. */
	CHECK_EQ(
	    pressure(PTX_KERNEL("ld.global.u32 %r1, [0]; ld.global.u32 %r4, [0];\n"
	                        "TOP: add.s32 %r2, %r1, 1; add.s32 %r4, %r4, %r2; ld.global.u32 %r3, [%r4];\n"
	                        "st.global.u32 [0], %r3; @%p1 bra TOP; st.global.u32 [0], %r4; ret;")),
	    3);
}

TEST(a_guarded_write_keeps_what_was_there)
{
	CHECK_EQ(pressure(PTX_KERNEL(
	             "ld.global.u32 %r1, [0]; ld.global.u32 %r2, [0]; @%p1 ld.global.u32 %r1, [0];\n"
	             "st.global.u32 [%r2], %r1; ret;")),
	         2);
	/* Unguarded, the first value of %r1 is never read. */
	CHECK_EQ(
	    pressure(PTX_KERNEL(
	        "ld.global.u32 %r1, [0]; st.global.u32 [0], %r1; ld.global.u32 %r2, [0]; ld.global.u32 %r1, [0];\n"
	        "st.global.u32 [%r2], %r1; ret;")),
	    2);
}

TEST(values_in_use_at_once_have_different_registers)
{
	struct ptx_module *m = ptx_of(PTX_KERNEL(
	    "ld.global.u32 %r1, [0]; mov.u64 %rd1, 2; ld.global.u32 %r2, [0]; mov.u64 %rd2, 4;\n"
	    "st.global.u32 [%rd1], %r1; st.global.u32 [%rd2], %r2; ld.global.u32 %r3, [0]; st.global.u32 [%rd2], %r3; ret;"));
	CHECK(m != NULL);
	const struct ptx_function *f = &m->functions[0];
	uint32_t used[64] = {0};
	for (uint32_t r = 0; r < 4; r++) {
		unsigned width = ptx_type_bytes(f->registers[r].type) / 4;
		CHECK(f->registers[r].physical % width == 0);
		for (unsigned k = 0; k < width; k++)
			CHECK_EQ(used[f->registers[r].physical + k]++, 0);
	}
	ptx_module_free(m);
}

/* Machine code may read a value somewhat later than the text does. */
TEST(a_register_is_not_used_again_soon_but_in_its_turn)
{
	char text[16384] = "",
	     *end = text + sprintf(text, "%s", PTX_HEAD ".visible .entry k() { .reg .b32 %r<300>;\n");
	for (unsigned i = 0; i < 300; i++)
		end += sprintf(end, "ld.global.u32 %%r%u, [0]; st.global.u32 [0], %%r%u;\n", i, i);
	strcpy(end, "ret; }\n");
	struct ptx_module *m = ptx_of(text);
	CHECK(m != NULL);
	const struct ptx_function *f = &m->functions[0];
	CHECK_EQ(f->pressure, 1);
	for (uint32_t r = 0; r < 300; r++)
		CHECK_EQ(f->registers[r].physical, r % PTX_PHYSICAL_TURN);
	ptx_module_free(m);
}

/* Many more registers than are solved for at a time, all alive around a loop. */
TEST(thousands_of_registers_are_counted)
{
	enum { COUNT = 3000 };
	size_t size = COUNT * 96 + 1024;
	char *text = malloc(size), *at = text;
	at += sprintf(at, "%s.entry k() { .reg .b32 %%r<%d>; .reg .pred %%p1;\n", PTX_HEAD, COUNT);
	for (int i = 0; i < COUNT; i++)
		at += sprintf(at, "ld.global.u32 %%r%d, [0];\n", i);
	at += sprintf(at, "TOP:\n");
	for (int i = 0; i < COUNT; i++)
		at += sprintf(at, "st.global.u32 [0], %%r%d;\n", i);
	at += sprintf(at, "@%%p1 bra TOP; ret; }\n");
	CHECK_EQ(pressure(text), COUNT);
	free(text);
}

TEST_MAIN(
    TEST_ENTRY(a_register_is_not_used_again_soon_but_in_its_turn) TEST_ENTRY(an_if_reconverges_behind_it)
        TEST_ENTRY(both_sides_of_an_else_reconverge_behind_both) TEST_ENTRY(
            a_label_at_the_end_is_not_where_a_kernel_ends) TEST_ENTRY(a_loop_reconverges_where_it_is_left)
            TEST_ENTRY(a_break_reconverges_behind_the_loop_and_a_continue_at_its_end)
                TEST_ENTRY(nested_loops_reconverge_each_behind_itself)
                    TEST_ENTRY(irreducible_control_flow_has_a_reconvergence_point_too)
                        TEST_ENTRY(threads_that_end_are_not_waited_for)
                            TEST_ENTRY(a_branch_inside_an_endless_loop_reconverges_in_it)
                                TEST_ENTRY(a_return_of_a_function_is_where_its_branches_reconverge)
                                    TEST_ENTRY(the_cases_of_a_switch_reconverge_behind_it)
                                        TEST_ENTRY(blocks_are_numbered_in_the_order_of_the_text)
                                            TEST_ENTRY(pressure_is_what_lives_at_once)
                                                TEST_ENTRY(values_live_around_a_loop) TEST_ENTRY(
                                                    a_guarded_write_keeps_what_was_there)
                                                    TEST_ENTRY(values_in_use_at_once_have_different_registers)
                                                        TEST_ENTRY(thousands_of_registers_are_counted))
