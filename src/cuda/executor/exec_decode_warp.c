/* Decoding what a warp or a CTA does together: shuffles, votes, barriers; and texture fetches. */
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_handlers.h"

static bool source_or_predicate(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                                uint32_t *place, unsigned bytes, bool is_predicate)
{
	struct ptx_operand source = *o;
	if (source.kind == PTX_IMM && is_predicate)
		source.value = -(source.value & 1);
	return decode_source(d, insn, &source, &bytes, place);
}

bool decode_warp_wide(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	static code_handler *const handlers[PTX_OP_COUNT] = {
	    [PTX_shfl] = handle_shfl,   [PTX_vote] = handle_vote,   [PTX_match] = handle_match,
	    [PTX_redux] = handle_redux, [PTX_elect] = handle_elect, [PTX_activemask] = handle_activemask};
	const struct ptx_operand *r = ptx_results(d->ptx, insn), *o = ptx_sources(d->ptx, insn);
	uint32_t *const at[3] = {&op->a, &op->b, &op->c};
	bool is_sync = (insn->flags & PTX_FLAG_SYNC) != 0;
	unsigned values = insn->source_count - is_sync, bytes = 4;
	op->plain = is_sync ? CODE_SYNC : CODE_HANDLER;
	op->handler = handlers[insn->op];
	op->mode = insn->mode;
	op->dst = decode_result(d, r, &bytes);
	op->bytes = (uint8_t)bytes;
	op->target = PTX_NONE;
	if (insn->result_count > 1 && r[1].kind != PTX_SINK)
		op->target = decode_result(d, &r[1], &bytes);
	for (unsigned i = 0; i < values && i < 3; i++) {
		if (!source_or_predicate(d, insn, &o[i], at[i], i ? 4 : decode_register_bytes(insn->type),
		                         insn->op == PTX_vote))
			return false;
		op->negated |= (uint16_t)(o[i].negated << i);
	}
	return !is_sync || source_or_predicate(d, insn, &o[insn->source_count - 1], &op->d, 4, false);
}

/* bar.sync a {, b}; bar.arrive a, b; bar.red a {, b}, p; bar.warp.sync mask */
bool decode_barrier(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	bool is_red = insn->mode == PTX_MODE_red;
	unsigned numbers = insn->source_count - is_red, bytes = 4;
	if (insn->scope == PTX_SCOPE_cluster) {
		bool waits = insn->mode == PTX_MODE_wait;
		op->plain = waits ? CODE_WAIT : CODE_HANDLER;
		op->handler = waits ? handle_cluster_wait : handle_cluster_arrive;
		return true;
	}
	if (insn->mode == PTX_MODE_warp) {
		op->plain = CODE_SYNC;
		op->handler = handle_nothing;
		return source_or_predicate(d, insn, o, &op->d, 4, false);
	}
	op->plain = CODE_CONTROL;
	op->control = control_barrier;
	op->mode = insn->mode;
	if (is_red) {
		op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
		op->negated = (uint16_t)(o[numbers].negated << 2);
		if (!source_or_predicate(d, insn, &o[numbers], &op->c, 4, true))
			return false;
	}
	if (numbers > 1 && !source_or_predicate(d, insn, &o[1], &op->b, 4, false))
		return false;
	return !numbers || source_or_predicate(d, insn, &o[0], &op->a, 4, false);
}

/* Places: four results (PTX_NONE: not wanted), then up to four coordinates. */
bool decode_texture(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *r = ptx_results(d->ptx, insn), *o = ptx_sources(d->ptx, insn);
	struct ptx_operand handle = o[0];
	uint32_t places[8];
	unsigned bytes = 8, coordinates = insn->source_count - 1u;
	if (insn->op == PTX_suld || insn->op == PTX_sust)
		return decode_surface(d, insn, op);
	if (coordinates > 4 || insn->result_count > 4)
		return decode_unsupported(d, insn, "textures have one handle and up to four coordinates");
	if (handle.kind == PTX_ADDRESS)
		handle.kind = handle.base == PTX_BASE_REG ? PTX_REG : PTX_SYMBOL;
	if (!decode_source(d, insn, &handle, &bytes, &op->a))
		return false;
	for (unsigned i = 0; i < 8; i++)
		places[i] = PTX_NONE;
	for (unsigned i = 0; i < insn->result_count; i++) {
		bytes = 4;
		if (r[i].kind != PTX_SINK)
			places[i] = decode_result(d, &r[i], &bytes);
		if (bytes != 4)
			return decode_unsupported(d, insn, "results have 32 bits");
	}
	for (unsigned i = 0; i < coordinates; i++)
		if (!source_or_predicate(d, insn, &o[1 + i], &places[4 + i], 4, false))
			return false;
	op->more = decode_list(d, places, 8);
	op->mode = insn->mode;
	op->plain = insn->op == PTX_txq ? CODE_HANDLER : CODE_MEMORY;
	op->handler = insn->op == PTX_txq ? handle_texture_query : handle_texture;
	return true;
}
