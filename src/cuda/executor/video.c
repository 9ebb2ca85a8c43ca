/*
 * Video instructions: sums, differences, averages, comparisons of the bytes or
 * halves of a word, merged into a word or summed; and the scalar forms, whose
 * sources are whole words. Selectors and masks of bytes are left out.
 */
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

enum video_kind { VIDEO_ABSDIFF, VIDEO_ADD, VIDEO_SUB, VIDEO_MIN, VIDEO_MAX, VIDEO_AVRG, VIDEO_SET };
struct video {
	unsigned parts, bits; /* 4 of 8, 2 of 16, 1 of 32 */
	enum video_kind kind;
	bool is_signed_a, is_signed_b, is_signed, saturates, sums;
	const struct ptx_insn *insn;
};

static const struct video_op {
	uint8_t parts, kind;
} ops[PTX_OP_COUNT] = {
#define OPS(op, kind) [PTX_v##op##2] = {2, kind}, [PTX_v##op##4] = {4, kind}
#define ALL_OPS(op, kind) [PTX_v##op] = {1, kind}, OPS(op, kind)
    ALL_OPS(absdiff, VIDEO_ABSDIFF),
    ALL_OPS(add, VIDEO_ADD),
    ALL_OPS(sub, VIDEO_SUB),
    ALL_OPS(min, VIDEO_MIN),
    ALL_OPS(max, VIDEO_MAX),
    OPS(avrg, VIDEO_AVRG),
    OPS(set, VIDEO_SET),
};

static struct video video_of(const struct ptx_insn *insn)
{
	struct video v = {
	    .parts = ops[insn->op].parts, .kind = (enum video_kind)ops[insn->op].kind, .insn = insn};
	bool compares = v.kind == VIDEO_SET;
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
	switch (v->kind) {
	case VIDEO_ADD:
		return x + y;
	case VIDEO_SUB:
		return x - y;
	case VIDEO_MIN:
		return x < y ? x : y;
	case VIDEO_MAX:
		return x > y ? x : y;
	case VIDEO_AVRG:
		return (x + y + (x + y >= 0)) >> 1;
	case VIDEO_SET:
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
