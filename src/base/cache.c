/* The cache folder: where it is, whether it can be used, and what takes its place if not. */
#include "base/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/environment.h"

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

bool cache_make_folders(char *path, struct error *err)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	struct stat st;
	if (mkdir(path, 0777) && errno != EEXIST)
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

/* Stays open, and locked, until the process ends: nobody has to be asked whether it lives. */
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

/* The folder that takes the cache's place; empty: none needed so far. One per process, for all that ask. */
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
	       error_set(
	           err,
	           "%s: belongs to somebody else, or others can write to it, so what it holds cannot be "
	           "trusted (SLUICE_CACHE_DIR can name another)",
	           to);
}
