/* What single PTX instructions become on a GPU, by table: the lines of lower.def that depend on more than the opcode. */
#include "lib/lower_fixture.h"
#include "lib/matrix_forms.h"

struct form {
	const char *before, *insn, *want;
};

#define GLOBALS                                                                                                  \
	".global .align 8 .b8 g[64]; .const .align 8 .b8 c[64]; .shared .align 8 .b8 s[64]; .global .texref t; " \
	".global .surfref u;\n.extern .func (.param .b32 r) __nv_sqrtf(.param .b32 x);\n"                        \
	".extern .func outside(.param .b32 x);\n.func inside(.param .b32 x)\n{\nret;\n}\n"

/* The last instruction with the opcode of `insn`: scheduling may have moved it. */
static uint32_t find(const struct fixture *f, const char *insn)
{
	char printed[256];
	size_t length = strcspn(insn, ". ");
	if (*insn == '@')
		length = 0;
	uint32_t found = UINT32_MAX, count = f->module->functions[f->kernel->entry].insn_count;
	for (uint32_t i = 0; i < count; i++) {
		ptx_print(f->module, f->first + i, printed, sizeof printed);
		if (!strncmp(printed, insn, length) && strcspn(printed, ". ") == length)
			found = i;
	}
	return found;
}

static bool form_is_right(const struct form *row)
{
	struct fixture f;
	static char body[2048];
	snprintf(body, sizeof body, ".local .align 8 .b8 l[64];\n%s\n%s;\nret;", row->before, row->insn);
	if (!fixture_kernel(&f, GLOBALS, body)) {
		printf("# %s\n", row->insn);
		return false;
	}
	uint32_t at = find(&f, row->insn);
	/* What stands before the first instruction of every kernel. */
	static const char start[] = "LDC ULDC.64";
	const char *words = at == UINT32_MAX ? "(not found)" : fixture_words(&f, at);
	if (!strncmp(words, start, strlen(start)))
		words += strlen(start) + (words[strlen(start)] == ' ');
	bool right = !strcmp(words, row->want);
	if (!right)
		printf("# %s\n# %s\n#   is '%s', expected '%s'\n", row->before, row->insn, words, row->want);
	fixture_free(&f);
	return right;
}

static unsigned forms_wrong(const struct form *rows, size_t count)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < count; i++)
		wrong += !form_is_right(&rows[i]);
	return wrong;
}
#define CHECK_FORMS(rows) CHECK_EQ(forms_wrong(rows, sizeof(rows) / sizeof *(rows)), 0)

/* ---- arithmetic ------------------------------------------------------------------------------------------ */

#define EXTENDED                                                                                             \
	"cvt.s64.s32 %rd1, %r1; cvt.u64.u16 %rd2, %h2; cvt.s64.s32 %rd9, %r9; st.global.u64 [%rd9], %rd9;"
static const struct form arithmetic[] = {
    {"", "div.s32 %r1, %r0, 8", "SHF.R.S32.HI LEA.HI SHF.R.S32.HI"},
    {"", "div.u32 %r1, %r0, 8", "SHF.R.U32.HI"},
    {"", "div.u16 %h1, %h0, 8", "SHF.R.U32.HI"},
    {"", "div.s32 %r1, %r0, 7", "IMAD.HI SHF.R.U32.HI LEA.HI.SX32"},
    {"", "div.u32 %r1, %r0, 0", "IMAD.HI SHF.R.U32.HI LEA.HI.SX32"},
    {"", "rem.s32 %r1, %r0, 8", "SHF.R.S32.HI LEA.HI LOP3.LUT IADD3"},
    {"", "rem.u32 %r1, %r0, 8", "LOP3.LUT"},
    {"", "rem.u32 %r1, %r0, 7", "IMAD.HI SHF.R.U32.HI LEA.HI.SX32 IMAD"},
    {"", "div.approx.f32 %f1, %f0, %f2", "FSETP.GT.AND FMUL MUFU.RCP FMUL FMUL"},
    {"", "div.full.ftz.f32 %f1, %f0, %f2", "MUFU.RCP FMUL.FTZ"},
    {"", "div.rn.ftz.f32 %f1, %f0, %f2", "MUFU.RCP FCHK FFMA FFMA FFMA FFMA FFMA FFMA BSSY BRA BSYNC"},
    {"", "rcp.approx.ftz.f32 %f1, %f0", "MUFU.RCP"},
    {"", "rcp.approx.ftz.f64 %d1, %d0", "MUFU.RCP64H"},
    {"", "sqrt.approx.f32 %f1, %f0", "FSETP.GEU.AND FMUL MUFU.SQRT FMUL"},
    {"", "ex2.approx.ftz.f32 %f1, %f0", "MUFU.EX2"},
    {"", "lg2.approx.f32 %f1, %f0", "FSETP.GEU.AND FMUL MUFU.LG2 FADD"},
    {EXTENDED, "mul.lo.s64 %rd3, %rd1, %rd2", "IMAD.WIDE"},
    {EXTENDED, "mul.lo.s64 %rd3, %rd1, 100", "IMAD.WIDE"},
    {EXTENDED, "mul.lo.s64 %rd3, %rd1, 0x100000000", "IMAD.WIDE.U32 IMAD IADD3"},
    {EXTENDED, "mul.lo.s64 %rd3, %rd4, 100", "IMAD.WIDE.U32 IMAD IADD3"},
    {EXTENDED, "mul.lo.s64 %rd3, %rd1, %rd4", "IMAD.WIDE.U32 IMAD IADD3"},
    {EXTENDED, "mul.lo.s64 %rd3, %rd4, %rd1", "IMAD.WIDE.U32 IMAD IADD3"},
    {"mov.u64 %rd4, %clock64;", "mul.lo.s64 %rd3, %rd4, %rd5", "IMAD IMAD.WIDE.U32 IMAD IADD3"},
    {"cvt.s64.s32 %rd1, %r1; cvt.s64.s32 %rd1, %r2;", "mul.lo.s64 %rd3, %rd1, %rd4",
     "IMAD IMAD.WIDE.U32 IMAD IADD3"},
    {"setp.eq.u32 %p0, %r0, 1; setp.eq.u32 %p1, %r1, 1;", "and.pred %p2, %p0, %p1", ""},
    {"vote.all.pred %p0, %p3; setp.eq.u32 %p1, %r1, 1;", "or.pred %p2, %p0, %p1", ""},
    {"vote.all.pred %p0, %p3; vote.any.pred %p1, %p3;", "xor.pred %p2, %p0, %p1", "PLOP3.LUT"},
    {"setp.eq.u32 %p0, %r0, 1; @%p0 st.global.u32 [%rd0], 1;", "and.pred %p2, %p0, 1", "PLOP3.LUT"},
    {"", "add.rn.f16 %h1, %h0, %h2", "HADD2"},
    {"", "vabsdiff4.u32.u32.u32.add %r1, %r0, %r2, %r3", "VABSDIFF4.U8.ACC"},
    {"", "vabsdiff4.u32.u32.u32 %r1, %r0, %r2, %r3", "VABSDIFF4.U8"},
};

TEST(arithmetic_depends_on_constants_extensions_and_flags)
{
	CHECK_FORMS(arithmetic);
}

/* ---- moves and conversions ------------------------------------------------------------------------------- */

static const struct form moves[] = {
    {"", "mov.u32 %r1, %tid.y", "S2R"},
    {"", "mov.u64 %rd1, %clock64", "CS2R"},
    {"", "mov.u32 %r1, %globaltimer_hi", "CS2R"},
    {"", "mov.u32 %r1, %ntid.x", "LDC"},
    {"", "mov.u32 %r1, %nctaid.z", "LDC"},
    {"", "mov.u64 %rd1, inside", "MOV MOV"},
    {"", "mov.u64 %rd1, g", "MOV"},
    {"", "mov.u64 %rd1, c", "MOV"},
    {"", "mov.u64 %rd1, l", "MOV"},
    {"", "mov.u64 %rd1, s", ""},
    {"add.u32 %r1, %r1, 1;", "mov.u32 %r1, 5", "MOV"},
    {"add.u64 %rd1, %rd1, 1; st.global.u64 [%rd1], %rd1;", "mov.u64 %rd1, 5", "CS2R"},
    {"", "mov.u32 %r1, 5", ""},
    {"", "mov.u32 _, 5", ""},
    {"", "cvta.to.global.u64 %rd1, %rd0", ""},
    {"", "cvta.global.u64 %rd1, %rd0", ""},
    {"", "cvta.const.u64 %rd1, %rd0", ""},
    {"", "cvta.param.u64 %rd1, %rd0", ""},
    {"", "cvta.shared.u64 %rd1, %rd0", "IADD3 IADD3.X"},
    {"ld.global.u8 %h1, [%rd0];", "cvt.u32.u8 %r1, %h1", ""},
    {"ld.global.u32 %r2, [%rd0];", "cvt.u32.u8 %r1, %r2", "LOP3.LUT"},
    {"add.u16 %h1, %h2, %h3;", "cvt.u32.u16 %r1, %h1", "LOP3.LUT"},
    {"add.u16 %h1, %h2, %h3; add.u16 %h1, %h1, %h3;", "cvt.s32.s16 %r1, %h1", "PRMT"},
    {"", "cvt.u32.u16 %r1, 5", "LOP3.LUT"},
    {"", "cvt.s64.s32 %rd1, %r1", "SHF.R.S32.HI"},
    {"", "cvt.u64.u16 %rd1, %h1", "LOP3.LUT"},
    {"", "cvt.s64.s32 _, %r1", "SHF.R.S32.HI"},
    {"", "cvt.s16.s8 %h1, %h2", "PRMT"},
    {"", "cvt.rna.tf32.f32 %r1, %f1", "F2FP.SATFINITE.TF32.F32"},
    {"", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C"},
    {"", "cvt.rn.satfinite.e5m2x2.f16x2 %h1, %r1", "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C"},
    {"", "cvt.rn.f16x2.e5m2x2 %r1, %h1", "F2FP.F16.E4M3.UNPACK_B"},
    {"", "cvt.sat.f32.f32 %f1, %f2", "FADD.SAT"},
    {"", "cvt.rni.f32.f32 %f1, %f2", "FRND"},
};

TEST(moves_and_conversions_depend_on_what_they_take)
{
	CHECK_FORMS(moves);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static const struct form accesses[] = {
    {"", "ld.const.u32 %r1, [c+4]", ""},
    {"", "ld.const.v2.u32 {%r1, %r2}, [%rd0]", "LDC.64"},
    {"", "ld.param.u64 %rd1, [p]", "LDC.64"},
    {"", "ld.param.u32 %r1, [n]", "ULDC"},
    {"mov.b64 %rd5, p;", "ld.param.u32 %r1, [%rd5]", "ULDC"},
    {"", "ld.global.s8 %r1, [%rd0]", "LDG.E.S8"},
    {"", "ld.global.u8 %r1, [%rd0]", "LDG.E.U8"},
    {"", "ld.global.s16 %r1, [%rd0]", "LDG.E.S16"},
    {"", "ld.global.u16 %r1, [%rd0]", "LDG.E.U16"},
    {"", "ld.global.nc.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0]", "LDG.E.128.CONSTANT"},
    {"", "ld.volatile.global.u32 %r1, [%rd0]", "LDG.E.STRONG.SYS"},
    {"", "ld.global.cv.u32 %r1, [%rd0]", "LDG.E.STRONG.SYS"},
    {"", "ld.global.cg.u32 %r1, [%rd0]", "LDG.E.STRONG.GPU"},
    {"", "ld.relaxed.sys.global.u32 %r1, [%rd0]", "LDG.E.STRONG.SYS"},
    {"", "ld.acquire.gpu.u32 %r1, [%rd0]", "LD.E.STRONG.GPU CCTL.IVALL"},
    {"", "ld.acquire.gpu.global.u32 %r1, [%rd0]", "LDG.E.STRONG.GPU CCTL.IVALL"},
    {"", "ld.relaxed.gpu.global.u32 %r1, [%rd0]", "LDG.E.STRONG.GPU"},
    {"", "st.release.gpu.global.u32 [%rd0], %r1", "MEMBAR.ALL.GPU ERRBAR STG.E.STRONG.GPU"},
    {"", "st.relaxed.gpu.global.u32 [%rd0], %r1", "STG.E.STRONG.GPU"},
    {"", "ld.relaxed.cta.global.u32 %r1, [%rd0]", "LDG.E.STRONG.SM"},
    {"", "ld.volatile.shared.u32 %r1, [%r0]", "LDS"},
    {"", "ldu.global.v2.u32 {%r1, %r9}, [%rd0]", "LDG.E.64"},
    {"", "st.u32 [%rd0], %r1", "ST.E"},
    {"", "st.local.u32 [%r0], %r1", "STL"},
    {"", "atom.global.add.u32 %r1, [%rd0], 1", "RED.E.ADD.STRONG.GPU"},
    {"", "atom.global.add.u32 _, [%rd0], 1", "RED.E.ADD.STRONG.GPU"},
    {"", "atom.sys.global.cas.b32 %r1, [%rd0], 1, 2", "ATOMG.E.CAS.STRONG.SYS"},
    {"", "atom.global.exch.b32 %r1, [%rd0], 1", "ATOMG.E.EXCH.STRONG.GPU"},
    {"", "atom.shared.add.u32 %r1, [%r0], 1", "ATOMS.ADD"},
    {"", "atom.shared.add.f32 %f1, [%r0], %f2", "LDS FADD ATOMS.CAST.SPIN ISETP.EQ.U32.AND BRA"},
    {"", "atom.shared.exch.b32 %r1, [%r0], 1", "ATOMS.EXCH"},
    {"", "atom.add.f32 %f1, [%rd0], %f2", "ATOM.E.ADD.STRONG.GPU"},
    {"", "red.global.add.f64 [%rd0], %d1", "RED.E.ADD.64.STRONG.GPU"},
    {"", "red.shared.add.u64 [%r0], 1", "ATOMS.ADD.64"},
    {"", "red.shared.add.f32 [%r0], %f2", "LDS FADD ATOMS.CAST.SPIN ISETP.EQ.U32.AND BRA"},
    {"", "red.add.u32 [%rd0], 1", "RED.E.ADD.STRONG.GPU"},
    {"", "tex.2d.v4.f32.f32 {%f1, %f5, %f2, %f7}, [t, {%f0, %f3}]", "TEX"},
    {"", "tex.2d.v4.f32.f32 {%f1, _, _, %f7}, [t, {%f0, %f3}]", "TEX"},
    {"", "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f4, %f5}, [t, {%f0, %f3}]", "TLD4"},
    {"", "txq.width.b32 %r1, [t]", "TXQ"},
    {"", "suld.b.2d.v2.b32.trap {%r1, %r2}, [u, {%r3, %r4}]", "SULD"},
    {"", "sust.b.2d.b32.trap [u, {%r3, %r4}], %r1", "SUST"},
    {"", "fence.proxy.async", "FENCE.VIEW.ASYNC"},
    {"", "fence.acq_rel.cta", "MEMBAR.ALL.CTA"},
    {"", "fence.sc.gpu", "MEMBAR.SC.GPU ERRBAR CCTL.IVALL"},
    {"", "membar.cta", "MEMBAR.ALL.CTA"},
    {"", "membar.gl", "MEMBAR.SC.GPU ERRBAR CCTL.IVALL"},
    {"", "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r0], {%r1, %r2}", "STSM.16.MT88.2"},
    {"", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0]", "LDSM.16.M88.1"},
    {"", "wmma.load.c.sync.aligned.row.m8n8k4.shared.f64 {%d1, %d2}, [%r0]", "LDS.128"},
    {"", "wmma.store.d.sync.aligned.row.m8n8k4.shared.f64 [%r0], {%d1, %d2}", "STS.128"},
    {"", "wmma.store.d.sync.aligned.row.m8n8k4.f64 [%rd0], {%d1, %d2}", "ST.E.128"},
};

TEST(accesses_depend_on_space_scope_width_and_use)
{
	CHECK_FORMS(accesses);
}

/* ---- copies, barriers, calls ----------------------------------------------------------------------------- */

static const struct form others[] = {
    {"", "cp.async.ca.shared.global [%r1], [%rd1], 16", "LDGSTS.E.128"},
    {"", "cp.async.ca.shared.global [%r1], [%rd1], 8", "LDGSTS.E.64"},
    {"", "cp.async.wait_all", "DEPBAR.LE.SB0"},
    {"", "cp.async.wait_group 99", "DEPBAR.LE.SB0"},
    {"", "cp.async.mbarrier.arrive.noinc.shared.b64 [%r1]", "ARRIVES.LDGSTSBAR.64"},
    {"", "cp.async.bulk.commit_group", "UTMACMDFLUSH"},
    {"", "cp.async.bulk.wait_group 0", "DEPBAR"},
    {"", "cp.async.bulk.prefetch.L2.global [%rd1], %r1", "UBLKPF"},
    {"", "mbarrier.init.shared.b64 [%r1], 3", "SYNCS.EXCH.64"},
    {"", "mbarrier.inval.shared.b64 [%r1]", "SYNCS.CCTL.IV"},
    {"", "mbarrier.pending_count.b64 %r1, %rd1", "SHF.R.U32.HI LOP3.LUT"},
    {"", "barrier.cluster.arrive", "MEMBAR.ALL.GPU UCGABAR_ARV"},
    {"", "barrier.cluster.arrive.relaxed", "UCGABAR_ARV"},
    {"", "barrier.cluster.wait", "UCGABAR_WAIT"},
    {"", "griddepcontrol.wait", "ACQBULK"},
    {"", "griddepcontrol.launch_dependents", "PREEXIT"},
    {"", "barrier.arrive 1, 64", "BAR.ARV"},
    {"", "barrier.sync 1", "BAR.SYNC"},
    {"", "bar.red.popc.u32 %r1, 0, %p0", "BAR.RED B2R"},
    {"", "bar.warp.sync -1", "WARPSYNC"},
    {"", "redux.sync.add.u32 %r1, %r0, -1", "REDUX.ADD MOV"},
    {"", "activemask.b32 %r1", "VOTE.ANY"},
    {"{ .param .b32 a; st.param.f32 [a], %f0; .param .b32 b;",
     "call (b), __nv_sqrtf, (a); ld.param.f32 %f1, [b]; }",
     "IADD3 IADD3 IADD3 MUFU FFMA FFMA FFMA FFMA FFMA BRA"},
    {"{ .param .b32 a; .param .b32 b;", "call (b), __nv_sqrtf, (a); }",
     "IADD3 IADD3 IADD3 MUFU FFMA FFMA FFMA FFMA FFMA BRA"},
    {"{ .param .b32 a; st.param.f32 [a], %f0;", "call outside, (a); }", "CALL.REL.NOINC"},
    {"{ .param .b32 a; st.param.f32 [a], %f0;", "call inside, (a); }", "CALL.REL.NOINC"},
    {"P: .callprototype _ ();", "call %rd1, (), P", "CALL.REL.NOINC"},
    {"T: .branchtargets L, M;", "brx.idx %r1, T; L: M: st.global.u32 [%rd0], 1", "IMAD.SHL.U32 LDC BRX"},
    {"", "trap", "BPT.TRAP"},
    {"", "nanosleep.u32 5", "NANOSLEEP"},
};

TEST(copies_barriers_and_calls_are_told_apart)
{
	CHECK_FORMS(others);
}

/* ---- addresses ------------------------------------------------------------------------------------------- */

#define LEADER "mul.wide.s32 %rd2, %r0, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], 1;\n"
#define BARRIER "bar.sync 0;\n"
#define NEXT "add.s32 %r5, %r0, 8;"
#define PRODUCT "mul.wide.s32 %rd5, %r5, 4;"
#define SUM(base) "add.s64 %rd6, " base ", %rd5; st.global.u32 [%rd6], 2"
/* The second sum follows the first, and costs nothing, only where base, index and scale are the same. */
static const struct form addresses[] = {
    {LEADER BARRIER NEXT PRODUCT, SUM("%rd1"), ""},
    {LEADER BARRIER NEXT PRODUCT, "add.s64 %rd6, %rd5, %rd1; st.global.u32 [%rd6], 2", ""},
    {LEADER BARRIER NEXT PRODUCT "st.global.u64 [%rd9], %rd5;", SUM("%rd1"), ""},
    {LEADER BARRIER "add.s32 %r5, %r0, %r9;" PRODUCT, SUM("%rd1"), "IMAD.WIDE"},
    {LEADER BARRIER NEXT "mul.wide.s32 %rd5, %r5, 8;", SUM("%rd1"), "IMAD.WIDE"},
    {LEADER BARRIER NEXT PRODUCT, SUM("%rd9"), "IMAD.WIDE"},
    {LEADER BARRIER NEXT "add.s64 %rd1, %rd1, 1;" PRODUCT, SUM("%rd1"), "IMAD.WIDE"},
    {LEADER BARRIER NEXT "mul.wide.s32 %rd5, %r5, %r9;", SUM("%rd1"), "IMAD.WIDE"},
    {LEADER BARRIER "@%p1 add.s32 %r5, %r0, 8;" PRODUCT, SUM("%rd1"), "IMAD.WIDE"},
    {LEADER BARRIER "mul.lo.s64 %rd5, %rd9, 4;", SUM("%rd1"), "IADD3 IADD3.X"},
    {LEADER BARRIER NEXT PRODUCT, "add.s64 %rd6, %rd5, 64; st.global.u32 [%rd6], 2", "IMAD.WIDE"},
};

TEST(products_go_with_the_sums_that_take_them)
{
	CHECK_FORMS(addresses);
}

/* ---- products -------------------------------------------------------------------------------------------- */

TEST(products_of_every_shape_take_their_units_instructions)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < MATRIX_FORMS; i++) {
		const struct matrix_form *m = &matrix_forms[i];
		static char body[2048], insn[1024];
		struct fixture f;
		unsigned count = 0;
		matrix_text(m, insn, sizeof insn);
		snprintf(body, sizeof body, "%s%s\nret;", MATRIX_REGS, insn);
		CHECK(fixture_kernel(&f, "", body));
		for (uint32_t t = 0; t < f.lowering->count; t++)
			count += !strcmp(f.lowering->strings + f.lowering->insns[t].opcode, m->lowered);
		if (count != m->count)
			printf("# %s: %u of %s\n", m->text, count, m->lowered);
		wrong += count != m->count;
		fixture_free(&f);
	}
	CHECK_EQ(wrong, 0);
}

TEST_RUN_ALL(true)
