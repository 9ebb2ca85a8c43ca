/* SASS opcodes, Kepler to Hopper (and what is known of Blackwell): one line each. For importers and lowering. */
#ifndef SLUICE_TRACE_SASS_H
#define SLUICE_TRACE_SASS_H

#include "trace/trace.h"

/* How many registers the operands of an opcode take. */
enum sass_spans {
	SPANS_ONE,     /* every operand one register */
	SPANS_LOAD,    /* address, result by width */
	SPANS_STORE,   /* address, data by width */
	SPANS_MATRIX,  /* like a load or store of 1, 2 or 4 shared-memory matrices */
	SPANS_COPY,    /* two addresses (LDGSTS) */
	SPANS_ATOMIC,  /* address, data, result by width */
	SPANS_CONST,   /* index, result by width */
	SPANS_TEXTURE, /* result of up to four registers */
	SPANS_DOUBLE,  /* all operands 64 bit */
	SPANS_MAD,     /* .WIDE: 64-bit result and addend */
	SPANS_F2F,
	SPANS_F2I,
	SPANS_I2F,
	SPANS_FRND,
	SPANS_CS2R,
	SPANS_JUMP, /* target register pair */
	SPANS_MMA,  /* by shape */
};

struct sass_op {
	const char *name; /* up to the first dot */
	uint16_t flags;
	uint8_t op, space, spans;
};

/* NULL for an unknown opcode. `length`: bytes of the name. */
const struct sass_op *sass_find_op(const char *name, size_t length);
/* What the first letters suggest; never NULL. */
const struct sass_op *sass_guess_op(const char *name, size_t length);

/* Fills dst_span and src_span from the mnemonic; op, width, registers are set already. */
void sass_set_spans(const char *mnemonic, enum sass_spans spans, uint32_t binary_version,
                    struct trace_insn *insn);

/* Walks over the parts of a mnemonic: "LDG.E.64" gives "LDG", "E", "64". */
struct sass_token {
	const char *text;
	size_t length;
};
bool sass_next_token(const char **p, struct sass_token *token);
bool sass_token_is(const struct sass_token *token, const char *text);
/* Whether one of the parts behind the opcode is `text`. */
bool sass_has_token(const char *mnemonic, const char *text);
/* Bits of a type part ("64", "U8", "F16x2" = 32), 0 if it is none. */
unsigned sass_type_bits(const struct sass_token *token);

#endif
