/* Which lane function an instruction takes: asks the families in turn. The forms are in their own files. */
#include "cuda/lanes/loop.h"

lane_fn *lane_form_find(const struct lane_form *forms, size_t count, const struct lane_form *want)
{
	for (size_t i = 0; i < count; i++) {
		const struct lane_form *f = &forms[i];
		if (f->op == want->op && f->type == want->type && f->type2 == want->type2 &&
		    f->mode == want->mode && f->round == want->round && f->flags == want->flags)
			return lane_choose(f->base, f->wide);
	}
	return NULL;
}

lane_fn *lane_function(const struct ptx_insn *insn, const struct lane_shape *shape)
{
	typedef lane_fn *finder(const struct ptx_insn *);
	static finder *const finders[] = {
	    lane_find_carry, lane_find_integer, lane_find_f32,          lane_find_f64,
	    lane_find_bits,  lane_find_compare, lane_find_select,       lane_find_special,
	    lane_find_half,  lane_find_packed,  lane_find_half_compare,
	};
	if (insn->op == PTX_cvt)
		return lane_find_convert(insn, shape);
	for (size_t i = 0; i < sizeof finders / sizeof *finders; i++) {
		lane_fn *fn = finders[i](insn);
		if (fn)
			return fn;
	}
	return NULL;
}

/* What holds exactly when the other does not; NaNs turn ordered compares into unordered ones. */
#define OPPOSITE_INTEGER(X) X(eq, ne) X(lt, ge) X(le, gt) X(lo, hs) X(ls, hi)
#define OPPOSITE_FLOAT(X) X(eq, neu) X(ne, equ) X(lt, geu) X(le, gtu) X(gt, leu) X(ge, ltu) X(num, nan)

struct ptx_insn lane_setp_opposite(const struct ptx_insn *insn)
{
#define PAIR(p, q) [PTX_COMPARE_##p] = PTX_COMPARE_##q, [PTX_COMPARE_##q] = PTX_COMPARE_##p,
	static const uint8_t integers[PTX_COMPARE_COUNT] = {OPPOSITE_INTEGER(PAIR)};
	static const uint8_t floats[PTX_COMPARE_COUNT] = {OPPOSITE_FLOAT(PAIR)};
#undef PAIR
	struct ptx_insn other = *insn;
	bool is_float = insn->type >= PTX_TYPE_f16 && insn->type <= PTX_TYPE_f64;
	/* Of a pair of halves the second predicate is that of the high half, not the opposite. */
	if (insn->type == PTX_TYPE_f16x2 || insn->type == PTX_TYPE_bf16x2)
		other.mode = PTX_MODE_hi;
	else
		other.compare = (is_float ? floats : integers)[insn->compare];
	return other;
}

bool lane_writes_carry(const struct ptx_insn *insn)
{
	return (insn->flags & PTX_FLAG_CC) != 0;
}

bool lane_reads_carry(const struct ptx_insn *insn)
{
	return insn->op == PTX_addc || insn->op == PTX_subc || insn->op == PTX_madc;
}
