/*
 * Files that come with Sluice: machines, workloads, papers, headers, libraries. They are found from where this code
 * itself was loaded, so that an installation can be moved and a compiled program finds those of its runtime library.
 */
#ifndef SLUICE_BASE_DATA_FOLDER_H
#define SLUICE_BASE_DATA_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * The file or folder `relative` ("share/sluice/machines") in the folder of this code, or in one of those above it:
 * PREFIX for code in PREFIX/bin, PREFIX/lib or PREFIX/lib/sluice. `path` gets its whole path, links resolved; false:
 * there is none, or its path is longer than `size`.
 */
bool own_path_find(const char *relative, char *path, size_t size);
/* The folder of libsluicert.so: that of this code (a build folder), or lib/sluice of the installation. */
bool own_library_folder(char *path, size_t size);

/*
 * Finds the folder `name`: what the environment variable `variable` says, else share/sluice/NAME (own_path_find()).
 * `content` says in messages what the folder holds: "machine files". err may be NULL.
 */
bool data_folder_find(const char *name, const char *variable, const char *content, char *folder, size_t size,
                      struct error *err);

#endif
