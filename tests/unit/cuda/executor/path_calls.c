/* Function calls: parameters by value, structs, recursion on the stack, indirect calls, the runtime's functions. */
#include <math.h>

#include "lib/exec_fixture.h"

#define REGS ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .f32 %f<9>; .reg .b64 %rd<30>;\n"
#define OUT                                                                                                  \
	"mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [out]; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd1, %rd2, "     \
	"%rd3;\n"
#define KERNEL(name) ".visible .entry " name "(.param .u64 out)\n{\n" REGS OUT
#define STORE "st.global.u32 [%rd1], %r10; ret;\n}\n"

static uint32_t *run(const char *text, const char *kernel, struct fixture **fixture)
{
	struct fixture *f = *fixture = fixture_new(text, NULL);
	uint64_t out = fixture_buffer(f, 64 * 4);
	return fixture_launch(f, kernel, (struct grid){1, 64, 0}, out, 0, 0) == EXEC_DONE ? device_host(out)
	                                                                                  : NULL;
}

static const char divergent_return[] =
    PTX_HEAD ".func (.param .b32 ret) pick(.param .b32 a)\n{\n" REGS
             "ld.param.u32 %r1, [a]; setp.lt.u32 %p1, %r1, 10; @%p1 bra LOW; mul.lo.s32 %r2, %r1, 3; "
             "st.param.b32 [ret], %r2; ret;\n"
             "LOW: mov.u32 %r3, 7; st.param.b32 [ret], %r3; ret;\n}\n" KERNEL(
                 "divergent") "{ .param .b32 param0; st.param.b32 [param0], %r1; .param .b32 retval0;\n"
                              "call.uni (retval0), pick, (param0); ld.param.b32 %r10, [retval0]; }\nadd.s32 "
                              "%r10, %r10, 1;\n" STORE;

TEST(lanes_that_return_at_different_places_meet_behind_the_call)
{
	struct fixture *f;
	uint32_t *out = run(divergent_return, "divergent", &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], i < 10 ? 8 : 3 * i + 1);
	/* 4 + 4 of the kernel before and behind, 4 + 3 + 2 of the function, at most. */
	CHECK(exec_totals(f->exec).warp_insns <= 2 * (4 + 3 + 5 + 9));
	fixture_free(f);
}

/* fib(n), each level with a variable on its stack. */
static const char fibonacci[] =
    PTX_HEAD ".func (.param .b32 ret) fib(.param .b32 n)\n{\n.local .align 8 .b8 frame[16];\n" REGS
             "ld.param.u32 %r1, [n]; mov.u64 %rd1, frame; cvta.local.u64 %rd2, %rd1; st.u32 [%rd2+4], %r1;\n"
             "setp.lt.u32 %p1, %r1, 2; @%p1 bra BASE; add.s32 %r2, %r1, -1;\n"
             "{ .param .b32 p; st.param.b32 [p], %r2; .param .b32 q; call.uni (q), fib, (p); ld.param.b32 "
             "%r3, [q]; }\n"
             "ld.local.u32 %r4, [frame+4]; add.s32 %r5, %r4, -2;\n"
             "{ .param .b32 p; st.param.b32 [p], %r5; .param .b32 q; call.uni (q), fib, (p); ld.param.b32 "
             "%r6, [q]; }\n"
             "add.s32 %r7, %r3, %r6; st.param.b32 [ret], %r7; ret; BASE: ld.u32 %r8, [%rd2+4]; st.param.b32 "
             "[ret], %r8; ret;\n}\n" KERNEL(
                 "recursion") "and.b32 %r5, %r1, 7; { .param .b32 p; st.param.b32 [p], %r5; .param .b32 q;\n"
                              "call.uni (q), fib, (p); ld.param.b32 %r10, [q]; }\n" STORE;

TEST(recursion_keeps_a_frame_per_call_and_lane)
{
	static const unsigned want[8] = {0, 1, 1, 2, 3, 5, 8, 13};
	struct fixture *f;
	uint32_t *out = run(fibonacci, "recursion", &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], want[i & 7]);
	fixture_free(f);
}

static const char endless[] = PTX_HEAD ".func down()\n{\ncall.uni down, (); ret;\n}\n" KERNEL(
    "endless") "call.uni down, (); mov.u32 %r10, 1;\n" STORE;

TEST(recursion_without_end_overflows_the_stack)
{
	struct fixture *f;
	CHECK(!run(endless, "endless", &f));
	CHECK_EQ(f->status, EXEC_STACK_OVERFLOW);
	CHECK(strstr(f->err.text, "16384 bytes"));
	fixture_free(f);
}

static const char indirect[] = PTX_HEAD
    ".func (.param .b32 r) twice(.param .b32 a)\n{\n" REGS
    "ld.param.u32 %r1, [a]; shl.b32 %r1, %r1, 1; st.param.b32 [r], %r1; ret;\n}\n"
    ".func (.param .b32 r) plus(.param .b32 a)\n{\n" REGS
    "ld.param.u32 %r1, [a]; add.s32 %r1, %r1, 100; st.param.b32 [r], %r1; ret;\n}\n"
    ".global .align 8 .u64 table[2] = {twice, plus};\n" KERNEL(
        "indirect") "and.b32 %r5, %r1, 1; mul.wide.u32 %rd5, %r5, 8; mov.u64 %rd6, table; add.s64 %rd6, "
                    "%rd6, %rd5; ld.global.u64 %rd7, [%rd6];\n"
                    "{ .param .b32 p; st.param.b32 [p], %r1; .param .b32 q; proto: .callprototype (.param "
                    ".b32 _) _ (.param .b32 _);\n"
                    "call (q), %rd7, (p), proto; ld.param.b32 %r10, [q]; }\nadd.s32 %r10, %r10, 1;\n" STORE;

TEST(an_indirect_call_serves_lanes_with_different_targets)
{
	struct fixture *f;
	uint32_t *out = run(indirect, "indirect", &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], 1 + (i & 1 ? i + 100 : 2 * i));
	fixture_free(f);
}

static const char wild[] = PTX_HEAD KERNEL(
    "wild") "mov.u64 %rd5, 4096; pr: .callprototype _ (); call %rd5, (), pr; mov.u32 %r10, 1;\n" STORE;

TEST(an_indirect_call_to_nowhere_is_reported)
{
	struct fixture *f;
	CHECK(!run(wild, "wild", &f));
	CHECK_EQ(f->status, EXEC_ILLEGAL_INSTRUCTION);
	CHECK(strstr(f->err.text, "0x1000"));
	fixture_free(f);
}

static const char structs[] =
    PTX_HEAD ".func (.param .align 4 .b8 r[12]) swap(.param .align 4 .b8 s[12])\n{\n" REGS
             "ld.param.u32 %r1, [s]; ld.param.u32 %r2, [s+4]; ld.param.u8 %r3, [s+8]; st.param.b32 [r], %r2; "
             "st.param.b32 [r+4], %r1; st.param.b32 [r+8], %r3; ret;\n}\n" KERNEL(
                 "structs") "add.s32 %r5, %r1, 1000; mov.u32 %r6, 0x1ff; { .param .align 4 .b8 p[12]; "
                            "st.param.b32 [p], %r1;\n"
                            "st.param.b32 [p+4], %r5; st.param.b32 [p+8], %r6; .param .align 4 .b8 q[12]; "
                            "call.uni (q), swap, (p);\n"
                            "ld.param.b32 %r7, [q]; ld.param.b32 %r8, [q+4]; ld.param.b32 %r9, [q+8]; "
                            "}\nsub.s32 %r10, %r7, %r8; add.s32 %r10, %r10, %r9;\n" STORE;

TEST(structs_travel_by_value)
{
	struct fixture *f;
	uint32_t *out = run(structs, "structs", &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], 1000 + 255);
	fixture_free(f);
}

static const char by_address[] = PTX_HEAD
    ".visible .entry by_address(.param .u64 out, .param .align 4 .b8 s[16], .param .u8 small)\n{\n" REGS OUT
    "mov.b64 %rd5, s; and.b32 %r5, %r1, 3; mul.wide.u32 %rd6, %r5, 4; add.s64 %rd7, %rd5, %rd6; ld.param.u32 "
    "%r10, [%rd7];\n"
    "ld.param.s8 %r6, [small]; add.s32 %r10, %r10, %r6; ld.param.v2.u32 {%r7, %r8}, [s+8]; add.s32 %r10, "
    "%r10, %r8;\n" STORE;

TEST(kernel_parameters_are_read_by_name_and_by_address)
{
	struct fixture *f = fixture_new(by_address, NULL);
	uint64_t out = fixture_buffer(f, 256);
	uint32_t s[4] = {10, 20, 30, 40};
	int8_t small = -3;
	void *args[3] = {&out, s, &small};
	CHECK_EQ(fixture_run(f, "by_address", (struct grid){1, 64, 0}, args), EXEC_DONE);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(((uint32_t *)device_host(out))[i], 10 * (1 + (i & 3)) - 3 + 40);
	fixture_free(f);
}

/* ---- functions that run natively ------------------------------------------------------------------------ */

static const char library[] = PTX_HEAD
    ".extern .func (.param .b32 r) __nv_sqrtf(.param .b32 x);\n.extern .func __nv_sincosf(.param .b32 x, "
    ".param .b64 s, .param .b64 c);\n" KERNEL(
        "library") ".local .align 4 .b8 both[8]; cvt.rn.f32.u32 %f1, %r1; { .param .b32 p; st.param.f32 [p], "
                   "%f1; .param .b32 q;\n"
                   "call.uni (q), __nv_sqrtf, (p); ld.param.f32 %f2, [q]; }\nmov.u64 %rd5, both; "
                   "cvta.local.u64 %rd6, %rd5; add.s64 %rd7, %rd6, 4;\n"
                   "{ .param .b32 a; st.param.f32 [a], %f1; .param .b64 b; st.param.b64 [b], %rd6; .param "
                   ".b64 c; st.param.b64 [c], %rd7;\n"
                   "call.uni __nv_sincosf, (a, b, c); }\nld.local.f32 %f3, [both]; ld.local.f32 %f4, "
                   "[both+4]; mul.rn.f32 %f3, %f3, %f3;\n"
                   "fma.rn.f32 %f3, %f4, %f4, %f3; add.f32 %f2, %f2, %f3; mov.b32 %r10, %f2;\n" STORE;

TEST(device_library_functions_give_results_and_store_outputs)
{
	struct fixture *f;
	uint32_t *out = run(library, "library", &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++) {
		float got;
		memcpy(&got, &out[i], sizeof got);
		CHECK(fabsf(got - (sqrtf((float)i) + 1.0f)) < 1e-5f);
	}
	fixture_free(f);
}

static const char undefined[] = PTX_HEAD ".extern .func nowhere_at_all();\n" KERNEL(
    "undefined") "setp.lt.u32 %p1, %r1, 99; @%p1 bra END; call.uni nowhere_at_all, ();\nEND: mov.u32 %r10, "
                 "1;\n" STORE KERNEL("reaches") "call.uni nowhere_at_all, (); mov.u32 %r10, 1;\n" STORE;

TEST(an_undefined_function_is_named_when_it_is_reached)
{
	struct fixture *f;
	CHECK(run(undefined, "undefined", &f));
	fixture_free(f);
	CHECK(!run(undefined, "reaches", &f));
	CHECK_EQ(f->status, EXEC_ILLEGAL_INSTRUCTION);
	CHECK(strstr(f->err.text, "nowhere_at_all"));
	fixture_free(f);
}

static const char heap[] = PTX_HEAD
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n" KERNEL(
        "heap") "mov.u64 %rd5, 24; { .param .b64 p; st.param.b64 [p], %rd5; .param .b64 q; call.uni (q), "
                "malloc, (p); ld.param.b64 %rd6, [q]; }\n"
                "st.u32 [%rd6+20], %r1; ld.u32 %r10, [%rd6+20]; { .param .b64 p; st.param.b64 [p], %rd6; "
                "call.uni free, (p); }\n"
                "setp.eq.u64 %p1, %rd6, 0; @%p1 mov.u32 %r10, 9999;\n" STORE;

TEST(device_malloc_gives_each_lane_its_own_block)
{
	struct fixture *f;
	uint32_t *out = run(heap, "heap", &f);
	CHECK(out);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(out[i], i);
	fixture_free(f);
}

static const char printing[] =
    PTX_HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
             ".global .align 1 .b8 word[4] = {97, 98, 99, 0};\n"
             ".global .align 1 .b8 text[44] = {37, 100, 124, 37, 45, 53, 115, 124, 37, 46, 50, 102, 124, 37, "
             "108, 108, 120, 124, 37, 110, 37, 99, 124, 37, 37, 37, 52, 100, 10, 0};\n" KERNEL(
                 "printing") ".local .align 8 .b8 args[64]; setp.gt.u32 %p1, %r1, 1; @%p1 bra END;\n"
                             "mov.u64 %rd5, args; cvta.local.u64 %rd6, %rd5; st.local.u32 [args], -5; "
                             "mov.u64 %rd7, word; cvta.global.u64 %rd7, %rd7; st.local.u64 [args+8], %rd7;\n"
                             "mov.b64 %rd8, 0d400921FB54442D18; st.local.u64 [args+16], %rd8; st.local.u64 "
                             "[args+24], 0x123456789a; st.local.u64 [args+32], 1; st.local.u32 [args+40], "
                             "90; st.local.u32 [args+44], %r1;\n"
                             "mov.u64 %rd9, text; cvta.global.u64 %rd9, %rd9; { .param .b64 f; st.param.b64 "
                             "[f], %rd9; .param .b64 a; st.param.b64 [a], %rd6; .param .b32 q;\n"
                             "call.uni (q), vprintf, (f, a); ld.param.b32 %r10, [q]; }\n"
                             "END:\n" STORE;

TEST(printf_formats_in_lane_order_and_ignores_n)
{
	struct fixture *f;
	CHECK(run(printing, "printing", &f));
	CHECK(!strcmp(f->printed, "-5|abc  |3.14|123456789a|Z|%   0\n-5|abc  |3.14|123456789a|Z|%   1\n"));
	fixture_free(f);
}

static const char asserting[] = PTX_HEAD
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"
    ".global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};\n.global .align 1 .b8 file[5] = {97, 46, "
    "99, 117, 0};\n" KERNEL(
        "asserting") "setp.ne.u32 %p1, %r1, 37; @%p1 bra END; mov.u64 %rd5, message; mov.u64 %rd6, file; "
                     "mov.u32 %r5, 12; mov.u64 %rd7, 1;\n"
                     "{ .param .b64 a; st.param.b64 [a], %rd5; .param .b64 b; st.param.b64 [b], %rd6; .param "
                     ".b32 c; st.param.b32 [c], %r5; .param .b64 d; st.param.b64 [d], %rd6; .param .b64 e; "
                     "st.param.b64 [e], %rd7;\n"
                     "call.uni __assertfail, (a, b, c, d, e); }\nEND: mov.u32 %r10, 1;\n" STORE;

TEST(a_failed_assertion_ends_the_launch_with_its_text)
{
	struct fixture *f;
	CHECK(!run(asserting, "asserting", &f));
	CHECK_EQ(f->status, EXEC_ASSERT);
	CHECK(
	    strstr(f->err.text, "a.cu:12: a.cu: block: [0,0,0], thread: [37,0,0] Assertion `x > 0` failed"));
	fixture_free(f);
}

TEST_RUN_ALL(true)
