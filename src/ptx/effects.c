/* An opcode that is not listed here keeps its place among accesses to memory. */
#include "ptx/effects.h"

#include <string.h>

enum { PLACES_MEMORY = (1u << PLACE_COUNT) - (1u << PLACE_STORES) };
enum { PLACES_GENERIC = 1u << PLACE_GLOBAL | 1u << PLACE_SHARED | 1u << PLACE_LOCAL | 1u << PLACE_PARAM };

/* ---- what may pass what --------------------------------------------------------------------------------- */

enum order {
	ORDER_MEMORY, /* keeps its place among accesses and others of its kind; the default */
	ORDER_FREE,   /* depends on its operands alone */
	ORDER_READS,  /* memory, by its space */
	ORDER_WRITES,
	ORDER_CUTS /* nothing passes it */
};

/* clang-format off */
#define FREE_OPS(X)                                                                                          \
	X(abs) X(add) X(addc) X(and) X(bfe) X(bfi) X(bfind) X(bmsk) X(brev) X(clz) X(cnot) X(copysign)       \
	X(cos) X(cvt) X(cvta) X(div) X(dp2a) X(dp4a) X(ex2) X(fma) X(fns) X(isspacep) X(lg2) X(lop3)         \
	X(mad) X(mad24) X(madc) X(max) X(min) X(mov) X(mul) X(mul24) X(neg) X(not) X(or) X(popc)             \
	X(prmt) X(rcp) X(rem) X(rsqrt) X(sad) X(selp) X(set) X(setp) X(shf) X(shl) X(shr) X(sin)             \
	X(slct) X(sqrt) X(sub) X(subc) X(szext) X(tanh) X(testp) X(txq) X(xor) X(mma) X(createpolicy)        \
	X(mapa) X(getctarank) X(vabsdiff) X(vadd) X(vsub) X(vmin) X(vmax) X(vabsdiff2) X(vadd2)              \
	X(vsub2) X(vmin2) X(vmax2) X(vavrg2) X(vset2) X(vabsdiff4) X(vadd4) X(vsub4) X(vmin4) X(vmax4)       \
	X(vavrg4) X(vset4)
/* clang-format on */
#define READING_OPS(X) X(ld) X(ldu) X(tex) X(tld4) X(suld) X(ldmatrix)
#define CUTTING_OPS(X)                                                                                       \
	X(bra) X(brx) X(call) X(ret) X(exit) X(trap) X(brkpt) X(pmevent) X(nanosleep) X(unsupported)

static const uint8_t order_of[PTX_OP_COUNT] = {
#define X(op) [PTX_##op] = ORDER_FREE,
    FREE_OPS(X)
#undef X
#define X(op) [PTX_##op] = ORDER_READS,
        READING_OPS(X)
#undef X
#define X(op) [PTX_##op] = ORDER_CUTS,
            CUTTING_OPS(X)
#undef X
                [PTX_st] = ORDER_WRITES,
    [PTX_stmatrix] = ORDER_WRITES,
};

/* Nothing may move across a read of the clock: the program measures time with it. */
static bool reads_time(const struct ptx_module *m, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(m, insn);
	for (uint32_t i = 0; i < insn->source_count; i++)
		if (source[i].kind == PTX_SREG && source[i].index >= PTX_SREG_clock &&
		    source[i].index <= PTX_SREG_globaltimer_hi)
			return true;
	return false;
}

static enum order insn_order(const struct ptx_module *m, const struct ptx_insn *insn)
{
	enum order order = (enum order)order_of[insn->op];
	if (insn->op == PTX_wmma)
		order = insn->mode == PTX_MODE_load    ? ORDER_READS
		        : insn->mode == PTX_MODE_store ? ORDER_WRITES
		                                       : ORDER_FREE;
	/* What waits for products gives them, though it names no register. */
	if (insn->op == PTX_wgmma && insn->mode == PTX_MODE_wait_group)
		return ORDER_CUTS;
	if (reads_time(m, insn))
		return ORDER_CUTS;
	bool is_access = order == ORDER_READS || order == ORDER_WRITES;
	bool is_strong = insn->flags & (PTX_FLAG_VOLATILE | PTX_FLAG_STRONG) || insn->cache == PTX_CACHE_cv;
	return is_access && is_strong ? ORDER_MEMORY : order;
}

/* Return the set of places that an access may touch. */
static uint32_t access_places(const struct ptx_insn *insn)
{
	bool has_texture = insn->op == PTX_tex || insn->op == PTX_tld4 || insn->op == PTX_suld;
	if (insn->op == PTX_ldu || has_texture)
		return 1u << PLACE_GLOBAL;
	switch (insn->space) {
	case PTX_SPACE_global:
		return insn->flags & PTX_FLAG_NC ? 1u << PLACE_CONST : 1u << PLACE_GLOBAL;
	case PTX_SPACE_shared:
		return 1u << PLACE_SHARED;
	case PTX_SPACE_local:
		return 1u << PLACE_LOCAL;
	case PTX_SPACE_const:
		return 1u << PLACE_CONST;
	case PTX_SPACE_param:
		return 1u << PLACE_PARAM;
	default:
		return PLACES_GENERIC;
	}
}

static uint32_t places_read(const struct ptx_insn *insn, enum order order)
{
	bool carries = insn->op == PTX_addc || insn->op == PTX_subc || insn->op == PTX_madc;
	bool is_access = order == ORDER_READS || order == ORDER_WRITES;
	return (is_access ? access_places(insn) : 0) | (carries ? 1u << PLACE_CARRY : 0);
}

static uint32_t places_written(const struct ptx_insn *insn, enum order order)
{
	uint32_t carry = insn->flags & PTX_FLAG_CC ? 1u << PLACE_CARRY : 0;
	if (order == ORDER_MEMORY)
		return carry | PLACES_MEMORY | 1u << PLACE_STORES;
	return order == ORDER_WRITES ? 1u << PLACE_STORES : carry;
}

struct access insn_access(const struct ptx_module *m, const struct ptx_insn *insn)
{
	enum order order = insn_order(m, insn);
	if (order != ORDER_READS && order != ORDER_WRITES)
		return (struct access){0};
	const struct ptx_operand *address = ptx_sources(m, insn);
	uint32_t elements = insn->vector ? insn->vector : 1;
	return (struct access){.places = access_places(insn),
	                       .writes = order == ORDER_WRITES,
	                       .is_known = (insn->op == PTX_ld || insn->op == PTX_st) &&
	                                   address->kind == PTX_ADDRESS && address->base != PTX_BASE_ABSOLUTE,
	                       .base = address->base,
	                       .index = address->index,
	                       .offset = (uint64_t)address->value,
	                       .bytes = ptx_type_bytes((enum ptx_type)insn->type) * elements};
}

/* ---- latencies ------------------------------------------------------------------------------- */

enum {
	LATENCY_PLAIN = 4,
	LATENCY_CONVERT = 8,
	LATENCY_SPECIAL = 16,
	LATENCY_CONSTANT = 16,
	LATENCY_SHARED = 20,
	LATENCY_DIVIDE = 30,
	LATENCY_MEMORY = 30,
	LATENCY_DOUBLE = 16,
	LATENCY_TENSOR = 24,
	LATENCY_DIVIDE_DOUBLE = 40
};

static uint32_t access_latency(const struct ptx_insn *insn)
{
	switch (insn->space) {
	case PTX_SPACE_shared:
		return LATENCY_SHARED;
	case PTX_SPACE_param:
	case PTX_SPACE_const:
		return LATENCY_CONSTANT;
	default:
		return LATENCY_MEMORY;
	}
}

/* Latencies of opcodes whose other fields do not matter; 0: see insn_latency(). */
static const uint8_t plain_latency[PTX_OP_COUNT] = {
    [PTX_mma] = LATENCY_TENSOR,   [PTX_rsqrt] = LATENCY_SPECIAL, [PTX_sin] = LATENCY_SPECIAL,
    [PTX_cos] = LATENCY_SPECIAL,  [PTX_ex2] = LATENCY_SPECIAL,   [PTX_lg2] = LATENCY_SPECIAL,
    [PTX_tanh] = LATENCY_SPECIAL, [PTX_popc] = LATENCY_SPECIAL,  [PTX_shfl] = LATENCY_SPECIAL,
    [PTX_tex] = LATENCY_MEMORY,   [PTX_tld4] = LATENCY_MEMORY,   [PTX_suld] = LATENCY_MEMORY,
    [PTX_ldu] = LATENCY_MEMORY,   [PTX_atom] = LATENCY_MEMORY,
};

/* Rough, as a compiler assumes without knowing what hits. */
static uint32_t insn_latency(const struct ptx_module *m, const struct ptx_insn *insn)
{
	bool is_double = insn->type == PTX_TYPE_f64;
	if (plain_latency[insn->op])
		return plain_latency[insn->op];
	switch (insn->op) {
	case PTX_ld:
	case PTX_ldmatrix:
		return access_latency(insn);
	case PTX_wmma:
		return insn->mode == PTX_MODE_mma ? LATENCY_TENSOR : access_latency(insn);
	case PTX_div:
	case PTX_rem:
	case PTX_sqrt:
	case PTX_rcp:
		return is_double                       ? LATENCY_DIVIDE_DOUBLE
		       : insn->flags & PTX_FLAG_APPROX ? LATENCY_SPECIAL
		                                       : LATENCY_DIVIDE;
	case PTX_cvt:
		return is_double || insn->type2 == PTX_TYPE_f64 ? LATENCY_DOUBLE : LATENCY_CONVERT;
	case PTX_mov:
		return insn->source_count && ptx_sources(m, insn)->kind == PTX_SREG ? LATENCY_SPECIAL
		                                                                    : LATENCY_PLAIN;
	default:
		return is_double && insn->result_count ? LATENCY_DOUBLE : LATENCY_PLAIN;
	}
}

struct effect insn_effect(const struct ptx_module *m, const struct ptx_insn *insn)
{
	enum order order = insn_order(m, insn);
	return (struct effect){.reads = places_read(insn, order),
	                       .writes = places_written(insn, order),
	                       .latency = insn_latency(m, insn)};
}

/* ---- calls of the math library -------------------------------------------------------------------------- */

static bool is_argument(const struct ptx_insn *insn)
{
	return insn->op == PTX_st && insn->space == PTX_SPACE_param;
}

static const char *called_function(const struct ptx_module *m, const struct ptx_insn *insn)
{
	const struct ptx_operand *target = ptx_sources(m, insn);
	bool is_known = insn->op == PTX_call && insn->guard == PTX_NONE && target->kind == PTX_FUNCTION;
	return is_known && m->functions[target->index].is_extern ? m->functions[target->index].name : NULL;
}

/* Whether a call computes a number from numbers alone; some functions write a second result to memory. */
static bool calls_math(const struct ptx_module *m, const struct ptx_insn *insn)
{
	static const char *const writers[] = {"sincos", "frexp", "modf", "remquo"};
	const char *name = called_function(m, insn);
	if (!m->is_compiled || !name || strncmp(name, "__nv_", 5) != 0)
		return false;
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
		if (strstr(name, writers[i])) /* fast_sincosf as well */
			return false;
	return true;
}

/* Whether an instruction behind a call reads its result. */
static bool is_result(const struct ptx_module *m, const struct ptx_insn *insn, const struct ptx_insn *call)
{
	const struct ptx_operand *from = ptx_sources(m, insn), *result = ptx_results(m, call);
	return insn->op == PTX_ld && insn->space == PTX_SPACE_param && call->result_count == 1 &&
	       from->kind == PTX_ADDRESS && from->base == PTX_BASE_VARIABLE && from->index == result->index;
}

uint32_t insn_call_length(const struct ptx_module *m, uint32_t i, uint32_t end)
{
	uint32_t call = i;
	while (call < end && is_argument(&m->insns[call]))
		call++;
	if (call >= end || !calls_math(m, &m->insns[call]))
		return 0;
	bool has_result = call + 1 < end && is_result(m, &m->insns[call + 1], &m->insns[call]);
	return call + 1 + has_result - i;
}

bool insn_continues_call(const struct ptx_module *m, uint32_t first, uint32_t i)
{
	if (i == first)
		return false;
	const struct ptx_insn *before = &m->insns[i - 1], *insn = &m->insns[i];
	if (is_argument(before))
		return is_argument(insn) || insn->op == PTX_call;
	return calls_math(m, before) && is_result(m, insn, before);
}

/* Absolute values and choices are one machine instruction, the others more. */
uint32_t insn_call_latency(const struct ptx_module *m, uint32_t i)
{
	static const char *const plain[] = {"abs",  "fabs", "min",  "max", "umin",
	                                    "umax", "fmin", "fmax", "fma"};
	while (is_argument(&m->insns[i]))
		i++;
	const char *name = called_function(m, &m->insns[i]);
	for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
		if (!strncmp(name + 5, plain[k], strlen(plain[k])))
			return LATENCY_PLAIN;
	return LATENCY_DIVIDE;
}

/* Nothing passes other calls, their arguments and results: lowering expects them side by side. */
bool insn_cuts(const struct ptx_module *m, uint32_t first, uint32_t i)
{
	const struct ptx_insn *insn = &m->insns[i];
	if (is_argument(insn)) {
		while (is_argument(&m->insns[i]))
			i++;
		return !calls_math(m, &m->insns[i]);
	}
	if (insn->space == PTX_SPACE_param && insn->op == PTX_ld)
		return i > first && m->insns[i - 1].op == PTX_call && !insn_continues_call(m, first, i);
	return insn_order(m, insn) == ORDER_CUTS && !calls_math(m, insn);
}
