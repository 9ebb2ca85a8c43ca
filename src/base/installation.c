#define _GNU_SOURCE /* dladdr1() */
#include "base/installation.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"

enum { LEVELS = 4 }; /* the code's own folder, and three above it: PREFIX/lib/TRIPLET/sluice */

/* The program, or the shared library that this code is part of; links resolved. */
static bool own_file(char path[PATH_MAX])
{
	static const char here = 0;
	Dl_info info;
	void *extra = NULL;
	if (dladdr1(&here, &info, &extra, RTLD_DL_LINKMAP) && extra) {
		const struct link_map *map = extra;
		/* The program itself has no name there. */
		if (map->l_name && map->l_name[0])
			return realpath(map->l_name, path) != NULL;
	}
	return realpath("/proc/self/exe", path) != NULL;
}

/* Cut the last part of a path off; false if there is only one. */
static bool cut_last(char *path)
{
	char *slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	return slash;
}

static bool take_whole(const char *path, char *whole, size_t size)
{
	char *found = realpath(path, NULL);
	bool ok = found && snprintf(whole, size, "%s", found) < (int)size;
	free(found);
	return ok;
}

bool own_path_find(const char *relative, char *path, size_t size)
{
	char folder[PATH_MAX], probe[PATH_MAX];
	if (!own_file(folder))
		return false;
	for (int i = 0; i < LEVELS && cut_last(folder); i++)
		if (snprintf(probe, sizeof probe, "%s/%s", folder, relative) < (int)sizeof probe &&
		    take_whole(probe, path, size))
			return true;
	return false;
}

bool own_library_folder(char *path, size_t size)
{
	char folder[PATH_MAX], probe[PATH_MAX];
	if (own_file(folder) && cut_last(folder) &&
	    snprintf(probe, sizeof probe, "%s/libsluicert.so", folder) < (int)sizeof probe &&
	    !access(probe, R_OK))
		return snprintf(path, size, "%s", folder) < (int)size;
	return own_path_find("lib/sluice/libsluicert.so", path, size) && cut_last(path);
}

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool data_folder_find(const char *name, const char *variable, const char *content, char *folder, size_t size,
                      struct error *err)
{
	char relative[128];
	const char *chosen = getenv(variable);
	if (chosen && *chosen) {
		if (snprintf(folder, size, "%s", chosen) < (int)size && is_folder(folder))
			return true;
		return error_set(err, "%s is '%s', which is not a directory", variable, chosen);
	}
	snprintf(relative, sizeof relative, "share/sluice/%.100s", name);
	return (own_path_find(relative, folder, size) && is_folder(folder)) ||
	       error_set(err, "no %s found: this sluice lacks its %s; install it whole, or set %s", content,
	                 relative, variable);
}

/* ---- the program, and libsluice ------------------------------------------------------------------------ */

/* "START-END PERMISSIONS OFFSET DEVICE INODE   PATH": the path, if the code at `address` is between START and END. */
static bool is_mapped_there(const char *line, uintptr_t address, char path[PATH_MAX])
{
	uintptr_t start, end;
	int at = 0;
	if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &start, &end, &at) < 2 || !at ||
	    address < start || address >= end || line[at] != '/')
		return false;
	return snprintf(path, PATH_MAX, "%.*s", (int)strcspn(line + at, "\n"), line + at) < PATH_MAX;
}

/* The kernel knows the whole path, whatever the working directory. */
bool self_file(char path[PATH_MAX])
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL;
	size_t capacity = 0;
	bool found = false;
	while (maps && !found && getline(&line, &capacity, maps) > 0)
		found = is_mapped_there(line, (uintptr_t)self_file, path);
	free(line);
	if (maps)
		fclose(maps);
	return found;
}

static bool is_library(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && !strncmp(slash, "/libsluice.so", strlen("/libsluice.so"));
}

static bool is_executable(const char *path)
{
	struct stat st;
	return !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode);
}

bool self_program(char path[PATH_MAX], struct error *err)
{
	static const char *const places[] = {"sluice", "../bin/sluice", "../../bin/sluice"};
	char self[PATH_MAX], place[PATH_MAX + 32];
	const char *chosen = getenv(ENV_PROGRAM);
	if (!self_file(self))
		return error_set(err, "cannot find sluice itself: /proc/self/maps does not name it");
	if (!is_library(self)) {
		memcpy(path, self, strlen(self) + 1);
		return true;
	}
	if (chosen && *chosen)
		return (is_executable(chosen) && realpath(chosen, path)) ||
		       error_set(err, ENV_PROGRAM " is '%s', which is not an executable", chosen);
	int folder = (int)(strrchr(self, '/') - self);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(place, sizeof place, "%.*s/%s", folder, self, places[i]);
		if (is_executable(place) && realpath(place, path))
			return true;
	}
	return error_set(
	    err,
	    "the program sluice is neither in the folder of %s nor in its prefix; set " ENV_PROGRAM " to it",
	    self);
}
