#include "base/self.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"

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

/* The kernel knows the whole path, whatever the working directory was and is. */
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
	return !access(path, X_OK);
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
	    err, "the program sluice is neither beside %s nor in its prefix; set " ENV_PROGRAM " to it",
	    self);
}
