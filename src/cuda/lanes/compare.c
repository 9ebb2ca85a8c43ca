/*
 * setp and set: compares of integers and floats, ordered and unordered; selp and
 * slct, which choose one of two values by a predicate or by the sign of a number.
 *
 * A compare makes a mask of all ones or zeros per lane. setp.and and the like
 * combine it with a predicate; set makes a number of it: the mask itself as
 * u32 or s32, 1.0 or 0.0 as f32.
 */
#include "cuda/lanes/float.h"

/* X(compare, expression, ...) */
#define INTEGER_COMPARES(X, ...)                                                                             \
	X(eq, x == y, __VA_ARGS__)                                                                           \
	X(ne, x != y, __VA_ARGS__)                                                                           \
	X(lt, x < y, __VA_ARGS__)                                                                            \
	X(le, x <= y, __VA_ARGS__)                                                                           \
	X(gt, x > y, __VA_ARGS__)                                                                            \
	X(ge, x >= y, __VA_ARGS__)
/* An ordered compare is false, an unordered one true if there is a NaN. */
#define FLOAT_COMPARES(X, ...)                                                                               \
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

/* X(combine, ...): with what a mask m becomes, given the predicate's lane p. */
#define COMBINES(X, ...) X(none, __VA_ARGS__) X(and, __VA_ARGS__) X(or, __VA_ARGS__) X(xor, __VA_ARGS__)

/* X(kind, element, how it is read, compares): kinds of sources; the one that ends in z is flushed. */
#define KINDS(X)                                                                                             \
	X(u16, u16, , INTEGER_COMPARES)                                                                      \
	X(s16, s16, , INTEGER_COMPARES)                                                                      \
	X(u32, u32, , INTEGER_COMPARES)                                                                      \
	X(s32, s32, , INTEGER_COMPARES)                                                                      \
	X(u64, u64, , INTEGER_COMPARES)                                                                      \
	X(s64, s64, , INTEGER_COMPARES)                                                                      \
	X(f32, f32, , FLOAT_COMPARES)                                                                        \
	X(f32z, f32, lane_flush_f32, FLOAT_COMPARES)                                                         \
	X(f64, f64, , FLOAT_COMPARES)

/* ---- functions ----------------------------------------------------------------------------------------- */

#define DEFINE_MASK(compare, expression, kind, T, read)                                                      \
	LANE_FUNCTION(                                                                                       \
	    kind##_##compare, const lane_##T *s = a; const lane_##T *t = b; lane_u32 *r = dst;               \
	    LANE_LOOP(i) {                                                                                   \
		    lane_##T x = read(s[i]);                                                                 \
		    lane_##T y = read(t[i]);                                                                 \
		    r[i] = (expression) ? UINT32_MAX : 0;                                                    \
	    })
#define DEFINE_MASKS(kind, T, read, COMPARES) COMPARES(DEFINE_MASK, kind, T, read)
KINDS(DEFINE_MASKS)

static void combine_none(lane_u32 *mask, const lane_u32 *p, unsigned lanes)
{
	(void)mask, (void)p, (void)lanes;
}
#define DEFINE_COMBINE(name, expression)                                                                     \
	static void combine_##name(lane_u32 *mask, const lane_u32 *p, unsigned lanes)                        \
	{                                                                                                    \
		LANE_LOOP(i) mask[i] = expression;                                                           \
	}
DEFINE_COMBINE(and, mask[i] & p[i])
DEFINE_COMBINE(or, mask[i] | p[i])
DEFINE_COMBINE(xor, mask[i] ^ p[i])

static void store_masks(lane_u32 *r, const lane_u32 *mask, unsigned lanes)
{
	LANE_LOOP(i) r[i] = mask[i];
}
static void store_ones(lane_u32 *r, const lane_u32 *mask, unsigned lanes)
{
	const uint32_t one = 0x3f800000; /* 1.0f */
	LANE_LOOP(i) r[i] = mask[i] & one;
}

/* The predicate may be the result, too: the mask is made aside. */
#define DEFINE(combine, compare, expression, kind, ...)                                                      \
	LANE_COLD void setp_##kind##_##compare##_##combine(LANE_PARAMETERS)                                  \
	{                                                                                                    \
		lane_u32 mask[LANES_MAX];                                                                    \
		LANE_UNUSED;                                                                                 \
		kind##_##compare##_base(mask, a, b, NULL, NULL, lanes);                                      \
		combine_##combine(mask, c, lanes);                                                           \
		store_masks(dst, mask, lanes);                                                               \
	}                                                                                                    \
	LANE_COLD void set_##kind##_##compare##_##combine(LANE_PARAMETERS)                                   \
	{                                                                                                    \
		lane_u32 mask[LANES_MAX];                                                                    \
		LANE_UNUSED;                                                                                 \
		kind##_##compare##_base(mask, a, b, NULL, NULL, lanes);                                      \
		combine_##combine(mask, c, lanes);                                                           \
		store_ones(dst, mask, lanes);                                                                \
	}
#define DEFINE_COMPARE(...) COMBINES(DEFINE, __VA_ARGS__)
#define DEFINE_KIND(kind, T, read, COMPARES) COMPARES(DEFINE_COMPARE, kind, T, read)
KINDS(DEFINE_KIND)

/* ---- choice -------------------------------------------------------------------------------------------- */

#define X(kind, ...) KIND_##kind,
enum kind { KINDS(X) KIND_COUNT };
#undef X

struct compare_functions {
	lane_fn *base, *wide; /* masks, not combined */
	lane_fn *mask[PTX_COMBINE_COUNT];
	lane_fn *one[PTX_COMBINE_COUNT]; /* 1.0 and 0.0 */
};
#define ALL_COMBINES(name)                                                                                   \
	{                                                                                                    \
		[PTX_COMBINE_none] = name##_none, [PTX_COMBINE_and] = name##_and,                            \
		[PTX_COMBINE_or] = name##_or, [PTX_COMBINE_xor] = name##_xor,                                \
	}
#define ENTRY(compare, expression, kind, ...)                                                                \
	[KIND_##kind][PTX_COMPARE_##compare] = {kind##_##compare##_base, kind##_##compare##_wide,            \
	                                        ALL_COMBINES(setp_##kind##_##compare),                       \
	                                        ALL_COMBINES(set_##kind##_##compare)},
#define ENTRY_KIND(kind, T, read, COMPARES) COMPARES(ENTRY, kind, T, read)
static const struct compare_functions functions[KIND_COUNT][PTX_COMPARE_COUNT] = {KINDS(ENTRY_KIND)};

static enum kind kind_of(uint8_t type, bool flush)
{
	static const uint8_t kinds[PTX_TYPE_COUNT] = {
	    [PTX_TYPE_b16] = 1 + KIND_u16,  [PTX_TYPE_u16] = 1 + KIND_u16, [PTX_TYPE_s16] = 1 + KIND_s16,
	    [PTX_TYPE_pred] = 1 + KIND_u32, [PTX_TYPE_b32] = 1 + KIND_u32, [PTX_TYPE_u32] = 1 + KIND_u32,
	    [PTX_TYPE_s32] = 1 + KIND_s32,  [PTX_TYPE_b64] = 1 + KIND_u64, [PTX_TYPE_u64] = 1 + KIND_u64,
	    [PTX_TYPE_s64] = 1 + KIND_s64,  [PTX_TYPE_f32] = 1 + KIND_f32, [PTX_TYPE_f64] = 1 + KIND_f64};
	if (type == PTX_TYPE_f32 && flush)
		return KIND_f32z;
	return kinds[type] ? (enum kind)(kinds[type] - 1) : KIND_COUNT;
}

/* lo, ls, hi, hs are the unsigned compares, by another name. */
static uint8_t compare_of(uint8_t compare)
{
	static const uint8_t same[PTX_COMPARE_COUNT] = {[PTX_COMPARE_lo] = PTX_COMPARE_lt,
	                                                [PTX_COMPARE_ls] = PTX_COMPARE_le,
	                                                [PTX_COMPARE_hi] = PTX_COMPARE_gt,
	                                                [PTX_COMPARE_hs] = PTX_COMPARE_ge};
	return same[compare] ? same[compare] : compare;
}

lane_fn *lane_find_compare(const struct ptx_insn *insn)
{
	if (insn->op != PTX_setp && insn->op != PTX_set)
		return NULL;
	enum kind kind = kind_of(insn->op == PTX_set ? insn->type2 : insn->type, insn->flags & PTX_FLAG_FTZ);
	if (kind == KIND_COUNT)
		return NULL;
	const struct compare_functions *f = &functions[kind][compare_of(insn->compare)];
	bool is_mask = insn->op == PTX_setp || insn->type == PTX_TYPE_u32 || insn->type == PTX_TYPE_s32;
	if (is_mask && insn->combine == PTX_COMBINE_none)
		return lane_choose(f->base, f->wide);
	if (is_mask)
		return f->mask[insn->combine];
	return insn->type == PTX_TYPE_f32 ? f->one[insn->combine] : NULL;
}

/* ---- halves -------------------------------------------------------------------------------------------- */

/*
 * Compares of f16 and bf16, alone and in pairs. setp on pairs makes two
 * predicates: the instruction itself that of the low halves, the instruction that
 * lane_setp_opposite() returns (mode hi) that of the high halves. set makes one
 * number per half. Halves are compared as floats.
 */

enum { HALVES_MAX = 2 * LANES_MAX };

/* X(combine, expression of the mask m, ...) */
#define HALF_COMBINES(X, ...)                                                                                \
	X(none, m, __VA_ARGS__)                                                                              \
	X(and, m &p[i], __VA_ARGS__)                                                                         \
	X(or, m | p[i], __VA_ARGS__)                                                                         \
	X(xor, m ^ p[i], __VA_ARGS__)

/* X(kind, reader): z is flushed */
#define HALF_KINDS(X) X(f16, lane_f16_to_f32) X(f16z, lane_f16_to_f32_flushed) X(bf16, lane_bf16_to_f32)

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
HALF_KINDS(DEFINE_LOAD)

#define DEFINE_HALF_MASK(combine, combined, compare, expression, ...)                                        \
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
#define DEFINE_HALF_MASKS(...) HALF_COMBINES(DEFINE_HALF_MASK, __VA_ARGS__)
FLOAT_COMPARES(DEFINE_HALF_MASKS, )

#define DEFINE_NUMBER(compare, expression, ...)                                                              \
	static void number_##compare(lane_u16 *r, const struct operands *o, uint16_t yes, unsigned count)    \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			float x = o->x[i], y = o->y[i];                                                      \
			r[i] = (expression) ? yes : 0;                                                       \
		}                                                                                            \
	}
FLOAT_COMPARES(DEFINE_NUMBER, )

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
#define DEFINE_SETPS(...) HALF_COMBINES(DEFINE_SETP_KINDS, __VA_ARGS__)
FLOAT_COMPARES(DEFINE_SETPS, )

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
FLOAT_COMPARES(DEFINE_SETS, )

/* ---- choice -------------------------------------------------------------------------------------------- */

enum half_kind { HALF_f16, HALF_f16z, HALF_bf16, HALF_COUNT };
enum place { PLACE_one, PLACE_low, PLACE_high, PLACE_COUNT };
#define ENTRY_SETP(place, step, first, kind, combine, compare)                                               \
	[HALF_##kind][PLACE_##place][PTX_COMPARE_##compare][PTX_COMBINE_##combine] =                         \
	    setp_##kind##_##place##_##compare##_##combine,
#define ENTRY_SETP_KINDS(combine, combined, compare, ...)                                                    \
	PLACES(ENTRY_SETP, f16, combine, compare)                                                            \
	PLACES(ENTRY_SETP, f16z, combine, compare)                                                           \
	PLACES(ENTRY_SETP, bf16, combine, compare)
#define ENTRY_SETPS(...) HALF_COMBINES(ENTRY_SETP_KINDS, __VA_ARGS__)
static lane_fn *const setps[HALF_COUNT][PLACE_COUNT][PTX_COMPARE_COUNT][PTX_COMBINE_COUNT] = {
    FLOAT_COMPARES(ENTRY_SETPS, )};

#define ENTRY_SET(kind, compare)                                                                             \
	[HALF_##kind][PTX_COMPARE_##compare] = {                                                             \
	    {set_##kind##_##compare##_ones_1, set_##kind##_##compare##_unit_1},                              \
	    {set_##kind##_##compare##_ones_2, set_##kind##_##compare##_unit_2}},
#define ENTRY_SETS(compare, ...) ENTRY_SET(f16, compare) ENTRY_SET(f16z, compare) ENTRY_SET(bf16, compare)
static lane_fn *const sets[HALF_COUNT][PTX_COMPARE_COUNT][2][2] = {FLOAT_COMPARES(ENTRY_SETS, )};

static enum half_kind half_kind_of(uint8_t type, bool flush)
{
	if (type == PTX_TYPE_f16 || type == PTX_TYPE_f16x2)
		return flush ? HALF_f16z : HALF_f16;
	return type == PTX_TYPE_bf16 || type == PTX_TYPE_bf16x2 ? HALF_bf16 : HALF_COUNT;
}

lane_fn *lane_find_half_compare(const struct ptx_insn *insn)
{
	uint8_t type = insn->op == PTX_set ? insn->type2 : insn->type;
	enum half_kind kind = half_kind_of(type, insn->flags & PTX_FLAG_FTZ);
	bool is_pair = type == PTX_TYPE_f16x2 || type == PTX_TYPE_bf16x2;
	bool is_word = insn->type == PTX_TYPE_u32 || insn->type == PTX_TYPE_s32;
	if (kind == HALF_COUNT || (insn->op != PTX_setp && insn->op != PTX_set))
		return NULL;
	enum place place = !is_pair ? PLACE_one : insn->mode == PTX_MODE_hi ? PLACE_high : PLACE_low;
	if (insn->op == PTX_setp || (is_word && !is_pair))
		return setps[kind][place][insn->compare][insn->combine];
	if (insn->combine != PTX_COMBINE_none)
		return NULL;
	bool is_ones = is_word || insn->type == PTX_TYPE_u16 || insn->type == PTX_TYPE_s16;
	return sets[kind][insn->compare][is_pair][is_ones ? 0 : 1];
}

/* ---- selp and slct ------------------------------------------------------------------------------------- */

#define SELECT_FORMS(X, T)                                                                                   \
	X(selp, none, T, u32, z ? x : y)                                                                     \
	X(slct, s32, T, s32, z >= 0 ? x : y)                                                                 \
	X(slct, f32, T, f32, __builtin_isgreaterequal(z, 0.0f) ? x : y)                                      \
	X(slct, f32z, T, f32, __builtin_isgreaterequal(lane_flush_f32(z), 0.0f) ? x : y)
#define SELECTS(X) SELECT_FORMS(X, u16) SELECT_FORMS(X, u32) SELECT_FORMS(X, u64)

#define DEFINE_SELECT(op, kind, T, Z, ...) LANE_MAP3(op##_##kind##_##T, T, T, T, Z, __VA_ARGS__)
SELECTS(DEFINE_SELECT)

enum { BY_none, BY_s32, BY_f32, BY_f32z };
struct choice_form {
	uint8_t op, kind, bits;
	lane_fn *base, *wide;
};
enum { BITS_u16 = 16, BITS_u32 = 32, BITS_u64 = 64 };
#define SELECT_ENTRY(op, kind, T, ...)                                                                       \
	{PTX_##op, BY_##kind, BITS_##T, op##_##kind##_##T##_base, op##_##kind##_##T##_wide},
static const struct choice_form select_forms[] = {SELECTS(SELECT_ENTRY)};

lane_fn *lane_find_select(const struct ptx_insn *insn)
{
	uint8_t kind = BY_none;
	if (insn->op == PTX_slct)
		kind = insn->type2 != PTX_TYPE_f32 ? BY_s32 : insn->flags & PTX_FLAG_FTZ ? BY_f32z : BY_f32;
	for (size_t i = 0; i < sizeof select_forms / sizeof *select_forms; i++)
		if (select_forms[i].op == insn->op && select_forms[i].kind == kind &&
		    select_forms[i].bits == ptx_type_bits((enum ptx_type)insn->type))
			return lane_choose(select_forms[i].base, select_forms[i].wide);
	return NULL;
}
