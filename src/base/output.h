/* Result files: complete or not at all. */
#ifndef SLUICE_BASE_OUTPUT_H
#define SLUICE_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Check before the work whether output_write() to `path` would be allowed. Leaves no file. */
bool output_check(const char *path, struct error *err);
/*
 * Refuse to replace a file or folder that this command has read under any name (base/read_files.h). output_check() and what
 * writes here ask it; a caller that creates, renames or removes files named by the user in another way must call it first.
 */
bool output_allowed(const char *path, struct error *err);
/*
 * Write a temporary file in the folder of `path` and rename it, so that readers see the old file or the new one. Pipes
 * and devices are written to directly.
 */
bool output_write(const char *path, const char *data, size_t size, struct error *err);
/* Write the bytes of the file `from` in the same way. */
bool output_copy(const char *path, const char *from, struct error *err);

#endif
