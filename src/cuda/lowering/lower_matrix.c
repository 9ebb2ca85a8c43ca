/*
 * Products of matrices: which machine instructions a shape takes on a GPU of
 * compute capability 9.0, and the registers between them.
 *
 * All registers of a matrix come and go together, so in the trace they have one
 * number (lower_regs.c); a wmma product of two halves has two.
 */
#include <stdio.h>

#include "cuda/lowering/lower_emit.h"
#include "ptx/fragment.h"

struct product {
	const char *mnemonic;
	uint8_t count;      /* of them; each makes a part of D, or of the sum */
	bool is_chain;      /* parts of one sum, one after the other */
	uint8_t unpacks;    /* instructions that make the factors what the unit takes */
	uint8_t adds;       /* and that add C */
	const char *unpack; /* which */
};

static struct product half_product(const struct ptx_insn *insn, struct ptx_extent e)
{
	enum ptx_type type = ptx_factor_type(insn, PTX_FRAGMENT_a);
	uint8_t tiles = (uint8_t)(e.m * e.n / 128);
	bool to_half = insn->type == PTX_TYPE_f16;
	if (insn->op == PTX_mma && insn->shape == PTX_SHAPE_m8n8k4)
		return (struct product){
		    to_half ? "HMMA.16816.F16" : "HMMA.16816.F32", 1, true, 12, 8, "SHFL.IDX"};
	if (type == PTX_TYPE_tf32 && insn->op == PTX_wmma)
		return (struct product){"HMMA.1684.F32.TF32", (uint8_t)(2 * tiles), false, 0, 0, NULL};
	if (type == PTX_TYPE_tf32)
		return (struct product){
		    e.k == 4 ? "HMMA.1684.F32.TF32" : "HMMA.1688.F32.TF32", tiles, false, 0, 0, NULL};
	if (type == PTX_TYPE_bf16)
		return (struct product){
		    e.k == 8 ? "HMMA.1688.F32.BF16" : "HMMA.16816.F32.BF16", tiles, false, 0, 0, NULL};
	if (e.k == 8)
		return (struct product){
		    to_half ? "HMMA.1688.F16" : "HMMA.1688.F32", tiles, false, 0, 0, NULL};
	return (struct product){to_half ? "HMMA.16816.F16" : "HMMA.16816.F32", tiles, false, 0, 0, NULL};
}

static struct product integer_product(const struct ptx_insn *insn, struct ptx_extent e)
{
	enum ptx_type type = ptx_factor_type(insn, PTX_FRAGMENT_a);
	uint8_t tiles = (uint8_t)(e.m * e.n >= 128 ? e.m * e.n / 128 : 1);
	/* Numbers of four bits are taken apart into bytes. */
	if (type == PTX_TYPE_s4 || type == PTX_TYPE_u4)
		return (struct product){"IMMA.16832.S8.S8",
		                        (uint8_t)(e.k == 64 ? 2 : 1),
		                        true,
		                        (uint8_t)(e.k == 64 ? 186 : 93),
		                        0,
		                        "LOP3.LUT"};
	if (e.m == 8 && e.n == 8)
		return (struct product){"IMMA.8816.S8.S8", 1, false, 0, 0, NULL};
	return (struct product){
	    e.k == 32 ? "IMMA.16832.S8.S8" : "IMMA.16816.S8.S8", tiles, false, 0, 0, NULL};
}

static struct product product_of(const struct ptx_insn *insn)
{
	struct ptx_extent e = ptx_shape_extent((enum ptx_shape)insn->shape);
	switch (ptx_factor_type(insn, PTX_FRAGMENT_a)) {
	case PTX_TYPE_f64:
		return (struct product){
		    e.m == 8 ? "DMMA.884" : e.k == 4 ? "DMMA.1684" : e.k == 8 ? "DMMA.1688" : "DMMA.16816",
		    1,
		    false,
		    0,
		    0,
		    NULL};
	case PTX_TYPE_b1:
		return (struct product){e.m == 8     ? "BMMA.88128.XOR.POPC"
		                        : e.k == 128 ? "BMMA.168128.XOR.POPC"
		                                     : "BMMA.168256.XOR.POPC",
		                        1,
		                        false,
		                        0,
		                        0,
		                        NULL};
	case PTX_TYPE_e4m3:
	case PTX_TYPE_e5m2:
		return (struct product){
		    "HMMA.16816.F32",        (uint8_t)(e.k / 16), true, (uint8_t)(6 * e.k / 16), 4,
		    "F2FP.F16.E4M3.UNPACK_B"};
	case PTX_TYPE_s8:
	case PTX_TYPE_u8:
	case PTX_TYPE_s4:
	case PTX_TYPE_u4:
		return integer_product(insn, e);
	default:
		return half_product(insn, e);
	}
}

static void add_once(struct lower_operands *o, uint8_t reg)
{
	for (unsigned i = 0; i < o->src_count; i++)
		if (o->src[i] == reg)
			return;
	lower_add_source(o, reg, 1);
}

/* The numbers of a part of a matrix: registers [first, end). */
static void add_part(struct lower_operands *o, const struct lower_facts *f, const struct ptx_operand *list,
                     unsigned first, unsigned end)
{
	for (unsigned i = first; i < end; i++)
		if (list[i].kind == PTX_REG)
			add_once(o, f->regs[list[i].index].number);
}

/* Registers of part `part` of `parts`: its share of D and C, all of A and B. */
static struct lower_operands part_operands(const struct lower_facts *f, const struct ptx_insn *insn,
                                           unsigned part, unsigned parts)
{
	const struct ptx_operand *d = ptx_results(f->module, insn), *a = ptx_sources(f->module, insn);
	unsigned ds = ptx_matrix(insn, PTX_FRAGMENT_d).registers,
	         as = ptx_matrix(insn, PTX_FRAGMENT_a).registers,
	         bs = ptx_matrix(insn, PTX_FRAGMENT_b).registers,
	         cs = ptx_matrix(insn, PTX_FRAGMENT_c).registers;
	struct lower_operands o = {.dst = TRACE_REG_NONE, .dst_span = 1};
	if (d[part * ds / parts].kind == PTX_REG)
		o.dst = f->regs[d[part * ds / parts].index].number;
	add_part(&o, f, a + as + bs, part * cs / parts, (part + 1) * cs / parts);
	add_part(&o, f, a, 0, as);
	add_part(&o, f, a + as, 0, bs);
	return o;
}

bool lower_product(struct lower_output *out, const struct lower_facts *f, const struct ptx_insn *insn)
{
	if (insn->op != PTX_mma && (insn->op != PTX_wmma || insn->mode != PTX_MODE_mma))
		return false;
	struct product p = product_of(insn);
	struct lower_operands all = part_operands(f, insn, 0, 1);
	/* What is unpacked goes to registers that nobody else sees. */
	struct lower_operands unpack = all;
	unpack.dst = TRACE_REG_NONE;
	for (unsigned i = 0; i < p.unpacks; i++)
		lower_emit(out, insn, p.unpack, &unpack, WHOLE, true);
	for (unsigned i = 0; i < p.count; i++) {
		struct lower_operands part = p.is_chain ? all : part_operands(f, insn, i, p.count);
		lower_emit(out, insn, p.mnemonic, &part, WHOLE, !p.is_chain || i == 0);
	}
	for (unsigned i = 0; i < p.adds; i++)
		lower_emit(out, insn, "FADD", &all, WHOLE, false);
	return true;
}
