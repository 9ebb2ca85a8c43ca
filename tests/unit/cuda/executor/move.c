/* What instructions give that few programs have: special registers, parts of words, halves in memory, warps' votes. */
#include "lib/exec_snippet.h"

#define WORD "cvt.u64.u32 %rd0, %r2;"
#define SREG(name) "mov.u32 %r2, %" name ";" WORD

/* ---- special registers ----------------------------------------------------------------------------------- */

static const struct snippet sregs[] = {
    GIVES(5, SREG("laneid"), .thread = 37),
    GIVES(0x20, SREG("lanemask_eq"), .thread = 5),
    GIVES(0x1f, SREG("lanemask_lt"), .thread = 5),
    GIVES(0x3f, SREG("lanemask_le"), .thread = 5),
    GIVES(0xffffffc0, SREG("lanemask_gt"), .thread = 5),
    GIVES(0xffffffe0, SREG("lanemask_ge"), .thread = 5),
    GIVES(1, SREG("warpid"), .thread = 37),
    GIVES(2, SREG("nwarpid")),
    GIVES(0, SREG("smid")),
    GIVES(4, SREG("nsmid")),
    GIVES(64, SREG("ntid.x")),
    GIVES(1, SREG("ntid.y")),
    GIVES(1, SREG("ntid.z")),
    GIVES(1, SREG("nctaid.x")),
    GIVES(1, SREG("nctaid.y")),
    GIVES(1, SREG("nctaid.z")),
    GIVES(0, SREG("ctaid.z")),
    GIVES(0, SREG("dynamic_smem_size")),
    GIVES(2048, "st.shared.u32 [room], 1;" SREG("total_smem_size")),
    GIVES(0, SREG("gridid")),
    GIVES(5, "add.u64 %rd0, %gridid, 5;"),
    GIVES(0, "add.u32 %r2, %clusterid.x, %clusterid.y; add.u32 %r2, %r2, %clusterid.z;" WORD),
    GIVES(3, "add.u32 %r2, %nclusterid.x, %nclusterid.y; add.u32 %r2, %r2, %nclusterid.z;" WORD),
    GIVES(2, "mov.pred %p1, %is_explicit_cluster; selp.u64 %rd0, 1, 2, %p1;"),
    /* Clocks begin with the launch, so the upper halves are 0. */
    GIVES(0, SREG("clock_hi")),
    GIVES(0, SREG("globaltimer_hi")),
    GIVES(1, "mov.u32 %r3, %globaltimer_lo; mov.u32 %r4, %globaltimer_lo; setp.lt.u32 %p1, %r3, %r4; "
             "selp.u64 %rd0, 1, 0, %p1;"),
};

TEST(special_registers_say_where_a_thread_is)
{
	CHECK_SNIPPETS(sregs, 64);
}

/* Digits of the number: cluster, how many, rank of the CTA in its own; x y z of each. */
static const char where[] = "mov.u32 %r2, 0;\n"
#define DIGIT(name) "mad.lo.u32 %r2, %r2, 4, %" name ";\n"
#define DIGITS(name) DIGIT(name ".x") DIGIT(name ".y") DIGIT(name ".z")
    DIGITS("clusterid") DIGITS("nclusterid") DIGITS("cluster_ctaid") DIGITS("cluster_nctaid") DIGIT(
        "cluster_ctarank") "mov.pred %p1, %is_explicit_cluster; selp.u32 %r3, 1, 0, %p1; mov.u32 %r4, "
                           "%cluster_nctarank; mad.lo.u32 %r3, %r4, 2, %r3;\n"
                           "mov.u32 %r4, %ctaid.z; mad.lo.u32 %r4, %r4, 2, %ctaid.y; mad.lo.u32 %r4, %r4, 4, "
                           "%ctaid.x; mul.wide.u32 %rd2, %r4, 8; add.u64 %rd2, %rd1, %rd2; st.global.v2.u32 "
                           "[%rd2], {%r2, %r3};";

TEST(ctas_of_a_cluster_know_their_places)
{
	struct snippet s = {.body = where};
	struct fixture *f = snippet_new(&s, NULL);
	CHECK(f);
	uint64_t data = fixture_buffer(f, 4096), out = fixture_buffer(f, 4096);
	void *args[2] = {&data, &out};
	struct exec_launch l = {.module = f->module,
	                        .entry = ptx_find_function(f->module->ptx, "k"),
	                        .grid = {4, 2, 2},
	                        .block = {1, 1, 1},
	                        .cluster = {2, 2, 1},
	                        .args = args};
	CHECK_EQ(exec_run(f->exec, &l, &f->err), EXEC_DONE);
	for (unsigned i = 0; i < 16; i++) {
		unsigned x = i % 4, y = i / 4 % 2, z = i / 8;
		const unsigned digits[13] = {x / 2, 0, z, 2, 1, 2, x % 2, y, 0, 2, 2, 1, x % 2 + 2 * y};
		uint32_t want = 0;
		for (unsigned k = 0; k < 13; k++)
			want = want * 4 + digits[k];
		CHECK_EQ(((uint32_t *)device_host(data))[2 * i], want);
		CHECK_EQ(((uint32_t *)device_host(data))[2 * i + 1], 2 * 4 + 1);
	}
	fixture_free(f);
}

/* ---- parts of words -------------------------------------------------------------------------------------- */

#define PARTS(insn) "mov.u32 %r3, 0x01020304; mov.u32 %r4, 0x01030204;\n" insn " %r2, %r3, %r4, 0;" WORD
#define WHOLE(insn, a, b) "mov.u32 %r3, " a "; mov.u32 %r4, " b ";\n" insn " %r2, %r3, %r4;" WORD

static const struct snippet parts[] = {
    GIVES(0x01000001, PARTS("vset4.u32.u32.eq")),
    GIVES(0x00010100, PARTS("vset4.u32.u32.ne")),
    GIVES(0x00010000, PARTS("vset4.u32.u32.lt")),
    GIVES(0x01010001, PARTS("vset4.u32.u32.le")),
    GIVES(0x00000100, PARTS("vset4.u32.u32.gt")),
    GIVES(0x01000101, PARTS("vset4.s32.s32.ge")),
    GIVES(0x00010001, PARTS("vset2.u32.u32.ne")),
    GIVES(0x01020204, PARTS("vmin4.u32.u32.u32")),
    GIVES(0x01030304, PARTS("vmax4.u32.u32.u32")),
    GIVES(0x01020204, PARTS("vmin2.u32.u32.u32")),
    GIVES(0x01030304, PARTS("vmax2.u32.u32.u32")),
    GIVES(0x00010100, PARTS("vabsdiff4.u32.u32.u32")),
    GIVES(0x201 - 0x100, PARTS("vabsdiff2.u32.u32.u32.add")),
    GIVES(0x01030304, PARTS("vavrg4.u32.u32.u32")),
    GIVES(0x01030284, PARTS("vavrg2.u32.u32.u32")),
    GIVES(0x02050508, PARTS("vadd2.u32.u32.u32")),
    GIVES(0xffff0100, PARTS("vsub2.u32.u32.u32")),
    GIVES(0x00000100, PARTS("vsub4.u32.u32.u32.sat")),
    GIVES(0x02050508, PARTS("vadd4.s32.s32.s32.sat")),
    GIVES(0x7fffffff, WHOLE("vadd.s32.u32.s32.sat", "0x7fffffff", "5")),
    GIVES(0xfffffffe, WHOLE("vsub.u32.u32.u32", "3", "5")),
    GIVES(0xfffffffd, WHOLE("vmin.s32.s32.s32", "-3", "5")),
    GIVES(0xfffffffd, WHOLE("vmax.u32.u32.u32", "-3", "5")),
    GIVES(8, WHOLE("vabsdiff.u32.s32.s32", "-3", "5")),
    GIVES(0x80000000, WHOLE("vsub.s32.s32.s32.sat", "0x80000000", "5")),
};

TEST(video_instructions_compare_and_clamp_parts)
{
	CHECK_SNIPPETS(parts, 32);
}

/* ---- registers ------------------------------------------------------------------------------------------- */

static const struct snippet registers[] = {
    GIVES(DEVICE_WINDOW >> 32,
          "ld.param.u64 %rd2, [data]; ld.param.u32 %r3, [data]; ld.param.s32 %rd3, [data]; "
          "ld.param.s64 %rd4, [data]; ld.param.u16 %h1, [data+4]; sub.u64 %rd2, %rd2, %rd4; "
          "cvt.u64.u16 %rd0, %h1; add.u64 %rd0, %rd0, %rd2; cvt.s64.s32 %rd5, %r3; "
          "sub.u64 %rd5, %rd5, %rd3; add.u64 %rd0, %rd0, %rd5;"),
    GIVES(
        7,
        "mov.u16 %h1, 7; { .param .b16 p; st.param.b16 [p], %h1; ld.param.b16 %h2, [p]; } cvt.u64.u16 %rd0, %h2;"),
    GIVES(0xffffffff, "set.lt.and.u32.u32 %r2, %r1, 5, 1;" WORD),
    GIVES(2, "setp.lt.and.u32 %p1, %r1, 5, 0; selp.u64 %rd0, 1, 2, %p1;"),
    GIVES(1, "selp.u64 %rd0, 1, 2, 1;"),
    GIVES(12, "mov.u64 %rd2, 0x500000007; mov.b64 {%r2, _}, %rd2; mov.b64 {_, %r3}, %rd2; "
              "add.u32 %r2, %r2, %r3;" WORD),
    GIVES(0x40001,
          "mov.u64 %rd2, 0x4000300020001; mov.b64 {%h1, _, _, %h4}, %rd2; mov.b32 %r2, {%h1, %h4};" WORD),
    GIVES(1,
          "setp.lt.u32 %p3, %r1, 8; setp.lt.and.u32 %p1|%p2, %r1, 16, !%p3; selp.u64 %rd2, 1, 0, %p1; "
          "selp.u64 %rd0, 2, 0, %p2; or.b64 %rd0, %rd0, %rd2;",
          .thread = 9),
    GIVES(0,
          "setp.lt.u32 %p3, %r1, 8; setp.lt.and.u32 %p1|%p2, %r1, 16, !%p3; selp.u64 %rd2, 1, 0, %p1; "
          "selp.u64 %rd0, 2, 0, %p2; or.b64 %rd0, %rd0, %rd2;",
          .thread = 3),
    GIVES(1, "setp.eq.u32 _|%p2, %r1, 3; selp.u64 %rd0, 1, 0, %p2;", .thread = 4),
    GIVES(1, "mov.pred %p1, 1; not.pred %p2, %p1; mov.pred %p3, !%p2; selp.u64 %rd0, 1, 0, %p3;"),
    GIVES(1, "and.pred %p1, 1, 1; or.pred %p2, %p1, 0; selp.u64 %rd0, 1, 0, %p2;"),
    GIVES(32, "add.u32 _, %r1, 1; atom.global.add.u32 _, [%rd1], 1; ld.global.u32 %r2, [%rd1];" WORD),
    GIVES(7, "cvta.local.u64 %rd2, own; cvta.to.local.u64 %rd3, own; st.u32 [%rd2], 7; "
             "ld.local.u32 %r2, [%rd3];" WORD),
    GIVES(5,
          "mov.u64 %rd2, c; isspacep.const %p1, %rd2; isspacep.global %p2, %rd2; "
          "isspacep.global %p3, %rd1; isspacep.const %p4, %rd1; selp.u64 %rd0, 1, 0, %p1; "
          "@%p2 add.u64 %rd0, %rd0, 2; @%p3 add.u64 %rd0, %rd0, 4; @%p4 add.u64 %rd0, %rd0, 8;",
          .globals = ".const .align 4 .b8 c[16];"),
    GIVES(4,
          "cvta.shared.u64 %rd2, room; isspacep.global %p1, %rd2; isspacep.const %p2, %rd2; "
          "isspacep.shared %p3, %rd2; selp.u64 %rd0, 1, 0, %p1; @%p2 add.u64 %rd0, %rd0, 2; "
          "@%p3 add.u64 %rd0, %rd0, 4;",
          .globals = ".const .align 4 .b8 c[16];"),
    GIVES(22, "mad.wide.u32 %rd0, 3, 5, 7;"),
    GIVES(22, "mad24.lo.u32 %r2, 3, 5, 7;" WORD),
    GIVES(3, "createpolicy.fractional.L2::evict_first.b64 %rd2, 0f3F800000; "
             "ld.global.L2::cache_hint.u32 %r2, [%rd1+12], %rd2;" WORD),
};

TEST(moves_pairs_sinks_and_spaces)
{
	CHECK_SNIPPETS(registers, 32);
}

/* ---- atomics of halves ----------------------------------------------------------------------------------- */

#define HALVES(type, before, addend)                                                                         \
	"setp.ne.u32 %p1, %r1, 0; @%p1 bra END; mov.u32 %r3, " before "; st.global.u32 [%rd1], %r3; "        \
	"mov.b32 %r4, " addend "; atom.global.add.noftz." type " %r5, [%rd1], %r4;\nld.global.u32 %r2, "     \
	"[%rd1];\nEND: " WORD

static const struct snippet halves[] = {
    GIVES(0x7fff4200, HALVES("f16x2", "0x7c003c00", "0xfc004000")), /* 1 + 2, infinity - infinity */
    GIVES(0x7c008001, HALVES("f16x2", "0x7bff0001", "0x7bff8002")),
    GIVES(0xfc007fff, HALVES("f16x2", "0xfbff7e00", "0xfbff3c00")),
    GIVES(0x3c023c00, HALVES("f16x2", "0x3c013c00", "0x10001000")), /* ties go to even */
    GIVES(0x7fff4040, HALVES("bf16x2", "0x7f803f80", "0xff804000")),
    GIVES(9, "setp.ne.u32 %p1, %r1, 0; @%p1 bra END; mov.u16 %h1, 0; "
             "mov.u16 %h2, 9;\natom.global.cas.b16 %h3, [%rd1], %h1, %h2; "
             "atom.global.cas.b16 %h3, [%rd1], %h1, %h1; END: cvt.u64.u16 %rd0, %h3;"),
    GIVES(5, "mov.u64 %rd2, 1; atom.global.exch.b64 %rd3, [%rd1+256], %rd2; "
             "atom.global.or.b64 %rd3, [%rd1+256], 4; atom.global.add.u64 %rd3, [%rd1+256], 0; "
             "mov.u64 %rd0, %rd3;"),
};

TEST(halves_in_memory_round_once_and_keep_special_values)
{
	CHECK_SNIPPETS(halves, 32);
}

/* ---- warps ----------------------------------------------------------------------------------------------- */

#define BELOW(n) "setp.lt.u32 %p1, %r1, " n ";\n"
#define VOTE(how) "vote.sync." how ".pred %p2, %p1, -1; selp.u64 %rd0, 1, 0, %p2;"

static const struct snippet warps[] = {
    GIVES(1, BELOW("99") VOTE("all")),
    GIVES(0, BELOW("9") VOTE("all")),
    GIVES(1, BELOW("9") VOTE("any")),
    GIVES(0, BELOW("0") VOTE("any")),
    GIVES(1, BELOW("0") VOTE("uni")),
    GIVES(1, BELOW("99") VOTE("uni")),
    GIVES(0, BELOW("9") VOTE("uni")),
    GIVES(0xfffffe00, BELOW("9") "vote.ballot.b32 %r2, !%p1;" WORD),
    GIVES(1, BELOW("9") "vote.any.pred %p2, %p1; selp.u64 %rd0, 1, 0, %p2;"),
    /* Groups of four lanes, each with a mask of its own. */
    GIVES(0xa0,
          "and.b32 %r3, %r1, 28; mov.u32 %r4, 15; shl.b32 %r4, %r4, %r3; and.b32 %r5, %r1, 1; "
          "setp.eq.u32 %p1, %r5, 1; vote.sync.ballot.b32 %r2, %p1, %r4;" WORD,
          .thread = 6),
    GIVES(0, "redux.sync.add.u32 %r2, %r1, 0;" WORD),
    GIVES(0, "redux.sync.min.s32 %r2, %r1, -1;" WORD),
    GIVES(31, "redux.sync.max.u32 %r2, %r1, -1;" WORD),
    GIVES(0, "redux.sync.xor.b32 %r2, %r1, 14;" WORD),
    GIVES(4, "elect.sync %r2|_, 0xf0;" WORD),
    GIVES(0, "elect.sync %r2|_, 0;" WORD),
    GIVES(1, "elect.sync _|%p1, 0xf0; selp.u64 %rd0, 1, 0, %p1;", .thread = 4),
    GIVES(0xffff, "shr.u32 %r3, %r1, 4; cvt.u64.u32 %rd2, %r3; match.any.sync.b64 %rd0, %rd2, -1;"),
    GIVES(0, "shr.u32 %r3, %r1, 4; cvt.u64.u32 %rd2, %r3; match.all.sync.b64 %r2|%p1, %rd2, -1;" WORD),
    GIVES(0xffffffff, "match.all.sync.b32 %r2|_, 7, -1;" WORD),
    GIVES(4, "shfl.sync.up.b32 %r2|%p1, %r1, 1, 0, -1;" WORD, .thread = 5),
    GIVES(3, "shfl.idx.b32 %r2|_, %r1, 3, 31;" WORD, .thread = 5),
    GIVES(59, BELOW("5") "bar.red.popc.u32 %r2, 0, !%p1;" WORD),
    GIVES(0, BELOW("5") "bar.red.and.pred %p2, 0, %p1; selp.u64 %rd0, 1, 0, %p2;"),
    GIVES(1, BELOW("5") "bar.red.or.pred %p2, 0, 64, %p1; selp.u64 %rd0, 1, 0, %p2;"),
    GIVES(1, BELOW("16") "@%p1 bar.arrive 1, 64; @!%p1 bar.sync 1, 64; mov.u64 %rd0, 1;"),
    FAULTS("barrier 16 does not exist; there are 0 to 15", "bar.sync 16;"),
};

TEST(votes_reductions_and_barriers)
{
	CHECK_SNIPPETS(warps, 64);
}

TEST_RUN_ALL(true)
