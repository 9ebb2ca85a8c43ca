/* Groups and words of forms, between the files that match, explain and print them (forms*.c). */
#ifndef SLUICE_PTX_FORMS_MATCH_H
#define SLUICE_PTX_FORMS_MATCH_H

#include "ptx/forms.h"

enum { WORDS_MAX = 16 };

extern const struct form forms[];
extern const unsigned form_count;
extern const char *const round_names[], *const compare_names[];

struct flag_name {
	const char *name;
	uint32_t flag;
};
extern const struct flag_name flag_names[];
extern const unsigned flag_count;

struct word {
	const char *text;
	size_t length;
};
bool word_is(struct word w, const char *name);

/* One group of a form: "k:word|word". */
struct group {
	char kind; /* a small letter, T, U, Y or Z */
	bool required;
	const char *words;
	size_t length;
};
/* The group at *at, which then points behind it. False: there is none. */
bool group_next(const char **at, struct group *g);
bool group_has(const struct group *g, struct word w);
/* Sets what the word of the group says of the instruction. */
void group_apply(const struct group *g, struct word w, struct ptx_insn *insn);

struct opcode {
	const char *text;
	enum ptx_op op;
	struct word words[WORDS_MAX];
	unsigned count;
};
/* Gives each word its group. The number of the first word without one, or `count`; `missing` is a group not served. */
unsigned form_fit(const struct form *form, const struct opcode *code, struct ptx_insn *insn,
                  struct group *missing);
void form_explain(const struct opcode *code, struct form_problem *problem);
/* Whether it is PTX, but nothing that can be run here; `problem` says what it is about. */
bool form_is_unsupported(const char *text, size_t length, struct form_problem *problem);

#endif
