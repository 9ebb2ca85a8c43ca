/* Decoding lane arithmetic, compares, moves and conversions of addresses. */
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_handlers.h"

/* ---- widths ------------------------------------------------------------------------------------------- */

/* Width of source `i` where it is an immediate; what is not listed has the instruction's own type. */
struct source_width {
	uint8_t op, source;
	uint8_t bytes; /* 0: twice that of the type, if the mode is wide; 1: that of type2 */
};
static const struct source_width widths[] = {
    {PTX_cvt, 0, 1},   {PTX_set, 0, 1},  {PTX_set, 1, 1},   {PTX_set, 2, 4},  {PTX_setp, 2, 4},
    {PTX_shl, 1, 4},   {PTX_shr, 1, 4},  {PTX_bfe, 1, 4},   {PTX_bfe, 2, 4},  {PTX_bfi, 2, 4},
    {PTX_bfi, 3, 4},   {PTX_mad, 2, 0},  {PTX_mad24, 2, 0}, {PTX_selp, 2, 4}, {PTX_slct, 2, 4},
    {PTX_szext, 1, 4}, {PTX_dp4a, 0, 4}, {PTX_dp4a, 1, 4},  {PTX_dp4a, 2, 4}, {PTX_dp2a, 0, 4},
    {PTX_dp2a, 1, 4},  {PTX_dp2a, 2, 4},
};

static unsigned immediate_bytes(const struct ptx_insn *insn, unsigned source)
{
	unsigned own = decode_register_bytes(insn->type);
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		if (widths[i].op != insn->op || widths[i].source != source)
			continue;
		if (widths[i].bytes == 0)
			return insn->mode == PTX_MODE_wide ? 2 * own : own;
		return widths[i].bytes == 1 ? decode_register_bytes(insn->type2) : widths[i].bytes;
	}
	return own;
}

static bool is_predicate_source(const struct ptx_insn *insn, unsigned source)
{
	if (insn->type == PTX_TYPE_pred)
		return true;
	return source == 2 && (insn->op == PTX_setp || insn->op == PTX_set || insn->op == PTX_selp);
}

/* ---- arithmetic --------------------------------------------------------------------------------------- */

static bool decode_sources(struct decoder *d, const struct ptx_insn *insn, struct code *op,
                           struct lane_shape *shape)
{
	uint32_t *const place[4] = {&op->a, &op->b, &op->c, &op->d};
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	if (insn->source_count > 4)
		return decode_unsupported(d, insn, "more than four sources");
	for (unsigned i = 0; i < insn->source_count; i++) {
		unsigned bytes = immediate_bytes(insn, i);
		struct ptx_operand source = o[i];
		if (source.kind == PTX_IMM && is_predicate_source(insn, i))
			source.value = -(source.value & 1);
		if (!decode_source(d, insn, &source, &bytes, place[i]))
			return false;
		shape->source_bytes[i] = (uint8_t)bytes;
		op->negated |= (uint16_t)(source.negated << i);
	}
	return true;
}

static void use_carry(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	if (!lane_writes_carry(insn) && !lane_reads_carry(insn))
		return;
	if (d->carry_place == PTX_NONE)
		d->carry_place = decode_frame_place(d, d->function, 4);
	op->d = d->carry_place;
	if (lane_writes_carry(insn))
		op->plain = CODE_CARRY;
}

bool decode_lane(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct lane_shape shape = {0};
	unsigned bytes = 8;
	op->plain = CODE_LANE;
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	op->bytes = shape.result_bytes = (uint8_t)bytes;
	if (!decode_sources(d, insn, op, &shape))
		return false;
	use_carry(d, insn, op);
	if (op->negated)
		op->plain = CODE_NEGATED;
	op->fn = lane_function(insn, &shape);
	return op->fn || decode_unsupported(d, insn, "this form is not known");
}

bool decode_setp(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	if (!decode_lane(d, insn, op))
		return false;
	if (insn->result_count < 2)
		return true;
	struct exec_kernel *k = d->kernel;
	struct ptx_insn opposite = lane_setp_opposite(insn);
	struct lane_shape shape = {.result_bytes = 4};
	struct lane_pair pair = {.fn = {op->fn, lane_function(&opposite, &shape)}};
	unsigned bytes = 4;
	for (unsigned i = 0; i < 2; i++)
		pair.dst[i] = decode_result(d, ptx_results(d->ptx, insn) + i, &bytes);
	k->pairs = memory_grow(k->pairs, k->pair_count + 1, sizeof *k->pairs);
	k->pairs[k->pair_count] = pair;
	op->more = k->pair_count++;
	op->plain = CODE_HANDLER;
	op->handler = handle_setp_pair;
	return true;
}

/* ---- moves -------------------------------------------------------------------------------------------- */

/* Vectors: many narrow registers to one wide, or back. */
static bool decode_pack(struct decoder *d, const struct ptx_insn *insn, struct code *op, bool is_pack)
{
	const struct ptx_operand *many = is_pack ? ptx_sources(d->ptx, insn) : ptx_results(d->ptx, insn);
	const struct ptx_operand *one = is_pack ? ptx_results(d->ptx, insn) : ptx_sources(d->ptx, insn);
	unsigned count = is_pack ? insn->source_count : insn->result_count;
	unsigned wide = decode_register_bytes(insn->type), narrow = wide / count;
	uint32_t places[4];
	if (count > 4 || (narrow != 2 && narrow != 4))
		return decode_unsupported(d, insn, "vectors are of 16- or 32-bit registers");
	for (unsigned i = 0; i < count; i++) {
		unsigned bytes = narrow;
		if (!is_pack)
			places[i] = many[i].kind == PTX_SINK ? PTX_NONE : decode_result(d, &many[i], &bytes);
		else if (!decode_source(d, insn, &many[i], &bytes, &places[i]))
			return false;
		if (bytes != narrow)
			return decode_unsupported(d, insn, "the registers do not fill the vector");
	}
	if (is_pack)
		op->dst = decode_result(d, one, &wide);
	else if (!decode_source(d, insn, one, &wide, &op->a))
		return false;
	op->mode = (uint8_t)count;
	op->bytes = (uint8_t)narrow;
	op->more = decode_list(d, places, count);
	op->plain = CODE_HANDLER;
	op->handler = is_pack ? handle_pack : handle_unpack;
	return true;
}

static bool decode_local_address(struct decoder *d, const struct ptx_operand *o, struct code *op)
{
	op->target = (uint32_t)(ptx_local_offset(d->ptx, o->index) + (uint64_t)o->value);
	op->plain = CODE_HANDLER;
	op->handler = handle_local_address;
	return true;
}

static lane_fn *mover(unsigned from, unsigned to)
{
	switch (from * 10 + to) {
	case 22:
		return lane_copy2;
	case 42:
		return lane_narrow42;
	case 44:
		return lane_copy4;
	case 48:
		return lane_widen48;
	case 84:
		return lane_narrow84;
	case 88:
		return lane_copy8;
	default:
		return NULL;
	}
}

bool decode_mov(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct ptx_operand o = *ptx_sources(d->ptx, insn);
	unsigned bytes = 8, from = decode_register_bytes(insn->type);
	if (insn->source_count > 1 || insn->result_count > 1)
		return decode_pack(d, insn, op, insn->source_count > 1);
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	op->bytes = (uint8_t)bytes;
	if (o.kind == PTX_SYMBOL && d->ptx->variables[o.index].space == PTX_SPACE_local)
		return decode_local_address(d, &o, op);
	if (o.kind == PTX_SREG && o.index >= PTX_SREG_clock && o.index <= PTX_SREG_globaltimer_hi) {
		op->plain = CODE_HANDLER;
		op->handler = handle_clock;
		op->mode = (uint8_t)o.index;
		return true;
	}
	if (o.kind == PTX_IMM && insn->type == PTX_TYPE_pred)
		o.value = -(o.value & 1);
	op->plain = o.negated ? CODE_NEGATED : CODE_LANE;
	op->negated = o.negated;
	if (!decode_source(d, insn, &o, &from, &op->a))
		return false;
	op->fn = mover(from, bytes);
	return op->fn || decode_unsupported(d, insn, "source and result differ in width");
}

/* ---- addresses ---------------------------------------------------------------------------------------- */

static uint64_t window_of(unsigned space)
{
	return space == PTX_SPACE_shared ? SHARED_WINDOW : space == PTX_SPACE_local ? LOCAL_WINDOW : 0;
}

bool decode_cvta(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	uint64_t window = window_of(insn->space);
	unsigned bytes = 8, from = 8;
	op->plain = CODE_LANE;
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	op->bytes = (uint8_t)bytes;
	if (insn->op == PTX_isspacep) {
		op->fn = lane_in_window;
		op->b = decode_constant(d, window, 8);
		if (!window) {
			op->plain = CODE_HANDLER;
			op->handler = handle_in_device;
			op->mode = insn->space;
		}
		return decode_source(d, insn, o, &from, &op->a);
	}
	if (o->kind == PTX_SYMBOL && d->ptx->variables[o->index].space == PTX_SPACE_local) {
		decode_local_address(d, o, op);
		op->b = decode_constant(d, insn->flags & PTX_FLAG_TO ? 0 : window, 8);
		return true;
	}
	op->fn = insn->flags & PTX_FLAG_TO ? lane_from_window : lane_to_window;
	op->b = decode_constant(d, window, 8);
	if (!decode_source(d, insn, o, &from, &op->a))
		return false;
	return (from == 8 && bytes == 8) || decode_unsupported(d, insn, "addresses have 64 bits");
}
