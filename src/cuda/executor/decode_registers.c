/* Decode what works on registers: lane arithmetic, moves, warp-wide instructions, barriers, textures, matrices. */
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/decode.h"
#include "cuda/executor/handlers.h"
#include "ptx/fragment.h"

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

/* ---- warp-wide instructions and barriers --------------------------------------------------------------- */

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

/* ---- matrices ------------------------------------------------------------------------------------------ */

static bool has_right_lanes(struct decoder *d, const struct ptx_insn *insn)
{
	return d->kernel->lanes == 32 || decode_unsupported(d, insn, "it needs warps of 32 lanes");
}

static struct tensor_code *new_tensor(struct decoder *d, struct code *op)
{
	struct exec_kernel *k = d->kernel;
	k->tensors = memory_grow(k->tensors, k->tensor_count + 1, sizeof *k->tensors);
	op->more = k->tensor_count;
	k->tensors[k->tensor_count] = (struct tensor_code){.fn = NULL};
	return &k->tensors[k->tensor_count++];
}

/* Places of `count` registers. */
static bool decode_registers(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                             unsigned count, bool is_result, uint32_t *places)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned bytes = insn->type == PTX_TYPE_f64 ? 8 : 4;
		if (is_result)
			places[i] = decode_result(d, &o[i], &bytes);
		else if (!decode_source(d, insn, &o[i], &bytes, &places[i]))
			return false;
	}
	return true;
}

/* By matrix, register, lane and element: where it is. */
static uint32_t decode_map(struct decoder *d, const struct ptx_insn *insn)
{
	uint32_t map[4 * 8 * 32 * 2];
	for (unsigned f = 0; f < 4; f++)
		for (unsigned i = 0; i < 8 * 32 * 2; i++) {
			struct ptx_place p = {0, 0};
			struct ptx_matrix m = ptx_matrix(insn, (enum ptx_fragment)f);
			if (i / 64 < m.registers && i % 2 < m.elements)
				p = ptx_fragment_place(insn, (enum ptx_fragment)f, i / 2 % 32, i / 64, i % 2);
			map[f * 8 * 32 * 2 + i] = (uint32_t)p.row << 16 | p.col;
		}
	return decode_list(d, map, sizeof map / sizeof *map);
}

static bool decode_product(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct ptx_extent e = ptx_shape_extent((enum ptx_shape)insn->shape);
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	uint32_t places[64];
	struct tensor_code t = {
	    .op = {.m = e.m,
	           .n = e.n,
	           .k = e.k,
	           .type_a = (uint8_t)ptx_factor_type(insn, PTX_FRAGMENT_a),
	           .type_b = (uint8_t)ptx_factor_type(insn, PTX_FRAGMENT_b),
	           .type_c = insn->type4,
	           .type_d = insn->type,
	           .round = insn->round,
	           .saturates = (insn->flags & PTX_FLAG_SAT) != 0,
	           .is_and = insn->combine == PTX_COMBINE_and},
	};
	t.fn = tensor_function(&t.op);
	t.is_quad_pair =
	    insn->op == PTX_mma && insn->shape == PTX_SHAPE_m8n8k4 && t.op.type_a == PTX_TYPE_f16;
	t.op.adds_last = t.is_quad_pair;
	t.op.block = insn->op == PTX_wmma && t.op.type_a == PTX_TYPE_tf32 ? 4 : 0;
	unsigned used = 0;
	for (unsigned f = 0; f < 4; f++) {
		t.count[f] = ptx_matrix(insn, (enum ptx_fragment)f).registers;
		const struct ptx_operand *first = f ? o : ptx_results(d->ptx, insn);
		if (!decode_registers(d, insn, first, t.count[f], f == 0, places + used))
			return false;
		used += t.count[f];
		o += f ? t.count[f] : 0;
	}
	/* Eight rows times 16 bytes, or 32 of double precision, make a register. */
	unsigned tile_bits = 8 * (t.op.type_a == PTX_TYPE_f64 ? 256 : 128);
	unsigned bits = ptx_matrix(insn, PTX_FRAGMENT_a).element_bits;
	t.distinct[0] = (uint8_t)(e.m * e.k * bits / tile_bits);
	t.distinct[1] = (uint8_t)(e.n * e.k * bits / tile_bits);
	for (unsigned f = 0; f < 2; f++)
		for (unsigned r = 0; r < t.distinct[f]; r++)
			t.tile[f][r] = ptx_factor_tile(insn, (enum ptx_fragment)(PTX_FRAGMENT_a + f), r);
	t.is_turned = e.n > e.m;
	if (t.is_turned) {
		t.op.m = e.n;
		t.op.n = e.m;
	}
	t.places = decode_list(d, places, used);
	if (t.is_quad_pair)
		t.map = decode_map(d, insn);
	*new_tensor(d, op) = t;
	op->plain = CODE_SYNC;
	op->d = decode_constant(d, UINT32_MAX, 4);
	op->handler = handle_mma;
	return true;
}

/* ---- products of warp groups --------------------------------------------------------------------------- */

/* A number that the instruction must have in its text. */
static bool decode_choice(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                          int32_t first, int32_t second, bool *is_second)
{
	int32_t value = (int32_t)o->value;
	*is_second = value == second;
	return (o->kind == PTX_IMM && (value == first || value == second)) ||
	       decode_unsupported(d, insn, "signs are 1 or -1, transpositions 0 or 1, as constants");
}

/* Behind D, A and B: whether D is added, signs, transpositions. `a` is the number of A's registers, 0 or 4. */
static bool decode_choices(struct decoder *d, const struct ptx_insn *insn, struct code *op,
                           const struct ptx_operand *o, unsigned a)
{
	bool is_half = ptx_type_bytes(insn->type2) == 2, has_signs = insn->type != PTX_TYPE_s32,
	     minus_a = false, minus_b = false, turns_a = false, turns_b = false;
	unsigned expected = 1u + (has_signs ? 2u : 0u) + (is_half ? a ? 1u : 2u : 0u);
	const struct ptx_operand *end = ptx_sources(d->ptx, insn) + insn->source_count;
	if (o + expected != end)
		return decode_unsupported(d, insn,
		                          "A in registers is not transposed, B and A of 16 bits may be");
	op->negated = (uint16_t)(o->negated << 2);
	if (!source_or_predicate(d, insn, o++, &op->c, 4, true))
		return false;
	if (has_signs &&
	    (!decode_choice(d, insn, o, 1, -1, &minus_a) || !decode_choice(d, insn, o + 1, 1, -1, &minus_b)))
		return false;
	o += has_signs ? 2 : 0;
	if (is_half && !a && !decode_choice(d, insn, o++, 0, 1, &turns_a))
		return false;
	if (is_half && !decode_choice(d, insn, o, 0, 1, &turns_b))
		return false;
	op->mode = (uint8_t)((turns_a ? WARPGROUP_TURNS_A : 0) | (turns_b ? WARPGROUP_TURNS_B : 0) |
	                     (minus_a != minus_b ? WARPGROUP_NEGATIVE : 0));
	return true;
}

static bool decode_warpgroup_product(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	struct ptx_extent e = ptx_shape_extent((enum ptx_shape)insn->shape);
	const struct ptx_operand *o = ptx_sources(d->ptx, insn) + insn->result_count;
	unsigned a = ptx_warpgroup_factor_registers(insn), bytes = 8;
	uint32_t places[160];
	struct tensor_code t = {
	    .op = {.m = 16,
	           .n = e.n,
	           .k = e.k,
	           .type_a = insn->type2,
	           .type_b = insn->type3,
	           .type_c = insn->type,
	           .type_d = insn->type,
	           .saturates = (insn->flags & PTX_FLAG_SAT) != 0,
	           .is_short = insn->type2 == PTX_TYPE_e4m3 || insn->type2 == PTX_TYPE_e5m2},
	    .count = {[PTX_FRAGMENT_d] = insn->result_count, [PTX_FRAGMENT_a] = (uint8_t)a}};
	t.fn = tensor_function(&t.op);
	if (!decode_registers(d, insn, ptx_results(d->ptx, insn), insn->result_count, true, places) ||
	    !decode_registers(d, insn, o, a, false, places + insn->result_count))
		return false;
	if (!a && !decode_source(d, insn, o, &bytes, &op->a))
		return false;
	o += a ? a : 1;
	t.places = decode_list(d, places, insn->result_count + a);
	*new_tensor(d, op) = t;
	op->plain = CODE_SYNC;
	op->d = decode_constant(d, UINT32_MAX, 4);
	op->handler = handle_warpgroup_product;
	return decode_source(d, insn, o, &bytes, &op->b) && decode_choices(d, insn, op, o + 1, a);
}

bool decode_warpgroup(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	if (!has_right_lanes(d, insn))
		return false;
	if (insn->mode == PTX_MODE_mma_async)
		return decode_warpgroup_product(d, insn, op);
	if (insn->mode != PTX_MODE_wait_group)
		return decode_nothing(d, insn, op);
	op->plain = CODE_CONTROL;
	op->control = control_warpgroup_wait;
	return true;
}

bool decode_mma(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	return has_right_lanes(d, insn) && decode_product(d, insn, op);
}

/* Registers of the matrix, in a list whose number is op->target; the access is op->more. */
static bool decode_move(struct decoder *d, const struct ptx_insn *insn, struct code *op, unsigned bytes,
                        bool is_store)
{
	const struct ptx_operand *o = ptx_sources(d->ptx, insn);
	struct ptx_matrix m = ptx_matrix(insn, PTX_FRAGMENT_d);
	uint32_t places[8];
	struct access *a = decode_access_at(d, insn, o, bytes, op);
	if (!a)
		return false;
	a->is_store = is_store;
	op->plain = CODE_MEMORY;
	if (!decode_registers(d, insn, is_store ? o + 1 : ptx_results(d->ptx, insn), m.registers, !is_store,
	                      places))
		return false;
	op->target = decode_list(d, places, m.registers);
	op->mode = m.registers;
	return true;
}

bool decode_wmma(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	if (!has_right_lanes(d, insn))
		return false;
	if (insn->mode == PTX_MODE_mma)
		return decode_product(d, insn, op);
	bool is_store = insn->mode == PTX_MODE_store;
	unsigned registers = ptx_matrix(insn, PTX_FRAGMENT_d).registers, bytes = 4;
	unsigned stride = is_store ? 1 + registers : 1;
	if (!decode_move(d, insn, op, ptx_matrix_pieces(insn).bytes, is_store))
		return false;
	op->handler = is_store ? handle_wmma_store : handle_wmma_load;
	/* Without a stride, rows are adjacent. */
	struct ptx_matrix m = ptx_matrix(insn, PTX_FRAGMENT_d);
	op->b = decode_constant(d, insn->layout == PTX_LAYOUT_row ? m.cols : m.rows, 4);
	return insn->source_count <= stride ||
	       decode_source(d, insn, &ptx_sources(d->ptx, insn)[stride], &bytes, &op->b);
}

/* ldmatrix, stmatrix */
bool decode_matrix_move(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	bool is_store = insn->op == PTX_stmatrix;
	op->handler = is_store ? handle_stmatrix : handle_ldmatrix;
	return has_right_lanes(d, insn) && decode_move(d, insn, op, 16, is_store);
}

bool decode_movmatrix(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	unsigned bytes = 4;
	op->plain = CODE_SYNC;
	op->handler = handle_movmatrix;
	op->d = decode_constant(d, UINT32_MAX, 4);
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	return has_right_lanes(d, insn) && decode_source(d, insn, ptx_sources(d->ptx, insn), &bytes, &op->a);
}

bool decode_video(struct decoder *d, const struct ptx_insn *insn, struct code *op)
{
	uint32_t *const at[3] = {&op->a, &op->b, &op->c};
	unsigned bytes = 4;
	op->plain = CODE_HANDLER;
	op->handler = handle_video;
	op->dst = decode_result(d, ptx_results(d->ptx, insn), &bytes);
	for (unsigned i = 0; i < insn->source_count && i < 3; i++)
		if (!decode_source(d, insn, &ptx_sources(d->ptx, insn)[i], &bytes, at[i]))
			return false;
	return true;
}
