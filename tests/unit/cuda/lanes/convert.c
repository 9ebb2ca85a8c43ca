/* cvt between all integer types in registers of every width; numbers for tensor cores; forms that are rare. */
#include "cuda/lanes/lanes.h"
#include "inputs.h"
#include "lib/exec_snippet.h"

/* ---- integers -------------------------------------------------------------------------------------------- */

static const struct integer {
	uint8_t type, bits;
	bool is_signed;
} integers[] = {{PTX_TYPE_u8, 8, false},   {PTX_TYPE_s8, 8, true},    {PTX_TYPE_u16, 16, false},
                {PTX_TYPE_s16, 16, true},  {PTX_TYPE_u32, 32, false}, {PTX_TYPE_s32, 32, true},
                {PTX_TYPE_u64, 64, false}, {PTX_TYPE_s64, 64, true}};

/* What a register's low bits are, read as a type. */
static int64_t cut(uint64_t value, const struct integer *t)
{
	unsigned shift = 64u - t->bits;
	return t->is_signed ? (int64_t)(value << shift) >> shift : (int64_t)(value << shift >> shift);
}

static unsigned count_wrong(const struct integer *to, const struct integer *from, unsigned result,
                            unsigned source)
{
	struct ptx_insn insn = {.op = PTX_cvt, .type = to->type, .type2 = from->type};
	struct lane_shape shape = {(uint8_t)result, {(uint8_t)source}};
	lane_fn *fn = lane_function(&insn, &shape);
	unsigned char in[LANES_MAX * 8], out[LANES_MAX * 8];
	unsigned wrong = 0;
	for (unsigned i = 0; i < LANES_MAX; i++)
		memcpy(in + (size_t)i * source, &edges_i64[i % 38], source);
	if (!fn)
		return LANES_MAX;
	fn(out, in, NULL, NULL, NULL, LANES_MAX);
	for (unsigned i = 0; i < LANES_MAX; i++) {
		uint64_t got = 0, want = (uint64_t)cut((uint64_t)cut(edges_i64[i % 38], from), to);
		memcpy(&got, out + (size_t)i * result, result);
		wrong += got != (result == 8 ? want : want & ((UINT64_C(1) << 8 * result) - 1));
	}
	return wrong;
}

TEST(integers_convert_in_registers_of_every_width)
{
	unsigned wrong = 0, tried = 0;
	for (unsigned to = 0; to < 8; to++)
		for (unsigned from = 0; from < 8; from++)
			for (unsigned result = 2; result <= 8; result *= 2)
				for (unsigned source = 2; source <= 8; source *= 2) {
					if (8 * result < integers[to].bits ||
					    8 * source < integers[from].bits)
						continue;
					tried++;
					wrong += count_wrong(&integers[to], &integers[from], result, source);
				}
	CHECK_EQ(tried, 18 * 18);
	CHECK_EQ(wrong, 0);
}

/* ---- for tensor cores ------------------------------------------------------------------------------------ */

#define WORD "cvt.u64.u32 %rd0, %r2;"
#define TF32(form, x) "mov.f32 %f1, " x "; cvt." form ".tf32.f32 %r2, %f1;" WORD
#define PAIR(form, x, y)                                                                                     \
	"mov.f32 %f1, " x "; mov.f32 %f2, " y "; cvt.rn.satfinite" form                                      \
	".f32 %h1, %f1, %f2; cvt.u64.u16 %rd0, %h1;"
#define HALVES(form, x) "mov.u16 %h1, " x "; cvt.rn" form " %r2, %h1;" WORD
#define ODD "0f3F801000" /* 1 and half of the last place of tf32 */
#define NAN_F "0f7FC00000"
#define HUGE "0f7F7FFFFF"
#define INF "0f7F800000"

static const struct snippet tensor[] = {
    GIVES(0x3f802000, TF32("rna", ODD)),
    GIVES(0x7f7fe000, TF32("rna.satfinite", HUGE)),
    GIVES(0x7f800000, TF32("rna", "0f7F800001")),
    GIVES(0x3f800000, TF32("rn", ODD)),
    GIVES(0x3f804000, TF32("rn", "0f3F803000")),
    GIVES(0x7fffffff, TF32("rn", NAN_F)),
    GIVES(0x7f800000, TF32("rn", HUGE)),
    GIVES(0, TF32("rn.relu", "0fBF800000")),
    GIVES(0x3f800000, TF32("rn.relu", "0f3F800000")),
    GIVES(0x7f7fe000, TF32("rn.satfinite", HUGE)),
    GIVES(0x3f800000, TF32("rn.satfinite", "0f3F800000")),
    GIVES(0x7f7fe000, TF32("rn.relu.satfinite", INF)),
    GIVES(0x3f800000, TF32("rz", "0f3F801FFF")),
    GIVES(0, TF32("rz.relu", "0fBF800000")),
    GIVES(0xff800000, TF32("rz", "0fFF800000")),
    GIVES(0xff7fe000, TF32("rz.satfinite", "0fFF800000")),
    GIVES(0x7f7fe000, TF32("rz.relu.satfinite", INF)),
    GIVES(0x38c0, PAIR(".e4m3x2", "0f3F800000", "0fC0000000")),
    GIVES(0x7f7e, PAIR(".e4m3x2", NAN_F, HUGE)),
    GIVES(0x7e01, PAIR(".e4m3x2", "0f43F00000", "0f3B000000")), /* 480 is too much; 2^-9 is the least */
    GIVES(0x0800, PAIR(".e4m3x2", "0f3C7F0000", "0f00000000")), /* rounds up to the least normal one */
    GIVES(0x38, PAIR(".relu.e4m3x2", "0fBF800000", "0f3F800000")),
    GIVES(0x3cc0, PAIR(".e5m2x2", "0f3F800000", "0fC0000000")),
    GIVES(0x7b00, PAIR(".relu.e5m2x2", INF, "0fBF800000")),
    GIVES(0xb838, "mov.u32 %r3, 0xbc003c00; cvt.rn.satfinite.e4m3x2.f16x2 %h1, %r3; cvt.u64.u16 %rd0, %h1;"),
    GIVES(0x3c,
          "mov.u32 %r3, 0xbc003c00; cvt.rn.satfinite.relu.e5m2x2.f16x2 %h1, %r3; cvt.u64.u16 %rd0, %h1;"),
    GIVES(0xbc007fff, HALVES(".f16x2.e4m3x2", "0xb87f")),
    GIVES(0x18008000, HALVES(".f16x2.e4m3x2", "0x0180")),
    GIVES(0x23009e00, HALVES(".f16x2.e4m3x2", "0x0783")),
    GIVES(0x3c00, HALVES(".relu.f16x2.e4m3x2", "0xb838")),
    GIVES(0xbc007fff, HALVES(".f16x2.e5m2x2", "0xbc7d")),
    GIVES(0x7c000000, HALVES(".relu.f16x2.e5m2x2", "0x7cbc")),
};

TEST(numbers_for_tensor_cores_round_saturate_and_drop_signs)
{
	CHECK_SNIPPETS(tensor, 32);
}

/* ---- rare forms ------------------------------------------------------------------------------------------ */

#define F32(insn, x) "mov.f32 %f1, " x "; " insn " %f2, %f1; mov.b32 %r2, %f2;" WORD
#define DIV(form, x, y)                                                                                      \
	"mov.f32 %f1, " x "; mov.f32 %f2, " y "; div." form ".f32 %f3, %f1, %f2; mov.b32 %r2, %f3;" WORD
#define F64(insn, x) "mov.f64 %d1, " x "; " insn " %d2, %d1; mov.b64 %rd0, %d2;"
#define HALF(insn, x) "mov.u32 %r3, " x "; " insn " %r2, %r3;" WORD
#define SET(insn, a, b) "mov.u32 %r3, " a "; mov.u32 %r4, " b "; " insn " %r2, %r3, %r4;" WORD
#define SET_1(insn, a, b) "mov.u16 %h1, " a "; mov.u16 %h2, " b "; " insn " %r2, %h1, %h2;" WORD
#define SET_H(insn, a, b)                                                                                    \
	"mov.u16 %h1, " a "; mov.u16 %h2, " b "; " insn " %h3, %h1, %h2; cvt.u64.u16 %rd0, %h3;"
#define LARGE "0f7F000000"

static const struct snippet rare[] = {
    GIVES(0x3f000000, F32("rcp.approx.f32", "0f40000000")),
    GIVES(0, F32("rcp.approx.ftz.f32", LARGE)),
    GIVES(0x3f000000, F32("rsqrt.approx.f32", "0f40800000")),
    GIVES(0x40000000, F32("sqrt.approx.f32", "0f40800000")),
    GIVES(0, F32("sin.approx.ftz.f32", "0f00000001")),
    GIVES(0x3f800000, F32("cos.approx.f32", "0f00000000")),
    GIVES(0x41000000, F32("ex2.approx.f32", "0f40400000")),
    GIVES(0x40400000, F32("lg2.approx.ftz.f32", "0f41000000")),
    GIVES(0, F32("tanh.approx.f32", "0f00000000")),
    GIVES(0x40000000, DIV("approx", "0f40800000", "0f40000000")),
    GIVES(0, DIV("approx", "0f40800000", LARGE)),
    GIVES(0x7fffffff, DIV("approx", INF, LARGE)),
    GIVES(0, DIV("approx.ftz", "0f40800000", INF)),
    GIVES(0x40000000, DIV("full", "0f40800000", "0f40000000")),
    GIVES(0x3fe0000000000000, F64("rcp.approx.ftz.f64", "0d4000000000000000")),
    GIVES(0x7ff0000000000000, F64("rcp.approx.ftz.f64", "0d0000000000000001")),
    GIVES(0x7fffffff00000000, F64("rcp.approx.ftz.f64", "0d7FF8000000000000")),
    GIVES(0x3fe0000000000000, F64("rsqrt.approx.ftz.f64", "0d4010000000000000")),
    GIVES(0x3fe0000000000000, F64("rsqrt.approx.f64", "0d4010000000000000")),
    GIVES(0x44004000, HALF("ex2.approx.f16x2", "0x40003c00")),
    GIVES(0x40804000, HALF("ex2.approx.ftz.bf16x2", "0x40003f80")),
    GIVES(0x3f803f80, HALF("ex2.approx.ftz.bf16x2", "0x00010080")),
    GIVES(0x3c00, HALF("tanh.approx.f16x2", "0x00007c00")),
    /* Compares of halves: ones, all bits, or 1 in the type of the result. */
    GIVES(0x3c000000, SET("set.lt.f16x2.f16x2", "0x3c004000", "0x40003c00")),
    GIVES(0x3f800000, SET("set.lt.bf16x2.bf16x2", "0x3f804000", "0x40003f80")),
    GIVES(0xffffffff, SET_1("set.lt.u32.f16", "0x3c00", "0x4000")),
    GIVES(0, SET_1("set.gt.ftz.s32.f16", "0x0001", "0")),
    GIVES(0xffff, SET_H("set.lt.u16.f16", "0x3c00", "0x4000")),
    GIVES(0xffff, SET_H("set.lt.s16.bf16", "0x3c00", "0x4000")),
    GIVES(0x3c00, SET_H("set.lt.f16.f16", "0x3c00", "0x4000")),
    GIVES(0x3f80, SET_H("set.lt.bf16.bf16", "0x3c00", "0x4000")),
    GIVES(0x3f800000, "set.lt.f32.u32 %f2, %r1, 5; mov.b32 %r2, %f2;" WORD),
    GIVES(0xffffffff, "set.lt.s32.u32 %r2, %r1, 5;" WORD),
    GIVES(4, "fns.b32 %r2, 0xf0, 4, 1;" WORD),
    GIVES(0xffffffff, "fns.b32 %r2, 0xf0, 2, 0;" WORD),
    GIVES(0xffffffff, "fns.b32 %r2, 0xf0, 40, 0;" WORD),
    GIVES(9, "mov.u32 %r3, 7; slct.u32.s32 %r2, %r3, 9, -1;" WORD),
    GIVES(0x40000000,
          "mov.f32 %f1, 0fBF800000; slct.f32.f32 %f2, 0f3F800000, 0f40000000, %f1; mov.b32 %r2, %f2;" WORD),
    GIVES(0x3ff0000000000000,
          "mov.f64 %d1, 0d4000000000000000; selp.f64 %d2, %d1, 0d3FF0000000000000, %p9; mov.b64 %rd0, %d2;"),
};

TEST(rare_forms_give_what_the_manual_says)
{
	CHECK_SNIPPETS(rare, 32);
}

/* Forms that the manual has and the executor does not, or that do not exist. */
static const struct snippet unknown[] = {
    FAULTS("this form is not known", "set.lt.and.f16x2.f16x2 %r2, %r3, %r4, %p1;"),
    GIVES(0, "set.lt.and.f32.u32 %f2, %r1, 5, %p1;"),
};

TEST(unknown_forms_are_refused)
{
	CHECK_SNIPPETS(unknown, 32);
	struct ptx_insn none[] = {
	    {.op = PTX_add, .type = PTX_TYPE_f16, .round = PTX_ROUND_rz},
	    {.op = PTX_cvt, .type = PTX_TYPE_tf32, .type2 = PTX_TYPE_f32, .round = PTX_ROUND_rp},
	    {.op = PTX_cvt, .type = PTX_TYPE_e4m3x2, .type2 = PTX_TYPE_f64, .round = PTX_ROUND_rn},
	    {.op = PTX_cvt, .type = PTX_TYPE_f16x2, .type2 = PTX_TYPE_f64, .round = PTX_ROUND_rn},
	    {.op = PTX_cvt, .type = PTX_TYPE_bf16x2, .type2 = PTX_TYPE_f64, .round = PTX_ROUND_rn},
	    {.op = PTX_cvt, .type = PTX_TYPE_pred, .type2 = PTX_TYPE_f32},
	    {.op = PTX_cvt, .type = PTX_TYPE_f32, .type2 = PTX_TYPE_pred},
	    {.op = PTX_cvt, .type = PTX_TYPE_u32, .type2 = PTX_TYPE_pred},
	    {.op = PTX_setp, .type = PTX_TYPE_b128, .type2 = PTX_TYPE_b128},
	    {.op = PTX_set, .type = PTX_TYPE_f64, .type2 = PTX_TYPE_u32, .compare = PTX_COMPARE_lt},
	    {.op = PTX_rsqrt, .type = PTX_TYPE_f64, .round = PTX_ROUND_rz},
	};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		CHECK(!lane_function(&none[i], NULL));
}

/* Old texts write b8 to b64 where numbers are meant. */
TEST(types_of_bits_convert_as_numbers)
{
	static const uint8_t types[][2] = {{PTX_TYPE_b8, PTX_TYPE_b16},
	                                   {PTX_TYPE_b16, PTX_TYPE_b32},
	                                   {PTX_TYPE_b32, PTX_TYPE_b64},
	                                   {PTX_TYPE_b64, PTX_TYPE_b8}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		struct ptx_insn insn = {.op = PTX_cvt, .type = types[i][0], .type2 = types[i][1]};
		uint64_t in[LANES_MAX], out[LANES_MAX] = {0};
		memset(in, 0x85, sizeof in);
		lane_fn *fn = lane_function(&insn, NULL);
		CHECK(fn);
		fn(out, in, NULL, NULL, NULL, LANES_MAX);
		CHECK_EQ(((uint8_t *)out)[0], 0x85);
	}
}

TEST_RUN_ALL(true)
