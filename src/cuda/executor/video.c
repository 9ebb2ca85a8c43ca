/*
 * Video instructions: sums, differences, averages, comparisons of the bytes or
 * halves of a word, merged into a word or summed; and the scalar forms, whose
 * sources are whole words. Selectors and masks of bytes are left out.
 */
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

struct video {
	unsigned parts, bits; /* 4 of 8, 2 of 16, 1 of 32 */
	bool is_signed_a, is_signed_b, is_signed, saturates, sums;
	const struct ptx_insn *insn;
};

static unsigned parts_of(unsigned op)
{
	switch (op) {
	case PTX_vabsdiff:
	case PTX_vadd:
	case PTX_vsub:
	case PTX_vmin:
	case PTX_vmax:
		return 1;
	case PTX_vabsdiff2:
	case PTX_vadd2:
	case PTX_vsub2:
	case PTX_vmin2:
	case PTX_vmax2:
	case PTX_vavrg2:
	case PTX_vset2:
		return 2;
	default:
		return 4;
	}
}

static struct video video_of(const struct ptx_insn *insn)
{
	bool compares = insn->op == PTX_vset2 || insn->op == PTX_vset4;
	struct video v = {.parts = parts_of(insn->op), .insn = insn};
	v.bits = 32 / v.parts;
	/* Comparisons have the types of their sources alone. */
	v.is_signed_a = (compares ? insn->type : insn->type2) == PTX_TYPE_s32;
	v.is_signed_b = (compares ? insn->type2 : insn->type3) == PTX_TYPE_s32;
	v.is_signed = !compares && insn->type == PTX_TYPE_s32;
	v.saturates = (insn->flags & PTX_FLAG_SAT) != 0;
	v.sums = (insn->flags & PTX_FLAG_ACCUMULATE) != 0;
	return v;
}

static int64_t part(uint32_t word, unsigned i, unsigned bits, bool is_signed)
{
	uint64_t value = (uint64_t)word >> i * bits & ((UINT64_C(1) << bits) - 1), sign = UINT64_C(1)
	                                                                                  << (bits - 1);
	return is_signed ? (int64_t)((value ^ sign) - sign) : (int64_t)value;
}

static bool compare(enum ptx_compare how, int64_t x, int64_t y)
{
	switch (how) {
	case PTX_COMPARE_eq:
		return x == y;
	case PTX_COMPARE_ne:
		return x != y;
	case PTX_COMPARE_lt:
		return x < y;
	case PTX_COMPARE_le:
		return x <= y;
	case PTX_COMPARE_gt:
		return x > y;
	default:
		return x >= y;
	}
}

static int64_t result_of(const struct video *v, int64_t x, int64_t y)
{
	switch (v->insn->op) {
	case PTX_vadd:
	case PTX_vadd2:
	case PTX_vadd4:
		return x + y;
	case PTX_vsub:
	case PTX_vsub2:
	case PTX_vsub4:
		return x - y;
	case PTX_vmin:
	case PTX_vmin2:
	case PTX_vmin4:
		return x < y ? x : y;
	case PTX_vmax:
	case PTX_vmax2:
	case PTX_vmax4:
		return x > y ? x : y;
	case PTX_vavrg2:
	case PTX_vavrg4:
		return (x + y + (x + y >= 0)) >> 1;
	case PTX_vset2:
	case PTX_vset4:
		return compare((enum ptx_compare)v->insn->compare, x, y);
	default:
		return x < y ? y - x : x - y;
	}
}

static int64_t clamped(const struct video *v, int64_t x)
{
	int64_t high = (INT64_C(1) << (v->bits - v->is_signed)) - 1, low = v->is_signed ? -high - 1 : 0;
	if (!v->saturates)
		return x;
	return x < low ? low : x > high ? high : x;
}

bool handle_video(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct video v = video_of(insn_of(run, op));
	const mask_u32 *a = (const mask_u32 *)place(w, op->a), *b = (const mask_u32 *)place(w, op->b),
	               *c = (const mask_u32 *)place(w, op->c);
	mask_u32 *result = (mask_u32 *)run->scratch[0];
	for (unsigned lane = 0; lane < run->lanes; lane++) {
		uint64_t word = v.sums ? c[lane] : 0;
		for (unsigned i = 0; i < v.parts; i++) {
			int64_t r = clamped(&v, result_of(&v, part(a[lane], i, v.bits, v.is_signed_a),
			                                  part(b[lane], i, v.bits, v.is_signed_b)));
			if (v.sums)
				word += (uint64_t)r;
			else
				word |= ((uint64_t)r & ((UINT64_C(1) << v.bits) - 1)) << i * v.bits;
		}
		result[lane] = (uint32_t)word;
	}
	lanes_write(run, w, op->dst, result, 4, mask);
	return true;
}
