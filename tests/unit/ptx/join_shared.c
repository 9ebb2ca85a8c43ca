/* Accesses to shared memory that lie side by side are one, where nothing is between them and the address is aligned. */
#include "fixture.h"

/* Of a kernel as compiled: accesses to shared memory of one, two and four words or values. */
struct widths {
	uint32_t loads[5], stores[5];
};

static struct widths widths_of(const char *statements)
{
	static char text[8192];
	snprintf(text, sizeof text, "%s%s\n}\n", PTX_KERNEL_HEAD, statements);
	struct ptx_module *m = ptx_compiled(text);
	struct widths widths = {0};
	if (!m)
		return (struct widths){{99}, {99}};
	const struct ptx_function *f = &m->functions[0];
	for (uint32_t i = f->first_insn; i < f->first_insn + f->insn_count; i++) {
		const struct ptx_insn *insn = &m->insns[i];
		if (insn->space == PTX_SPACE_shared && insn->op == PTX_ld)
			widths.loads[insn->vector ? insn->vector : 1]++;
		if (insn->space == PTX_SPACE_shared && insn->op == PTX_st)
			widths.stores[insn->vector ? insn->vector : 1]++;
	}
	ptx_module_free(m);
	return widths;
}

static bool are(const char *what, const uint32_t counted[5], const uint32_t want[3], const char *statements)
{
	if (counted[1] == want[0] && counted[2] == want[1] && counted[4] == want[2])
		return true;
	printf("# %s of 1, 2, 4: %u %u %u: %s\n", what, counted[1], counted[2], counted[4], statements);
	return false;
}

static bool are_loads(const char *statements, uint32_t ones, uint32_t twos, uint32_t fours)
{
	return are("loads", widths_of(statements).loads, (uint32_t[]){ones, twos, fours}, statements);
}

static bool are_stores(const char *statements, uint32_t ones, uint32_t twos, uint32_t fours)
{
	return are("stores", widths_of(statements).stores, (uint32_t[]){ones, twos, fours}, statements);
}

#define ARRAY ".shared .align 4 .b8 t[1024]; mov.u64 %rd1, t; mov.u32 %r1, %tid.x; ld.param.u64 %rd8, [p];\n"
#define FOUR(base)                                                                                           \
	"ld.shared.f32 %f1, [" base "]; ld.shared.f32 %f2, [" base "+4]; ld.shared.f32 %f3, [" base "+8]; "  \
	"ld.shared.f32 %f4, [" base "+12];\n"
#define USE                                                                                                  \
	"add.f32 %f1, %f1, %f2; add.f32 %f3, %f3, %f4; add.f32 %f1, %f1, %f3; st.global.f32 [%rd8], %f1; ret;"
#define SCALED(factor) "mul.wide.u32 %rd2, %r1, " factor "; add.s64 %rd3, %rd1, %rd2;\n"

TEST(the_address_says_how_many_words_are_one)
{
	CHECK(are_loads(ARRAY FOUR("t") USE, 0, 0, 1));
	CHECK(are_loads(ARRAY FOUR("%rd1") USE, 0, 0, 1));
	CHECK(are_loads(ARRAY SCALED("16") FOUR("%rd3") USE, 0, 0, 1));
	CHECK(are_loads(ARRAY SCALED("72") FOUR("%rd3") USE, 0, 2, 0));
	CHECK(are_loads(ARRAY SCALED("68") FOUR("%rd3") USE, 4, 0, 0));
	/* Words 1 and 2 are no pair; 2 and 3 are. */
	CHECK(are_loads(ARRAY "ld.shared.f32 %f1, [t+4]; ld.shared.f32 %f2, [t+8];\n" USE, 2, 0, 0));
	CHECK(are_loads(ARRAY "ld.shared.f32 %f1, [t+8]; ld.shared.f32 %f2, [t+12];\n" USE, 0, 1, 0));
	/* Three are worth all, but not the first three of who knows what. */
	CHECK(are_loads(
	    ARRAY "ld.shared.f32 %f1, [t+4]; ld.shared.f32 %f2, [t+8]; ld.shared.f32 %f3, [t+12];\n" USE, 0,
	    0, 1));
	CHECK(are_loads(ARRAY
	                "ld.shared.f32 %f1, [t]; ld.shared.f32 %f2, [t+4]; ld.shared.f32 %f3, [t+8];\n" USE,
	                0, 0, 1));
	CHECK(are_loads(
	    ARRAY SCALED(
	        "16") "ld.shared.f32 %f1, [%rd3]; ld.shared.f32 %f2, [%rd3+12]; ld.shared.f32 %f3, [%rd3+4];\n" USE,
	    0, 0, 1));
	CHECK(are_loads(
	    ARRAY SCALED(
	        "16") "ld.shared.f32 %f1, [%rd3]; ld.shared.f32 %f2, [%rd3+8]; ld.shared.f32 %f3, [%rd3+4];\n" USE,
	    1, 1, 0));
	CHECK(are_loads(
	    ARRAY
	    "ld.shared.f32 %f1, [t+1012]; ld.shared.f32 %f2, [t+1008]; ld.shared.f32 %f3, [t+1016];\n" USE,
	    0, 0, 1));
	/* In any order, and from another register that is a constant away. */
	CHECK(are_loads(
	    ARRAY SCALED(
	        "32") "add.s64 %rd4, %rd3, 8; ld.shared.f32 %f4, [%rd4+4]; ld.shared.f32 %f1, [%rd3];"
	              "ld.shared.f32 %f3, [%rd4]; ld.shared.f32 %f2, [%rd3+4];\n" USE,
	    0, 0, 1));
}

TEST(what_is_known_of_an_index_counts)
{
	const char *index[] = {"shl.b32 %r2, %r1, 4;",
	                       "and.b32 %r2, %r1, -16;",
	                       "mul.lo.s32 %r2, %r1, 48;",
	                       "mad.lo.s32 %r2, %r1, 16, 32;",
	                       "shl.b32 %r3, %r1, 6; or.b32 %r2, %r3, 16;",
	                       "shl.b32 %r3, %r1, 6; sub.s32 %r2, %r3, 16;",
	                       "shl.b32 %r3, %r1, 5; shr.u32 %r2, %r3, 1;"};
	char text[1024];
	for (size_t i = 0; i < sizeof index / sizeof *index; i++) {
		snprintf(text, sizeof text, "%s%s cvt.u64.u32 %%rd2, %%r2; add.s64 %%rd3, %%rd1, %%rd2;\n%s",
		         ARRAY, index[i], FOUR("%rd3") USE);
		CHECK(are_loads(text, 0, 0, 1));
	}
	const char *unknown[] = {"mov.u32 %r2, %r1;", "mul.lo.s32 %r2, %r1, 12;", "shr.u32 %r2, %r1, 4;",
	                         "shl.b32 %r3, %r1, 4; xor.b32 %r2, %r3, %r1;"};
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		snprintf(text, sizeof text, "%s%s cvt.u64.u32 %%rd2, %%r2; add.s64 %%rd3, %%rd1, %%rd2;\n%s",
		         ARRAY, unknown[i], FOUR("%rd3") USE);
		struct widths w = widths_of(text);
		CHECK_EQ(w.loads[4], 0);
	}
}

TEST(the_index_of_a_loop_has_the_bits_of_its_start_that_its_step_leaves_alone)
{
	const char *loop =
	    "L: add.s64 %%rd3, %%rd1, %%rd2; ld.shared.f32 %%f1, [%%rd3+-8]; ld.shared.f32 %%f2, [%%rd3+-4];"
	    "ld.shared.f32 %%f3, [%%rd3]; ld.shared.f32 %%f4, [%%rd3+4]; add.f32 %%f5, %%f5, %%f1;"
	    "add.f32 %%f5, %%f5, %%f2; add.f32 %%f5, %%f5, %%f3; add.f32 %%f5, %%f5, %%f4;"
	    "add.s64 %%rd2, %%rd2, %d; setp.ne.s64 %%p1, %%rd2, 776; @%%p1 bra L;"
	    "st.global.f32 [%%rd8], %%f5; ret;";
	char text[2048], body[1024];
	int steps[] = {16, 32, 24, 4}, fours[] = {1, 1, 0, 0}, twos[] = {0, 0, 2, 0};
	for (int i = 0; i < 4; i++) {
		snprintf(body, sizeof body, loop, steps[i]);
		snprintf(text, sizeof text, "%smov.u64 %%rd2, 8; mov.f32 %%f5, 0f00000000;\n%s", ARRAY, body);
		CHECK(are_loads(text, i == 3 ? 4 : 0, (uint32_t)twos[i], (uint32_t)fours[i]));
	}
}

TEST(what_lies_between_keeps_them_apart)
{
#define BETWEEN(what)                                                                                        \
	ARRAY "ld.shared.f32 %f1, [t]; " what                                                                \
	      " ld.shared.f32 %f2, [t+4]; mov.f32 %f3, %f1; mov.f32 %f4, %f2;\n" USE
	CHECK(are_loads(BETWEEN(""), 0, 1, 0));
	CHECK(are_loads(BETWEEN("bar.sync 0;"), 2, 0, 0));
	CHECK(are_loads(BETWEEN("st.global.f32 [%rd8], %f1;"), 0, 1, 0));
	CHECK(are_loads(BETWEEN("st.shared.f32 [t+4], %f1;"), 2, 0, 0));
	CHECK(are_loads(BETWEEN("st.shared.f32 [t+16], %f1;"), 0, 1, 0));
	CHECK(are_loads(BETWEEN("st.shared.f32 [%rd8], %f1;"), 2, 0, 0));
	CHECK(are_loads(BETWEEN("st.shared.f32 [%rd8+32], %f1;"), 2, 0, 0));
	CHECK(are_loads(BETWEEN("st.f32 [%rd8], %f1;"), 2, 0, 0));
	CHECK(are_loads(BETWEEN("atom.shared.add.u32 %r5, [%rd8], 1;"), 2, 0, 0));
	CHECK(are_loads(BETWEEN("add.f32 %f2, %f1, %f1; st.global.f32 [%rd8], %f2;"), 2, 0, 0));
	CHECK(are_loads(BETWEEN("J: setp.eq.s32 %p1, %r1, 5; @%p1 bra J;"), 2, 0, 0));
	CHECK(are_loads(ARRAY "ld.volatile.shared.f32 %f1, [t]; ld.volatile.shared.f32 %f2, [t+4];\n" USE, 2,
	                0, 0));
	/* The base changes. */
	CHECK(are_loads(
	    ARRAY "ld.shared.f32 %f1, [%rd1]; add.s64 %rd1, %rd1, 16; ld.shared.f32 %f2, [%rd1+4];\n" USE, 2,
	    0, 0));
	/* The same lanes do both, or none is joined. */
	CHECK(are_loads(
	    ARRAY
	    "setp.lt.u32 %p1, %r1, 5; @%p1 ld.shared.f32 %f1, [t]; @%p1 ld.shared.f32 %f2, [t+4];\n" USE,
	    0, 1, 0));
	CHECK(are_loads(
	    ARRAY
	    "setp.lt.u32 %p1, %r1, 5; @%p1 ld.shared.f32 %f1, [t]; @!%p1 ld.shared.f32 %f2, [t+4];\n" USE,
	    2, 0, 0));
#undef BETWEEN
}

TEST(stores_are_joined_where_the_last_was)
{
#define STORES                                                                                               \
	"st.shared.u32 [t], %r1; st.shared.u32 [t+4], %r2; st.shared.u32 [t+8], 7; st.shared.u32 [t+12], %r3;\n"
	const char *set = ARRAY "add.s32 %r2, %r1, 1; add.s32 %r3, %r1, 2;\n";
	char text[1024];
	snprintf(text, sizeof text, "%s%s ret;", set, STORES);
	CHECK(are_stores(text, 0, 0, 1));
	/* What is stored changes before the last. */
	snprintf(text, sizeof text,
	         "%sst.shared.u32 [t], %%r1; add.s32 %%r1, %%r1, 1; st.shared.u32 [t+4], %%r1; ret;", set);
	CHECK(are_stores(text, 2, 0, 0));
	/* It is read before the last. */
	snprintf(text, sizeof text,
	         "%sst.shared.u32 [t], %%r1; ld.shared.u32 %%r4, [%%rd8]; st.shared.u32 [t+4], %%r4; ret;",
	         set);
	CHECK(are_stores(text, 2, 0, 0));
	snprintf(text, sizeof text,
	         "%sst.shared.u32 [t], %%r1; st.shared.u32 [t], %%r2; st.shared.u32 [t+4], %%r3; ret;", set);
	CHECK(are_stores(text, 1, 1, 0));
#undef STORES
}

TEST(eight_bytes_go_by_two_and_smaller_ones_stay)
{
	CHECK(are_loads(
	    ".shared .align 8 .b8 t[64]; ld.param.u64 %rd8, [p]; ld.shared.f64 %fd1, [t]; ld.shared.f64 %fd2, [t+8];"
	    "add.f64 %fd1, %fd1, %fd2; st.global.f64 [%rd8], %fd1; ret;",
	    0, 1, 0));
	CHECK(are_loads(
	    ".shared .align 8 .b8 t[64]; ld.param.u64 %rd8, [p]; ld.shared.u16 %rs1, [t]; ld.shared.u16 %rs2, [t+2];"
	    "add.s16 %rs1, %rs1, %rs2; st.global.u16 [%rd8], %rs1; ret;",
	    2, 0, 0));
	/* Dynamic shared memory is aligned, whatever is declared; a small variable is not. */
	CHECK(are_loads(
	    ".shared .align 4 .b8 s[8]; ld.param.u64 %rd8, [p]; ld.shared.f32 %f1, [s]; ld.shared.f32 %f2, [s+4];\n" USE,
	    2, 0, 0));
}

TEST_RUN_ALL(true)
