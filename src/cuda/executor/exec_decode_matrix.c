/* Decoding products of matrices and their moves: where the registers of each matrix lie; and video instructions. */
#include "base/memory.h"
#include "cuda/executor/exec_decode.h"
#include "cuda/executor/exec_handlers.h"
#include "ptx/fragment.h"

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
	/* Without a stride the rows lie one behind the other. */
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
