/* Decoding asynchronous copies, mbarriers, addresses of clusters, policies of caches. */
#include "cuda/executor/exec_acts.h"
#include "cuda/executor/exec_decode.h"

/* Accesses of a copy: destination, source, and the mbarrier of a bulk copy, one behind the other. */
static bool decode_ends(struct decoder *d, const struct ptx_insn *insn, struct code *x, unsigned bytes,
                        unsigned barrier_at)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	bool stores = insn->space == PTX_SPACE_global;
	uint32_t first = d->kernel->access_count;
	for (unsigned i = 0; i < (barrier_at ? 3u : 2u); i++) {
		struct access *a = decode_access_at(d, insn, &o[i == 2 ? barrier_at : i], bytes, x);
		if (!a)
			return false;
		a->space = (i == 0) == stores ? PTX_SPACE_global : PTX_SPACE_shared;
		a->space = i == 2 ? PTX_SPACE_shared : a->space;
		a->is_store = i == 0;
	}
	x->more = first;
	return true;
}

static bool decode_copy_async(struct decoder *d, const struct ptx_insn *insn, struct code *x)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	unsigned size = (unsigned)o[2].value, bytes = 4;
	unsigned given = insn->source_count - (insn->flags & PTX_FLAG_HINT ? 1u : 0u);
	if ((size != 4 && size != 8 && size != 16) || (insn->cache == PTX_CACHE_cg && size != 16))
		return decode_unsupported(d, insn, "cp.async.ca copies 4, 8 or 16 bytes, cp.async.cg 16");
	x->plain = CODE_MEMORY;
	x->act = act_copy_async;
	x->a = decode_constant(d, size, 4);
	if (given > 3) {
		x->mode = o[3].kind == PTX_REG &&
		          d->ptx->functions[d->function->ptx].registers[o[3].index].type == PTX_TYPE_pred;
		x->negated = o[3].negated;
		if (!decode_source(d, insn, &o[3], &bytes, &x->a))
			return false;
	}
	return decode_ends(d, insn, x, size, 0);
}

static bool decode_copy_bulk(struct decoder *d, const struct ptx_insn *insn, struct code *x)
{
	unsigned bytes = 4;
	x->plain = CODE_MEMORY;
	x->act = act_copy_bulk;
	return decode_source(d, insn, &ptx_sources(d->ptx, insn)[2], &bytes, &x->a) &&
	       decode_ends(d, insn, x, 16, insn->space == PTX_SPACE_global ? 0 : 3);
}

static bool decode_object(struct decoder *d, const struct ptx_insn *insn, struct code *x)
{
	struct access *a = decode_access_at(d, insn, ptx_sources(d->ptx, insn), 8, x);
	if (!a)
		return false;
	/* Atomic: arrivals of several threads are no race. */
	a->is_store = a->is_atomic = true;
	x->plain = CODE_MEMORY;
	x->target = PTX_NONE;
	return true;
}

bool decode_copy(struct decoder *d, const struct ptx_insn *insn, struct code *x)
{
	if (insn->flags & PTX_FLAG_MBARRIER) {
		x->a = decode_constant(d, 1, 4);
		x->act = act_mbarrier_change;
		/* Without .noinc the arrival counts as one that nobody waited for: it changes nothing. */
		if (!(insn->flags & PTX_FLAG_NOINC))
			x->act = act_mbarrier_touch;
		return decode_object(d, insn, x);
	}
	if (insn->mode != PTX_MODE_async)
		return decode_nothing(d, insn, x);
	return insn->flags & PTX_FLAG_BULK ? decode_copy_bulk(d, insn, x) : decode_copy_async(d, insn, x);
}

bool decode_mbarrier(struct decoder *d, const struct ptx_insn *insn, struct code *x)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn), *r = ptx_results(d->ptx, insn);
	bool waits = insn->mode == PTX_MODE_test_wait || insn->mode == PTX_MODE_try_wait;
	bool has_state = waits && !(insn->flags & PTX_FLAG_PARITY);
	unsigned bytes = has_state ? 8 : 4;
	if (insn->mode == PTX_MODE_pending_count) {
		x->plain = CODE_ACT;
		x->act = act_mbarrier_pending;
		bytes = 8;
		if (!decode_source(d, insn, o, &bytes, &x->a))
			return false;
		x->dst = decode_result(d, r, &bytes);
		return true;
	}
	if (!decode_object(d, insn, x))
		return false;
	x->a = decode_constant(d, 1, 4);
	if (insn->source_count > 1 && !decode_source(d, insn, &o[1], &bytes, &x->a))
		return false;
	bool starts = insn->mode == PTX_MODE_init || insn->mode == PTX_MODE_inval;
	x->act = waits ? act_mbarrier_wait : starts ? act_mbarrier_init : act_mbarrier_change;
	if (waits) {
		x->plain = CODE_WAIT;
		x->mode = !has_state;
		x->dst = decode_result(d, r, &bytes);
	} else if (insn->result_count && r->kind != PTX_SINK) {
		x->target = decode_result(d, r, &bytes);
	}
	return true;
}

/* mapa, getctarank: addresses of the cluster's shared memory, generic if no space is named. */
bool decode_mapa(struct decoder *d, const struct ptx_insn *insn, struct code *x)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->type), result = 4, rank = 4;
	x->plain = CODE_ACT;
	x->act = insn->op == PTX_mapa ? act_mapa : act_getctarank;
	x->mode = insn->space != PTX_SPACE_shared;
	if (!decode_source(d, insn, o, &bytes, &x->a))
		return false;
	x->bytes = (uint8_t)bytes;
	x->dst = decode_result(d, ptx_results(d->ptx, insn), &result);
	return insn->source_count < 2 || decode_source(d, insn, &o[1], &rank, &x->b);
}

/* createpolicy: a number that nobody looks at; caches are not the executor's business. */
bool decode_policy(struct decoder *d, const struct ptx_insn *insn, struct code *x)
{
	unsigned bytes = 8;
	x->plain = CODE_LANE;
	x->fn = lane_copy8;
	x->bytes = 8;
	x->a = decode_constant(d, 1u + insn->evict, 8);
	x->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	return true;
}
