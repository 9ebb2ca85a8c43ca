/* Result files: whole or not at all. */
#ifndef SLUICE_BASE_OUTPUT_H
#define SLUICE_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Whether output_write() to `path` would be allowed; for before the work. Leaves nothing behind. */
bool output_check(const char *path, struct error *err);
/*
 * Refuses an output that is one of the files a command reads, under whatever
 * name. `inputs` ends with NULL; names of nothing, and an output of NULL, are
 * fine.
 */
bool output_is_no_input(const char *path, const char *const *inputs, struct error *err);
/*
 * Writes a temporary file beside `path` and renames it, so that readers see
 * the old file or the new one. What is not a regular file (a pipe, /dev/null) is
 * written to directly.
 */
bool output_write(const char *path, const char *data, size_t size, struct error *err);
/* The same with the bytes of the file `from`. */
bool output_copy(const char *path, const char *from, struct error *err);

#endif
