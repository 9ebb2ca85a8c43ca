/*
 * cvt: the common forms, each a loop of its own; the others are put together
 * from stages (convert_*.c).
 */
#include "cuda/lanes/convert.h"

enum lane_integer lane_integer_of(uint8_t type, unsigned bytes)
{
#define X(t, bits, ...)                                                                                      \
	if (type == PTX_TYPE_##t && bytes * 8 == bits)                                                       \
		return LANE_INTEGER_##t##_##bits;
	LANE_INTEGERS(X, )
#undef X
	return LANE_INTEGER_COUNT;
}

enum lane_float lane_float_of(uint8_t type, bool flush)
{
	switch (type) {
	case PTX_TYPE_f16:
		return LANE_FLOAT_f16;
	case PTX_TYPE_bf16:
		return LANE_FLOAT_bf16;
	case PTX_TYPE_f32:
		return flush ? LANE_FLOAT_f32z : LANE_FLOAT_f32;
	case PTX_TYPE_f64:
		return LANE_FLOAT_f64;
	default:
		return LANE_FLOAT_COUNT;
	}
}

/* ---- common forms -------------------------------------------------------------------------------------- */

/* Towards zero and clamped, NaN to 0, without a conversion that would be undefined. */
LANE_INLINE int32_t s32_of(float x)
{
	bool over = __builtin_isgreaterequal(x, 0x1p31f),
	     inside = __builtin_isless(__builtin_fabsf(x), 0x1p31f);
	int32_t clamped = over ? INT32_MAX : x != x ? 0 : INT32_MIN;
	int32_t value = (int32_t)(inside ? x : 0.0f);
	return inside ? value : clamped;
}
/* In two halves, each of which a signed conversion covers. */
LANE_INLINE uint32_t u32_of(float x)
{
	bool over = __builtin_isgreaterequal(x, 0x1p32f), high = __builtin_isgreaterequal(x, 0x1p31f);
	float low = high ? x - 0x1p31f : x;
	bool inside = __builtin_isgreater(low, 0.0f) & __builtin_isless(low, 0x1p31f);
	uint32_t value = (uint32_t)(int32_t)(inside ? low : 0.0f) + (high ? 0x80000000u : 0);
	return over ? UINT32_MAX : value;
}
LANE_INLINE double f64_of(float x)
{
	return x;
}
LANE_INLINE float f32_of(double x)
{
	return (float)x; /* of a NaN the leading bits, made quiet: as the host does it */
}

/* X(result, source, round, ftz, expression). Which of them make a NaN canonical was seen on a GPU. */
#define COMMON_FORMS(X)                                                                                      \
	X(f32, s32, rn, , (float)x)                                                                          \
	X(f32, u32, rn, , (float)x)                                                                          \
	X(f32, s16, rn, , (float)x)                                                                          \
	X(f32, u16, rn, , (float)x)                                                                          \
	X(f32, s64, rn, , (float)x)                                                                          \
	X(f32, u64, rn, , (float)x)                                                                          \
	X(f64, s32, rn, , (double)x)                                                                         \
	X(f64, u32, rn, , (double)x)                                                                         \
	X(f64, s64, rn, , (double)x)                                                                         \
	X(f64, u64, rn, , (double)x)                                                                         \
	X(s32, f32, rzi, , s32_of(x))                                                                        \
	X(u32, f32, rzi, , u32_of(x))                                                                        \
	X(s32, f32, rzi, ftz, s32_of(x))                                                                     \
	X(u32, f32, rzi, ftz, u32_of(x))                                                                     \
	X(f64, f32, none, , f64_of(x))                                                                       \
	X(f64, f32, none, ftz, f64_of(lane_canonical_f32(lane_flush_f32(x))))                                \
	X(f32, f64, rn, , f32_of(x))                                                                         \
	X(f32, f64, rn, ftz, lane_flush_tiny(f32_of(x), (float)(x * (double)LANE_SCALE)))                    \
	X(f64, f16, none, , f64_of(lane_f16_to_f32(x)))                                                      \
	X(f64, bf16, none, , f64_of(lane_bf16_to_f32(x)))                                                    \
	X(f32, f16, none, , lane_canonical_f32(lane_f16_to_f32(x)))                                          \
	X(f32, f16, none, ftz, lane_canonical_f32(lane_f16_to_f32(x)))                                       \
	X(f32, bf16, none, , lane_bf16_to_f32(x))                                                            \
	X(f32, bf16, none, ftz, lane_canonical_f32(lane_flush_f32(lane_bf16_to_f32(x))))                     \
	X(f32, f32, none, , x)                                                                               \
	X(f32, f32, rmi, , lane_canonical_f32(__builtin_floorf(x)))                                          \
	X(f32, f32, rpi, , lane_canonical_f32(__builtin_ceilf(x)))                                           \
	X(f32, f32, rzi, , lane_canonical_f32(__builtin_truncf(x)))                                          \
	X(f32, f32, rni, , lane_canonical_f32(__builtin_nearbyintf(x)))

#define DEFINE(T, A, round, ftz, expression) LANE_MAP1(T##_##A##_##round##_##ftz, T, A, expression)
COMMON_FORMS(DEFINE)

enum { FLAGS_ = 0, FLAGS_ftz = PTX_FLAG_FTZ };
#define ENTRY(T, A, round, ftz, ...)                                                                         \
	LANE_FORM2(cvt, T, A, none, round, FLAGS_##ftz, T##_##A##_##round##_##ftz)
static const struct lane_form forms[] = {COMMON_FORMS(ENTRY)};

/* ---- choice -------------------------------------------------------------------------------------------- */

lane_fn *lane_find_convert(const struct ptx_insn *given, const struct lane_shape *given_shape)
{
	if (given->type >= PTX_TYPE_tf32 || given->type2 >= PTX_TYPE_tf32)
		return lane_find_tensor_convert(given);
	struct ptx_insn insn = *given;
	insn.type = lane_unsigned_type(insn.type);
	insn.type2 = lane_unsigned_type(insn.type2);
	struct lane_shape natural = {(uint8_t)(ptx_type_bits((enum ptx_type)insn.type) / 8),
	                             {(uint8_t)(ptx_type_bits((enum ptx_type)insn.type2) / 8)}};
	const struct lane_shape *shape = given_shape ? given_shape : &natural;
	bool is_natural =
	    shape->result_bytes == natural.result_bytes && shape->source_bytes[0] == natural.source_bytes[0];
	struct lane_form want = {.op = PTX_cvt,
	                         .type = insn.type,
	                         .type2 = insn.type2,
	                         .round = insn.round,
	                         .flags = insn.flags & LANE_FLAGS};
	lane_fn *fn = is_natural ? LANE_FORM_FIND(forms, &want) : NULL;
	fn = fn ? fn : lane_find_integer_to_integer(&insn, shape);
	fn = fn ? fn : lane_find_integer_to_float(&insn, shape);
	fn = fn ? fn : lane_find_float_to_integer(&insn, shape);
	return fn ? fn : lane_find_float_to_float(&insn);
}
