/* From a name, a path or a text to a machine: its file and, before it, the files that it extends. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "machine/internal.h"
#include "yaml/tree.h"

/* ---- a tree of YAML into the fields of a machine ------------------------------------------------------------ */

enum { ORIGIN_MAX = 280 }; /* a file name, a colon, a line */

struct target {
	struct machine *machine;
	const char *file; /* as messages name it */
	struct error *err;
};

/* Describe a node, for "expected ..., found ...". */
static const char *describe_node(const struct tree_node *node, char buf[CLIP_SIZE + 2])
{
	char clip[CLIP_SIZE];
	if (node->kind == TREE_LIST)
		return "a list";
	if (node->kind == TREE_MAP)
		return "a group of keys";
	if (!*node->text)
		return "nothing";
	snprintf(buf, CLIP_SIZE + 2, "'%s'", clip_text(clip, node->text));
	return buf;
}

static bool fail_kind(const struct target *t, const struct tree_node *node, const char *wanted,
                      const char *what)
{
	char found[CLIP_SIZE + 2], clip[CLIP_SIZE];
	return error_at(t->err, t->file, node->line, node->column, "expected %s for %s, found %s", wanted,
	                clip_text(clip, what), describe_node(node, found));
}

static bool refuse_duplicate(const struct target *t, const struct tree_node *map,
                             const struct tree_node *node, const char *prefix)
{
	const struct tree_node *first = tree_find(map, node->name);
	char clip[CLIP_SIZE];
	return first == node || error_at(t->err, t->file, node->name_line, node->name_column,
	                                 "duplicate key '%s%s'; first given on line %" PRIu64, prefix,
	                                 clip_text(clip, node->name), first->name_line);
}

static bool apply_value(const struct target *t, const struct machine_key *key, const struct tree_node *node)
{
	char name[MACHINE_FULL_NAME_MAX], origin[ORIGIN_MAX];
	struct error why;
	key_full_name(key, name);
	if (node->kind != TREE_SCALAR)
		return fail_kind(t, node, value_wanted(key), name);
	if (!value_store(t->machine, key, node->text, node->plain, &why))
		return error_at(t->err, t->file, node->line, node->column, "%s", why.text);
	const char *slash = strrchr(t->file, '/');
	snprintf(origin, sizeof origin, "%s:%" PRIu64, slash ? slash + 1 : t->file, node->line);
	return machine_store_origin(t->machine, key, origin) ||
	       error_at(t->err, t->file, 0, 0, "out of memory");
}

/* One entry of a section, or of a class under `ops:` (then named "int.unit"). */
static bool apply_entry(const struct target *t, const char *section, const char *name,
                        const struct tree_node *node)
{
	const struct machine_key *key = key_find(section, name);
	struct error why;
	if (key)
		return apply_value(t, key, node);
	key_fail_unknown(section, name, &why);
	return error_at(t->err, t->file, node->name_line, node->name_column, "%s", why.text);
}

static bool apply_section(const struct target *t, const struct tree_node *section)
{
	char prefix[CLIP_SIZE + 2], clip[CLIP_SIZE];
	snprintf(prefix, sizeof prefix, "%s.", clip_text(clip, section->name));
	for (const struct tree_node *node = section->first; node; node = node->next)
		if (!refuse_duplicate(t, section, node, prefix) ||
		    !apply_entry(t, section->name, node->name, node))
			return false;
	return true;
}

static bool fail_unknown_class(const struct target *t, const struct tree_node *node)
{
	char clip[CLIP_SIZE];
	struct suggest near = suggest_start(node->name);
#define X(NAME, name, doc) suggest_offer(&near, name);
	OP_CLASSES(X)
#undef X
	return error_at(t->err, t->file, node->name_line, node->name_column,
	                "unknown instruction class 'ops.%s'; %s%s%s", clip_text(clip, node->name),
	                near.best ? "did you mean 'ops." : "'sluice machine keys' lists all classes",
	                near.best ? near.best : "", near.best ? "'?" : "");
}

/* int: {unit: alu, latency: 4, interval: 2} */
static bool apply_class(const struct target *t, const struct tree_node *class)
{
	char name[MACHINE_FULL_NAME_MAX], prefix[CLIP_SIZE + 6], clip[CLIP_SIZE];
	snprintf(name, sizeof name, "%s.unit", class->name);
	if (!key_find("ops", name))
		return fail_unknown_class(t, class);
	snprintf(prefix, sizeof prefix, "ops.%s.", clip_text(clip, class->name));
	if (class->kind != TREE_MAP)
		return fail_kind(t, class, "{unit: ..., latency: ..., interval: ...}", class->name);
	for (const struct tree_node *node = class->first; node; node = node->next) {
		snprintf(name, sizeof name, "%s.%s", class->name, node->name);
		if (!refuse_duplicate(t, class, node, prefix) || !apply_entry(t, "ops", name, node))
			return false;
	}
	return true;
}

static bool apply_ops(const struct target *t, const struct tree_node *ops)
{
	for (const struct tree_node *node = ops->first; node; node = node->next)
		if (!refuse_duplicate(t, ops, node, "ops.") || !apply_class(t, node))
			return false;
	return true;
}

static const char *const text_keys[] = {"name", "title", "source", "extends"};

static bool is_text_key(const char *name)
{
	for (size_t i = 0; i < sizeof text_keys / sizeof *text_keys; i++)
		if (!strcmp(name, text_keys[i]))
			return true;
	return false;
}

static bool is_section(const char *name)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(keys[i].section, name))
			return true;
	return false;
}

static bool fail_unknown_section(const struct target *t, const struct tree_node *node)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	struct suggest near = suggest_start(node->name);
	char clip[CLIP_SIZE];
	for (size_t i = 0; i < count; i++)
		suggest_offer(&near, keys[i].section);
	for (size_t i = 0; i < sizeof text_keys / sizeof *text_keys; i++)
		suggest_offer(&near, text_keys[i]);
	return error_at(t->err, t->file, node->name_line, node->name_column, "unknown section '%s'; %s%s%s",
	                clip_text(clip, node->name),
	                near.best ? "did you mean '" : "'sluice machine keys' lists all sections",
	                near.best ? near.best : "", near.best ? "'?" : "");
}

/* Whether a text is safe to print: terminals obey control characters. */
static bool text_ok(const char *text, const char *allowed)
{
	for (; *text; text++)
		if (((unsigned char)*text < 0x20 && !strchr(allowed, *text)) || *text == 0x7f)
			return false;
	return true;
}

static bool apply_text(const struct target *t, const struct tree_node *node)
{
	bool is_name = !strcmp(node->name, "name"), is_source = !strcmp(node->name, "source");
	char **slot = is_name ? &t->machine->name : is_source ? &t->machine->source : &t->machine->title;
	const char *wanted = is_name     ? "a name of letters, digits, '.', '_' and '-'"
	                     : is_source ? "text"
	                                 : "one line of text";
	if (node->kind != TREE_SCALAR || !*node->text || (is_name && !find_name_ok(node->text)) ||
	    !text_ok(node->text, is_source ? "\n\t" : ""))
		return fail_kind(t, node, wanted, node->name);
	free(*slot);
	*slot = strdup(node->text);
	return *slot || error_at(t->err, t->file, 0, 0, "out of memory");
}

static bool apply_top(const struct target *t, const struct tree_node *node)
{
	if (!strcmp(node->name, "extends"))
		return true; /* the base has been loaded */
	if (is_text_key(node->name))
		return apply_text(t, node);
	if (!is_section(node->name))
		return fail_unknown_section(t, node);
	if (node->kind != TREE_MAP)
		return fail_kind(t, node, "keys", node->name);
	return (strcmp(node->name, "ops") ? apply_section : apply_ops)(t, node);
}

static bool apply_tree(struct machine *machine, const char *file, const struct tree_node *root,
                       struct error *err)
{
	const struct target t = {.machine = machine, .file = file, .err = err};
	free(machine->name);
	free(machine->title);
	machine->name = machine->title = NULL;
	for (const struct tree_node *node = root->first; node; node = node->next)
		if (!refuse_duplicate(&t, root, node, "") || !apply_top(&t, node))
			return false;
	return true;
}

/* ---- files -------------------------------------------------------------------------------------------------- */

enum { EXTENDS_MAX = 8 };

/* One file on the way down a chain of `extends:`. */
struct file {
	const char *path;         /* as messages name it */
	bool on_disk;             /* a base is looked for in its folder first */
	const struct file *child; /* the file that extends this one */
	int depth;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool load_file(struct machine *m, const struct file *file, struct error *err);

/* Return the path of the base: in the folder of the file that extends it, or known by name. */
static char *find_base(const struct file *file, const char *name, struct error *err)
{
	char near[PATH_MAX];
	int dir = (int)(base_name(file->path) - file->path);
	if (file->on_disk && find_name_ok(name) &&
	    snprintf(near, sizeof near, "%.*s%s.yaml", dir, file->path, name) < (int)sizeof near &&
	    !access(near, F_OK))
		return strdup(near);
	return find_path(name, err);
}

static bool fail_extends(const struct file *file, const struct tree_node *extends, const char *text,
                         struct error *err)
{
	return error_at(err, file->path, extends->line, extends->column, "%s", text);
}

static bool is_in_chain(const struct file *file, const char *path)
{
	for (; file; file = file->child)
		if (!strcmp(file->path, path))
			return true;
	return false;
}

static bool load_base(struct machine *m, const struct file *file, const struct tree_node *extends,
                      struct error *err)
{
	struct error why = {"out of memory"};
	if (extends->kind != TREE_SCALAR || !*extends->text)
		return fail_extends(file, extends, "expected the name of a machine for extends", err);
	if (file->depth == EXTENDS_MAX)
		return fail_extends(file, extends, "too many files that extend one another", err);
	char *path = find_base(file, extends->text, &why);
	if (!path)
		return fail_extends(file, extends, why.text, err);
	const struct file base = {.path = path, .on_disk = true, .child = file, .depth = file->depth + 1};
	bool ok = is_in_chain(file, path) ? fail_extends(file, extends, "'extends' forms a cycle", err)
	                                  : load_file(m, &base, err);
	free(path);
	return ok;
}

/* Apply the values of the base first, then this file's over them. */
static bool load_memory(struct machine *m, const struct file *file, const char *text, size_t len,
                        struct error *err)
{
	struct tree *tree = tree_parse(file->path, text, len, err);
	const struct tree_node *extends = tree ? tree_find(tree->root, "extends") : NULL;
	bool ok = tree && (!extends || load_base(m, file, extends, err)) &&
	          apply_tree(m, file->path, tree->root, err);
	tree_free(tree);
	return ok;
}

static bool load_file(struct machine *m, const struct file *file, struct error *err)
{
	size_t len;
	char *text = find_read(file->path, &len, err);
	bool ok = text && load_memory(m, file, text, len, err);
	free(text);
	return ok;
}

/* `text` NULL: read the file. */
static struct machine *load_machine(const struct file *file, const char *text, size_t len, struct error *err)
{
	struct machine *m = machine_new(err);
	bool ok = m && (text ? load_memory(m, file, text, len, err) : load_file(m, file, err));
	if (ok && machine_check_complete(m, file->path, err) && machine_check(m, err))
		return m;
	machine_free(m);
	return NULL;
}

struct machine *machine_load_text(const char *name, const char *text, size_t len, struct error *err)
{
	return load_machine(&(struct file){.path = name}, text, len, err);
}

static bool looks_like_path(const char *text)
{
	const char *dot = strrchr(text, '.');
	return strchr(text, '/') || (dot && !strcmp(dot, ".yaml"));
}

struct machine *machine_load(const char *name_or_path, struct error *err)
{
	if (looks_like_path(name_or_path))
		return load_machine(&(struct file){.path = name_or_path, .on_disk = true}, NULL, 0, err);
	char *path = find_path(name_or_path, err);
	if (!path)
		return NULL;
	struct machine *m = load_machine(&(struct file){.path = path, .on_disk = true}, NULL, 0, err);
	free(path);
	return m;
}
