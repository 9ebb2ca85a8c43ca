/* Sources that are rewritten for clang. */
#ifndef SLUICE_CC_REWRITE_H
#define SLUICE_CC_REWRITE_H

#include "base/error.h"
#include "cc/command_line.h"

/* Rewrite what nvcc takes and clang does not; lines keep their numbers. Replaces *text; false: nothing to do. */
bool cc_rewrite(char **text);
/*
 * Write copies of the source and of the files it includes, where they must be rewritten, to `folder`. *path becomes the
 * overlay that shows them to clang in place of the originals, or NULL if there are none; the caller frees it. `options`
 * has the -I folders.
 */
bool cc_overlay_rewritten(const char *source, const struct words *options, const char *folder, char **path,
                          struct error *err);

#endif
