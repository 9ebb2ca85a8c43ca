/* Operands as they are written, and their matching against what an instruction takes. */
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
	RAW_NAME,    /* not known (yet): labels */
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
bool parse_operands(struct parser *p, struct raw_operands *raw);
/* Checks the operands against the form and appends them to the module's, with the instruction. */
bool match_instruction(struct parser *p, const struct form *form, struct ptx_insn *insn,
                       const struct raw_operands *raw);
bool match_call(struct parser *p, struct ptx_insn *insn, const struct raw_operands *raw);

/* ---- between the files that match */

/* The instruction at hand. */
struct match {
	struct parser *p;
	struct ptx_insn *insn;
	const char *role; /* "result" or "source", for messages */
	unsigned number;  /* of the operand */
};

void match_push(struct match *m, struct ptx_operand operand);
/* "source 2 of 'add' is '5', expected ..." */
bool match_fail(struct match *m, const struct raw_operand *raw, const char *expected);

enum type_class { CLASS_BITS, CLASS_INTEGER, CLASS_FLOAT, CLASS_PREDICATE };
enum type_class type_class(enum ptx_type t);
enum width { WIDTH_SAME, WIDTH_MAY_BE_WIDER };

/* A source that is a value: register, immediate, special register, address of a variable. */
bool match_value(struct match *m, const struct raw_operand *raw, enum ptx_type type, enum width width);
bool match_result(struct match *m, const struct raw_operand *raw, enum ptx_type type, enum width width);

#endif
