/* SASS opcodes, Kepler to Hopper (and what is known of Blackwell): one line each. For importers and lowering. */
#ifndef SLUICE_ACCELSIM_SASS_H
#define SLUICE_ACCELSIM_SASS_H

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
	const char *names; /* up to the first dot; several are separated by blanks */
	uint32_t flags;
	uint8_t op, space, spans;
};

/* Find the row of an opcode of `length` bytes; NULL if it is unknown. */
const struct sass_op *sass_find_op(const char *name, size_t length);
/* Guess a row from the first letters; never NULL. */
const struct sass_op *sass_guess_op(const char *name, size_t length);

#endif
