/*
 * setp and set: compares of integers and floats, ordered and unordered.
 *
 * A compare makes a mask of all ones or zeros per lane. setp.and and the like
 * combine it with a predicate; set makes a number of it: the mask itself as
 * u32 or s32, 1.0 or 0.0 as f32. Compares of halves are in lane_half_compare.c.
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
	switch (type) {
	case PTX_TYPE_b16:
	case PTX_TYPE_u16:
		return KIND_u16;
	case PTX_TYPE_s16:
		return KIND_s16;
	case PTX_TYPE_pred:
	case PTX_TYPE_b32:
	case PTX_TYPE_u32:
		return KIND_u32;
	case PTX_TYPE_s32:
		return KIND_s32;
	case PTX_TYPE_b64:
	case PTX_TYPE_u64:
		return KIND_u64;
	case PTX_TYPE_s64:
		return KIND_s64;
	case PTX_TYPE_f32:
		return flush ? KIND_f32z : KIND_f32;
	case PTX_TYPE_f64:
		return KIND_f64;
	default:
		return KIND_COUNT;
	}
}

/* lo, ls, hi, hs are the unsigned compares, by another name. */
static uint8_t compare_of(uint8_t compare)
{
	switch (compare) {
	case PTX_COMPARE_lo:
		return PTX_COMPARE_lt;
	case PTX_COMPARE_ls:
		return PTX_COMPARE_le;
	case PTX_COMPARE_hi:
		return PTX_COMPARE_gt;
	case PTX_COMPARE_hs:
		return PTX_COMPARE_ge;
	default:
		return compare;
	}
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
