/*
 * setp and set on f16 and bf16, alone and in pairs.
 *
 * setp on pairs makes two predicates: the instruction itself that of the low
 * halves, the one lane_setp_opposite() gives (mode hi) that of the high halves.
 * set gives one number per half. Values are compared as the floats they are.
 */
#include "cuda/lanes/float.h"

enum { HALVES_MAX = 2 * LANES_MAX };

/* X(compare, expression, ...) */
#define COMPARES(X, ...)                                                                                     \
	X(eq, x == y, __VA_ARGS__)                                                                           \
	X(ne, __builtin_islessgreater(x, y), __VA_ARGS__)                                                    \
	X(lt, __builtin_isless(x, y), __VA_ARGS__)                                                           \
	X(le, __builtin_islessequal(x, y), __VA_ARGS__)                                                      \
	X(gt, __builtin_isgreater(x, y), __VA_ARGS__)                                                        \
	X(ge, __builtin_isgreaterequal(x, y), __VA_ARGS__)                                                   \
	X(equ, !__builtin_islessgreater(x, y), __VA_ARGS__)                                                  \
	X(neu, x != y, __VA_ARGS__)                                                                          \
	X(ltu, !__builtin_isgreaterequal(x, y), __VA_ARGS__)                                                 \
	X(leu, !__builtin_isgreater(x, y), __VA_ARGS__)                                                      \
	X(gtu, !__builtin_islessequal(x, y), __VA_ARGS__)                                                    \
	X(geu, !__builtin_isless(x, y), __VA_ARGS__)                                                         \
	X(num, !__builtin_isunordered(x, y), __VA_ARGS__)                                                    \
	X(nan, __builtin_isunordered(x, y), __VA_ARGS__)

/* X(combine, expression of the mask m, ...) */
#define COMBINES(X, ...)                                                                                     \
	X(none, m, __VA_ARGS__)                                                                              \
	X(and, m &p[i], __VA_ARGS__)                                                                         \
	X(or, m | p[i], __VA_ARGS__)                                                                         \
	X(xor, m ^ p[i], __VA_ARGS__)

/* X(kind, reader): z is flushed */
#define KINDS(X) X(f16, lane_f16_to_f32) X(f16z, lane_f16_to_f32_flushed) X(bf16, lane_bf16_to_f32)

/* ---- stages -------------------------------------------------------------------------------------------- */

struct operands {
	float x[HALVES_MAX], y[HALVES_MAX];
};

/* `count` halves of each source, `step` apart, from number `first`. */
#define DEFINE_LOAD(kind, reader)                                                                            \
	static void load_##kind(struct operands *o, const lane_u16 *p, const lane_u16 *q, unsigned step,     \
	                        unsigned count)                                                              \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			o->x[i] = reader(p[i * step]);                                                       \
			o->y[i] = reader(q[i * step]);                                                       \
		}                                                                                            \
	}
KINDS(DEFINE_LOAD)

#define DEFINE_MASK(combine, combined, compare, expression, ...)                                             \
	static void mask_##compare##_##combine(lane_u32 *r, const struct operands *o, const lane_u32 *p,     \
	                                       unsigned lanes)                                               \
	{                                                                                                    \
		(void)p;                                                                                     \
		for (unsigned i = 0; i < lanes; i++) {                                                       \
			float x = o->x[i], y = o->y[i];                                                      \
			uint32_t m = (expression) ? UINT32_MAX : 0;                                          \
			r[i] = combined;                                                                     \
		}                                                                                            \
	}
#define DEFINE_MASKS(...) COMBINES(DEFINE_MASK, __VA_ARGS__)
COMPARES(DEFINE_MASKS, )

#define DEFINE_NUMBER(compare, expression, ...)                                                              \
	static void number_##compare(lane_u16 *r, const struct operands *o, uint16_t yes, unsigned count)    \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			float x = o->x[i], y = o->y[i];                                                      \
			r[i] = (expression) ? yes : 0;                                                       \
		}                                                                                            \
	}
COMPARES(DEFINE_NUMBER, )

/* ---- forms --------------------------------------------------------------------------------------------- */

/* Where the halves to compare are: alone in a lane, or the low or high of two. */
#define PLACES(X, ...) X(one, 1, 0, __VA_ARGS__) X(low, 2, 0, __VA_ARGS__) X(high, 2, 1, __VA_ARGS__)

#define DEFINE_SETP(place, step, first, kind, combine, compare)                                              \
	LANE_COLD void setp_##kind##_##place##_##compare##_##combine(LANE_PARAMETERS)                        \
	{                                                                                                    \
		struct operands o;                                                                           \
		LANE_UNUSED;                                                                                 \
		load_##kind(&o, (const lane_u16 *)a + first, (const lane_u16 *)b + first, step, lanes);      \
		mask_##compare##_##combine(dst, &o, c, lanes);                                               \
	}
#define DEFINE_SETP_KINDS(combine, combined, compare, ...)                                                   \
	PLACES(DEFINE_SETP, f16, combine, compare)                                                           \
	PLACES(DEFINE_SETP, f16z, combine, compare)                                                          \
	PLACES(DEFINE_SETP, bf16, combine, compare)
#define DEFINE_SETPS(...) COMBINES(DEFINE_SETP_KINDS, __VA_ARGS__)
COMPARES(DEFINE_SETPS, )

/* All ones, or 1.0. */
#define DEFINE_SET(kind, compare, result, yes)                                                               \
	LANE_COLD void set_##kind##_##compare##_##result##_1(LANE_PARAMETERS)                                \
	{                                                                                                    \
		struct operands o;                                                                           \
		LANE_UNUSED;                                                                                 \
		load_##kind(&o, a, b, 1, lanes);                                                             \
		number_##compare(dst, &o, yes, lanes);                                                       \
	}                                                                                                    \
	LANE_COLD void set_##kind##_##compare##_##result##_2(LANE_PARAMETERS)                                \
	{                                                                                                    \
		struct operands o;                                                                           \
		LANE_UNUSED;                                                                                 \
		load_##kind(&o, a, b, 1, 2 * lanes);                                                         \
		number_##compare(dst, &o, yes, 2 * lanes);                                                   \
	}
/* clang-format off */
#define DEFINE_SETS(compare, ...)                                                                            \
	DEFINE_SET(f16, compare, ones, 0xffff)                                                               \
	DEFINE_SET(f16, compare, unit, 0x3c00)                                                               \
	DEFINE_SET(f16z, compare, ones, 0xffff) DEFINE_SET(f16z, compare, unit, 0x3c00)                      \
	    DEFINE_SET(bf16, compare, ones, 0xffff) DEFINE_SET(bf16, compare, unit, 0x3f80)
/* clang-format on */
COMPARES(DEFINE_SETS, )

/* ---- choice -------------------------------------------------------------------------------------------- */

enum kind { KIND_f16, KIND_f16z, KIND_bf16, KIND_COUNT };
enum place { PLACE_one, PLACE_low, PLACE_high, PLACE_COUNT };
#define ENTRY_SETP(place, step, first, kind, combine, compare)                                               \
	[KIND_##kind][PLACE_##place][PTX_COMPARE_##compare][PTX_COMBINE_##combine] =                         \
	    setp_##kind##_##place##_##compare##_##combine,
#define ENTRY_SETP_KINDS(combine, combined, compare, ...)                                                    \
	PLACES(ENTRY_SETP, f16, combine, compare)                                                            \
	PLACES(ENTRY_SETP, f16z, combine, compare)                                                           \
	PLACES(ENTRY_SETP, bf16, combine, compare)
#define ENTRY_SETPS(...) COMBINES(ENTRY_SETP_KINDS, __VA_ARGS__)
static lane_fn *const setps[KIND_COUNT][PLACE_COUNT][PTX_COMPARE_COUNT][PTX_COMBINE_COUNT] = {
    COMPARES(ENTRY_SETPS, )};

#define ENTRY_SET(kind, compare)                                                                             \
	[KIND_##kind][PTX_COMPARE_##compare] = {                                                             \
	    {set_##kind##_##compare##_ones_1, set_##kind##_##compare##_unit_1},                              \
	    {set_##kind##_##compare##_ones_2, set_##kind##_##compare##_unit_2}},
#define ENTRY_SETS(compare, ...) ENTRY_SET(f16, compare) ENTRY_SET(f16z, compare) ENTRY_SET(bf16, compare)
static lane_fn *const sets[KIND_COUNT][PTX_COMPARE_COUNT][2][2] = {COMPARES(ENTRY_SETS, )};

static enum kind kind_of(uint8_t type, bool flush)
{
	if (type == PTX_TYPE_f16 || type == PTX_TYPE_f16x2)
		return flush ? KIND_f16z : KIND_f16;
	return type == PTX_TYPE_bf16 || type == PTX_TYPE_bf16x2 ? KIND_bf16 : KIND_COUNT;
}

lane_fn *lane_find_half_compare(const struct ptx_insn *insn)
{
	uint8_t type = insn->op == PTX_set ? insn->type2 : insn->type;
	enum kind kind = kind_of(type, insn->flags & PTX_FLAG_FTZ);
	bool is_pair = type == PTX_TYPE_f16x2 || type == PTX_TYPE_bf16x2;
	bool is_word = insn->type == PTX_TYPE_u32 || insn->type == PTX_TYPE_s32;
	if (kind == KIND_COUNT || (insn->op != PTX_setp && insn->op != PTX_set))
		return NULL;
	enum place place = !is_pair ? PLACE_one : insn->mode == PTX_MODE_hi ? PLACE_high : PLACE_low;
	if (insn->op == PTX_setp || (is_word && !is_pair))
		return setps[kind][place][insn->compare][insn->combine];
	if (insn->combine != PTX_COMBINE_none)
		return NULL;
	bool is_ones = is_word || insn->type == PTX_TYPE_u16 || insn->type == PTX_TYPE_s16;
	return sets[kind][insn->compare][is_pair][is_ones ? 0 : 1];
}
