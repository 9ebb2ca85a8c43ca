/* Registers in use at once, in small programs whose answers are known. */
#include "fixture.h"

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
	/* A result without a reader takes a register for a moment. */
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

TEST_RUN_ALL(true)
