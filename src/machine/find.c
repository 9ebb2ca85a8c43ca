/* Machine files: by name in one directory, or at a path. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/safe_text.h"
#include "base/suggest.h"
#include "machine/internal.h"
#include "yaml/tree.h"

static const char suffix[] = ".yaml";

enum { FILE_MAX = 1 << 20 }; /* a machine is a few kilobytes; more is some other file */

bool machine_directory(char *buf, size_t size, struct error *err)
{
	return data_folder_find("machines", ENV_MACHINES, "machine files", buf, size, err);
}

bool find_name_ok(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
	return len > 0 && len <= MACHINE_NAME_MAX && !name[len] && name[0] != '.';
}

/* Set the error for a name without a file: the nearest name, and all that there are. */
static void fail_unknown(const char *name, const char *directory, struct error *err)
{
	struct machine_summary *list;
	size_t count;
	char names[512] = "", clip[CLIP_SIZE];
	struct suggest near = suggest_start(name);
	if (!machine_list(&list, &count, err))
		return;
	for (size_t i = 0; i < count; i++) {
		suggest_offer(&near, list[i].name);
		size_t used = strlen(names);
		if (used + strlen(list[i].name) + 3 < sizeof names)
			strcat(strcat(names, used ? ", " : ""), list[i].name);
	}
	clip_text(clip, name);
	if (near.best)
		error_set(err, "no machine '%s'; did you mean '%s'? %s has: %s", clip, near.best, directory,
		          names);
	else
		error_set(err, "no machine '%s'; %s has: %s", clip, directory, count ? names : "none");
	machine_list_free(list, count);
}

char *find_path(const char *name, struct error *err)
{
	char directory[PATH_MAX], path[PATH_MAX + MACHINE_NAME_MAX + sizeof suffix + 1];
	if (!machine_directory(directory, sizeof directory, err))
		return NULL;
	snprintf(path, sizeof path, "%s/%.*s%s", directory, MACHINE_NAME_MAX, name, suffix);
	if (!find_name_ok(name) || access(path, F_OK)) {
		fail_unknown(name, directory, err);
		return NULL;
	}
	char *copy = strdup(path);
	if (!copy)
		error_set(err, "out of memory");
	return copy;
}

char *find_read(const char *path, size_t *len, struct error *err)
{
	static const struct file_kind kind = {.name = "a machine file", .bytes_max = FILE_MAX};
	return read_whole_file(path, &kind, len, err);
}

/* Return the title of a file; NULL if the file is broken. */
static char *read_title(const char *path)
{
	size_t len;
	char *title = NULL, *text = find_read(path, &len, NULL);
	struct tree *tree = text ? tree_parse(path, text, len, NULL) : NULL;
	const struct tree_node *node = tree ? tree_find(tree->root, "title") : NULL;
	if (node && node->kind == TREE_SCALAR)
		title = strdup(node->text);
	if (title)
		safe_text(title, strlen(title), "");
	tree_free(tree);
	free(text);
	return title;
}

static int is_machine_file(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);
	return len > strlen(suffix) && entry->d_name[0] != '.' &&
	       !strcmp(entry->d_name + len - strlen(suffix), suffix);
}

static bool fill_summary(struct machine_summary *summary, const char *directory, const char *file)
{
	char path[PATH_MAX + NAME_MAX + 2];
	snprintf(path, sizeof path, "%s/%s", directory, file);
	summary->title = read_title(path);
	summary->name = strndup(file, strlen(file) - strlen(suffix));
	return summary->name != NULL;
}

/* By bytes, so that the order is the same under every locale. */
static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct machine_summary *)a)->name, ((const struct machine_summary *)b)->name);
}

bool machine_list(struct machine_summary **list, size_t *count, struct error *err)
{
	char directory[PATH_MAX];
	struct dirent **entries;
	*list = NULL;
	*count = 0;
	if (!machine_directory(directory, sizeof directory, err))
		return false;
	int n = scandir(directory, &entries, is_machine_file, NULL);
	if (n < 0)
		return error_at(err, directory, 0, 0, "cannot list: %s", strerror(errno));
	*list = calloc((size_t)n + 1, sizeof **list);
	bool ok = *list != NULL;
	for (int i = 0; i < n; i++) {
		ok = ok && fill_summary(&(*list)[(*count)++], directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!ok) {
		machine_list_free(*list, *count);
		return error_set(err, "out of memory");
	}
	qsort(*list, *count, sizeof **list, compare_names);
	return true;
}

void machine_list_free(struct machine_summary *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].title);
	}
	free(list);
}
