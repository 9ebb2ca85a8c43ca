/*
 * The cache folder: where it is, which folder replaces one that cannot be used, its
 * entries and their removal. Leftovers are temporary files and folders of processes
 * that have ended: the process that makes one holds a lock on it, which the
 * kernel releases when the process ends in any way.
 */
#include "base/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/environment.h"
#include "base/memory.h"

bool cache_name(char *to, size_t bytes, struct error *err)
{
	const char *own = getenv(ENV_CACHE_DIR), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n;
	if (own && *own)
		n = snprintf(to, bytes, "%s", own);
	else if (xdg && *xdg)
		n = snprintf(to, bytes, "%s/sluice", xdg);
	else if (home && *home)
		n = snprintf(to, bytes, "%s/.cache/sluice", home);
	else
		return error_set(err, "no folder for imported traces: set SLUICE_CACHE_DIR or HOME");
	return n > 0 && (size_t)n < bytes ? true : error_set(err, "name of the cache folder too long");
}

/* Never writable by all, whatever the umask: such a cache is refused. */
enum { FOLDER_MODE = 0775 };

bool cache_make_folders(char *path, struct error *err)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, FOLDER_MODE);
		*slash = '/';
	}
	struct stat st;
	if (mkdir(path, FOLDER_MODE) && errno != EEXIST)
		return error_set(err, "%s: cannot create the cache folder: %s", path, strerror(errno));
	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return error_set(err, "%s: not a folder", path);
	return true;
}

bool cache_is_trusted(const char *path)
{
	struct stat st;
	return !stat(path, &st) && st.st_uid == geteuid() && !(st.st_mode & S_IWOTH);
}

bool cache_is_full(const char *folder)
{
	enum { LEAST_BYTES = 1 << 20 };
	struct statvfs fs;
	return !statvfs(folder, &fs) && (uint64_t)fs.f_bavail * fs.f_frsize < LEAST_BYTES;
}

/* The file stays open, and locked, until the process ends. */
void cache_hold(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		flock(fd, LOCK_SH | LOCK_NB);
}

void cache_touch(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}

/* The folder that replaces the cache; empty if none was needed so far. One per process, so that all callers share it. */
static char substitute[PATH_MAX];
static pid_t substitute_owner;

static void remove_substitute(void)
{
	if (substitute_owner != getpid())
		return;
	remove_tree(substitute);
	cleanup_done(substitute);
}

static bool use_substitute(char *to, size_t bytes, const char *why, struct error *err)
{
	const char *base = getenv("TMPDIR");
	if (!substitute[0]) {
		snprintf(substitute, sizeof substitute, "%s/sluice-cache-XXXXXX",
		         base && *base ? base : "/tmp");
		if (!mkdtemp(substitute)) {
			substitute[0] = '\0';
			return error_set(err, "%s (SLUICE_CACHE_DIR can name another)", why);
		}
		cleanup_add(substitute);
		substitute_owner = getpid();
		atexit(remove_substitute);
		warning("%s; nothing is kept (SLUICE_CACHE_DIR can name another folder)", why);
	}
	return (size_t)snprintf(to, bytes, "%s", substitute) < bytes || error_set(err, "name too long");
}

bool cache_folder(char *to, size_t bytes, struct error *err)
{
	struct error why;
	char reason[sizeof why.text + 64];
	if (!cache_name(to, bytes, err))
		return false;
	if (substitute[0])
		return use_substitute(to, bytes, "", err);
	if (!cache_make_folders(to, &why))
		return use_substitute(to, bytes, why.text, err);
	if (access(to, W_OK)) {
		snprintf(reason, sizeof reason, "%s: cannot be written to: %s", to, strerror(errno));
		return use_substitute(to, bytes, reason, err);
	}
	if (cache_is_full(to)) {
		snprintf(reason, sizeof reason, "%s: the disk is full", to);
		return use_substitute(to, bytes, reason, err);
	}
	return cache_is_trusted(to) ||
	       error_set(err,
	                 "%s: belongs to another user, or others can write to it, so what it holds cannot be "
	                 "trusted (SLUICE_CACHE_DIR can name another)",
	                 to);
}

/* ---- what lies in the cache ---------------------------------------------------------------------------- */

const char *const cache_kinds[CACHE_KINDS] = {"import", "recording", "build", "leftover"};

enum { YOUNG_S = 60 }; /* its process may not have locked it yet */

/* ---- leftovers --------------------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
}

static bool is_temporary(const char *name)
{
	return !strncmp(name, "tmp-", strlen("tmp-")) || ends_in(name, ".tmp") || ends_in(name, ".old");
}

static bool is_held(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return true;
	bool held = flock(fd, LOCK_EX | LOCK_NB) != 0;
	close(fd);
	return held;
}

static bool is_leftover(const char *path, const char *name)
{
	struct stat st;
	return is_temporary(name) && !lstat(path, &st) && time(NULL) - st.st_mtim.tv_sec > YOUNG_S &&
	       !is_held(path);
}

/* Call `visit` for every entry; false if the folder cannot be read. */
static bool for_each(const char *folder, void (*visit)(void *user, const char *path, const char *name),
                     void *user)
{
	DIR *dir = opendir(folder);
	char path[PATH_MAX];
	if (!dir)
		return false;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path)
			visit(user, path, entry->d_name);
	closedir(dir);
	return true;
}

static void remove_leftover(void *user, const char *path, const char *name)
{
	(void)user;
	if (is_leftover(path, name))
		remove_tree(path);
}

void cache_collect(const char *folder)
{
	for_each(folder, remove_leftover, NULL);
}

/* ---- entries ------------------------------------------------------------------------------------------------ */

static void add_size(void *user, const char *path, const char *name)
{
	struct stat st;
	(void)name;
	if (lstat(path, &st))
		return;
	*(uint64_t *)user += (uint64_t)st.st_blocks * 512;
	if (S_ISDIR(st.st_mode))
		for_each(path, add_size, user);
}

static void add_entry(struct cache_list *list, const char *path, const char *name, enum cache_kind kind)
{
	struct stat st;
	if (lstat(path, &st))
		return;
	if (is_temporary(name)) {
		if (!is_leftover(path, name))
			return; /* in use */
		kind = CACHE_LEFTOVER;
	}
	list->entry = memory_grow(list->entry, list->count + 1, sizeof *list->entry);
	struct cache_entry *entry = &list->entry[list->count++];
	*entry = (struct cache_entry){.path = memory_text(path), .kind = kind, .used_s = st.st_mtim.tv_sec};
	add_size(&entry->bytes, path, name);
	list->bytes += entry->bytes;
}

static void add_import(void *user, const char *path, const char *name)
{
	if (ends_in(name, ".sluice") || is_temporary(name))
		add_entry(user, path, name, CACHE_IMPORT);
}

static void add_program(void *user, const char *path, const char *name)
{
	add_entry(user, path, name,
	          strncmp(name, "build-", strlen("build-")) ? CACHE_RECORDING : CACHE_BUILD);
}

/* Longest unused first; leftovers before all. */
static int compare_use(const void *left, const void *right)
{
	const struct cache_entry *a = left, *b = right;
	if ((a->kind == CACHE_LEFTOVER) != (b->kind == CACHE_LEFTOVER))
		return a->kind == CACHE_LEFTOVER ? -1 : 1;
	if (a->used_s != b->used_s)
		return a->used_s < b->used_s ? -1 : 1;
	return strcmp(a->path, b->path);
}

bool cache_list(struct cache_list *list, const char *folder, struct error *err)
{
	char path[PATH_MAX];
	*list = (struct cache_list){0};
	if (!for_each(folder, add_import, list))
		return error_set(err, "%s: cannot be read: %s", folder, strerror(errno));
	if ((size_t)snprintf(path, sizeof path, "%s/programs", folder) < sizeof path)
		for_each(path, add_program, list);
	if (list->count)
		qsort(list->entry, list->count, sizeof *list->entry, compare_use);
	return true;
}

void cache_list_free(struct cache_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->entry[i].path);
	free(list->entry);
	*list = (struct cache_list){0};
}

bool cache_gc(struct cache_list *list, uint64_t max_bytes, struct cache_list *removed, struct error *err)
{
	size_t at = 0;
	*removed = (struct cache_list){.entry = list->entry};
	uint64_t left = list->bytes;
	for (; at < list->count && (left > max_bytes || list->entry[at].kind == CACHE_LEFTOVER); at++) {
		if (!remove_tree(list->entry[at].path))
			return error_set(err, "%s: cannot be removed: %s", list->entry[at].path,
			                 strerror(errno));
		left -= list->entry[at].bytes;
		removed->bytes += list->entry[at].bytes;
		removed->count = at + 1;
	}
	return true;
}
