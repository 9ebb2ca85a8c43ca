/* selp and slct: one of two values, by a predicate or by the sign of a number. Bits are kept, NaNs too. */
#include "cuda/lanes/float.h"

#define SELECT_FORMS(X, T)                                                                                   \
	X(selp, none, T, u32, z ? x : y)                                                                     \
	X(slct, s32, T, s32, z >= 0 ? x : y)                                                                 \
	X(slct, f32, T, f32, __builtin_isgreaterequal(z, 0.0f) ? x : y)                                      \
	X(slct, f32z, T, f32, __builtin_isgreaterequal(lane_flush_f32(z), 0.0f) ? x : y)
#define FORMS(X) SELECT_FORMS(X, u16) SELECT_FORMS(X, u32) SELECT_FORMS(X, u64)

#define DEFINE(op, kind, T, Z, ...) LANE_MAP3(op##_##kind##_##T, T, T, T, Z, __VA_ARGS__)
FORMS(DEFINE)

enum { KIND_none, KIND_s32, KIND_f32, KIND_f32z };
struct choice_form {
	uint8_t op, kind, bits;
	lane_fn *base, *wide;
};
enum { BITS_u16 = 16, BITS_u32 = 32, BITS_u64 = 64 };
#define ENTRY(op, kind, T, ...)                                                                              \
	{PTX_##op, KIND_##kind, BITS_##T, op##_##kind##_##T##_base, op##_##kind##_##T##_wide},
static const struct choice_form forms[] = {FORMS(ENTRY)};

static unsigned type_width(uint8_t type)
{
#define X(name, bits) [PTX_TYPE_##name] = bits,
	static const uint8_t widths[PTX_TYPE_COUNT] = {PTX_TYPES(X)};
#undef X
	return type == PTX_TYPE_pred ? 32 : widths[type] < 16 ? 16 : widths[type];
}

lane_fn *lane_find_select(const struct ptx_insn *insn)
{
	uint8_t kind = KIND_none;
	if (insn->op == PTX_slct)
		kind = insn->type2 != PTX_TYPE_f32  ? KIND_s32
		       : insn->flags & PTX_FLAG_FTZ ? KIND_f32z
		                                    : KIND_f32;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].op == insn->op && forms[i].kind == kind &&
		    forms[i].bits == type_width(insn->type))
			return lane_choose(forms[i].base, forms[i].wide);
	return NULL;
}
