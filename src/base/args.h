/*
 * Command lines: a table of options gives parsing, checks and --help. The
 * help is printed to the stream that the caller names.
 */
#ifndef SLUICE_BASE_ARGS_H
#define SLUICE_BASE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Values of an option that may be given several times; they point into argv. */
enum { ARG_TEXTS_MAX = 64 };
struct arg_texts {
	const char *text[ARG_TEXTS_MAX];
	size_t count;
};

/* One option. Exactly one of the pointers is set; it says the kind and where the value goes. */
struct arg {
	const char *name;  /* "--threads"; several are separated by spaces: "-o --output" */
	const char *value; /* what --help calls the value, "N"; NULL for a flag */
	const char *help;
	bool *flag;
	const char **text;
	uint64_t *number; /* decimal, with K, M or G for thousands, millions, billions */
	struct arg_texts *texts;
	uint64_t min, max;  /* of number */
	bool names_program; /* a flag before PROGRAM: PROGRAM is one, whatever is_program() would say */
};

/*
 * Parse "--name value", "--name=value" and flags. At most one argument that is no
 * option is allowed; it is stored in *operand, which is otherwise left alone.
 * Unknown options are refused with a suggestion; an option given twice is refused
 * unless it takes texts.
 */
bool args_parse(int argc, char **argv, const struct arg *args, size_t count, const char **operand,
                struct error *err);
/*
 * Divide "[OPTION...] PROGRAM [WORD...]" for commands that run programs. The command gets the words before PROGRAM
 * and, after it, the options of the table with their values up to "--". The program gets everything else. If
 * is_program() returns false, the command gets all words.
 */
struct args_split {
	char **ours; /* of the command, for args_parse(); PROGRAM is among them */
	int our_count;
	char **theirs; /* of the program */
	size_t their_count;
	size_t open_count; /* of these, the first ones, which no "--" gives to the program */
};
void args_divide(int argc, char **argv, const struct arg *args, size_t count,
                 bool (*is_program)(const char *path), struct args_split *split);
/*
 * Refuse a word of the program that looks like a misspelt option of the command: it begins with "--", stands behind no "--"
 * of its own, and is within two edits of an option in the table or of `other` (NULL: none).
 */
bool args_check_open(const struct args_split *split, const struct arg *args, size_t count, const char *other,
                     struct error *err);
void args_split_free(struct args_split *split);
/* Print one line per option, as --help shows them. */
void args_print(FILE *out, const struct arg *args, size_t count);

/* Read "12", "3K", "5M"; `what` names the number in messages. */
bool args_read_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *number,
                      struct error *err);

#endif
