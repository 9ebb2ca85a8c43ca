/* Blocks and reconvergence points of small programs whose answers are known. */
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

TEST_RUN_ALL(true)
