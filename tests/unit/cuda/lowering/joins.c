/* Copies of 16 bytes that clang writes by halves: one access each where the array in shared memory is aligned. */
#include "lib/lower_fixture.h"

#define ARRAY(align) ".shared .align " align " .b8 staged[4096];\n"
#define BASES "mov.u64 %rd9, staged; add.s64 %rd2, %rd9, %rd8;\n"

/* All machine instructions of the kernel that access memory, in the order of the text. */
static const char *accesses(const char *array, const char *body, bool compile)
{
	static char words[512];
	struct fixture f;
	words[0] = '\0';
	if (!fixture_analysed(&f, array, body, compile))
		return "(refused)";
	for (uint32_t i = 0; i < f.lowering->count; i++) {
		if (!(f.lowering->insns[i].flags & INSN_MEMORY))
			continue;
		strcat(words, *words ? " " : "");
		strcat(words, f.lowering->strings + f.lowering->insns[i].opcode);
	}
	fixture_free(&f);
	return words;
}

static bool becomes(const char *array, const char *body, const char *expected)
{
	const char *got = accesses(array, body, true);
	if (!strcmp(got, expected))
		return true;
	printf("# %s\n# got      %s\n# expected %s\n", body, got, expected);
	return false;
}

static const char copy[] = BASES "ld.global.u64 %rd3, [%rd1+8]; st.shared.u64 [%rd2+8], %rd3;\n"
                                 "ld.global.u64 %rd4, [%rd1]; st.shared.u64 [%rd2], %rd4; ret;";
static const char apart[] = "LDG.E.64 LDG.E.64 STS.64 STS.64";

TEST(a_copy_by_halves_is_one_access_each)
{
	CHECK(becomes(ARRAY("16"), copy, "LDG.E.128 STS.128"));
	CHECK(becomes(ARRAY("16"),
	              BASES "ld.shared.u64 %rd3, [%rd2+16]; st.global.u64 [%rd1], %rd3;\n"
	                    "ld.shared.u64 %rd4, [%rd2+24]; st.global.u64 [%rd1+8], %rd4; ret;",
	              "LDS.128 STG.E.128"));
	CHECK(becomes(ARRAY("32"),
	              BASES "@%p1 ld.global.nc.u64 %rd3, [%rd1+8]; @%p1 st.shared.u64 [%rd2+8], %rd3;\n"
	                    "@%p1 ld.global.nc.u64 %rd4, [%rd1]; @%p1 st.shared.u64 [%rd2], %rd4; ret;",
	              "LDG.E.128.CONSTANT STS.128"));
}

/* Its elements are: a pair of doubles, say. */
TEST(an_array_that_is_not_aligned_is_copied_as_written)
{
	CHECK(becomes(ARRAY("8"), copy, apart));
	CHECK(becomes(ARRAY("16"), &copy[sizeof BASES - 1], apart)); /* which array it is is unknown */
}

TEST(so_is_what_only_looks_like_a_copy)
{
	static const char *const bodies[] = {
	    /* no whole; a value that others want; a base that moves; other distances; some lanes only */
	    BASES "ld.global.u64 %rd3, [%rd1+8]; st.shared.u64 [%rd2+8], %rd3;\n"
	          "ld.global.u64 %rd4, [%rd1+16]; st.shared.u64 [%rd2+16], %rd4; ret;",
	    BASES "ld.global.u64 %rd3, [%rd1]; st.shared.u64 [%rd2], %rd3;\n"
	          "ld.global.u64 %rd4, [%rd1+8]; st.shared.u64 [%rd2+16], %rd4; ret;",
	    BASES "@%p1 ld.global.u64 %rd3, [%rd1]; @%p1 st.shared.u64 [%rd2], %rd3;\n"
	          "@%p2 ld.global.u64 %rd4, [%rd1+8]; @%p2 st.shared.u64 [%rd2+8], %rd4; ret;",
	};
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
		CHECK(becomes(ARRAY("16"), bodies[i], apart));
	CHECK(becomes(ARRAY("16"),
	              BASES
	              "ld.global.u64 %rd3, [%rd1]; st.shared.u64 [%rd2], %rd3; add.s64 %rd1, %rd1, 64;\n"
	              "ld.global.u64 %rd4, [%rd1+8]; st.shared.u64 [%rd2+8], %rd4; ret;",
	              apart));
	CHECK(becomes(ARRAY("16"),
	              BASES "ld.volatile.global.u64 %rd3, [%rd1]; st.shared.u64 [%rd2], %rd3;\n"
	                    "ld.volatile.global.u64 %rd4, [%rd1+8]; st.shared.u64 [%rd2+8], %rd4; ret;",
	              "LDG.E.64.STRONG.SYS STS.64 LDG.E.64.STRONG.SYS STS.64"));
}

TEST(code_as_written_keeps_its_halves)
{
	CHECK(!strcmp(accesses(ARRAY("16"), copy, false), "LDG.E.64 STS.64 LDG.E.64 STS.64"));
}

TEST_RUN_ALL(true)
