/* Files and folders: digests, paths, folders that are made and put in place as a whole. */
#ifndef SLUICE_BASE_FILES_H
#define SLUICE_BASE_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct digest {
	uint64_t low, high;
};
bool file_digest(const char *path, struct digest *digest, uint64_t *bytes, struct error *err);
void digest_text(const struct digest *digest, char text[33]);
bool path_join(char to[PATH_MAX], const char *folder, const char *name, struct error *err);
void remove_folder(const char *path);
/* A new empty folder inside `parent`, its name in `to`. */
bool make_temporary(const char *parent, char to[PATH_MAX], struct error *err);
/* Puts folder `from` in place of `to`, whatever was there. */
bool replace_folder(const char *from, const char *to, struct error *err);

#endif
