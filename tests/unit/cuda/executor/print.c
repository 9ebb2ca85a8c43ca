/* Output of kernels: printf in all its forms, and assert. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "cuda/executor/run.h"
#include "lib/exec_snippet.h"

/* ---- printf ---------------------------------------------------------------------------------------------- */

/* A row's format and arguments: 8 bytes each, or 4 where the format says so. */
struct print_row {
	const char *format;
	uint64_t args[8];
	const char *want;
	int count; /* what printf returns */
};

#define WORD_AT UINT64_C(0xfffe) /* stands for the address of "abc" */
#define PI UINT64_C(0x400921fb54442d18)

static const struct print_row prints[] = {
    {"plain", {0}, "plain", 0},
    {"%d|%i|%u", {5 | UINT64_C(0xfffffffb) << 32, 7}, "5|-5|7", 3},
    {"%x %X %o", {0xab | UINT64_C(0xab) << 32, 8}, "ab AB 10", 3},
    {"%5d|%-5d|%05d|%+d", {1 | UINT64_C(1) << 32, 1 | UINT64_C(1) << 32}, "    1|1    |00001|+1", 4},
    {"% d|%#x|%--d", {1 | UINT64_C(16) << 32, 3}, " 1|0x10|3", 3},
    {"%*d|%-*d|", {4 | UINT64_C(7) << 32, 3 | UINT64_C(8) << 32}, "   7|8  |", 2},
    {"%*d|", {UINT64_C(7) << 32 | 0xfffffffd}, "7  |", 1},
    {"%.3d|%.*d", {5 | UINT64_C(2) << 32, 7}, "005|07", 2},
    {"%.*d", {0xffffffff | UINT64_C(7) << 32}, "7", 1},
    {"%hd %hhd %hhhd", {0x10001 | UINT64_C(0x101) << 32, 0x102}, "1 1 2", 3},
    {"%lld %ld %zu %jd %td", {1, 2, 3, 4, 5}, "1 2 3 4 5", 5},
    {"%qd %Lf", {6, PI}, "6 3.141593", 2},
    {"%e %E %f %F", {PI, PI, PI, PI}, "3.141593e+00 3.141593E+00 3.141593 3.141593", 4},
    {"%g %G %a %A", {PI, PI, PI, PI}, "3.14159 3.14159 0x1.921fb54442d18p+1 0X1.921FB54442D18P+1", 4},
    {"%c|%3c|%-3c|", {'a' | (uint64_t)'b' << 32, 'c'}, "a|  b|c  |", 3},
    {"%s|%5s|%-5s|%.2s", {WORD_AT, WORD_AT, WORD_AT, WORD_AT}, "abc|  abc|abc  |ab", 4},
    {"%s %s %.9s", {0, 4096, WORD_AT}, "(null) (bad pointer) abc", 3},
    {"%p|%-8p|", {0x12, 0x34}, "0x12|0x34    |", 2},
    {"%n%d", {1, 3}, "3", 2},
    {"100%% %y %", {0}, "100% %y ", 0},
    {"%", {0}, "", 0},
    {"%-", {0}, "", 0},
    {"%5", {0}, "", 0},
    {"%.", {0}, "", 0},
    {"%ll", {0}, "", 0},
};

#define PRINTF ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);"
#define PRINT                                                                                                \
	"{ .param .b64 f; st.param.b64 [f], %rd2; .param .b64 a; st.param.b64 [a], %rd3; .param .b32 q; "    \
	"call.uni (q), vprintf, (f, a); ld.param.b32 %r2, [q]; }\ncvt.s64.s32 %rd0, %r2;"

/* The buffer has the format at 1024, arguments at 2048 and a word at 3072. */
static uint64_t print_row(struct fixture *f, const struct print_row *row, const struct snippet *s)
{
	uint64_t args[8];
	for (unsigned i = 0; i < 8; i++)
		args[i] = row->args[i] == WORD_AT ? DEVICE_WINDOW + 3072 : row->args[i];
	strcpy(device_host(DEVICE_WINDOW + 1024), row->format);
	memcpy(device_host(DEVICE_WINDOW + 2048), args, sizeof args);
	strcpy(device_host(DEVICE_WINDOW + 3072), "abc");
	f->printed_bytes = 0;
	memset(f->printed, 0, sizeof f->printed);
	return snippet_run(f, s, 1);
}

TEST(printf_knows_every_conversion)
{
	struct snippet s = {.body = "add.u64 %rd2, %rd1, 1024; add.u64 %rd3, %rd1, 2048;\n" PRINT,
	                    .globals = PRINTF};
	unsigned wrong = 0;
	for (size_t i = 0; i < sizeof prints / sizeof *prints; i++) {
		struct fixture *f = snippet_new(&s, NULL);
		uint64_t got = print_row(f, &prints[i], &s);
		bool right = f->status == EXEC_DONE && !strcmp(f->printed, prints[i].want) &&
		             got == (uint64_t)prints[i].count;
		if (!right)
			printf("# '%s' gave '%s', %d\n", prints[i].format, f->printed, (int)got);
		wrong += !right;
		fixture_free(f);
	}
	CHECK_EQ(wrong, 0);
}

static const struct snippet broken[] = {
    GIVES(UINT64_MAX, "mov.u64 %rd2, 0; mov.u64 %rd3, %rd1;" PRINT, .globals = PRINTF),
    GIVES(UINT64_MAX, "mov.u64 %rd2, 4096; mov.u64 %rd3, %rd1;" PRINT, .globals = PRINTF),
    GIVES(UINT64_MAX, "st.global.u32 [%rd1], 0x20207825; mov.u64 %rd2, %rd1; mov.u64 %rd3, 4096;" PRINT,
          .globals = PRINTF),
    /* "%x" whose argument is nowhere, and in the CTA's and the thread's own memory. */
    GIVES(UINT64_MAX, "st.global.u32 [%rd1], 0x7825; mov.u64 %rd2, %rd1; mov.u64 %rd3, 4096;" PRINT,
          .globals = PRINTF),
    GIVES(1,
          "st.global.u32 [%rd1], 0x7825; mov.u64 %rd2, %rd1; st.shared.u32 [room], 1; "
          "cvta.shared.u64 %rd3, room;" PRINT,
          .globals = PRINTF),
    GIVES(UINT64_MAX,
          "st.global.u32 [%rd1], 0x7825; mov.u64 %rd2, %rd1; cvta.shared.u64 %rd3, room; "
          "add.u64 %rd3, %rd3, 2048;" PRINT,
          .globals = PRINTF),
    GIVES(UINT64_MAX,
          "st.global.u32 [%rd1], 0x7825; mov.u64 %rd2, %rd1; cvta.local.u64 %rd3, own; "
          "add.u64 %rd3, %rd3, 0x100000;" PRINT,
          .globals = PRINTF),
};

TEST(printf_of_what_is_not_there_says_so)
{
	CHECK_SNIPPETS(broken, 1);
}

TEST(a_field_has_4096_places_at_most_and_goes_on_in_parts)
{
	struct print_row row = {"#%4096d%99999d\n", {1 | UINT64_C(2) << 32}, "", 2};
	struct snippet s = {.body = "add.u64 %rd2, %rd1, 1024; add.u64 %rd3, %rd1, 2048;\n" PRINT,
	                    .globals = PRINTF};
	struct fixture *f = snippet_new(&s, NULL);
	CHECK_EQ(print_row(f, &row, &s), 2);
	/* 1 + 4096 + 4096 + 1 characters in parts of 4608, of which the fixture keeps what it has room for. */
	CHECK_EQ(f->printed_bytes, 2 * 4097 - 4608);
	CHECK(!strcmp(f->printed + f->printed_bytes - 3, " 2\n"));
	fixture_free(f);
}

/* Without a listener, kernels print as the program does. */
TEST(what_nobody_listens_to_goes_to_stdout)
{
	struct print_row row = {"%d here\n", {7}, "", 1};
	struct snippet s = {.body = "add.u64 %rd2, %rd1, 1024; add.u64 %rd3, %rd1, 2048;\n" PRINT,
	                    .globals = PRINTF};
	struct fixture *f = snippet_new(&s, NULL);
	FILE *file = tmpfile();
	char got[64] = "";
	CHECK(file);
	fflush(stdout);
	int own = dup(1);
	dup2(fileno(file), 1);
	f->exec->options.print = NULL;
	uint64_t count = print_row(f, &row, &s);
	fflush(stdout);
	dup2(own, 1);
	close(own);
	rewind(file);
	CHECK(fgets(got, sizeof got, file));
	fclose(file);
	CHECK(!strcmp(got, "7 here\n"));
	CHECK_EQ(count, 1);
	fixture_free(f);
}

/* ---- assert ---------------------------------------------------------------------------------------------- */

TEST(an_assertion_with_bad_pointers_is_still_told)
{
	static const struct snippet rows[] = {
	    FAULTS(
	        "(null):0: (null): block: [0,0,0], thread: [0,0,0] Assertion `(bad pointer)` failed",
	        "mov.u64 %rd2, 4096; mov.u64 %rd3, 0;\n{ .param .b64 a; st.param.b64 [a], %rd2; .param .b64 b; "
	        "st.param.b64 [b], %rd3; call.uni __assertfail, (a, b); }",
	        .globals = ".extern .func __assertfail(.param .b64 m, .param .b64 f);"),
	    FAULTS("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` failed",
	           "mov.u32 %r3, 0x61616161; mov.u32 %r4, 0;\nL: mul.wide.u32 %rd3, %r4, 4; "
	           "add.u64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r3; add.u32 %r4, %r4, 1; "
	           "setp.lt.u32 %p1, %r4, 64; @%p1 bra L;\n{ .param .b64 a; st.param.b64 [a], %rd1; "
	           "call.uni __assertfail, (a); }",
	           .globals = ".extern .func __assertfail(.param .b64 m);"),
	};
	CHECK_SNIPPETS(rows, 1);
}

TEST_RUN_ALL(true)
