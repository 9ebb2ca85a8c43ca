/* Reading YAML trees strictly: every key is known and typed, and what is not gets file, line, column and a suggestion. */
#ifndef SLUICE_YAML_READER_H
#define SLUICE_YAML_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "yaml/tree.h"

/* A file that is being read. */
struct reader {
	const char *file; /* for messages */
	struct error *err;
};

struct texts {
	char **text;
	size_t count;
};
void texts_add(struct texts *texts, const char *text);
bool texts_has(const struct texts *texts, const char *text);
void texts_free(struct texts *texts);

/* "expected WANTED for KEY, found ..."; always false. */
bool read_fail(const struct reader *r, const struct tree_node *node, const char *wanted);
/* A message of one's own at the node; always false. */
bool read_fail_at(const struct reader *r, const struct tree_node *node, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Keys of a map are among `known` (ended by NULL) and there once. */
bool read_keys(const struct reader *r, const struct tree_node *map, const char *what,
               const char *const *known);
/* "unknown WHAT 'x'; did you mean 'y'?" at a node's text; always false. */
bool read_fail_unknown(const struct reader *r, const struct tree_node *node, const char *what,
                       const char *const *known, size_t count);
/* One of `count` words, by its place among them. */
bool read_choice(const struct reader *r, const struct tree_node *node, const char *const *known, size_t count,
                 size_t *choice);

/* One line without control characters, copied. */
bool read_text(const struct reader *r, const struct tree_node *node, char **text);
/* The entry, if it is there. */
bool read_text_key(const struct reader *r, const struct tree_node *map, const char *key, bool required,
                   char **text);
bool read_number(const struct reader *r, const struct tree_node *node, double *number);
/* "500K", "20M" */
bool read_count(const struct reader *r, const struct tree_node *node, uint64_t *count);
bool read_yes_no(const struct reader *r, const struct tree_node *node, bool *value);
/* A list of texts, or one text. */
bool read_texts(const struct reader *r, const struct tree_node *node, struct texts *texts);
/* VALUES: a list, "1..24", "1..64 x2". */
bool read_values(const struct reader *r, const struct tree_node *node, struct texts *values);
/* {section.key: value} as "section.key=value" texts. */
bool read_changes(const struct reader *r, const struct tree_node *node, struct texts *changes);
/* A name of letters, digits and _ that does not start with a digit. */
bool read_is_name(const char *text);

#endif
