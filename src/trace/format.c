/* Limits of the format, and the names of instruction classes and memory spaces. */
#include "trace/format.h"

#include "trace/insn.h"

/* x * y * z, or 0 if a factor is 0 or the product is above the limit. */
static uint64_t dim_product(struct trace_dim d, uint64_t limit)
{
	uint64_t xy = (uint64_t)d.x * d.y;
	if (!xy || !d.z || xy > limit || xy * d.z > limit)
		return 0;
	return xy * d.z;
}

const char *format_check_kernel(const struct trace_kernel *k)
{
	if (k->warp_size != 32 && k->warp_size != 64)
		return "warp size is neither 32 nor 64";
	if (!dim_product(k->grid, FORMAT_MAX_CTAS))
		return "grid is empty or has more than 2^31 CTAs";
	uint64_t threads = dim_product(k->block, (uint64_t)FORMAT_MAX_WARPS * k->warp_size);
	if (!threads)
		return "block is empty or has more than 64 warps";
	if (k->warps_per_cta != (threads + k->warp_size - 1) / k->warp_size)
		return "warps per CTA do not fit the block";
	if (k->cta_count != dim_product(k->grid, FORMAT_MAX_CTAS))
		return "number of CTAs does not fit the grid";
	return NULL;
}

static bool can_poll(const struct trace_insn *i)
{
	return (i->op == OP_LOAD || i->op == OP_ATOMIC) &&
	       (i->space == SPACE_GLOBAL || i->space == SPACE_GENERIC) &&
	       (i->flags & (INSN_MEMORY | INSN_ASYNC_COPY | INSN_BULK | INSN_PHASE_WAIT)) == INSN_MEMORY;
}

/* A span never covers the register that reads as zero. */
static bool span_fits(uint8_t reg, uint8_t span)
{
	return reg == TRACE_REG_NONE ? span <= 1 : span >= 1 && reg + span <= TRACE_REG_NONE;
}

const char *format_check_insn(const struct trace_insn *i)
{
	if (i->op >= OP_COUNT)
		return "unknown instruction class";
	if (i->space >= SPACE_COUNT)
		return "unknown memory space";
	if (i->flags & INSN_POLL && !can_poll(i))
		return "a poll that is no global load or atomic";
	if (i->src_count > TRACE_MAX_SRC)
		return "too many sources";
	if (!span_fits(i->dst, i->dst_span))
		return "destination span out of range";
	for (unsigned s = 0; s < i->src_count; s++)
		if (!span_fits(i->src[s], i->src_span[s]))
			return "source span out of range";
	return NULL;
}

/* ---- names --------------------------------------------------------------------------------------------- */

static const char *const op_names[] = {
#define X(NAME, name, doc) name,
    OP_CLASSES(X)
#undef X
};

static const char *const op_docs[] = {
#define X(NAME, name, doc) doc,
    OP_CLASSES(X)
#undef X
};

static const char *const space_names[] = {
#define X(NAME, name) name,
    MEM_SPACES(X)
#undef X
};

const char *op_class_name(enum op_class op)
{
	return op < OP_COUNT ? op_names[op] : "?";
}

const char *op_class_doc(enum op_class op)
{
	return op < OP_COUNT ? op_docs[op] : "?";
}

const char *mem_space_name(enum mem_space space)
{
	return space < SPACE_COUNT ? space_names[space] : "?";
}
