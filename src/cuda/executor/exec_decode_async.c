/* Decoding asynchronous copies, mbarriers, addresses of clusters, policies of caches. */
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_handlers.h"

/* Accesses of a copy: destination, source, and the mbarrier of a bulk copy, one behind the other. */
static bool decode_ends(struct decoder *d, const struct ptx_insn *insn, struct code *op, unsigned bytes,
                        unsigned barrier_at)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	bool stores = insn->space == PTX_SPACE_global;
	uint32_t first = d->kernel->access_count;
	for (unsigned i = 0; i < (barrier_at ? 3u : 2u); i++) {
		struct access *a = decode_access_at(d, insn, &o[i == 2 ? barrier_at : i], bytes, op);
		if (!a)
			return false;
		a->space = (i == 0) == stores ? PTX_SPACE_global : PTX_SPACE_shared;
		a->space = i == 2 ? PTX_SPACE_shared : a->space;
		a->is_store = i == 0;
	}
	op->more = first;
	return true;
}

static bool decode_copy_async(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	unsigned size = (unsigned)o[2].value, bytes = 4;
	unsigned given = insn->source_count - (insn->flags & PTX_FLAG_HINT ? 1u : 0u);
	if ((size != 4 && size != 8 && size != 16) || (insn->cache == PTX_CACHE_cg && size != 16))
		return decode_unsupported(d, insn, "cp.async.ca copies 4, 8 or 16 bytes, cp.async.cg 16");
	op->plain = CODE_MEMORY;
	op->handler = handle_copy_async;
	op->a = decode_constant(d, size, 4);
	if (given > 3) {
		op->mode = o[3].kind == PTX_REG &&
		           d->ptx->functions[d->function->ptx].registers[o[3].index].type == PTX_TYPE_pred;
		op->negated = o[3].negated;
		if (!decode_source(d, insn, &o[3], &bytes, &op->a))
			return false;
	}
	return decode_ends(d, insn, op, size, 0);
}

static bool decode_copy_bulk(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	unsigned bytes = 4;
	op->plain = CODE_MEMORY;
	op->handler = handle_copy_bulk;
	return decode_source(d, insn, &ptx_sources(d->ptx, insn)[2], &bytes, &op->a) &&
	       decode_ends(d, insn, op, 16, insn->space == PTX_SPACE_global ? 0 : 3);
}

static bool decode_object(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct access *a = decode_access_at(d, insn, ptx_sources(d->ptx, insn), 8, op);
	if (!a)
		return false;
	/* Atomic: arrivals of several threads are no race. */
	a->is_store = a->is_atomic = true;
	op->plain = CODE_MEMORY;
	op->target = PTX_NONE;
	return true;
}

bool decode_copy(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	if (insn->flags & PTX_FLAG_MBARRIER) {
		op->a = decode_constant(d, 1, 4);
		op->handler = handle_mbarrier_change;
		/* Without .noinc the arrival counts as one that nobody waited for: it changes nothing. */
		if (!(insn->flags & PTX_FLAG_NOINC))
			op->handler = handle_mbarrier_touch;
		return decode_object(d, insn, op);
	}
	if (insn->mode != PTX_MODE_async)
		return decode_nothing(d, insn, op);
	return insn->flags & PTX_FLAG_BULK ? decode_copy_bulk(d, insn, op) : decode_copy_async(d, insn, op);
}

bool decode_mbarrier(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn), *r = ptx_results(d->ptx, insn);
	bool waits = insn->mode == PTX_MODE_test_wait || insn->mode == PTX_MODE_try_wait;
	bool has_state = waits && !(insn->flags & PTX_FLAG_PARITY);
	unsigned bytes = has_state ? 8 : 4;
	if (insn->mode == PTX_MODE_pending_count) {
		op->plain = CODE_HANDLER;
		op->handler = handle_mbarrier_pending;
		bytes = 8;
		if (!decode_source(d, insn, o, &bytes, &op->a))
			return false;
		op->dst = decode_result(d, r, &bytes);
		return true;
	}
	if (!decode_object(d, insn, op))
		return false;
	op->a = decode_constant(d, 1, 4);
	if (insn->source_count > 1 && !decode_source(d, insn, &o[1], &bytes, &op->a))
		return false;
	bool starts = insn->mode == PTX_MODE_init || insn->mode == PTX_MODE_inval;
	op->handler = waits ? handle_mbarrier_wait : starts ? handle_mbarrier_init : handle_mbarrier_change;
	if (waits) {
		op->plain = CODE_WAIT;
		op->mode = !has_state;
		op->dst = decode_result(d, r, &bytes);
	} else if (insn->result_count && r->kind != PTX_SINK) {
		op->target = decode_result(d, r, &bytes);
	}
	return true;
}

/* mapa, getctarank: addresses of the cluster's shared memory, generic if no space is named. */
bool decode_mapa(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->type), result = 4, rank = 4;
	op->plain = CODE_HANDLER;
	op->handler = insn->op == PTX_mapa ? handle_mapa : handle_getctarank;
	op->mode = insn->space != PTX_SPACE_shared;
	if (!decode_source(d, insn, o, &bytes, &op->a))
		return false;
	op->bytes = (uint8_t)bytes;
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &result);
	return insn->source_count < 2 || decode_source(d, insn, &o[1], &rank, &op->b);
}

/* createpolicy: a number that nobody looks at; caches are not the executor's business. */
bool decode_policy(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	unsigned bytes = 8;
	op->plain = CODE_LANE;
	op->fn = lane_copy8;
	op->bytes = 8;
	op->a = decode_constant(d, 1u + insn->evict, 8);
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	return true;
}
