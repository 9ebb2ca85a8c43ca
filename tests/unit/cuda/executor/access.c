/* Memory of the guest: spaces, widths, atomics, and what happens outside of it. */
#include "lib/exec_fixture.h"

#define REGS                                                                                                 \
	".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b64 "  \
	"%rd<30>;\n"
/* %rd1: out + 8 * thread */
#define OUT                                                                                                  \
	"mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [out]; mul.wide.s32 %rd3, %r1, 8; add.s64 %rd1, %rd2, "     \
	"%rd3;\n"
#define KERNEL(name) ".visible .entry " name "(.param .u64 out, .param .u64 in, .param .u64 n)\n{\n" REGS OUT
#define FILE_LINE ".file 1 \"dir/a.cu\"\n"

static struct fixture *f;
static uint64_t out, in;

static uint64_t *run(const char *text, const char *kernel, struct grid g)
{
	f = fixture_new(text, NULL);
	out = fixture_buffer(f, 64 * 8);
	in = fixture_buffer(f, 4096);
	for (unsigned i = 0; i < 4096; i++)
		((uint8_t *)device_host(in))[i] = (uint8_t)(i * 7 + 128);
	return fixture_launch(f, kernel, g, out, in, 64) == EXEC_DONE ? device_host(out) : NULL;
}

static const char widths[] = PTX_HEAD KERNEL(
    "widths") "ld.param.u64 %rd5, [in]; mul.wide.u32 %rd6, %r1, 8; add.s64 %rd7, %rd5, %rd6; ld.global.u8 "
              "%h1, [%rd7]; ld.global.s8 %r5, [%rd7+1];\n"
              "ld.global.s16 %rd8, [%rd7+2]; ld.global.v2.u16 {%h2, %h3}, [%rd7+4]; cvt.u32.u16 %r6, %h1; "
              "cvt.u32.u16 %r7, %h3; add.s32 %r5, %r5, %r6; add.s32 %r5, %r5, %r7;\n"
              "cvt.s64.s32 %rd9, %r5; add.s64 %rd9, %rd9, %rd8; st.global.v2.u32 [%rd1], {%r1, %r1}; "
              "st.global.u64 [%rd1], %rd9; st.global.u8 [%rd1+7], %r1; ret;\n}\n";

TEST(loads_extend_and_stores_cut_by_type)
{
	const uint64_t *got = run(widths, "widths", (struct grid){1, 40, 0});
	CHECK(got);
	for (unsigned i = 0; i < 40; i++) {
		const uint8_t *b = (uint8_t *)device_host(in) + 8 * i;
		int16_t s16;
		uint16_t u16;
		memcpy(&s16, b + 2, 2);
		memcpy(&u16, b + 6, 2);
		uint64_t want = (uint64_t)(int64_t)(b[0] + (int8_t)b[1] + u16 + s16);
		want = (want & 0x00ffffffffffffff) | (uint64_t)i << 56;
		CHECK(got[i] == want);
	}
	fixture_free(f);
}

/* One pointer per lane: to global, shared or local memory, by lane modulo 3. */
static const char mixed[] =
    PTX_HEAD ".visible .entry mixed(.param .u64 out, .param .u64 in, .param .u64 n)\n{\n.shared .align 8 .b8 "
             "sh[512]; .local .align 8 .b8 lo[16];\n" REGS OUT
             "mov.u64 %rd5, sh; cvta.shared.u64 %rd5, %rd5; add.s64 %rd5, %rd5, %rd3; mov.u64 %rd6, lo; "
             "cvta.local.u64 %rd6, %rd6; ld.param.u64 %rd7, [in]; add.s64 %rd7, %rd7, %rd3;\n"
             "rem.u32 %r5, %r1, 3; setp.eq.u32 %p1, %r5, 0; setp.eq.u32 %p2, %r5, 1; selp.b64 %rd8, %rd5, "
             "%rd6, %p2; selp.b64 %rd8, %rd7, %rd8, %p1;\n"
             "cvt.u64.u32 %rd9, %r1; st.u64 [%rd8], %rd9; atom.add.u64 %rd10, [%rd8], 1000; ld.u64 %rd11, "
             "[%rd8]; isspacep.shared %p3, %rd8; isspacep.local %p4, %rd8; isspacep.global %p5, %rd8;\n"
             "@%p3 add.s64 %rd11, %rd11, 10000; @%p4 add.s64 %rd11, %rd11, 20000; @%p5 add.s64 %rd11, %rd11, "
             "30000; st.global.u64 [%rd1], %rd11; ret;\n}\n";

TEST(generic_addresses_of_one_warp_reach_three_spaces)
{
	const uint64_t *got = run(mixed, "mixed", (struct grid){1, 64, 0});
	CHECK(got);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(got[i], i + 1000 + (i % 3 == 0 ? 30000 : i % 3 == 1 ? 10000 : 20000));
	fixture_free(f);
}

static const char dynamic[] = PTX_HEAD
    ".extern .shared .align 4 .b8 dyn[];\n.const .align 4 .u32 scale[3] = {2, 3, 5};\n.global .align 8 .u64 "
    "where = scale;\n" KERNEL(
        "dynamic") "mov.u32 %r5, dyn; shl.b32 %r6, %r1, 2; add.s32 %r7, %r5, %r6; st.shared.u32 [%r7], %r1; "
                   "bar.sync 0; xor.b32 %r8, %r6, 4; add.s32 %r8, %r8, %r5; ld.shared.u32 %r9, [%r8];\n"
                   "rem.u32 %r10, %r1, 3; mul.wide.u32 %rd5, %r10, 4; mov.u64 %rd6, scale; add.s64 %rd6, "
                   "%rd6, %rd5; ld.const.u32 %r11, [%rd6]; mul.lo.s32 %r9, %r9, %r11;\n"
                   "ld.global.u64 %rd7, [where]; ld.u32 %r12, [%rd7+8]; add.s32 %r9, %r9, %r12; cvt.u64.u32 "
                   "%rd8, %r9; st.global.u64 [%rd1], %rd8; ret;\n}\n";

TEST(dynamic_shared_and_constant_memory_and_initialisers_work)
{
	static const unsigned scale[3] = {2, 3, 5};
	const uint64_t *got = run(dynamic, "dynamic", (struct grid){1, 64, 256});
	CHECK(got);
	for (unsigned i = 0; i < 64; i++)
		CHECK_EQ(got[i], (i ^ 1) * scale[i % 3] + 5);
	fixture_free(f);
}

/* ---- atomics -------------------------------------------------------------------------------------------- */

static const char atomics[] = PTX_HEAD KERNEL(
    "atomics") "ld.param.u64 %rd5, [in]; add.s32 %r5, %r1, 1; cvt.rn.f32.u32 %f1, %r5; cvt.rn.f64.u32 %d1, "
               "%r5; sub.s32 %r6, 20, %r1; cvt.u64.u32 %rd6, %r5; cvt.s64.s32 %rd7, %r6;\n"
               "atom.global.add.u32 %r10, [%rd5], %r5; atom.global.min.s32 %r11, [%rd5+4], %r6; "
               "atom.global.max.u32 %r12, [%rd5+8], %r5; atom.global.inc.u32 %r13, [%rd5+12], 9;\n"
               "atom.global.dec.u32 %r14, [%rd5+16], 9; atom.global.and.b32 %r15, [%rd5+20], %r6; "
               "atom.global.or.b32 %r15, [%rd5+24], %r5; atom.global.xor.b32 %r15, [%rd5+28], %r5;\n"
               "atom.global.exch.b32 %r16, [%rd5+32], %r5; atom.global.cas.b32 %r17, [%rd5+36], %r1, %r5; "
               "red.global.add.f32 [%rd5+40], %f1; atom.global.add.u64 %rd8, [%rd5+48], %rd6;\n"
               "atom.global.min.s64 %rd9, [%rd5+56], %rd7; atom.global.add.f64 %d2, [%rd5+64], %d1; "
               "atom.global.cas.b64 %rd10, [%rd5+72], 0, 77; atom.global.exch.b64 %rd11, [%rd5+80], %rd6;\n"
               "mov.u32 %r20, 0x3c003800; atom.global.add.noftz.f16x2 %r21, [%rd5+88], %r20; "
               "atom.global.max.u64 %rd12, [%rd5+96], %rd6;\n"
               "cvt.u64.u32 %rd20, %r10; st.global.u64 [%rd1], %rd20; ret;\n}\n";

TEST(atomics_act_lane_by_lane_in_order)
{
	f = fixture_new(atomics, NULL);
	out = fixture_buffer(f, 512);
	uint64_t at = fixture_buffer(f, 128);
	uint32_t *m = device_host(at);
	uint64_t *m64 = device_host(at);
	m[1] = 5, m[4] = 3, m[5] = ~0u, m[9] = 0;
	m64[7] = 3;
	CHECK_EQ(fixture_launch(f, "atomics", (struct grid){1, 32, 0}, out, at, 0), EXEC_DONE);
	CHECK_EQ(m[0], 528);
	CHECK_EQ((int32_t)m[1], -11);
	CHECK_EQ(m[2], 32);
	CHECK_EQ(m[3], 32 % 10);
	CHECK_EQ(m[4], 1); /* 3 2 1 0 9 8 ... */
	uint32_t all = ~0u, any = 0, odd = 0;
	for (unsigned i = 0; i < 32; i++)
		all &= 20 - i, any |= i + 1, odd ^= i + 1;
	CHECK(m[5] == all && m[6] == any && m[7] == odd);
	CHECK_EQ(m[8], 32);
	CHECK_EQ(m[9], 32);
	float sum;
	memcpy(&sum, &m[10], 4);
	CHECK(sum == 528.0f);
	CHECK_EQ(m64[6], 528);
	CHECK_EQ((int64_t)m64[7], -11);
	double dsum;
	memcpy(&dsum, &m64[8], 8);
	CHECK(dsum == 528.0);
	CHECK_EQ(m64[9], 77);
	CHECK_EQ(m64[10], 32);
	CHECK_EQ(m[22], 0x50004c00); /* 32 x 0.5 = 16, 32 x 1 = 32 */
	CHECK_EQ(m64[12], 32);
	for (unsigned i = 0; i < 32; i++)
		CHECK_EQ(((uint64_t *)device_host(out))[i], i * (i + 1) / 2);
	fixture_free(f);
}

/* ---- faults --------------------------------------------------------------------------------------------- */

/* clang-format off */
static const char faults[] =
    PTX_HEAD FILE_LINE
    KERNEL("past_end")
        ".loc 1 17 3\nld.param.u64 %rd5, [in]; add.s64 %rd6, %rd5, 4000; add.s64 %rd7, %rd6, "
        "%rd3; ld.global.u64 %rd8, [%rd7]; st.global.u64 [%rd1], %rd8; ret;\n}\n"
    KERNEL("null")
        "mov.u64 %rd5, 0; setp.eq.u32 %p1, %r1, 5; @%p1 st.global.u32 [%rd5], %r1; ret;\n}\n"
    KERNEL("crooked")
        "ld.param.u64 %rd5, [in]; ld.global.u32 %r5, [%rd5+2]; ret;\n}\n"
    KERNEL("shared_end")
        ".shared .align 4 .b8 s[100]; mov.u32 %r5, s; shl.b32 %r6, %r1, 2; add.s32 %r5, %r5, %r6; "
        "st.shared.u32 [%r5], %r1; ret;\n}\n"
    KERNEL("local_end")
        ".local .align 4 .b8 l[16]; mov.u64 %rd5, l; cvta.local.u64 %rd5, %rd5; mul.wide.u32 "
        "%rd6, %r1, 16384; add.s64 %rd5, %rd5, %rd6; st.u32 [%rd5], %r1; ret;\n}\n"
    KERNEL("traps")
        "setp.eq.u32 %p1, %r1, 3; @%p1 trap; ret;\n}\n";
/* clang-format on */

TEST(an_access_past_an_allocation_is_reported_with_all_that_is_known)
{
	CHECK(!run(faults, "past_end", (struct grid){1, 64, 0}));
	CHECK_EQ(f->status, EXEC_ILLEGAL_ADDRESS);
	CHECK(strstr(f->err.text, "0 bytes past the end of an allocation of 4096 bytes"));
	CHECK(strstr(f->err.text, "kernel past_end, dir/a.cu:17, 'ld.global.u64 %rd8, [%rd7]', CTA (0,0,0), "
	                          "warp 0, lanes 0xfffff000"));
	CHECK(strstr(f->err.text, "lane 12 at 0x"));
	fixture_free(f);
}

TEST(faults_of_every_space_are_told_apart)
{
	static const struct {
		const char *kernel;
		enum exec_status status;
		const char *text;
	} want[] = {
	    {"null", EXEC_ILLEGAL_ADDRESS, "null pointer"},
	    {"crooked", EXEC_MISALIGNED, "not a multiple of 4"},
	    {"shared_end", EXEC_ILLEGAL_ADDRESS,
	     "4-byte shared store: lane 25 at 0x64, the CTA has 100 bytes"},
	    {"local_end", EXEC_ILLEGAL_ADDRESS, "4-byte local store: lane 1"},
	    {"traps", EXEC_ILLEGAL_INSTRUCTION, "trap: kernel traps"},
	};
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
		CHECK(!run(faults, want[i].kernel, (struct grid){1, 32, 0}));
		CHECK_EQ(f->status, want[i].status);
		CHECK(strstr(f->err.text, want[i].text));
		fixture_free(f);
	}
}

TEST(a_released_allocation_is_no_longer_reached)
{
	f = fixture_new(widths, NULL);
	uint64_t a = fixture_buffer(f, 4096), b = fixture_buffer(f, 512);
	CHECK_EQ(fixture_launch(f, "widths", (struct grid){1, 32, 0}, b, a, 0), EXEC_DONE);
	device_memory_release(f->memory, a);
	CHECK_EQ(fixture_launch(f, "widths", (struct grid){1, 32, 0}, b, a, 0), EXEC_ILLEGAL_ADDRESS);
	fixture_free(f);
}

/* ---- races ---------------------------------------------------------------------------------------------- */

static const char races[] = PTX_HEAD KERNEL(
    "racy") ".shared .align 4 .b8 s[512]; mov.u32 %r5, s; shl.b32 %r6, %r1, 2; add.s32 %r7, %r5, %r6; "
            "st.shared.u32 [%r7], %r1;\n"
            "xor.b32 %r8, %r6, 128; add.s32 %r8, %r8, %r5;\n ld.shared.u32 %r9, [%r8]; ret;\n}\n" KERNEL(
                "clean") ".shared .align 4 .b8 s[512]; mov.u32 %r5, s; shl.b32 %r6, %r1, 2; add.s32 %r7, "
                         "%r5, %r6; st.shared.u32 [%r7], %r1; bar.sync 0;\n"
                         "xor.b32 %r8, %r6, 128; add.s32 %r8, %r8, %r5;\n ld.shared.u32 %r9, [%r8]; "
                         "atom.shared.add.u32 %r10, [s+400], 1; ret;\n}\n";

TEST(races_between_warps_are_found_and_barriers_end_them)
{
	struct exec_options o = {
	    .warp_size = 32, .sm_count = 1, .ctas_per_sm = 1, .spin_budget = 1 << 20, .check_races = true};
	struct fixture *g = fixture_new(races, &o);
	CHECK_EQ(fixture_launch(g, "clean", (struct grid){1, 64, 0}, 4096, 0, 0), EXEC_DONE);
	CHECK_EQ(exec_totals(g->exec).races, 0);
	CHECK_EQ(fixture_launch(g, "racy", (struct grid){1, 64, 0}, 4096, 0, 0), EXEC_DONE);
	CHECK_EQ(exec_totals(g->exec).races,
	         64); /* 32 words stored behind a load, 32 loaded behind a store */
	const char *text = NULL;
	for (unsigned i = 0; exec_race(g->exec, i); i++)
		text = exec_race(g->exec, i);
	CHECK(text && strstr(text, "kernel racy") && strstr(text, "stores at") && strstr(text, "loads at"));
	fixture_free(g);
}

TEST_RUN_ALL(true)
