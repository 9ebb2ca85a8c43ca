/*
 * Notes which files the program opens. The C library's functions are
 * interposed: ours are found first, do the same and take a note when
 * SLUICE_RT_REPORT is set. Left out: files that are opened by raw system calls.
 *
 * Variables of the environment, questions whether files exist, folders and other programs are noted as well. Left out:
 * `environ` itself, statx, scandir() and other ways that do not go through these, the time, random numbers, the network.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/memory.h"
#include "cudart/inputs.h"
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

/* Files in memory are files. */
static bool is_of_interest(const char *path)
{
	const char *name = strrchr(path, '/');
	bool is_device = starts_with(path, "/dev/") && !starts_with(path, "/dev/shm/");
	if (starts_with(path, "/proc/") || starts_with(path, "/sys/") || is_device)
		return false;
	return !name ||
	       !(strstr(name, ".so.") || (strlen(name) > 3 && !strcmp(name + strlen(name) - 3, ".so")));
}

static bool is_regular(const char *path)
{
	struct stat st;
	return !fstatat(AT_FDCWD, path, &st, 0) && S_ISREG(st.st_mode);
}

static void note_path(const char *path, enum input_kind kind, bool is_written)
{
	struct input_list *inputs = runtime_inputs();
	pthread_mutex_lock(&inputs->lock);
	struct input *input = inputs->first;
	while (input && (strcmp(input->path, path) != 0 || (input->kind != kind && !input->is_written)))
		input = input->next;
	if (!input) {
		size_t bytes = strlen(path) + 1;
		input = memory_zeroed(1, sizeof *input + bytes);
		memcpy(input->path, path, bytes);
		input->kind = kind;
		input->is_written = is_written;
		*(inputs->last ? &inputs->last->next : &inputs->first) = input;
		inputs->last = input;
	}
	pthread_mutex_unlock(&inputs->lock);
}

const char *inputs_variable(const char *name)
{
	size_t length = strlen(name);
	for (char **entry = environ; entry && *entry; entry++)
		if (!strncmp(*entry, name, length) && (*entry)[length] == '=')
			return *entry + length + 1;
	return NULL;
}

bool inputs_are_noted(void)
{
	return !runtime_thread()->inside && inputs_variable("SLUICE_RT_REPORT");
}

/* "folder/file"; false: too long, or nowhere. */
static bool make_absolute(int at, const char *file, char path[PATH_MAX])
{
	char folder[PATH_MAX], link[64];
	if (file[0] == '/')
		return snprintf(path, PATH_MAX, "%s", file) < PATH_MAX;
	snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
	return realpath(link, folder) && (size_t)snprintf(path, PATH_MAX, "%s/%s", folder, file) < PATH_MAX;
}

void inputs_note(int at, const char *file, enum input_kind kind, bool is_written)
{
	char named[PATH_MAX], resolved[PATH_MAX];
	int error = errno;
	struct runtime_thread *thread = runtime_thread();
	if (!file || !*file || !inputs_are_noted())
		return;
	thread->inside++;
	if (make_absolute(at, file, named)) {
		const char *path = kind != INPUT_ABSENT && realpath(named, resolved) ? resolved : named;
		if (is_of_interest(path) && (kind != INPUT_FILE || is_regular(path)))
			note_path(path, kind, is_written);
	}
	thread->inside--;
	errno = error;
}

/* The call gave `done`; a file that is not there may be there the next time. */
static void note_file(int at, const char *file, bool done, bool is_written)
{
	if (done)
		inputs_note(at, file, INPUT_FILE, is_written);
	else if (errno == ENOENT && !is_written)
		inputs_note(at, file, INPUT_ABSENT, false);
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
		note_file(AT_FDCWD, path, fd >= 0, flags_write(flags));                                      \
		return fd;                                                                                   \
	}
#define DEFINE_OPENAT(name)                                                                                  \
	SLUICE_API int name(int at, const char *path, int flags, ...)                                        \
	{                                                                                                    \
		OPEN_MODE(flags)                                                                             \
		NEXT(openat_fn, #name);                                                                      \
		int fd = next(at, path, flags, mode);                                                        \
		note_file(at, path, fd >= 0, flags_write(flags));                                            \
		return fd;                                                                                   \
	}
#define DEFINE_FOPEN(name)                                                                                   \
	SLUICE_API FILE *name(const char *path, const char *mode)                                            \
	{                                                                                                    \
		NEXT(fopen_fn, #name);                                                                       \
		FILE *file = next(path, mode);                                                               \
		note_file(AT_FDCWD, path, file != NULL, mode_writes(mode));                                  \
		return file;                                                                                 \
	}
#define DEFINE_FREOPEN(name)                                                                                 \
	SLUICE_API FILE *name(const char *path, const char *mode, FILE *old)                                 \
	{                                                                                                    \
		NEXT(freopen_fn, #name);                                                                     \
		FILE *file = next(path, mode, old);                                                          \
		note_file(AT_FDCWD, path, file != NULL, mode_writes(mode));                                  \
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

/* ---- surroundings -------------------------------------------------------------------------------------------- */

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

/* ---- SLUICE_RT_REPORT: key=value lines ----------------------------------------------------------------------- */

/* A value is one line. */
static void write_text(FILE *file, const char *key, const char *text)
{
	fprintf(file, "%s=", key);
	for (; *text; text++)
		fputc(*text == '\n' ? ' ' : *text, file);
	fputc('\n', file);
}

static void write_inputs(FILE *file, const struct input_list *inputs)
{
	static const char *const keys[INPUT_KINDS] = {[INPUT_FILE] = "input",
	                                              [INPUT_ABSENT] = "absent",
	                                              [INPUT_SEEN] = "seen",
	                                              [INPUT_FOLDER] = "folder"};
	for (const struct input *input = inputs->first; input; input = input->next)
		if (!input->is_written)
			write_text(file, keys[input->kind], input->path);
	for (unsigned i = 0; i < inputs->variable_count; i++)
		write_text(file, "variable", inputs->variable[i]);
	if (inputs->unrepeatable)
		write_text(file, "unrepeatable", inputs->unrepeatable);
}

/* Which instructions are of which source file; a line each. */
static void write_sources(FILE *file, const char *sources)
{
	for (const char *at = sources; at && *at; at += strcspn(at, "\n") + 1)
		fprintf(file, "source=%.*s\n", (int)strcspn(at, "\n"), at);
}

void report_write(const struct runtime *rt, const char *path)
{
	FILE *file = fopen(path, "w");
	if (!file) {
		runtime_say("%s: %s", path, strerror(errno));
		return;
	}
	fprintf(file, "launches=%" PRIu64 "\n", rt->totals.launches);
	fprintf(file, "ctas=%" PRIu64 "\n", rt->totals.ctas);
	fprintf(file, "warp_insns=%" PRIu64 "\n", rt->totals.warp_insns);
	fprintf(file, "races=%" PRIu64 "\n", rt->totals.races);
	fprintf(file, "recorded=%" PRIu64 "\n", rt->window.recorded);
	if (rt->window.last) {
		fprintf(file, "ended=%" PRIu64 "\n", rt->window.last);
		write_text(file, "ended_why", rt->window.why_end);
	}
	fprintf(file, "elapsed_time_read=%d\n", rt->elapsed_time_read);
	if (rt->fault.text[0])
		write_text(file, "fault", rt->fault.text);
	write_inputs(file, &rt->inputs);
	write_sources(file, rt->sources);
	bool failed = ferror(file) != 0;
	if (fclose(file) || failed)
		runtime_say("%s: cannot be written", path);
}
