/*
 * What a SASS mnemonic says about an instruction. The traces list only the
 * first register of a pair or quad and neither predicates nor uniform
 * registers, so spans and flags are inferred from the opcode and its parts.
 */
#include "accelsim/sass.h"

#include <string.h>

#include "accelsim/accelsim.h"

bool sass_next_token(const char **p, struct sass_token *token)
{
	if (!**p)
		return false;
	token->text = *p;
	token->length = strcspn(*p, ".");
	*p += token->length;
	*p += **p == '.';
	return true;
}

bool sass_token_is(const struct sass_token *token, const char *text)
{
	return strlen(text) == token->length && !memcmp(token->text, text, token->length);
}

bool sass_has_token(const char *mnemonic, const char *text)
{
	struct sass_token token;
	sass_next_token(&mnemonic, &token);
	while (sass_next_token(&mnemonic, &token))
		if (sass_token_is(&token, text))
			return true;
	return false;
}

unsigned sass_type_bits(const struct sass_token *token)
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
		if (sass_token_is(token, types[i].text))
			return types[i].bits;
	return 0;
}

/* The first type among the parts is the width of an access; 32 bit if there is none. */
static uint8_t width_of(const char *mnemonic, enum sass_spans spans)
{
	/* Each lane names a row of 16 bytes, whatever the number of matrices. */
	if (spans == SPANS_MATRIX)
		return 16;
	struct sass_token token;
	sass_next_token(&mnemonic, &token);
	while (sass_next_token(&mnemonic, &token)) {
		unsigned bits = sass_type_bits(&token);
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
	if (sass_has_token(m, "STRONG"))
		return sass_has_token(m, "GPU") || sass_has_token(m, "SYS") || sass_has_token(m, "GL");
	return sass_has_token(m, "CG") || sass_has_token(m, "CV") || sass_has_token(m, "BYPASS") ||
	       sass_has_token(m, "MMIO");
}

static uint16_t access_flags(const char *m, const struct trace_insn *insn)
{
	uint16_t flags = insn->op == OP_TEXTURE ? 0 : INSN_MEMORY;
	bool cached = (insn->op == OP_LOAD || insn->op == OP_STORE) && insn->space != SPACE_SHARED;
	if (cached && bypasses_l1(m))
		flags |= INSN_BYPASS_L1;
	if (sass_has_token(m, "CAS") || sass_has_token(m, "CAST"))
		flags |= INSN_CAS;
	return flags;
}

/* Kepler to Pascal write GL for what later is GPU. */
static bool has_gpu_scope(const char *m)
{
	return sass_has_token(m, "GPU") || sass_has_token(m, "SYS") || sass_has_token(m, "GL") ||
	       sass_has_token(m, "VC") || sass_has_token(m, "IVALL");
}

static void refine(const char *m, struct trace_insn *insn)
{
	bool result = insn->dst != TRACE_REG_NONE;
	if (result)
		insn->flags &= (uint16_t)~INSN_SETS_PREDICATE;
	if (is_access(insn))
		insn->flags |= access_flags(m, insn);
	switch (insn->op) {
	case OP_BARRIER:
		insn->op = sass_has_token(m, "ARV") ? OP_ARRIVE : OP_BARRIER;
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
		insn->flags |= sass_has_token(m, "HI") ? INSN_DOUBLE_PASS : 0;
		break;
	case OP_SHUFFLE:
		insn->flags |= insn->src_count >= 2 ? INSN_REG_LANE : 0;
		break;
	}
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
	sass_set_spans(mnemonic, op->spans, binary_version, insn);
}
