/*
 * Notes what else the program asks: variables of the environment, whether files
 * are there and how long they are, what folders hold, other programs. Ours are
 * found before the C library's, do the same and take a note. Left out: `environ`
 * itself, statx, scandir() and other ways that do not go through these, the
 * time, random numbers, and the network.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cudart/inputs.h"
#include "cudart/state.h"

#undef stat
#undef stat64
#undef lstat
#undef lstat64

#define NEXT(type, name)                                                                                     \
	type *next;                                                                                          \
	void *found = dlsym(RTLD_NEXT, name);                                                                \
	memcpy(&next, &found, sizeof next)

/* ---- variables --------------------------------------------------------------------------------------------- */

static void note_variable(const char *name)
{
	struct input_list *inputs = runtime_inputs();
	if (!strncmp(name, "SLUICE_", strlen("SLUICE_")) || !inputs_are_noted())
		return;
	pthread_mutex_lock(&inputs->lock);
	unsigned i = 0;
	while (i < inputs->variable_count && strcmp(inputs->variable[i], name) != 0)
		i++;
	if (i == inputs->variable_count && (i == VARIABLES_MAX || strlen(name) >= VARIABLE_BYTES))
		inputs->unrepeatable = "too many variables";
	else if (i == inputs->variable_count)
		strcpy(inputs->variable[inputs->variable_count++], name);
	pthread_mutex_unlock(&inputs->lock);
}

SLUICE_API char *getenv(const char *name)
{
	note_variable(name);
	return (char *)(uintptr_t)inputs_variable(name);
}

SLUICE_API char *secure_getenv(const char *name)
{
	typedef char *getenv_fn(const char *);
	NEXT(getenv_fn, "secure_getenv");
	note_variable(name);
	return next ? next(name) : NULL;
}

/* ---- files and folders ------------------------------------------------------------------------------------- */

static void note_seen(const char *path, bool is_there)
{
	if (is_there || errno == ENOENT)
		inputs_note(AT_FDCWD, path, is_there ? INPUT_SEEN : INPUT_ABSENT, false);
}

#define DEFINE_STAT(name, type)                                                                              \
	SLUICE_API int name(const char *restrict path, struct type *restrict st)                             \
	{                                                                                                    \
		typedef int stat_fn(const char *, struct type *);                                            \
		NEXT(stat_fn, #name);                                                                        \
		int result = next(path, st);                                                                 \
		note_seen(path, result == 0);                                                                \
		return result;                                                                               \
	}
DEFINE_STAT(stat, stat)
DEFINE_STAT(stat64, stat64)
DEFINE_STAT(lstat, stat)
DEFINE_STAT(lstat64, stat64)

SLUICE_API int access(const char *path, int mode)
{
	typedef int access_fn(const char *, int);
	NEXT(access_fn, "access");
	int result = next(path, mode);
	note_seen(path, result == 0);
	return result;
}

SLUICE_API DIR *opendir(const char *path)
{
	typedef DIR *opendir_fn(const char *);
	NEXT(opendir_fn, "opendir");
	DIR *dir = next(path);
	if (dir)
		inputs_note(AT_FDCWD, path, INPUT_FOLDER, false);
	else
		note_seen(path, false);
	return dir;
}

/* ---- other programs ---------------------------------------------------------------------------------------- */

static void note_unrepeatable(const char *what)
{
	if (inputs_are_noted())
		runtime_inputs()->unrepeatable = what;
}

SLUICE_API FILE *popen(const char *command, const char *mode)
{
	typedef FILE *popen_fn(const char *, const char *);
	NEXT(popen_fn, "popen");
	note_unrepeatable("popen()");
	return next(command, mode);
}

SLUICE_API int system(const char *command)
{
	typedef int system_fn(const char *);
	NEXT(system_fn, "system");
	note_unrepeatable("system()");
	return next(command);
}
