/* Branches as machine code has them: what falls through, what is inverted, what is executed under a predicate. */
#include "fixture.h"

/* Of a kernel as compiled: branches, and instructions under a predicate that are none. */
struct shape {
	uint32_t branches, predicated;
};

static struct shape shape_of(const char *statements)
{
	static char text[8192];
	snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, statements);
	struct ptx_module *m = ptx_compiled(text);
	struct shape shape = {0};
	if (!m)
		return (struct shape){99, 99};
	const struct ptx_function *f = &m->functions[0];
	for (uint32_t i = f->first_insn; i < f->first_insn + f->insn_count; i++) {
		const struct ptx_insn *insn = &m->insns[i];
		shape.branches += insn->op == PTX_bra;
		shape.predicated += insn->op != PTX_bra && insn->guard != PTX_NONE;
	}
	ptx_module_free(m);
	return shape;
}

static bool is_shape(const char *statements, uint32_t branches, uint32_t predicated)
{
	struct shape shape = shape_of(statements);
	if (shape.branches == branches && shape.predicated == predicated)
		return true;
	printf("# %u branches, %u predicated: %s\n", shape.branches, shape.predicated, statements);
	return false;
}

/* `@%p1 bra J; body n times; J: st; ret;` */
static const char *jumped_over(const char *body, uint32_t times)
{
	static char text[4096];
	size_t used = (size_t)snprintf(text, sizeof text, "setp.lt.s32 %%p1, %%r1, %%r2; @%%p1 bra J;\n");
	for (uint32_t i = 0; i < times; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", body);
	snprintf(text + used, sizeof text - used, "J: st.global.f32 [%%rd1], %%f1; ret;");
	return text;
}

TEST(short_bodies_are_predicated)
{
	const char *fma = "fma.rn.f32 %f1, %f1, %f1, %f2;",
	           *load = "ld.shared.f32 %f3, [%r1]; add.f32 %f1, %f1, %f3;";
	CHECK(is_shape(jumped_over(fma, 19), 0, 19));
	CHECK(is_shape(jumped_over(fma, 21), 1, 0));
	CHECK(is_shape(jumped_over(load, 4), 0, 8));
	CHECK(is_shape(jumped_over(load, 5), 1, 0));
	CHECK(is_shape(jumped_over("st.global.f32 [%rd2], %f1;", 4), 0, 4));
	CHECK(is_shape(jumped_over("st.global.f32 [%rd2], %f1;", 6), 1, 0));
	CHECK(is_shape(jumped_over("ld.global.f32 %f3, [%rd2]; add.f32 %f1, %f1, %f3;", 8), 0, 16));
}

TEST(some_things_are_jumped_over)
{
	static const char *const bodies[] = {
	    "bar.sync 0;",
	    "atom.global.add.u32 %r3, [%rd2], 1;",
	    "red.global.add.u32 [%rd2], 1;",
	    "div.rn.f32 %f1, %f1, %f2;",
	    "sqrt.rn.f32 %f1, %f1;",
	    "add.cc.u32 %r3, %r4, %r5; addc.u32 %r6, %r7, %r8;",
	    "shfl.sync.bfly.b32 %r3, %r3, 1, 31, -1;",
	    "setp.lt.s32 %p1, %r3, %r4;", /* the predicate itself */
	};
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
		CHECK(is_shape(jumped_over(bodies[i], 1), 1, 0));
	CHECK(is_shape(jumped_over("@%p2 add.s32 %r3, %r3, 1;", 1), 1, 1)); /* has one already */
}

/* No code behind the body reads them. */
TEST(what_stays_in_the_body_needs_no_predicate)
{
	CHECK(is_shape(
	    jumped_over("mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; st.global.f32 [%rd4], %f2;", 1),
	    0, 1));
}

TEST(both_sides_may_be_predicated)
{
	CHECK(is_shape("setp.lt.s32 %p1, %r1, %r2; @%p1 bra E; add.f32 %f1, %f2, %f3; bra.uni J;\n"
	               "E: sub.f32 %f1, %f2, %f3;\nJ: st.global.f32 [%rd1], %f1; ret;",
	               0, 2));
	CHECK(is_shape("setp.lt.s32 %p1, %r1, %r2; @%p1 bra E; add.f32 %f1, %f2, %f3; bra.uni J;\n"
	               "E: atom.global.add.u32 %r3, [%rd2], 1;\nJ: st.global.f32 [%rd1], %f1; ret;",
	               2, 0));
}

TEST(a_body_whose_end_others_reach_is_jumped_over)
{
	CHECK(is_shape(
	    "setp.lt.s32 %p1, %r1, %r2; @%p1 bra J; red.global.add.u32 [%rd2], 1;\n"
	    "setp.lt.s32 %p2, %r1, %r3; @%p2 bra J; add.f32 %f1, %f2, %f3;\nJ: st.global.f32 [%rd1], %f1; ret;",
	    2, 0));
}

TEST(an_early_return_stays_one)
{
	CHECK(
	    is_shape("setp.lt.s32 %p1, %r1, %r2; @%p1 bra END; st.global.f32 [%rd1], %f1;\nEND: ret;", 1, 0));
}

TEST(a_round_of_a_loop_takes_one_branch)
{
	CHECK(is_shape("L: red.global.add.u32 [%rd2], 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra E; bra.uni L;\n"
	               "E: st.global.f32 [%rd1], %f1; ret;",
	               1, 0));
	/* Not the next: it is jumped to once. */
	struct ptx_module *m = ptx_compiled(
	    PTX_KERNEL("bra.uni L;\nE: st.global.f32 [%rd1], %f1; ret;\n"
	               "L: red.global.add.u32 [%rd2], 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra E; bra.uni L;"));
	CHECK(m);
	CHECK_EQ(m->functions[0].insn_count, 7);
	CHECK_EQ(ptx_sources(m, &m->insns[0])->index, 3); /* a jump forward is left alone */
	ptx_module_free(m);
	m = ptx_compiled(
	    PTX_KERNEL("L: red.global.add.u32 [%rd2], 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra E; bra.uni L;\n"
	               "X: st.global.f32 [%rd2], %f1;\nE: st.global.f32 [%rd1], %f1; ret;"));
	CHECK(m);
	CHECK_EQ(ptx_sources(m, &m->insns[2])->index, 0);
	CHECK(m->insns[2].flags & PTX_FLAG_GUARD_NOT);
	CHECK_EQ(ptx_sources(m, &m->insns[3])->index, 5);
	ptx_module_free(m);
}

/* Labels of what follows move with it, those of tables, too. */
TEST(labels_follow_their_instructions)
{
	struct ptx_module *m = ptx_compiled(
	    PTX_KERNEL("T: .branchtargets A, B;\nbra.uni N;\nN: add.s32 %r3, %r3, 1;\nbrx.idx %r1, T;\n"
	               "A: red.global.add.u32 [%rd2], 1;\nB: st.global.f32 [%rd1], %f1; ret;"));
	CHECK(m);
	CHECK_EQ(m->functions[0].insn_count, 5);
	CHECK_EQ(m->tables[0].items[0], 2);
	CHECK_EQ(m->tables[0].items[1], 3);
	ptx_module_free(m);
}

TEST_RUN_ALL(true)
