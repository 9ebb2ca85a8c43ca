/*
 * The forms that instructions can take: which modifiers and types go together,
 * and which operands they have. The table is forms.def.
 */
#ifndef SLUICE_PTX_FORMS_H
#define SLUICE_PTX_FORMS_H

#include "ptx/ptx.h"

struct form {
	enum ptx_op op;
	const char *modifiers;
	const char *operands;
};

/* What is wrong with an opcode: `at` characters into its text. */
struct form_problem {
	size_t at;
	char text[400];
};

/* Read "ld.global.f32": fill the fields of `insn` that modifiers decide. NULL: problem says why. */
const struct form *form_find(const char *text, size_t length, struct ptx_insn *insn,
                             struct form_problem *problem);

/* Write the opcode of an instruction with its modifiers, but for those without effect. */
enum { FORM_TEXT_SIZE = 96 };
void form_print(const struct ptx_insn *insn, char text[FORM_TEXT_SIZE]);

/* Find a type by its name, without the dot; PTX_TYPE_none if there is none. */
enum ptx_type form_type(const char *name, size_t length);

/* Find a state space by its name; PTX_SPACE_generic if there is none. shared::cta is shared. */
enum ptx_space form_space(const char *name, size_t length);

#endif
