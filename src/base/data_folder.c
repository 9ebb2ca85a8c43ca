#define _GNU_SOURCE /* dladdr1() */
#include "base/data_folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Cuts the last part of a path off; false: there is no other. */
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
