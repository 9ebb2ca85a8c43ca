/* From a name, a path or a text to a machine: reads the file and, before it, those that it extends. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/internal.h"
#include "yaml/tree.h"

enum { EXTENDS_MAX = 8 };

/* One file on the way down a chain of `extends:`. */
struct file {
	const char *path;         /* as messages name it */
	bool on_disk;             /* a base is looked for beside it first */
	const struct file *child; /* the file that extends this one */
	int depth;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool load_file(struct machine *m, const struct file *file, struct error *err);

/* The base beside the file that extends it, or one known by name. */
static char *find_base(const struct file *file, const char *name, struct error *err)
{
	char beside[PATH_MAX];
	int dir = (int)(base_name(file->path) - file->path);
	if (file->on_disk && find_name_ok(name) &&
	    snprintf(beside, sizeof beside, "%.*s%s.yaml", dir, file->path, name) < (int)sizeof beside &&
	    !access(beside, F_OK))
		return strdup(beside);
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

/* Values of the base first, then this file's over them. */
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

/* Without a text: from the file's path. */
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
