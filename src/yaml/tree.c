#include "yaml/tree.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/memory.h"

/* Far above what any machine file needs, low enough that no input costs noticeable time or memory. */
enum { DEPTH_MAX = 8, NODES_MAX = 4096 };

struct parser {
	yaml_parser_t parser;
	const char *file, *text;
	size_t len;
	struct tree *tree;
	struct error *err;
};

static bool fail_at(struct parser *r, yaml_mark_t mark, const char *what)
{
	return error_at(r->err, r->file, mark.line + 1, mark.column + 1, "%s", what);
}

/* libyaml gives the place of a bad character as a byte offset only. */
static bool fail_character(struct parser *r)
{
	yaml_mark_t mark = {0};
	for (size_t i = 0; i < r->parser.problem_offset && i < r->len; i++) {
		mark.column++;
		if (r->text[i] == '\n') {
			mark.line++;
			mark.column = 0;
		}
	}
	return error_at(r->err, r->file, mark.line + 1, mark.column + 1, "not valid UTF-8 text: %s",
	                r->parser.problem);
}

static bool fail_syntax(struct parser *r)
{
	const yaml_parser_t *p = &r->parser;
	if (p->error == YAML_MEMORY_ERROR || !p->problem)
		return error_at(r->err, r->file, 0, 0, "out of memory");
	if (p->error == YAML_READER_ERROR)
		return fail_character(r);
	return error_at(r->err, r->file, p->problem_mark.line + 1, p->problem_mark.column + 1,
	                "not valid YAML: %s%s%s", p->context ? p->context : "", p->context ? ", " : "",
	                p->problem);
}

static bool next_event(struct parser *r, yaml_event_t *event)
{
	return yaml_parser_parse(&r->parser, event) || fail_syntax(r);
}

static struct tree_node *add_node(struct parser *r, const yaml_event_t *event, enum tree_kind kind)
{
	if (r->tree->count == NODES_MAX) {
		fail_at(r, event->start_mark, "more values than any machine has");
		return NULL;
	}
	struct tree_node *node = memory_zeroed(1, sizeof *node);
	node->kind = kind;
	node->line = event->start_mark.line + 1;
	node->column = event->start_mark.column + 1;
	node->older = r->tree->newest;
	r->tree->newest = node;
	r->tree->count++;
	return node;
}

/* Return a copy of a scalar event's text, or NULL with an error. */
static char *copy_scalar(struct parser *r, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	if (memchr(value, '\0', event->data.scalar.length)) {
		fail_at(r, event->start_mark, "a NUL character in a value");
		return NULL;
	}
	return memory_text(value);
}

static struct tree_node *read_scalar(struct parser *r, const yaml_event_t *event)
{
	struct tree_node *node = add_node(r, event, TREE_SCALAR);
	if (!node)
		return NULL;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	node->text = copy_scalar(r, event);
	return node->text ? node : NULL;
}

/* Refuse what YAML has but these files may not use. */
static bool refuse_extras(struct parser *r, const yaml_event_t *event)
{
	const yaml_char_t *anchor = NULL, *tag = NULL;
	switch (event->type) {
	case YAML_ALIAS_EVENT:
		anchor = event->data.alias.anchor;
		break;
	case YAML_SCALAR_EVENT:
		anchor = event->data.scalar.anchor;
		tag = event->data.scalar.tag;
		break;
	case YAML_MAPPING_START_EVENT:
		anchor = event->data.mapping_start.anchor;
		tag = event->data.mapping_start.tag;
		break;
	case YAML_SEQUENCE_START_EVENT:
		anchor = event->data.sequence_start.anchor;
		tag = event->data.sequence_start.tag;
		break;
	default:
		break;
	}
	if (anchor)
		return fail_at(r, event->start_mark,
		               "anchors (&) and aliases (*) are not allowed; use 'extends:'");
	if (tag)
		return fail_at(r, event->start_mark, "tags (!) are not allowed");
	return true;
}

static struct tree_node *read_node(struct parser *r, const yaml_event_t *event, int depth);

/* Read one entry of a map: *key is its key, the next event its value. */
static struct tree_node *read_entry(struct parser *r, const yaml_event_t *key, int depth)
{
	if (!refuse_extras(r, key))
		return NULL;
	if (key->type != YAML_SCALAR_EVENT) {
		fail_at(r, key->start_mark, "expected the name of a key");
		return NULL;
	}
	char *name = copy_scalar(r, key);
	if (!name)
		return NULL;
	yaml_event_t event;
	struct tree_node *node = NULL;
	if (next_event(r, &event)) {
		node = read_node(r, &event, depth);
		yaml_event_delete(&event);
	}
	if (!node) {
		free(name);
		return NULL;
	}
	node->name = name;
	node->name_line = key->start_mark.line + 1;
	node->name_column = key->start_mark.column + 1;
	return node;
}

static bool read_entries(struct parser *r, struct tree_node *parent, int depth)
{
	bool map = parent->kind == TREE_MAP;
	struct tree_node **tail = &parent->first;
	for (;;) {
		yaml_event_t event;
		if (!next_event(r, &event))
			return false;
		if (event.type == YAML_MAPPING_END_EVENT || event.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&event);
			return true;
		}
		struct tree_node *node = map ? read_entry(r, &event, depth) : read_node(r, &event, depth);
		yaml_event_delete(&event);
		if (!node)
			return false;
		*tail = node;
		tail = &node->next;
	}
}

static struct tree_node *read_node(struct parser *r, const yaml_event_t *event, int depth)
{
	if (!refuse_extras(r, event))
		return NULL;
	if (event->type == YAML_SCALAR_EVENT)
		return read_scalar(r, event);
	if (depth == DEPTH_MAX) {
		fail_at(r, event->start_mark, "nested too deeply");
		return NULL;
	}
	bool map = event->type == YAML_MAPPING_START_EVENT;
	struct tree_node *node = add_node(r, event, map ? TREE_MAP : TREE_LIST);
	return node && read_entries(r, node, depth + 1) ? node : NULL;
}

/* Take the next event, which must be of the given type. */
static bool skip_event(struct parser *r, yaml_event_type_t type, const char *otherwise)
{
	yaml_event_t event;
	if (!next_event(r, &event))
		return false;
	bool ok = event.type == type;
	if (!ok)
		fail_at(r, event.start_mark, otherwise);
	yaml_event_delete(&event);
	return ok;
}

static bool read_root(struct parser *r)
{
	yaml_event_t event;
	if (!next_event(r, &event))
		return false;
	struct tree_node *root = read_node(r, &event, 0);
	if (root && root->kind != TREE_MAP) {
		fail_at(r, event.start_mark, "expected keys such as 'name:' and sections such as 'sm:'");
		root = NULL;
	}
	yaml_event_delete(&event);
	r->tree->root = root;
	return root != NULL;
}

static bool read_stream(struct parser *r)
{
	return skip_event(r, YAML_STREAM_START_EVENT, "expected YAML") &&
	       skip_event(r, YAML_DOCUMENT_START_EVENT, "the file is empty") && read_root(r) &&
	       skip_event(r, YAML_DOCUMENT_END_EVENT, "expected the end of the document") &&
	       skip_event(r, YAML_STREAM_END_EVENT, "a second document; a file holds one machine");
}

struct tree *tree_parse(const char *file, const char *text, size_t len, struct error *err)
{
	struct parser r = {
	    .file = file, .text = text, .len = len, .err = err, .tree = memory_zeroed(1, sizeof *r.tree)};
	if (!yaml_parser_initialize(&r.parser))
		memory_exhausted(1, sizeof r.parser);
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	bool ok = read_stream(&r);
	yaml_parser_delete(&r.parser);
	if (ok)
		return r.tree;
	tree_free(r.tree);
	return NULL;
}

struct tree *tree_load(const char *path, const struct file_kind *kind, struct error *err)
{
	size_t length;
	char *text = read_whole_file(path, kind, &length, err);
	struct tree *tree = text ? tree_parse(path, text, length, err) : NULL;
	free(text);
	return tree;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	for (struct tree_node *node = tree->newest, *older; node; node = older) {
		older = node->older;
		free(node->text);
		free(node->name);
		free(node);
	}
	free(tree);
}

const struct tree_node *tree_find(const struct tree_node *map, const char *name)
{
	for (const struct tree_node *node = map->first; node; node = node->next)
		if (!strcmp(node->name, name))
			return node;
	return NULL;
}
