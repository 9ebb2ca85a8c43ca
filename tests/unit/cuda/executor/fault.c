/* How faults are reported: their places, mbarriers, copies, the heap, calls, pointers; and reads that pass with a warning. */
#include "lib/exec_snippet.h"

/* ---- places of faults ------------------------------------------------------------------------------------ */

#define BAD "bar.sync 0; ld.global.u32 %r2, [0x10000];"
static const struct snippet places[] = {
    FAULTS("no allocation is near; kernel k, PTX line", BAD),
    FAULTS("kernel k, a.cu:12, 'ld", ".loc 1 12 3\n" BAD, .globals = ".file 1 \"a.cu\"\n.file 2 \"b.h\""),
    FAULTS("kernel k, b.h:7 behind a.cu:12, 'ld", ".loc 1 12 3\nst.global.u32 [%rd1], 1;\n.loc 2 7 1\n" BAD,
           .globals = ".file 1 \"a.cu\"\n.file 2 \"b.h\""),
    FAULTS("PTX line", ".loc 1 12 3\nst.global.u32 [%rd1], 1;\n.loc 9 7 1\n" BAD,
           .globals = ".file 1 \"a.cu\""),
    FAULTS("a.cu:7, 'ld", ".loc 9 12 3\nst.global.u32 [%rd1], 1;\n.loc 1 7 1\n" BAD,
           .globals = ".file 1 \"a.cu\""),
    FAULTS("kernel k, a.cu:5, 'ld", ".loc 1 12 3\ncall.uni f, ();",
           .globals = ".file 1 \"a.cu\"\n.func f()\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n.loc 1 5 1\n" BAD
                      "ret;\n}\n"),
    FAULTS("a null pointer", "mov.u64 %rd2, 8; ld.global.u32 %r2, [%rd2];"),
    FAULTS("64 bytes before an allocation of 4096", "sub.u64 %rd2, %rd1, 64; ld.global.u32 %r2, [%rd2];"),
    FAULTS("past the end of an allocation of 8192", "add.u64 %rd2, %rd1, 99996; ld.global.u32 %r2, [%rd2];"),
    FAULTS("misaligned address of a 4-byte",
           "add.u64 %rd2, %rd1, 4094; ld.global.v2.u16 {%h1, %h2}, [%rd2];"),
    FAULTS("illegal address of a 4-byte const load", "mov.u64 %rd2, 0x10000; ld.const.u32 %r2, [%rd2];"),
    FAULTS("4-byte global atomic", "mov.u64 %rd2, 0x10000; atom.global.add.u32 %r2, [%rd2], 1;"),
    FAULTS("the CTA has 2048 bytes",
           "mov.u32 %r2, 9999; atom.shared.add.u32 %r2, [%r2], 1; st.shared.u32 [room], 1;"),
    FAULTS("the thread has", "mov.u32 %r2, 9999999; ld.local.u32 %r2, [%r2]; st.local.u32 [own], 1;"),
    FAULTS("misaligned address of a 4-byte local load",
           "mov.u32 %r2, 2; ld.local.u32 %r2, [%r2]; st.local.u32 [own], 1;"),
    FAULTS("4-byte local store", "cvta.local.u64 %rd2, own; add.u64 %rd2, %rd2, 0x100000; st.u32 [%rd2], 1;"),
    FAULTS("4-byte shared store", "cvta.shared.u64 %rd2, room; add.u64 %rd2, %rd2, 2046; st.u32 [%rd2], 1;"),
    FAULTS("trap: kernel k", "trap;"),
};

TEST(faults_name_the_line_and_what_is_near)
{
	CHECK_SNIPPETS(places, 1);
}

/* ---- reads that are let pass ----------------------------------------------------------------------------- */

static unsigned warnings;
static char warned[1024];

static void warn(void *user, const char *text)
{
	(void)user;
	warnings++;
	snprintf(warned, sizeof warned, "%s", text);
}

TEST(reads_near_an_allocation_pass_and_are_told_once)
{
	static const struct snippet rows[] = {
	    GIVES(1, "ld.global.u32 %r2, [%rd1+-4]; ld.global.u32 %r3, [%rd1+-8]; mov.u64 %rd0, 1;"),
	    GIVES(1, "mov.u32 %r3, 0; L: ld.global.u32 %r2, [%rd1+1000000]; add.u32 %r3, %r3, 1; "
	             "setp.lt.u32 %p1, %r3, 3; @%p1 bra L; mov.u64 %rd0, 1;"),
	    FAULTS("4-byte global store", "st.global.u32 [%rd1+-4], 1;"),
	    FAULTS("4-byte global atomic", "atom.global.add.u32 %r2, [%rd1+-4], 1;"),
	    FAULTS("4-byte global load", "ld.global.u32 %r2, [%rd1+100000000];"),
	    FAULTS("4-byte global load", "mov.u64 %rd2, 0x10000; ld.global.u32 %r2, [%rd2];"),
	};
	static const unsigned told[] = {2, 1, 0, 0, 0, 0};
	struct exec_options o = {.warp_size = 32,
	                         .sm_count = 1,
	                         .ctas_per_sm = 1,
	                         .spin_budget = 1000000,
	                         .lenient_memory = true,
	                         .warn = warn};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		warnings = 0;
		CHECK_EQ(snippets_wrong(&rows[i], 1, 1, &o), 0);
		CHECK_EQ(warnings, told[i]);
	}
	CHECK(strstr(warned, "illegal address of a 4-byte global load"));
	o.warn = NULL;
	CHECK_EQ(snippets_wrong(&rows[0], 1, 1, &o), 0);
}

#define WORD "cvt.u64.u32 %rd0, %r2;"
#define ROOM "mov.u32 %r2, room;\n"

/* ---- mbarriers ------------------------------------------------------------------------------------------- */

#define INIT(n) ROOM "mbarrier.init.shared.b64 [%r2], " n ";\n"
#define PARITY "mbarrier.test_wait.parity.shared.b64 %p1, [%r2], 0; selp.u64 %rd0, 1, 0, %p1;"

static const struct snippet mbarriers[] = {
    FAULTS("an mbarrier for 0 arrivals, 1 to 1048575 are possible", INIT("0")),
    FAULTS("an mbarrier for 1048576 arrivals", INIT("0x100000")),
    FAULTS("shared", "mov.u32 %r2, 4000; mbarrier.init.shared.b64 [%r2], 1;"),
    FAULTS("4 arrivals at an mbarrier that waits for 3",
           INIT("3") "mbarrier.arrive.shared.b64 %rd2, [%r2], 4;"),
    FAULTS("0 arrivals at an mbarrier that waits for 3",
           INIT("3") "mbarrier.arrive.shared.b64 %rd2, [%r2], 0;"),
    FAULTS("the mbarrier was not initialised",
           INIT("3") "mbarrier.inval.shared.b64 [%r2]; mbarrier.arrive.shared.b64 %rd2, [%r2];"),
    GIVES(
        1,
        INIT(
            "3") "mbarrier.arrive.shared.b64 %rd2, [%r2], 2; "
                 "mbarrier.arrive.noComplete.shared.b64 %rd3, [%r2], 1; mbarrier.pending_count.b64 %r3, %rd3; "
                 "cvt.u64.u32 %rd0, %r3;"),
    GIVES(1, INIT("2") "mbarrier.arrive.shared.b64 _, [%r2], 2;" PARITY),
    GIVES(0, INIT("2") "mbarrier.arrive.shared.b64 _, [%r2], 1;" PARITY),
    /* Bytes that are expected hold a phase open. */
    GIVES(
        0,
        INIT(
            "1") "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r2], 8; mbarrier.arrive.shared.b64 _, [%r2];" PARITY),
    GIVES(
        1,
        INIT("1") "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r2], 8; mbarrier.arrive.shared.b64 _, [%r2]; "
                  "mbarrier.complete_tx.relaxed.cta.shared.b64 [%r2], 8;" PARITY),
    GIVES(0, INIT("1") "mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r2], 8; "
                       "mbarrier.test_wait.shared.b64 %p1, [%r2], %rd2; selp.u64 %rd0, 1, 0, %p1;"),
    /* Who drops out is not waited for in the next phase. */
    GIVES(
        1,
        INIT(
            "3") "mbarrier.arrive_drop.shared.b64 %rd2, [%r2], 2; mbarrier.arrive.shared.b64 %rd2, [%r2]; "
                 "mbarrier.arrive.shared.b64 %rd2, [%r2]; mbarrier.test_wait.parity.shared.b64 %p1, [%r2], 1; "
                 "selp.u64 %rd0, 1, 0, %p1;"),
    GIVES(1, INIT("2") "mbarrier.arrive_drop.expect_tx.shared.b64 %rd2, [%r2], 0; "
                       "mbarrier.arrive.shared.b64 %rd2, [%r2]; mbarrier.pending_count.b64 %r3, %rd2; "
                       "cvt.u64.u32 %rd0, %r3;"),
    GIVES(0, INIT("1") "cp.async.mbarrier.arrive.shared.b64 [%r2];" PARITY),
    GIVES(1, INIT("1") "cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];" PARITY),
    FAULTS("shared",
           "mov.u32 %r2, 4000; cp.async.mbarrier.arrive.shared.b64 [%r2]; st.shared.u32 [room], 1;"),
    FAULTS("shared", "mov.u32 %r2, 4000; mbarrier.test_wait.parity.shared.b64 %p1, [%r2], 0;"),
    FAULTS("misaligned address of a 8-byte shared",
           "mov.u32 %r2, 4; mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; st.shared.u32 [room], 1;"),
    FAULTS("misaligned address of a 8-byte shared",
           "mov.u32 %r2, 4; mbarrier.arrive.shared.b64 %rd2, [%r2]; st.shared.u32 [room], 1;"),
};

TEST(mbarriers_count_and_say_what_is_wrong)
{
	CHECK_SNIPPETS(mbarriers, 1);
}

/* ---- copies ---------------------------------------------------------------------------------------------- */

#define OUTWARD(global, shared, bytes)                                                                       \
	"mov.u32 %r3, " bytes ";\n" ROOM "cp.async.bulk.global.shared::cta.bulk_group [" global              \
	"], [" shared "], %r3;"
#define INWARD(global, shared, bytes, barrier)                                                               \
	INIT("1")                                                                                            \
	"mov.u32 %r3, " bytes                                                                                \
	";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" shared "], [" global        \
	"], %r3, [" barrier "];"

static const struct snippet copies[] = {
    FAULTS("a bulk copy of 12 bytes", OUTWARD("%rd1", "%r2", "12")),
    FAULTS("multiples of 16 expected", OUTWARD("%rd1+8", "%r2", "16")),
    FAULTS("multiples of 16 expected", OUTWARD("%rd1", "%r2+4", "16")),
    FAULTS("illegal address of a bulk copy's shared end", OUTWARD("%rd1", "%r2+2048", "16")),
    FAULTS("illegal address of a bulk copy's shared end", OUTWARD("%rd1", "%r2+2032", "32")),
    FAULTS("illegal address of a bulk copy's global end", OUTWARD("%rd9+4096", "%r2", "16")),
    FAULTS("illegal address of a bulk copy's global end", OUTWARD("%rd1+4080", "%r2", "32")),
    GIVES(77,
          "st.shared.u32 [room+16], 77;" OUTWARD("%rd1+16", "%r2+16", "16") "ld.global.u64 %rd0, [%rd1+16];"),
    FAULTS("illegal address of a bulk copy's mbarrier at 0x4", INWARD("%rd1", "%r2+64", "16", "%r2+4")),
    FAULTS("illegal address of a bulk copy's mbarrier", INWARD("%rd1", "%r2+64", "16", "%r2+2048")),
    FAULTS("a copy reports to an mbarrier that was not initialised", INWARD("%rd1", "%r2+64", "16", "%r2+8")),
    GIVES(UINT64_C(3) << 32 | 2, INWARD("%rd1", "%r2+64", "16", "%r2") "ld.shared.u64 %rd0, [%r2+72];"),
    /* Without its source a copy leaves zeros. */
    GIVES(0, ROOM "st.shared.u32 [%r2], 9; setp.eq.u32 %p1, %r1, 0; "
                  "cp.async.ca.shared.global [%r2], [%rd1+12], 4, %p1; ld.shared.u32 %r2, [%r2];" WORD),
    GIVES(3, ROOM "setp.eq.u32 %p1, %r1, 0; cp.async.ca.shared.global [%r2], [%rd1+12], 4, !%p1; "
                  "ld.shared.u32 %r2, [%r2];" WORD),
    FAULTS("misaligned address of a 8-byte", ROOM "cp.async.ca.shared.global [%r2], [%rd1+12], 8;"),
    FAULTS("illegal address", ROOM "cp.async.ca.shared.global [%r2], [%rd9+8], 8;"),
    FAULTS("illegal address", ROOM "cp.async.ca.shared.global [%r2+2048], [%rd1], 8;"),
    GIVES(5, ROOM "mapa.u64 %rd2, %rd3, 0; mov.u64 %rd3, room; cvta.shared.u64 %rd3, %rd3; "
                  "mapa.u64 %rd2, %rd3, 0; st.u32 [%rd2+8], 5; ld.shared.u32 %r3, [room+8]; "
                  "getctarank.u64 %r2, %rd2; add.u32 %r2, %r2, %r3;" WORD),
    GIVES(1, ROOM "mapa.shared::cluster.u32 %r3, %r2, 1; getctarank.shared::cluster.u32 %r2, %r3;" WORD),
    FAULTS("shared", ROOM "mapa.shared::cluster.u32 %r3, %r2, 1; ld.shared::cluster.u32 %r2, [%r3];"),
};

TEST(copies_and_addresses_of_clusters_are_checked)
{
	CHECK_SNIPPETS(copies, 1);
}

/* ---- the heap -------------------------------------------------------------------------------------------- */

#define HEAP                                                                                                 \
	".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"         \
	".extern .func (.param .b64 r) _Znwm(.param .b64 n);\n.extern .func _ZdlPv(.param .b64 p);"
#define ASK(name, n, reg)                                                                                    \
	"{ .param .b64 p; st.param.b64 [p], " n "; .param .b64 q; call.uni (q), " name                       \
	", (p); ld.param.b64 " reg ", [q]; }\n"
#define GIVE(name, reg) "{ .param .b64 p; st.param.b64 [p], " reg "; call.uni " name ", (p); }\n"

static const struct snippet heap[] = {
    GIVES(0, ASK("malloc", "2000000", "%rd0"), .globals = HEAP),
    GIVES(0, ASK("malloc", "700000", "%rd2") ASK("malloc", "700000", "%rd0"), .globals = HEAP),
    GIVES(0,
          ASK("_Znwm", "24", "%rd2") GIVE("_ZdlPv", "%rd2")
              ASK("malloc", "20", "%rd3") "sub.u64 %rd0, %rd2, %rd3;",
          .globals = HEAP),
    GIVES(0, "mov.u64 %rd2, 0;" GIVE("free", "%rd2"), .globals = HEAP),
    FAULTS("free of 0x1000, which device malloc has not given", "mov.u64 %rd2, 4096;" GIVE("free", "%rd2"),
           .globals = HEAP),
    FAULTS("which device malloc has not given",
           ASK("malloc", "24", "%rd2") "add.u64 %rd2, %rd2, 8;" GIVE("free", "%rd2"), .globals = HEAP),
    FAULTS("which device malloc has not given",
           ASK("malloc", "24", "%rd2") "add.u64 %rd2, %rd2, 4096;" GIVE("free", "%rd2"), .globals = HEAP),
    FAULTS("which device malloc has not given",
           ASK("malloc", "24", "%rd2") GIVE("free", "%rd2") GIVE("free", "%rd2"), .globals = HEAP),
    /* An unused result. */
    GIVES(1, "{ .param .b64 p; st.param.b64 [p], 8; call.uni malloc, (p); } mov.u64 %rd0, 1;",
          .globals = ".extern .func malloc(.param .b64 n);"),
    GIVES(1, "call.uni free, (); mov.u64 %rd0, 1;", .globals = ".extern .func free();"),
};

TEST(the_heap_ends_and_takes_back_only_what_it_gave)
{
	CHECK_SNIPPETS(heap, 1);
}

TEST(a_heap_that_is_not_there_or_too_large_gives_nothing)
{
	static const struct snippet none[] = {GIVES(0, ASK("malloc", "8", "%rd0"), .globals = HEAP)};
	struct exec_options o = {
	    .warp_size = 32, .sm_count = 1, .ctas_per_sm = 1, .spin_budget = 1000000, .stack_bytes = 4096};
	CHECK_EQ(snippets_wrong(none, 1, 1, &o), 0);
	o.heap_bytes = UINT64_C(1) << 40;
	CHECK_EQ(snippets_wrong(none, 1, 1, &o), 0);
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

#define TWICE                                                                                                \
	".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %x; ld.param.u32 %x, [a]; shl.b32 %x, "    \
	"%x, 1; st.param.b32 [r], %x; ret;\n}\n.func bad(.param .b64 a)\n{\nret;\n}\n"
#define INDIRECT(address)                                                                                    \
	"mov.u64 %rd2, " address                                                                             \
	"; { .param .b32 p; st.param.b32 [p], 21; .param .b32 q; P: .callprototype "                         \
	"(.param .b32 _) _ (.param .b32 _);\ncall (q), %rd2, (p), P; ld.param.b32 %r2, [q]; }" WORD
#define SINCOS(s, c)                                                                                         \
	"{ .param .b32 a; st.param.f32 [a], 0f00000000; .param .b64 b; st.param.b64 [b], " s                 \
	"; .param .b64 c; st.param.b64 [c], " c "; call.uni __nv_sincosf, (a, b, c); }\n"
#define SINCOS_DECLARED ".extern .func __nv_sincosf(.param .b32 x, .param .b64 s, .param .b64 c);"
#define SHORT(name, value)                                                                                   \
	"{ .param .b32 p; st.param.b32 [p], " value "; .param .b32 q; call.uni (q), " name                   \
	", (p); ld.param.b32 %r2, [q]; }" WORD

static const struct snippet calls[] = {
    GIVES(42, INDIRECT("twice"), .globals = TWICE),
    FAULTS("function bad takes other parameters than the call gives", INDIRECT("bad"), .globals = TWICE),
    FAULTS("no function is at the address", INDIRECT("twice+8"), .globals = TWICE),
    FAULTS("no function is at the address", INDIRECT("twice+16000"), .globals = TWICE),
    FAULTS("function bad takes other parameters",
           "mov.u64 %rd2, bad; { .param .b32 p; st.param.b32 [p], 21; P: .callprototype _ (.param .b32 _);\n"
           "call %rd2, (p), P; }",
           .globals = TWICE),
    FAULTS("function bad takes other parameters",
           "mov.u64 %rd2, bad; { .param .b64 p; st.param.b64 [p], 21; .param .b64 q; "
           "P: .callprototype (.param .b64 _) _ (.param .b64 _);\ncall (q), %rd2, (p), P; }",
           .globals = TWICE),
    FAULTS("branch index 2 is outside of the table of 2",
           "mov.u32 %r2, 2; T: .branchtargets L, M; brx.idx %r2, T; L: M:"),
    GIVES(UINT64_C(0x3f800000) << 32,
          "add.u64 %rd3, %rd1, 4;" SINCOS("%rd1", "%rd3") "ld.global.u64 %rd0, [%rd1];",
          .globals = SINCOS_DECLARED),
    FAULTS("__nv_sincosf stores 4 bytes at 0x40, where nothing is",
           "mov.u64 %rd3, 64;" SINCOS("%rd3", "%rd1"), .globals = SINCOS_DECLARED),
    FAULTS("__nv_sincosf stores 4", "add.u64 %rd3, %rd1, 2;" SINCOS("%rd1", "%rd3"),
           .globals = SINCOS_DECLARED),
    GIVES(0x3f800000, SHORT("__nv_half2float", "0x3c00"),
          .globals = ".extern .func (.param .b32 r) __nv_half2float(.param .b32 x);"),
    GIVES(0x3c00, SHORT("__nv_float2half_rn", "0x3f800000"),
          .globals = ".extern .func (.param .b32 r) __nv_float2half_rn(.param .b32 x);"),
    GIVES(1, SHORT("__nv_isnanf", "0x7fc00000"),
          .globals = ".extern .func (.param .b32 r) __nv_isnanf(.param .b32 x);"),
    /* Parameters by address: those of the kernel, and beyond them. */
    GIVES(0, "mov.b64 %rd2, data; ld.param.u64 %rd3, [%rd2]; sub.u64 %rd0, %rd3, %rd1;"),
    FAULTS("param", "mov.b64 %rd2, data; ld.param.u64 %rd3, [%rd2+12];"),
    FAULTS("param", "mov.b64 %rd2, data; ld.param.u64 %rd3, [%rd2+4000];"),
    GIVES(7, "{ .param .b64 p; st.param.b64 [p], 7; mov.b64 %rd2, p; ld.param.u64 %rd0, [%rd2]; }"),
    FAULTS("param", "{ .param .b64 p; st.param.b64 [p], 7; mov.b64 %rd2, p; ld.param.u64 %rd0, [%rd2+4]; }"),
};

TEST(calls_tables_pointers_and_parameters)
{
	CHECK_SNIPPETS(calls, 1);
}

TEST_RUN_ALL(true)
