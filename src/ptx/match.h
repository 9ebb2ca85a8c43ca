/* Operands as they are written, which are matched with the form of their instruction. */
#ifndef SLUICE_PTX_MATCH_H
#define SLUICE_PTX_MATCH_H

#include "ptx/parser.h"

enum raw_kind {
	RAW_SINK,
	RAW_REGISTER,
	RAW_INTEGER,
	RAW_SINGLE,
	RAW_DOUBLE,
	RAW_SREG,
	RAW_ADDRESS,
	RAW_VARIABLE,
	RAW_FUNCTION,
	RAW_PROTOTYPE,
	RAW_NAME,    /* not declared so far: a label, perhaps */
	RAW_VECTOR,  /* {a, b}: `count` operands follow */
	RAW_TEXTURE, /* [handle, {x, y}]: `count` operands follow, the handle first */
	RAW_LIST     /* (a, b): `count` operands follow */
};

/* An operand as it is written, before the instruction's form says what it must be. */
struct raw_operand {
	enum raw_kind kind;
	bool negated; /* !%p */
	bool minus;   /* -1 */
	bool joined;  /* by '|' to the one before */
	uint8_t base; /* of an address: enum ptx_base */
	uint32_t count, index;
	int64_t value;
	struct token token;
};

struct raw_operands {
	uint32_t count;
	struct raw_operand list[PARSE_OPERANDS_MAX];
};
/*
 * Check the operands against the form, and append them to the module's operands; fills the counts of the instruction.
 * A call is checked against the function or prototype that it names.
 */
bool match_instruction(struct parser *p, const struct form *form, struct ptx_insn *insn,
                       const struct raw_operands *raw);

#endif
