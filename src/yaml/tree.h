/*
 * YAML as a small tree in which every node knows its line and column.
 *
 * Only what a machine file needs: one document of nested maps, lists and
 * scalars. Anchors, aliases and tags are refused, so no input can expand.
 */
#ifndef SLUICE_YAML_TREE_H
#define SLUICE_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/files.h"

enum tree_kind { TREE_SCALAR, TREE_MAP, TREE_LIST };

struct tree_node {
	enum tree_kind kind;
	bool plain;            /* scalar without quotes */
	uint64_t line, column; /* 1-based */
	char *text;            /* scalar: free of NULs inside */
	char *name;            /* key under which the node hangs in its map; NULL elsewhere */
	uint64_t name_line, name_column;
	struct tree_node *first, *next; /* entries of a map or list; siblings */
	struct tree_node *older;        /* all nodes of the tree, for tree_free */
};

struct tree {
	struct tree_node *root; /* a map */
	struct tree_node *newest;
	size_t count;
};

/* Parse a text; `file` is its name in messages. Return NULL on error. */
struct tree *tree_parse(const char *file, const char *text, size_t len, struct error *err);
/* Read and parse a file. */
struct tree *tree_load(const char *path, const struct file_kind *kind, struct error *err);
void tree_free(struct tree *tree);
/* Return the entry of a map, or NULL. */
const struct tree_node *tree_find(const struct tree_node *map, const char *name);

#endif
