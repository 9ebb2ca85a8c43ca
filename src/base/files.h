/* Files and folders: whole files, digests, paths, folders that are made and put in place as a whole. */
#ifndef SLUICE_BASE_FILES_H
#define SLUICE_BASE_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct digest {
	uint64_t low, high;
};
/* Digest a regular file; *bytes gets its length. */
bool file_digest(const char *path, struct digest *digest, uint64_t *bytes, struct error *err);
void digest_text(const struct digest *digest, char text[33]);

/* What a caller reads: its name in messages ("a machine file") and its greatest size in bytes, at most SIZE_MAX / 8. */
struct file_kind {
	const char *name;
	size_t bytes_max;
};
/*
 * Read a whole file. Return its text with a NUL after it, for the caller to free(), and store its length in
 * *length, which may be NULL; the text may hold NULs of its own. Regular files and devices are read. Folders, named
 * pipes, sockets and files larger than kind->bytes_max are refused, without blocking. On failure return NULL
 * with the path and the reason in *err.
 */
char *read_whole_file(const char *path, const struct file_kind *kind, size_t *length, struct error *err);
/* The same for an intermediate file of this command, which may replace it: base/read_files.h does not get it. */
char *read_intermediate_file(const char *path, const struct file_kind *kind, size_t *length,
                             struct error *err);

bool path_join(char to[PATH_MAX], const char *folder, const char *name, struct error *err);
/* Remove a folder with its contents and take it off the cleanup list. */
void remove_folder(const char *path);
/* Create an empty folder inside `parent` and store its path in `to`; it is on the cleanup list until it is removed or replaces another. */
bool make_temporary(const char *parent, char to[PATH_MAX], struct error *err);
/* Put folder `from` in place of `to`, replacing what was there. */
bool replace_folder(const char *from, const char *to, struct error *err);

#endif
