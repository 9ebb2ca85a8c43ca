/*
 * Notes which files the program opens. The C library's functions are
 * interposed: ours are found first, do the same and take a note when
 * SLUICE_RT_REPORT is set. Left out: files that are mapped or opened by raw
 * system calls, and directories.
 */
#define _GNU_SOURCE
#include "cudart/inputs.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/environment.h"
#include "base/memory.h"
#include "cudart/state.h"

/* Headers may make macros of them. */
#undef open
#undef open64
#undef openat
#undef openat64
#undef fopen
#undef fopen64
#undef freopen
#undef freopen64

/* ---- notes ---------------------------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool is_of_interest(const char *path)
{
	struct stat st;
	const char *name = strrchr(path, '/');
	bool is_device =
	    starts_with(path, "/dev/") && !starts_with(path, "/dev/shm/"); /* files in memory are files */
	if (starts_with(path, "/proc/") || starts_with(path, "/sys/") || is_device)
		return false;
	if (name && (strstr(name, ".so.") || (strlen(name) > 3 && !strcmp(name + strlen(name) - 3, ".so"))))
		return false;
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static void note_path(const char *path, bool is_written)
{
	struct input_list *inputs = runtime_inputs();
	pthread_mutex_lock(&inputs->lock);
	struct input *input = inputs->first;
	while (input && strcmp(input->path, path) != 0)
		input = input->next;
	if (!input) {
		size_t bytes = strlen(path) + 1;
		input = memory_zeroed(1, sizeof *input + bytes);
		memcpy(input->path, path, bytes);
		input->is_written = is_written;
		*(inputs->last ? &inputs->last->next : &inputs->first) = input;
		inputs->last = input;
	}
	pthread_mutex_unlock(&inputs->lock);
}

/* `file` was just opened, relative to directory `at`. */
static void note_file(int at, const char *file, bool is_written)
{
	char path[PATH_MAX], named[PATH_MAX], link[64];
	struct runtime_thread *thread = runtime_thread();
	if (thread->inside || !file || !getenv(ENV_REPORT))
		return;
	thread->inside++;
	if (at != AT_FDCWD && file[0] != '/') {
		snprintf(link, sizeof link, "/proc/self/fd/%d", at);
		if (realpath(link, path) &&
		    snprintf(named, sizeof named, "%s/%s", path, file) < (int)sizeof named)
			file = named;
	}
	if (realpath(file, path) && is_of_interest(path))
		note_path(path, is_written);
	thread->inside--;
}

static bool flags_write(int flags)
{
	return (flags & O_ACCMODE) == O_WRONLY || (flags & (O_TRUNC | O_CREAT)) != 0;
}

static bool mode_writes(const char *mode)
{
	return mode && mode[0] != 'r';
}

/* ---- the C library's functions -------------------------------------------------------------------------- */

/* An object pointer becomes a function pointer this way without a warning; POSIX has both alike. */
#define NEXT(type, name)                                                                                     \
	type *next;                                                                                          \
	void *found = dlsym(RTLD_NEXT, name);                                                                \
	memcpy(&next, &found, sizeof next)

typedef int open_fn(const char *path, int flags, ...);
typedef int openat_fn(int at, const char *path, int flags, ...);
typedef FILE *fopen_fn(const char *path, const char *mode);
typedef FILE *freopen_fn(const char *path, const char *mode, FILE *file);

/* The mode is there only if a file may be made. */
#define OPEN_MODE(flags)                                                                                     \
	mode_t mode = 0;                                                                                     \
	if (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE) {                                         \
		va_list ap;                                                                                  \
		va_start(ap, flags);                                                                         \
		mode = va_arg(ap, mode_t);                                                                   \
		va_end(ap);                                                                                  \
	}

#define DEFINE_OPEN(name)                                                                                    \
	SLUICE_API int name(const char *path, int flags, ...)                                                \
	{                                                                                                    \
		OPEN_MODE(flags)                                                                             \
		NEXT(open_fn, #name);                                                                        \
		int fd = next(path, flags, mode);                                                            \
		if (fd >= 0)                                                                                 \
			note_file(AT_FDCWD, path, flags_write(flags));                                       \
		return fd;                                                                                   \
	}
#define DEFINE_OPENAT(name)                                                                                  \
	SLUICE_API int name(int at, const char *path, int flags, ...)                                        \
	{                                                                                                    \
		OPEN_MODE(flags)                                                                             \
		NEXT(openat_fn, #name);                                                                      \
		int fd = next(at, path, flags, mode);                                                        \
		if (fd >= 0)                                                                                 \
			note_file(at, path, flags_write(flags));                                             \
		return fd;                                                                                   \
	}
#define DEFINE_FOPEN(name)                                                                                   \
	SLUICE_API FILE *name(const char *path, const char *mode)                                            \
	{                                                                                                    \
		NEXT(fopen_fn, #name);                                                                       \
		FILE *file = next(path, mode);                                                               \
		if (file)                                                                                    \
			note_file(AT_FDCWD, path, mode_writes(mode));                                        \
		return file;                                                                                 \
	}
#define DEFINE_FREOPEN(name)                                                                                 \
	SLUICE_API FILE *name(const char *path, const char *mode, FILE *old)                                 \
	{                                                                                                    \
		NEXT(freopen_fn, #name);                                                                     \
		FILE *file = next(path, mode, old);                                                          \
		if (file)                                                                                    \
			note_file(AT_FDCWD, path, mode_writes(mode));                                        \
		return file;                                                                                 \
	}

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)
DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)
DEFINE_FREOPEN(freopen)
DEFINE_FREOPEN(freopen64)
