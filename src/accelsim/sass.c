/*
 * What a SASS mnemonic says about an instruction. The traces list only the
 * first register of a pair or quad and neither predicates nor uniform
 * registers, so spans and flags are inferred from the opcode and its parts.
 */
#include "accelsim/sass.h"

#include <stdlib.h>
#include <string.h>

#include "accelsim/accelsim.h"

struct token {
	const char *text;
	size_t length;
};

/* Walk over the parts of a mnemonic: "LDG.E.64" gives "LDG", "E", "64". */
static bool next_token(const char **p, struct token *token)
{
	if (!**p)
		return false;
	token->text = *p;
	token->length = strcspn(*p, ".");
	*p += token->length;
	*p += **p == '.';
	return true;
}

static bool token_is(const struct token *token, const char *text)
{
	return strlen(text) == token->length && !memcmp(token->text, text, token->length);
}

/* Return whether one of the parts behind the opcode is `text`. */
static bool has_token(const char *mnemonic, const char *text)
{
	struct token token;
	next_token(&mnemonic, &token);
	while (next_token(&mnemonic, &token))
		if (token_is(&token, text))
			return true;
	return false;
}

/* Return the bits of a type part ("64", "U8", "F16x2" = 32), 0 if it is none. */
static unsigned type_bits(const struct token *token)
{
	static const struct {
		const char *text;
		unsigned bits;
	} types[] = {
	    {"8", 8},      {"U8", 8},     {"S8", 8},     {"16", 16},     {"U16", 16},
	    {"S16", 16},   {"F16", 16},   {"BF16", 16},  {"32", 32},     {"U32", 32},
	    {"S32", 32},   {"F32", 32},   {"F16x2", 32}, {"BF16x2", 32}, {"64", 64},
	    {"U64", 64},   {"S64", 64},   {"F64", 64},   {"128", 128},   {"B128", 128},
	    {"F16x4", 64}, {"F32x2", 64}, {"B64", 64},   {"F32x4", 128}, {"F16x8", 128},
	};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (token_is(token, types[i].text))
			return types[i].bits;
	return 0;
}

/* The first type among the parts is the width of an access; 32 bit if there is none. */
static uint8_t width_of(const char *mnemonic, enum sass_spans spans)
{
	/* Each lane names a row of 16 bytes, whatever the number of matrices. */
	if (spans == SPANS_MATRIX)
		return 16;
	struct token token;
	next_token(&mnemonic, &token);
	while (next_token(&mnemonic, &token)) {
		unsigned bits = type_bits(&token);
		if (bits)
			return (uint8_t)(bits / 8);
	}
	return 4;
}

static bool is_access(const struct trace_insn *insn)
{
	return insn->op == OP_LOAD || insn->op == OP_STORE || insn->op == OP_ATOMIC ||
	       insn->op == OP_REDUCE || insn->op == OP_TEXTURE;
}

/* Strong accesses at GPU or system scope, and the older cache operators CG and CV, do not use L1. */
static bool bypasses_l1(const char *m)
{
	if (has_token(m, "STRONG"))
		return has_token(m, "GPU") || has_token(m, "SYS") || has_token(m, "GL");
	return has_token(m, "CG") || has_token(m, "CV") || has_token(m, "BYPASS") || has_token(m, "MMIO");
}

static uint32_t access_flags(const char *m, const struct trace_insn *insn)
{
	uint32_t flags = insn->op == OP_TEXTURE ? 0 : INSN_MEMORY;
	bool cached = (insn->op == OP_LOAD || insn->op == OP_STORE) && insn->space != SPACE_SHARED;
	if (cached && bypasses_l1(m))
		flags |= INSN_BYPASS_L1;
	if (has_token(m, "CAS") || has_token(m, "CAST"))
		flags |= INSN_CAS;
	return flags;
}

/* Kepler to Pascal write GL for what later is GPU. */
static bool has_gpu_scope(const char *m)
{
	return has_token(m, "GPU") || has_token(m, "SYS") || has_token(m, "GL") || has_token(m, "VC") ||
	       has_token(m, "IVALL");
}

static void refine(const char *m, struct trace_insn *insn)
{
	bool result = insn->dst != TRACE_REG_NONE;
	if (result)
		insn->flags &= ~(uint32_t)INSN_SETS_PREDICATE;
	if (is_access(insn))
		insn->flags |= access_flags(m, insn);
	switch (insn->op) {
	case OP_BARRIER:
		insn->op = has_token(m, "ARV") ? OP_ARRIVE : OP_BARRIER;
		break;
	case OP_FENCE:
		insn->flags |= has_gpu_scope(m) ? INSN_GPU_SCOPE : 0;
		break;
	case OP_INT:
		/* Without a register to write to, the result can only be a predicate: LOP3 and IADD3 do it
		 * too. */
		insn->flags |= result ? 0 : INSN_SETS_PREDICATE;
		break;
	case OP_IMAD:
		insn->flags |= has_token(m, "HI") ? INSN_DOUBLE_PASS : 0;
		break;
	case OP_SHUFFLE:
		insn->flags |= insn->src_count >= 2 ? INSN_REG_LANE : 0;
		break;
	}
}

/* ---- how many consecutive registers the operands take -------------------------------------------------- */

/* Compute capability 7.0: the first with 64-bit jump targets and separate compare and swap operands. */
enum { VOLTA = 70 };

static uint8_t registers(unsigned bits)
{
	return (uint8_t)(bits <= 32 ? 1 : bits / 32);
}

/* Global and generic addresses are pairs when the opcode is marked E (extended). */
static uint8_t address_span(const char *m, const struct trace_insn *insn)
{
	return insn->space != SPACE_SHARED && insn->space != SPACE_LOCAL && has_token(m, "E") ? 2 : 1;
}

static void span_last_source(struct trace_insn *insn, unsigned minimum, uint8_t span)
{
	if (insn->src_count >= minimum)
		insn->src_span[insn->src_count - 1] = span;
}

static void span_all(struct trace_insn *insn, uint8_t span)
{
	insn->dst_span = span;
	for (unsigned i = 0; i < insn->src_count; i++)
		insn->src_span[i] = span;
}

/* Data operands follow the address; a compare-and-swap has two of them, before Volta as one pair. */
static void span_atomic(const char *m, uint32_t binary_version, struct trace_insn *insn)
{
	uint8_t data = registers(8u * insn->width_bytes);
	insn->dst_span = data;
	if (insn->flags & INSN_CAS && binary_version < VOLTA)
		data = (uint8_t)(2 * data);
	for (unsigned i = 1; i < insn->src_count; i++)
		insn->src_span[i] = data;
	insn->src_span[0] = address_span(m, insn);
}

/* LDSM.16.M88.4: the last part is the number of matrices, one register each. */
static void span_matrix(const char *m, struct trace_insn *insn)
{
	uint8_t count = has_token(m, "4") ? 4 : has_token(m, "2") ? 2 : 1;
	if (insn->op == OP_LOAD)
		insn->dst_span = count;
	else
		span_last_source(insn, 2, count);
}

/* The n-th type among the parts: conversions name the result first. */
static unsigned nth_type(const char *m, unsigned n)
{
	struct token token;
	next_token(&m, &token);
	while (next_token(&m, &token)) {
		unsigned bits = type_bits(&token);
		if (bits && n-- == 0)
			return bits;
	}
	return 32;
}

/* The type that begins with one of `letters`; conversions between int and float leave 32-bit types out. */
static unsigned type_of_kind(const char *m, const char *letters)
{
	struct token token;
	next_token(&m, &token);
	while (next_token(&m, &token))
		if (strchr(letters, token.text[0]) && type_bits(&token))
			return type_bits(&token);
	return 32;
}

static void span_conversion(unsigned result_bits, unsigned source_bits, struct trace_insn *insn)
{
	span_all(insn, registers(source_bits));
	insn->dst_span = registers(result_bits);
}

/* IMAD.WIDE has a 64-bit result; it and IMAD.HI add a 64-bit number, the last operand. */
static void span_mad(const char *m, struct trace_insn *insn)
{
	bool wide = has_token(m, "WIDE"), high = has_token(m, "HI");
	if (wide)
		insn->dst_span = 2;
	if (wide || high)
		span_last_source(insn, wide ? 2 : 3, 2);
}

struct mma_shape {
	const char *shape;
	uint8_t a, b, c; /* registers per lane; c for 32-bit accumulators */
};

/* By operand: m x n x k of the part's digits, spread over 32 lanes. */
static const struct mma_shape float_shapes[] = {
    {"884", 2, 2, 2}, {"1684", 2, 1, 4}, {"1688", 2, 1, 4}, {"16816", 4, 2, 4}, {"16832", 4, 2, 4},
};
static const struct mma_shape tf32_shapes[] = {{"1684", 2, 1, 4}, {"1688", 4, 2, 4}};
static const struct mma_shape double_shapes[] = {
    {"884", 2, 2, 4}, {"1684", 4, 2, 8}, {"1688", 8, 4, 8}, {"16816", 16, 8, 8}};
static const struct mma_shape int_shapes[] = {
    {"8816", 1, 1, 2},  {"16816", 2, 1, 4}, {"16832", 4, 2, 4},  {"8832", 1, 1, 2},
    {"16864", 4, 2, 4}, {"88128", 1, 1, 2}, {"168128", 2, 1, 4}, {"168256", 4, 2, 4},
};

static const struct mma_shape *find_shape(const char *m, const struct mma_shape *shapes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (has_token(m, shapes[i].shape))
			return &shapes[i];
	return NULL;
}

#define FIND_SHAPE(m, shapes) find_shape(m, shapes, sizeof shapes / sizeof *shapes)

static const struct mma_shape *mma_shape(const char *m)
{
	if (m[0] == 'D')
		return FIND_SHAPE(m, double_shapes);
	if (m[0] == 'I' || m[0] == 'B')
		return FIND_SHAPE(m, int_shapes);
	if (has_token(m, "TF32"))
		return FIND_SHAPE(m, tf32_shapes);
	return FIND_SHAPE(m, float_shapes);
}

/* HGMMA.64x128x16.F32: 64 x n results over 128 lanes. */
static uint8_t warpgroup_result(const char *m)
{
	const char *shape = strstr(m, ".64x");
	unsigned long n = shape ? strtoul(shape + 4, NULL, 10) : 0;
	if (n < 8 || n > 256)
		return 1;
	return (uint8_t)(has_token(m, "F16") && !has_token(m, "F32") ? n / 4 : n / 2);
}

static void span_mma(const char *m, struct trace_insn *insn)
{
	if (strcspn(m, ".") == 5) { /* xGMMA: operands come from shared memory */
		insn->dst_span = warpgroup_result(m);
		return;
	}
	const struct mma_shape *s = mma_shape(m);
	if (!s)
		return;
	bool half = m[0] == 'H' && !has_token(m, "F32");
	/* Volta's 884 comes in steps that write two registers each, for half accumulators too. */
	uint8_t c = (uint8_t)(half && s->c > 2 ? s->c / 2 : s->c);
	uint8_t spans[] = {s->a, s->b, c};
	insn->dst_span = c;
	for (unsigned i = 0; i < insn->src_count && i < 3; i++)
		insn->src_span[i] = spans[i];
}

static void span_texture(const char *m, struct trace_insn *insn)
{
	bool scalar = !strncmp(m, "TEXS", 4) || !strncmp(m, "TLDS", 4) || !strncmp(m, "TLD4S", 5);
	insn->dst_span = scalar ? 2 : 4;
}

/* A span reaches no further than the last real register. */
static uint8_t limit_span(uint8_t reg, uint8_t span)
{
	if (reg == TRACE_REG_NONE)
		return 0;
	return reg + span > TRACE_REG_NONE ? (uint8_t)(TRACE_REG_NONE - reg) : span;
}

static void set_by_rule(const char *m, enum sass_spans rule, uint32_t binary_version, struct trace_insn *insn)
{
	uint8_t data = registers(8u * insn->width_bytes);
	switch (rule) {
	case SPANS_ONE:
		break;
	case SPANS_LOAD:
		insn->dst_span = data;
		insn->src_span[0] = address_span(m, insn);
		break;
	case SPANS_STORE:
		span_last_source(insn, 2, data);
		insn->src_span[0] = address_span(m, insn);
		break;
	case SPANS_MATRIX:
		span_matrix(m, insn);
		break;
	case SPANS_COPY:
		/* Shared address first, global address last. */
		span_last_source(insn, 1, 2);
		break;
	case SPANS_ATOMIC:
		span_atomic(m, binary_version, insn);
		break;
	case SPANS_CONST:
		insn->dst_span = data;
		break;
	case SPANS_TEXTURE:
		span_texture(m, insn);
		break;
	case SPANS_DOUBLE:
		span_all(insn, 2);
		break;
	case SPANS_MAD:
		span_mad(m, insn);
		break;
	case SPANS_F2F:
		span_conversion(nth_type(m, 0), nth_type(m, 1), insn);
		break;
	case SPANS_F2I:
		span_conversion(type_of_kind(m, "US"), type_of_kind(m, "F"), insn);
		break;
	case SPANS_I2F:
		span_conversion(type_of_kind(m, "F"), type_of_kind(m, "US"), insn);
		break;
	case SPANS_FRND:
		span_all(insn, registers(type_of_kind(m, "F")));
		break;
	case SPANS_CS2R:
		insn->dst_span = has_token(m, "32") ? 1 : 2;
		break;
	case SPANS_JUMP:
		if (binary_version >= VOLTA)
			span_last_source(insn, 1, 2);
		break;
	case SPANS_MMA:
		span_mma(m, insn);
		break;
	}
}

static void set_spans(const char *m, enum sass_spans rule, uint32_t binary_version, struct trace_insn *insn)
{
	insn->dst_span = 1;
	memset(insn->src_span, 1, sizeof insn->src_span);
	set_by_rule(m, rule, binary_version, insn);
	insn->dst_span = limit_span(insn->dst, insn->dst_span);
	for (unsigned i = 0; i < TRACE_MAX_SRC; i++)
		insn->src_span[i] = i < insn->src_count ? limit_span(insn->src[i], insn->src_span[i]) : 0;
}

void sass_classify(const char *mnemonic, uint32_t binary_version, struct trace_insn *insn)
{
	size_t length = strcspn(mnemonic, ".");
	const struct sass_op *op = sass_find_op(mnemonic, length);
	insn->flags = 0;
	if (!op) {
		op = sass_guess_op(mnemonic, length);
		insn->flags = INSN_GUESSED;
	}
	insn->flags |= op->flags;
	insn->op = op->op;
	insn->space = op->space;
	refine(mnemonic, insn);
	insn->width_bytes = is_access(insn) || insn->op == OP_CONST ? width_of(mnemonic, op->spans) : 0;
	set_spans(mnemonic, op->spans, binary_version, insn);
}
