/* What the opcode table says: classes, spaces, widths, flags, register spans. */
#include "lib/accelsim_fixture.h"

/* An instruction with a destination R8 (unless it is to have none) and the sources R10, R20, R30. */
static struct trace_insn classify(const char *mnemonic, uint32_t version, bool result, unsigned sources)
{
	struct trace_insn i = {
	    .dst = result ? 8 : TRACE_REG_NONE, .src_count = (uint8_t)sources, .src = {10, 20, 30}};
	sass_classify(mnemonic, version, &i);
	return i;
}

TEST(opcodes_have_the_class_of_their_pipe)
{
	static const struct {
		const char *mnemonic;
		enum op_class op;
	} cases[] = {
	    {"FFMA", OP_FP32},
	    {"FADD.FTZ", OP_FP32},
	    {"HFMA2.MMA", OP_FP16},
	    {"HADD2.F32", OP_FP16},
	    {"DFMA", OP_FP64},
	    {"DSETP.GT.AND", OP_FP64},
	    {"IMAD", OP_IMAD},
	    {"IMAD.MOV.U32", OP_IMAD},
	    {"IMAD.SHL.U32", OP_IMAD},
	    {"XMAD.MRG", OP_IMAD},
	    {"IDP.4A.S8.S8", OP_IMAD},
	    {"IADD3.X", OP_INT},
	    {"LOP3.LUT", OP_INT},
	    {"SHF.R.S32.HI", OP_INT},
	    {"PRMT", OP_INT},
	    {"ISETP.GE.AND", OP_INT},
	    {"FSETP.GEU.AND", OP_INT},
	    {"FMNMX", OP_INT},
	    {"I2FP.F32.U32", OP_INT},
	    {"VIADD", OP_INT},
	    {"VIMNMX", OP_INT},
	    {"CS2R", OP_INT},
	    {"BFE.U32", OP_INT},
	    {"ISCADD", OP_INT},
	    {"MUFU.EX2", OP_SFU},
	    {"F2F.F64.F32", OP_SFU},
	    {"I2F.U32.RP", OP_SFU},
	    {"POPC", OP_SFU},
	    {"FLO.U32", OP_SFU},
	    {"BREV", OP_SFU},
	    {"RRO.SINCOS", OP_SFU},
	    {"HMMA.16816.F32", OP_TENSOR},
	    {"IMMA.16832.S8.S8", OP_TENSOR},
	    {"HGMMA.64x128x16.F32", OP_TENSOR},
	    {"DMMA.884", OP_TENSOR64},
	    {"SHFL.BFLY", OP_SHUFFLE},
	    {"VOTE.ANY", OP_VOTE},
	    {"MATCH.ANY", OP_VOTE},
	    {"REDUX.SUM", OP_VOTE},
	    {"S2R", OP_SREG},
	    {"S2UR", OP_SREG},
	    {"LDC.64", OP_CONST},
	    {"ULDC.64", OP_UNIFORM},
	    {"UIADD3.X", OP_UNIFORM},
	    {"R2UR", OP_UNIFORM},
	    {"UTMALDG.2D", OP_UNIFORM},
	    {"BRA", OP_BRANCH},
	    {"CALL.REL.NOINC", OP_BRANCH},
	    {"RET.REL.NODEC", OP_BRANCH},
	    {"BRK", OP_BRANCH},
	    {"SSY", OP_RECONVERGE},
	    {"SYNC", OP_RECONVERGE},
	    {"BSSY", OP_RECONVERGE},
	    {"BSYNC", OP_RECONVERGE},
	    {"WARPSYNC", OP_RECONVERGE},
	    {"BREAK", OP_RECONVERGE},
	    {"BAR.SYNC.DEFER_BLOCKING", OP_BARRIER},
	    {"BAR.RED.POPC", OP_BARRIER},
	    {"BAR.ARV", OP_ARRIVE},
	    {"MEMBAR.SC.GPU", OP_FENCE},
	    {"CCTL.IVALL", OP_FENCE},
	    {"EXIT", OP_EXIT},
	    {"NOP", OP_NOP},
	    {"DEPBAR.LE", OP_NOP},
	    {"LDGDEPBAR", OP_NOP},
	    {"TEX.SCR.B.LL", OP_TEXTURE},
	    {"SULD.D.BA.2D", OP_TEXTURE},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct trace_insn insn = classify(cases[i].mnemonic, 80, true, 2);
		if (insn.op != cases[i].op)
			printf("# %s\n", cases[i].mnemonic);
		CHECK_EQ(insn.op, cases[i].op);
		CHECK(!(insn.flags & INSN_GUESSED));
	}
}

TEST(accesses_have_their_space_and_width)
{
	static const struct {
		const char *mnemonic;
		enum op_class op;
		enum mem_space space;
		unsigned width;
	} cases[] = {
	    {"LDG.E", OP_LOAD, SPACE_GLOBAL, 4},
	    {"LDG.E.U8", OP_LOAD, SPACE_GLOBAL, 1},
	    {"LDG.E.S8.SYS", OP_LOAD, SPACE_GLOBAL, 1},
	    {"LDG.E.S16", OP_LOAD, SPACE_GLOBAL, 2},
	    {"LDG.E.U16.CONSTANT", OP_LOAD, SPACE_GLOBAL, 2},
	    {"LDG.E.64.SYS", OP_LOAD, SPACE_GLOBAL, 8},
	    {"LDG.E.LTC128B.128", OP_LOAD, SPACE_GLOBAL, 16},
	    {"LD.E.CG", OP_LOAD, SPACE_GENERIC, 4},
	    {"LDL.LU", OP_LOAD, SPACE_LOCAL, 4},
	    {"LDS.U.128", OP_LOAD, SPACE_SHARED, 16},
	    {"LDSM.16.M88.4", OP_LOAD, SPACE_SHARED, 16},
	    {"LDGSTS.E.BYPASS.128", OP_LOAD, SPACE_GLOBAL, 16},
	    {"STG.E.64", OP_STORE, SPACE_GLOBAL, 8},
	    {"ST.E", OP_STORE, SPACE_GENERIC, 4},
	    {"STL", OP_STORE, SPACE_LOCAL, 4},
	    {"STS.U8", OP_STORE, SPACE_SHARED, 1},
	    {"ATOM.E.ADD", OP_ATOMIC, SPACE_GENERIC, 4},
	    {"ATOMG.E.ADD.64.STRONG.GPU", OP_ATOMIC, SPACE_GLOBAL, 8},
	    {"ATOMS.POPC.INC.32", OP_ATOMIC, SPACE_SHARED, 4},
	    {"RED.E.ADD.F32.FTZ.RN", OP_REDUCE, SPACE_GLOBAL, 4},
	    {"REDG.E.ADD.F64.RN.STRONG.GPU", OP_REDUCE, SPACE_GLOBAL, 8},
	    {"LDC.U8", OP_CONST, SPACE_CONST, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct trace_insn insn = classify(cases[i].mnemonic, 80, true, 2);
		bool ok = insn.op == cases[i].op && insn.space == cases[i].space &&
		          insn.width_bytes == cases[i].width;
		if (!ok)
			printf("# %s: %s %s %u\n", cases[i].mnemonic, op_class_name(insn.op),
			       mem_space_name(insn.space), insn.width_bytes);
		CHECK(ok);
	}
	CHECK_EQ(classify("IADD3", 80, true, 2).width_bytes, 0);
}

TEST(flags_say_what_the_timing_needs)
{
#define FLAGS(mnemonic, result, sources) classify(mnemonic, 80, result, sources).flags
	CHECK_EQ(FLAGS("LDG.E.SYS", true, 1), INSN_MEMORY);
	CHECK_EQ(FLAGS("LDG.E.STRONG.GPU", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LDG.E.STRONG.SYS", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LDG.E.STRONG.CTA", true, 1), INSN_MEMORY);
	CHECK_EQ(FLAGS("LD.E.CV", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LDGSTS.E.BYPASS.128", false, 2), INSN_MEMORY | INSN_BYPASS_L1 | INSN_ASYNC_COPY);
	CHECK_EQ(FLAGS("LDGSTS.E.64", false, 2), INSN_MEMORY | INSN_ASYNC_COPY);
	CHECK_EQ(FLAGS("ATOMS.CAS", true, 3), INSN_MEMORY | INSN_CAS);
	CHECK_EQ(FLAGS("ATOMS.CAST.SPIN", true, 3), INSN_MEMORY | INSN_CAS);
	CHECK_EQ(FLAGS("ISETP.GE.AND", false, 2), INSN_SETS_PREDICATE);
	CHECK_EQ(FLAGS("VOTE.ANY", false, 0), INSN_SETS_PREDICATE);
	CHECK_EQ(FLAGS("VOTE.BALLOT", true, 0), 0);
	CHECK_EQ(FLAGS("LOP3.LUT", false, 2), INSN_SETS_PREDICATE);
	CHECK_EQ(FLAGS("LOP3.LUT", true, 2), 0);
	CHECK_EQ(FLAGS("BRA", false, 0), INSN_USES_PREDICATE);
	CHECK_EQ(FLAGS("EXIT", false, 0), 0);
	CHECK_EQ(FLAGS("IMAD.HI.U32", true, 3), INSN_DOUBLE_PASS);
	CHECK_EQ(FLAGS("SHFL.IDX", true, 2), INSN_REG_LANE);
	CHECK_EQ(FLAGS("SHFL.BFLY", true, 1), 0);
	CHECK_EQ(FLAGS("MEMBAR.SC.GPU", false, 0), INSN_GPU_SCOPE);
	CHECK_EQ(FLAGS("MEMBAR.SYS", false, 0), INSN_GPU_SCOPE);
	CHECK_EQ(FLAGS("MEMBAR.ALL.CTA", false, 0), 0);
	CHECK_EQ(FLAGS("CCTL.IVALL", false, 0), INSN_GPU_SCOPE);
	CHECK_EQ(FLAGS("MEMBAR.GL", false, 0), INSN_GPU_SCOPE);
	CHECK_EQ(FLAGS("MEMBAR.VC", false, 0), INSN_GPU_SCOPE);
	CHECK_EQ(FLAGS("LDG.E.STRONG.SYS", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LDG.E.STRONG.GL", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LDG.E.STRONG.CTA", true, 1), INSN_MEMORY);
	CHECK_EQ(FLAGS("LD.E.CG", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LD.E.CV", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LDG.E.BYPASS", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("LDG.E.MMIO.SYS", true, 1), INSN_MEMORY | INSN_BYPASS_L1);
	CHECK_EQ(FLAGS("ULDC.64", false, 0), INSN_WRITES_UNIFORM);
	CHECK_EQ(FLAGS("S2UR", false, 0), INSN_WRITES_UNIFORM);
	CHECK_EQ(FLAGS("R2UR", false, 1), INSN_WRITES_UNIFORM);
}

TEST(wide_operands_span_their_registers)
{
	static const struct {
		const char *mnemonic;
		uint32_t version;
		unsigned sources;
		uint8_t dst, src[3];
	} cases[] = {
	    {"LDG.E", 90, 1, 1, {2}},
	    {"LDG.E.64", 90, 1, 2, {2}},
	    {"LDG.E.128", 90, 1, 4, {2}},
	    {"LDG.E.U8", 90, 1, 1, {2}},
	    {"LDS.64", 90, 1, 2, {1}},
	    {"LDL.128", 90, 1, 4, {1}},
	    {"LD.E.64", 35, 1, 2, {2}},
	    {"LDC.64", 90, 1, 2, {1}},
	    {"STG.E.128", 90, 2, 1, {2, 4}},
	    {"STS.64", 90, 2, 1, {1, 2}},
	    {"STG.E", 90, 1, 1, {2}},
	    {"LDGSTS.E.128", 80, 2, 1, {1, 2}},
	    {"LDSM.16.M88.4", 80, 1, 4, {1}},
	    {"LDSM.16.MT88.2", 80, 1, 2, {1}},
	    {"IMAD.WIDE", 90, 2, 2, {1, 2}},
	    {"IMAD.WIDE.U32", 90, 3, 2, {1, 1, 2}},
	    {"IMAD.HI.U32", 90, 3, 1, {1, 1, 2}},
	    {"IMAD", 90, 3, 1, {1, 1, 1}},
	    {"DFMA", 90, 3, 2, {2, 2, 2}},
	    {"DADD", 61, 2, 2, {2, 2}},
	    {"F2F.F64.F32", 90, 1, 2, {1}},
	    {"F2F.F32.F64", 90, 1, 1, {2}},
	    {"I2F.F64.U32", 90, 1, 2, {1}},
	    {"I2F.F64.S64", 90, 1, 2, {2}},
	    {"F2I.FTZ.U32.TRUNC.NTZ", 90, 1, 1, {1}},
	    {"F2I.S64.F64.TRUNC", 90, 1, 2, {2}},
	    {"FRND.F64.FLOOR", 90, 1, 2, {2}},
	    {"MUFU.RCP64H", 90, 1, 1, {1}},
	    {"CS2R", 90, 0, 2, {0}},
	    {"CS2R.32", 90, 0, 1, {0}},
	    {"S2R", 90, 0, 1, {0}},
	    {"HMMA.16816.F32", 80, 3, 4, {4, 2, 4}},
	    {"HMMA.16816.F16", 80, 3, 2, {4, 2, 2}},
	    {"HMMA.1688.F32", 75, 3, 4, {2, 1, 4}},
	    {"HMMA.1688.F32.TF32", 80, 3, 4, {4, 2, 4}},
	    {"HMMA.884.F32.F32.STEP0", 70, 3, 2, {2, 2, 2}},
	    {"IMMA.16832.S8.S8", 80, 3, 4, {4, 2, 4}},
	    {"IMMA.8816.S8.S8.SAT", 75, 3, 2, {1, 1, 2}},
	    {"DMMA.884", 80, 3, 4, {2, 2, 4}},
	    {"HGMMA.64x128x16.F32", 90, 1, 64, {1}},
	    {"ATOMG.E.ADD.64.STRONG.GPU", 80, 2, 2, {2, 2}},
	    {"ATOMG.E.CAS.STRONG.GPU", 80, 3, 1, {2, 1, 1}},
	    {"ATOM.E.CAS", 61, 2, 1, {2, 2}},
	    {"ATOMS.ADD", 80, 2, 1, {1, 1}},
	    {"RET.REL.NODEC", 80, 1, 1, {2}},
	    {"SHFL.BFLY", 80, 2, 1, {1, 1}},
	    {"LDSM.16.M88", 80, 1, 1, {1}},
	    {"STSM.16.M88.4", 90, 2, 1, {1, 4}},
	    {"F2F.F64", 90, 1, 2, {1}},
	    {"HGMMA.64x128x16.F16", 90, 1, 32, {1}},
	    {"HGMMA.64x4x16.F32", 90, 1, 1, {1}},
	    {"HGMMA.F32", 90, 1, 1, {1}},
	    {"HMMA.999.F32", 80, 3, 1, {1, 1, 1}},
	    {"HMMA.884.F16", 70, 3, 2, {2, 2, 2}},
	    {"TEX.LL", 80, 2, 4, {1, 1}},
	    {"TEXS.LZ", 61, 2, 2, {1, 1}},
	    {"TLDS.LZ", 61, 2, 2, {1, 1}},
	    {"TLD4S.R", 61, 2, 2, {1, 1}},
	    {"TLD4.R", 80, 2, 4, {1, 1}},
	    {"RET.REL.NODEC", 61, 1, 1, {1}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct trace_insn insn =
		    classify(cases[i].mnemonic, cases[i].version, true, cases[i].sources);
		bool ok = insn.dst_span == cases[i].dst && !memcmp(insn.src_span, cases[i].src, 3);
		if (!ok)
			printf("# %s: %u <- %u %u %u\n", cases[i].mnemonic, insn.dst_span, insn.src_span[0],
			       insn.src_span[1], insn.src_span[2]);
		CHECK(ok);
	}
}

TEST(no_span_reaches_the_zero_register)
{
	struct trace_insn i = {.dst = 253, .src_count = 2, .src = {254, 255}};
	sass_classify("LDG.E.128", 90, &i);
	CHECK_EQ(i.dst_span, 2);
	CHECK_EQ(i.src_span[0], 1);
	CHECK_EQ(i.src_span[1], 0);
	i.dst = TRACE_REG_NONE;
	sass_classify("LDG.E.128", 90, &i);
	CHECK_EQ(i.dst_span, 0);
}

TEST(unknown_opcodes_are_guessed_by_their_first_letters)
{
	static const struct {
		const char *mnemonic;
		enum op_class op;
	} cases[] = {{"LDX", OP_LOAD},    {"LDSX.64", OP_LOAD}, {"STX", OP_STORE},   {"ATOMX", OP_ATOMIC},
	             {"REDX", OP_REDUCE}, {"UXYZ", OP_UNIFORM}, {"TXX", OP_TEXTURE}, {"XQMMA", OP_TENSOR},
	             {"DXX", OP_FP64},    {"FXX", OP_FP32},     {"HXX", OP_FP16},    {"ld.global", OP_INT},
	             {"_", OP_INT},       {"", OP_INT}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct trace_insn insn = classify(cases[i].mnemonic, 90, true, 1);
		CHECK_EQ(insn.op, cases[i].op);
		CHECK(insn.flags & INSN_GUESSED);
	}
}

TEST(every_class_and_space_has_a_name)
{
	for (unsigned i = 0; i < OP_COUNT; i++)
		CHECK(strlen(op_class_name(i)) > 1 && strlen(op_class_doc(i)) > 3);
	for (unsigned i = 0; i < SPACE_COUNT; i++)
		CHECK(strlen(mem_space_name(i)) > 2);
	CHECK(!strcmp(op_class_name(OP_COUNT), "?"));
	CHECK(!strcmp(op_class_doc(OP_COUNT), "?"));
	CHECK(!strcmp(mem_space_name(SPACE_COUNT), "?"));
}

TEST_RUN_ALL(true)
