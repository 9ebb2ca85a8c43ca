/*
 * A folder below TMPDIR for what a test writes: there from the first call on, removed when the process that made it ends.
 * A child that is forked later shares it and leaves it alone.
 */
#ifndef SLUICE_TESTS_SCRATCH_H
#define SLUICE_TESTS_SCRATCH_H

#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_folder[256];
static pid_t scratch_owner;

/* Removes a file or a whole tree; what is not there is no error. */
static inline void scratch_remove(const char *path)
{
	char *const paths[] = {(char *)(uintptr_t)path, NULL};
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	for (FTSENT *entry; walk && (entry = fts_read(walk)) != NULL;)
		if (entry->fts_info != FTS_D)
			remove(entry->fts_path);
	if (walk)
		fts_close(walk);
}

static inline void scratch_leave(void)
{
	if (getpid() == scratch_owner && !chdir("/"))
		scratch_remove(scratch_folder);
}

/* The folder's path. */
static inline const char *scratch(void)
{
	if (scratch_folder[0])
		return scratch_folder;
	const char *tmp = getenv("TMPDIR");
	snprintf(scratch_folder, sizeof scratch_folder, "%.200s/sluice-test-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(scratch_folder)) {
		perror(scratch_folder);
		exit(2);
	}
	scratch_owner = getpid();
	atexit(scratch_leave);
	return scratch_folder;
}

/* A path inside it; up to 32 may be in use at a time. */
static inline const char *scratch_path(const char *name)
{
	static char paths[32][512];
	static unsigned next;
	char *path = paths[next++ % 32];
	snprintf(path, sizeof paths[0], "%s/%s", scratch(), name);
	return path;
}

static inline bool scratch_enter(void)
{
	return chdir(scratch()) == 0;
}

/* From now on the folder of another process, which removes it. */
static inline void scratch_share(const char *folder)
{
	snprintf(scratch_folder, sizeof scratch_folder, "%s", folder);
}

/* The path of its file `name`, which has this text from now on. */
static inline const char *scratch_write(const char *name, const char *text)
{
	const char *path = scratch_path(name);
	FILE *file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file)) {
		perror(path);
		exit(2);
	}
	return path;
}

/* What its file `name` begins with, up to 64 KiB; "": there is none. Two may be in use at a time. */
static inline const char *scratch_read(const char *name)
{
	static char texts[2][65536];
	static unsigned next;
	char *text = texts[next++ % 2];
	FILE *file = fopen(scratch_path(name), "r");
	size_t n = file ? fread(text, 1, sizeof texts[0] - 1, file) : 0;
	text[n] = '\0';
	if (file)
		fclose(file);
	return text;
}

#endif
