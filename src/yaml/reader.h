/*
 * Values of YAML trees, read strictly: unknown keys and values of another type are errors with file, line, column and,
 * for words, a suggestion. On success all functions return true; on failure false, with the message in r->err.
 */
#ifndef SLUICE_YAML_READER_H
#define SLUICE_YAML_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "yaml/tree.h"

/* The file that is read. */
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

/* Report "expected WANTED for KEY, found ..."; always false. */
bool read_fail(const struct reader *r, const struct tree_node *node, const char *wanted);
/* Report a message at the node; always false. */
bool read_fail_at(const struct reader *r, const struct tree_node *node, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Report a key that a map has twice; always false. */
bool read_fail_twice(const struct reader *r, const struct tree_node *map, const struct tree_node *node);
/* Check that the keys of a map are among `known` (ended by NULL), each at most once. */
bool read_keys(const struct reader *r, const struct tree_node *map, const char *what,
               const char *const *known);
/* Report "unknown WHAT 'x'; did you mean 'y'?" at the node's text; always false. */
bool read_fail_unknown(const struct reader *r, const struct tree_node *node, const char *what,
                       const char *const *known, size_t count);
/* Read one of `count` words; store its index. */
bool read_choice(const struct reader *r, const struct tree_node *node, const char *const *known, size_t count,
                 size_t *choice);

/* Read one line without control characters; the caller frees the copy. The old *text is freed. */
bool read_text(const struct reader *r, const struct tree_node *node, char **text);
/* The same for an entry of a map, which may be missing unless it is required. */
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
