/*
 * Conversions of the types that only tensor cores compute with: tf32, and pairs
 * of 8-bit floats. The first source of a pair goes to the upper byte.
 */
#include "cuda/lanes/convert.h"
#include "cuda/lanes/float.h"

#include <string.h>

/* ---- tf32: ten bits behind the point ------------------------------------------------------------------- */

enum { TF32_DROPPED = 13 };
#define TF32_MASK (~((1u << TF32_DROPPED) - 1))
#define TF32_AWAY (1u << (TF32_DROPPED - 1))

LANE_INLINE uint32_t tf32_rounded(uint32_t bits, uint32_t add, bool relu, bool saturates)
{
	uint32_t magnitude = bits & 0x7fffffffu;
	if (magnitude > 0x7f800000u)
		return 0x7fffffffu;
	if (relu && bits >> 31)
		return 0;
	uint32_t sign = bits & 0x80000000u;
	uint32_t rounded = magnitude == 0x7f800000u ? magnitude : (magnitude + add) & TF32_MASK;
	if (saturates && rounded >= 0x7f800000u)
		rounded = 0x7f7fe000u;
	return sign | rounded;
}
/* A NaN is cut off as numbers are: one with nothing but low bits becomes infinity. */
LANE_INLINE uint32_t tf32_away(uint32_t bits, bool saturates)
{
	return (bits & 0x7fffffffu) > 0x7f800000u ? bits & TF32_MASK
	                                          : tf32_rounded(bits, TF32_AWAY, false, saturates);
}
LANE_INLINE uint32_t tf32_even(uint32_t bits, bool relu, bool saturates)
{
	return tf32_rounded(bits, (1u << (TF32_DROPPED - 1)) - 1 + (bits >> TF32_DROPPED & 1), relu,
	                    saturates);
}

/* ---- 8-bit floats --------------------------------------------------------------------------------------- */

/* Bits of a type: exponent, fraction; the largest finite code. */
struct byte_float {
	int fraction_bits, lowest; /* exponent of the smallest normal number */
	uint32_t largest;
};
static const struct byte_float e4m3 = {3, -6, 0x7e}, e5m2 = {2, -14, 0x7b};

/* To nearest, ties to even, the largest number instead of infinity. */
static uint8_t byte_of(float f, const struct byte_float *t, bool relu)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	uint32_t sign = bits >> 24 & 0x80;
	if (f != f)
		return 0x7f;
	if (relu && sign)
		return 0;
	double magnitude = f < 0 ? -(double)f : (double)f;
	int exponent = (int)(bits >> 23 & 255) - 127;
	exponent = exponent < t->lowest ? t->lowest : exponent;
	/* Adding a power of two leaves the multiple of the last place in the last bits. */
	uint64_t unit = (uint64_t)(exponent - t->fraction_bits + 52 + 1023) << 52, sum_bits;
	double big, sum;
	memcpy(&big, &unit, sizeof big);
	if (exponent > 40)
		return (uint8_t)(sign | t->largest);
	sum = magnitude + big;
	memcpy(&sum_bits, &sum, sizeof sum_bits);
	uint32_t kept = (uint32_t)(sum_bits - unit);
	uint32_t field = kept >> t->fraction_bits ? (uint32_t)(exponent - t->lowest) : 0;
	uint32_t code = kept + (field << t->fraction_bits);
	return (uint8_t)(sign | (code > t->largest ? t->largest : code));
}

static uint16_t half_of_e4m3(uint8_t b)
{
	uint32_t magnitude = b & 0x7fu, sign = (uint32_t)(b & 0x80u) << 8;
	if (magnitude == 0x7f)
		return 0x7fff;
	if (magnitude >= 8)
		return (uint16_t)(sign | ((magnitude << 7) + (8u << 10)));
	/* Subnormal: a multiple of 2^-9, which half precision has as normal numbers. */
	if (!magnitude)
		return (uint16_t)sign;
	int top = 31 - __builtin_clz(magnitude);
	uint32_t fraction = (magnitude << (10 - top)) & 0x3ff;
	return (uint16_t)(sign | (uint32_t)(15 - 9 + top) << 10 | fraction);
}

static uint16_t half_of_e5m2(uint8_t b)
{
	bool is_nan = (b & 0x7fu) > 0x7c;
	return is_nan ? 0x7fff : (uint16_t)(b << 8);
}

static uint16_t relu_half(uint16_t h, bool relu)
{
	return relu && h & 0x8000 ? 0 : h;
}

/* X(type, type2, flags, round, expression) of x and y, as words or floats. */
#define TF32_FORMS(X)                                                                                        \
	X(rna, 0, tf32_away(x, false))                                                                       \
	X(rna, SAT, tf32_away(x, true))                                                                      \
	X(rn, 0, tf32_even(x, false, false))                                                                 \
	X(rn, RELU, tf32_even(x, true, false))                                                               \
	X(rn, SAT, tf32_even(x, false, true))                                                                \
	X(rn, SAT_RELU, tf32_even(x, true, true))                                                            \
	X(rz, 0, tf32_rounded(x, 0, false, false))                                                           \
	X(rz, RELU, tf32_rounded(x, 0, true, false))                                                         \
	X(rz, SAT, tf32_rounded(x, 0, false, true))                                                          \
	X(rz, SAT_RELU, tf32_rounded(x, 0, true, true))
#define BYTE_FORMS(X)                                                                                        \
	X(e4m3, false)                                                                                       \
	X(e4m3, true)                                                                                        \
	X(e5m2, false)                                                                                       \
	X(e5m2, true)

#define DEFINE_TF32(round, flags, ...) LANE_MAP1(tf32_##round##_##flags, u32, u32, __VA_ARGS__)
TF32_FORMS(DEFINE_TF32)
#define DEFINE_BYTES(t, relu)                                                                                \
	LANE_MAP2(t##_of_floats_##relu, u16, f32, f32, byte_of(x, &t, relu) << 8 | byte_of(y, &t, relu))     \
	LANE_MAP1(t##_of_halves_##relu, u16, u32,                                                            \
	          byte_of(lane_f16_to_f32((uint16_t)(x >> 16)), &t, relu) << 8 |                             \
	              byte_of(lane_f16_to_f32((uint16_t)x), &t, relu))                                       \
	LANE_MAP1(halves_of_##t##_##relu, u32, u16,                                                          \
	          (uint32_t)relu_half(half_of_##t((uint8_t)(x >> 8)), relu) << 16 |                          \
	              relu_half(half_of_##t((uint8_t)x), relu))
BYTE_FORMS(DEFINE_BYTES)

enum {
	FLAGS_0 = 0,
	FLAGS_RELU = PTX_FLAG_RELU,
	FLAGS_SAT = PTX_FLAG_SAT,
	FLAGS_SAT_RELU = PTX_FLAG_SAT | PTX_FLAG_RELU
};
struct tensor_form {
	uint8_t round;
	uint32_t flags;
	lane_fn *base, *wide;
};
#define ENTRY_TF32(round, flags, ...)                                                                        \
	{PTX_ROUND_##round, FLAGS_##flags, tf32_##round##_##flags##_base, tf32_##round##_##flags##_wide},
static const struct tensor_form tf32_forms[] = {TF32_FORMS(ENTRY_TF32)};

static lane_fn *find_bytes(const struct ptx_insn *insn)
{
	bool relu = (insn->flags & PTX_FLAG_RELU) != 0;
	struct byte_form {
		uint8_t type, type2;
		bool relu;
		lane_fn *base, *wide;
	};
#define ENTRY_BYTES(t, r)                                                                                    \
	{PTX_TYPE_##t##x2, PTX_TYPE_f32, r, t##_of_floats_##r##_base, t##_of_floats_##r##_wide},             \
	    {PTX_TYPE_##t##x2, PTX_TYPE_f16x2, r, t##_of_halves_##r##_base, t##_of_halves_##r##_wide},       \
	    {PTX_TYPE_f16x2, PTX_TYPE_##t##x2, r, halves_of_##t##_##r##_base, halves_of_##t##_##r##_wide},
	static const struct byte_form forms[] = {BYTE_FORMS(ENTRY_BYTES)};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].type == insn->type && forms[i].type2 == insn->type2 && forms[i].relu == relu)
			return lane_choose(forms[i].base, forms[i].wide);
	return NULL;
}

lane_fn *lane_find_tensor_convert(const struct ptx_insn *insn)
{
	uint32_t flags = insn->flags & (PTX_FLAG_RELU | PTX_FLAG_SAT);
	if (insn->type != PTX_TYPE_tf32)
		return find_bytes(insn);
	for (size_t i = 0; i < sizeof tf32_forms / sizeof *tf32_forms; i++)
		if (tf32_forms[i].round == insn->round && tf32_forms[i].flags == flags)
			return lane_choose(tf32_forms[i].base, tf32_forms[i].wide);
	return NULL;
}
