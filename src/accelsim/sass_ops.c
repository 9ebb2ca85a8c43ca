/*
 * The opcode table: what each SASS opcode is to the timing model. Grouped by
 * class; looked up once per static instruction, so the order has no cost.
 */
#include <string.h>

#include "accelsim/sass.h"

#define PRED INSN_SETS_PREDICATE
#define UNI INSN_WRITES_UNIFORM

/* Opcodes that behave alike share a row; names are separated by blanks. */
static const struct sass_op ops[] = {
    /* single precision: the FMA pipe */
    {"FADD FADD32I FFMA FFMA32I FMUL FMUL32I FSWZ FSWZADD", 0, OP_FP32, SPACE_NONE, SPANS_ONE},
    {"FADD2 FFMA2 FMUL2", 0, OP_FP32, SPACE_NONE, SPANS_DOUBLE},
    /* half precision */
    {"HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 VHMNMX", 0, OP_FP16, SPACE_NONE,
     SPANS_ONE},
    {"HSETP2", PRED, OP_FP16, SPACE_NONE, SPANS_ONE},
    /* double precision */
    {"DADD DFMA DMNMX DMUL DSET", 0, OP_FP64, SPACE_NONE, SPANS_DOUBLE},
    {"DSETP", PRED, OP_FP64, SPACE_NONE, SPANS_DOUBLE},
    /* matrix multiply-accumulate */
    {"BGMMA BMMA HGMMA HMMA IGMMA IMMA OMMA QGMMA QMMA", 0, OP_TENSOR, SPACE_NONE, SPANS_MMA},
    {"DMMA", 0, OP_TENSOR64, SPACE_NONE, SPANS_MMA},
    /* quarter-rate unit: transcendentals, conversions, bit counting */
    {"BREV FLO IPA MUFU POPC RRO", 0, OP_SFU, SPACE_NONE, SPANS_ONE},
    {"F2F I2I", 0, OP_SFU, SPACE_NONE, SPANS_F2F},
    {"F2I", 0, OP_SFU, SPACE_NONE, SPANS_F2I},
    {"FCHK", PRED, OP_SFU, SPACE_NONE, SPANS_ONE},
    {"FRND", 0, OP_SFU, SPACE_NONE, SPANS_FRND},
    {"I2F", 0, OP_SFU, SPACE_NONE, SPANS_I2F},
    /* the ALU pipe: integer and logic, compares, selects, moves */
    {"BFE BFI BMSK CSET F2FP F2IP FCMP FMNMX FMNMX3 FSEL FSET GETLMEMBASE I2FP I2IP IABS IADD IADD2 "
     "IADD3 IADD32I ICMP IMNMX ISAD ISCADD ISCADD32I ISET ISUB LEA LOP LOP3 LOP32I MOV MOV32I P2R PRMT "
     "PSET SEL SGXT SHF SHL SHR SUBFM SUCLAMP SUEAU SULEA VABSDIFF VABSDIFF2 VABSDIFF4 VADD VADD2 "
     "VADD4 VIADD VIADDMNMX VIMNMX VIMNMX3 VMNMX VMNMX2 VMNMX4 VSEL2 VSEL4 VSET VSET2 VSET4 VSHL VSHL2 "
     "VSHL4 VSHR VSHR2 VSHR4",
     0, OP_INT, SPACE_NONE, SPANS_ONE},
    {"CS2R", 0, OP_INT, SPACE_NONE, SPANS_CS2R},
    {"CSETP FSETP ISETP PLOP3 PSETP QSPC R2P VSETP", PRED, OP_INT, SPACE_NONE, SPANS_ONE},
    {"LEPC", 0, OP_INT, SPACE_NONE, SPANS_DOUBLE},
    /* integer multiply: its move, shift and add forms run on the same pipe */
    {"IDP IDP4A IMADSP VMAD XMAD", 0, OP_IMAD, SPACE_NONE, SPANS_ONE},
    {"IMAD IMAD32I IMUL IMUL32I", 0, OP_IMAD, SPACE_NONE, SPANS_MAD},
    /* across lanes */
    {"CREDUX REDUX VOTEU", UNI, OP_VOTE, SPACE_NONE, SPANS_ONE},
    {"ELECT MATCH VOTE", PRED, OP_VOTE, SPACE_NONE, SPANS_ONE},
    {"MOVM SHFL", 0, OP_SHUFFLE, SPACE_NONE, SPANS_ONE},
    /* special registers */
    {"B2R S2R", 0, OP_SREG, SPACE_NONE, SPANS_ONE},
    {"S2UR", UNI, OP_SREG, SPACE_NONE, SPANS_ONE},
    /* the uniform datapath; uniform registers are not in the traces */
    {"CS2UR LDCU R2UR UBMSK UBREV UCLEA UF2F UF2FP UF2I UFADD UFFMA UFLO UFMNMX UFMUL UFRND UFSEL "
     "UFSET UFSETP UI2F UI2FP UI2I UIABS UIADD3 UIMAD UIMNMX UISETP ULDC ULEA ULEPC ULOP ULOP3 ULOP32I "
     "UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR UVIADD UVIMNMX",
     UNI, OP_UNIFORM, SPACE_NONE, SPANS_ONE},
    /* bulk copies by descriptor: traces hold no addresses for them */
    {"UBLKCP UBLKPF UBLKRED UTMACCTL UTMACMDFLUSH UTMALDG UTMAPF UTMAREDG UTMASTG", 0, OP_UNIFORM, SPACE_NONE,
     SPANS_ONE},
    /* control flow; that a branch is conditional is not in the mnemonic, most are */
    {"BRA BRK CONT JMP", INSN_USES_PREDICATE, OP_BRANCH, SPACE_NONE, SPANS_ONE},
    {"BRX BRXU JMX JMXU", INSN_USES_PREDICATE, OP_BRANCH, SPACE_NONE, SPANS_JUMP},
    {"CAL JCAL LONGJMP RTT", 0, OP_BRANCH, SPACE_NONE, SPANS_ONE},
    {"CALL RET", 0, OP_BRANCH, SPACE_NONE, SPANS_JUMP},
    {"EXIT KIL KILL", 0, OP_EXIT, SPACE_NONE, SPANS_ONE},
    {"BMOV BREAK BSSY BSYNC ENDCOLLECTIVE PBK PCNT PEXIT PLONGJMP PRET R2B RPCMOV SAM SSY SYNC "
     "WARPGROUP WARPSYNC YIELD",
     0, OP_RECONVERGE, SPACE_NONE, SPANS_ONE},
    /* barriers and fences; BAR.ARV is told apart by its second part */
    {"BAR", 0, OP_BARRIER, SPACE_NONE, SPANS_ONE},
    {"CCTL CCTLL CCTLT FENCE MEMBAR", 0, OP_FENCE, SPACE_NONE, SPANS_ONE},
    /* bookkeeping */
    {"ACQBULK BPT CGAERRBAR CSMTEST DEPBAR ERRBAR LDGDEPBAR NANOSLEEP NANOTRAP NOP PMTRIG PREEXIT "
     "SETCTAID SETLMEMBASE TEXDEPBAR UCGABAR_ARV UCGABAR_WAIT USETMAXREG",
     0, OP_NOP, SPACE_NONE, SPANS_ONE},
    /* loads */
    {"LD", 0, OP_LOAD, SPACE_GENERIC, SPANS_LOAD},
    {"LDG LDU", 0, OP_LOAD, SPACE_GLOBAL, SPANS_LOAD},
    {"LDGSTS", INSN_ASYNC_COPY, OP_LOAD, SPACE_GLOBAL, SPANS_COPY},
    {"LDL", 0, OP_LOAD, SPACE_LOCAL, SPANS_LOAD},
    {"LDS LDSLK", 0, OP_LOAD, SPACE_SHARED, SPANS_LOAD},
    {"LDSM", 0, OP_LOAD, SPACE_SHARED, SPANS_MATRIX},
    {"LDC LDCT", 0, OP_CONST, SPACE_CONST, SPANS_CONST},
    /* stores */
    {"ST", 0, OP_STORE, SPACE_GENERIC, SPANS_STORE},
    {"STAS STS STSCUL", 0, OP_STORE, SPACE_SHARED, SPANS_STORE},
    {"STG", 0, OP_STORE, SPACE_GLOBAL, SPANS_STORE},
    {"STL", 0, OP_STORE, SPACE_LOCAL, SPANS_STORE},
    {"STSM", 0, OP_STORE, SPACE_SHARED, SPANS_MATRIX},
    /* atomics */
    {"ATOM", 0, OP_ATOMIC, SPACE_GENERIC, SPANS_ATOMIC},
    {"ATOMG", 0, OP_ATOMIC, SPACE_GLOBAL, SPANS_ATOMIC},
    {"ATOMS", 0, OP_ATOMIC, SPACE_SHARED, SPANS_ATOMIC},
    {"SYNCS", PRED, OP_ATOMIC, SPACE_SHARED, SPANS_ATOMIC},
    {"ARRIVES REDAS REDS", 0, OP_REDUCE, SPACE_SHARED, SPANS_ATOMIC},
    {"RED REDG", 0, OP_REDUCE, SPACE_GLOBAL, SPANS_ATOMIC},
    /* texture and surface */
    {"SUATOM SULD SULDGA SUQUERY SURED SUST SUSTGA TEX TEXS TLD TLD4 TLD4S TLDS TMML TXA TXD TXQ", 0,
     OP_TEXTURE, SPACE_TEXTURE, SPANS_TEXTURE},
};

/* By the first letters of an unknown opcode, tried in order; the last one fits everything. */
static const struct sass_op guesses[] = {
    {"LDS", 0, OP_LOAD, SPACE_SHARED, SPANS_LOAD},
    {"LDL", 0, OP_LOAD, SPACE_LOCAL, SPANS_LOAD},
    {"LDC", 0, OP_CONST, SPACE_CONST, SPANS_CONST},
    {"LD", 0, OP_LOAD, SPACE_GLOBAL, SPANS_LOAD},
    {"STS", 0, OP_STORE, SPACE_SHARED, SPANS_STORE},
    {"STL", 0, OP_STORE, SPACE_LOCAL, SPANS_STORE},
    {"ST", 0, OP_STORE, SPACE_GLOBAL, SPANS_STORE},
    {"ATOMS", 0, OP_ATOMIC, SPACE_SHARED, SPANS_ATOMIC},
    {"ATOM", 0, OP_ATOMIC, SPACE_GLOBAL, SPANS_ATOMIC},
    {"RED", 0, OP_REDUCE, SPACE_GLOBAL, SPANS_ATOMIC},
    {"SU", 0, OP_TEXTURE, SPACE_TEXTURE, SPANS_TEXTURE},
    {"T", 0, OP_TEXTURE, SPACE_TEXTURE, SPANS_TEXTURE},
    {"U", UNI, OP_UNIFORM, SPACE_NONE, SPANS_ONE},
    {"VOTE", PRED, OP_VOTE, SPACE_NONE, SPANS_ONE},
    {"MEMBAR", 0, OP_FENCE, SPACE_NONE, SPANS_ONE},
    {"CCTL", 0, OP_FENCE, SPACE_NONE, SPANS_ONE},
    {"BR", INSN_USES_PREDICATE, OP_BRANCH, SPACE_NONE, SPANS_ONE},
    {"J", INSN_USES_PREDICATE, OP_BRANCH, SPACE_NONE, SPANS_ONE},
    {"MUFU", 0, OP_SFU, SPACE_NONE, SPANS_ONE},
    {"F2", 0, OP_SFU, SPACE_NONE, SPANS_ONE},
    {"I2", 0, OP_SFU, SPACE_NONE, SPANS_ONE},
    {"S2", 0, OP_SREG, SPACE_NONE, SPANS_ONE},
    {"IM", 0, OP_IMAD, SPACE_NONE, SPANS_ONE},
    {"D", 0, OP_FP64, SPACE_NONE, SPANS_DOUBLE},
    {"F", 0, OP_FP32, SPACE_NONE, SPANS_ONE},
    {"H", 0, OP_FP16, SPACE_NONE, SPANS_ONE},
    {"", 0, OP_INT, SPACE_NONE, SPANS_ONE},
};
static const struct sass_op guessed_mma = {"", 0, OP_TENSOR, SPACE_NONE, SPANS_MMA};

static bool has_name(const char *names, const char *name, size_t length)
{
	for (size_t n; *names; names += n + (names[n] == ' ')) {
		n = strcspn(names, " ");
		if (n == length && !memcmp(names, name, n))
			return true;
	}
	return false;
}

const struct sass_op *sass_find_op(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (has_name(ops[i].names, name, length))
			return &ops[i];
	return NULL;
}

const struct sass_op *sass_guess_op(const char *name, size_t length)
{
	if (length >= 3 && !memcmp(name + length - 3, "MMA", 3))
		return &guessed_mma;
	const struct sass_op *g = guesses;
	while (strlen(g->names) > length || memcmp(g->names, name, strlen(g->names)))
		g++;
	return g;
}
