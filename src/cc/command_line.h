/* Command lines as growing lists of texts, and whole files as texts. */
#ifndef SLUICE_CC_COMMAND_LINE_H
#define SLUICE_CC_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* It owns its texts; all zeros is an empty list. */
struct words {
	char **text; /* ends with NULL once a word was added */
	size_t count;
};
void words_add(struct words *words, const char *text);
/* Add several texts; NULL ends them. */
void words_add_all(struct words *words, ...) __attribute__((sentinel));
/* Add a text by its format; return it. The list owns it. */
const char *words_format(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_append(struct words *words, const struct words *more);
void words_free(struct words *words);

/* Read a whole text file, for the caller to free. */
char *cc_read_text(const char *path, struct error *err);

bool word_begins(const char *word, const char *with);
/* Print a word, in quotes if a shell would want them. */
void word_print(FILE *out, const char *word);
/* Print a command as nvcc -v does, "#$ ...". */
void words_print(FILE *out, const struct words *command);

#endif
