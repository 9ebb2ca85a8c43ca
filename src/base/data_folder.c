#include "base/data_folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/self.h"

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool find_installed(const char *name, char *folder, size_t size)
{
	char program[PATH_MAX];
	if (!self_program(program, NULL) && !self_file(program))
		return false;
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(program, '/');
		if (!slash)
			return false;
		*slash = '\0';
	}
	return snprintf(folder, size, "%s/share/sluice/%s", program, name) < (int)size && is_folder(folder);
}

bool data_folder_find(const char *name, const char *variable, const char *content, char *folder, size_t size,
                      struct error *err)
{
	const char *chosen = getenv(variable);
	if (chosen && *chosen) {
		if (snprintf(folder, size, "%s", chosen) < (int)size && is_folder(folder))
			return true;
		return error_set(err, "%s is '%s', which is not a directory", variable, chosen);
	}
	if (snprintf(folder, size, "%s/%s", SLUICE_SOURCE_DIR, name) < (int)size && is_folder(folder))
		return true;
	return find_installed(name, folder, size) ||
	       error_set(err, "no %s found; set %s to their directory", content, variable);
}
