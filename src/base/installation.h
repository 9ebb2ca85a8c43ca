/*
 * Where Sluice is installed. Everything that comes with it (machines, workloads, papers, headers, libraries) is found from
 * the file that this code was loaded from, so that an installation can be moved, and a compiled program finds the files of
 * its runtime library.
 */
#ifndef SLUICE_BASE_INSTALLATION_H
#define SLUICE_BASE_INSTALLATION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Find the file or folder `relative` ("share/sluice/machines") in the folder of this code or in one of the three above it:
 * PREFIX for code in PREFIX/bin, PREFIX/lib or PREFIX/lib/sluice. Store its whole path, links resolved, in `path`; return
 * false if there is none or its path is longer than `size`.
 */
bool own_path_find(const char *relative, char *path, size_t size);
/* Find the folder of libsluicert.so: that of this code (a build folder), or lib/sluice of the installation. */
bool own_library_folder(char *path, size_t size);
/*
 * Find the folder `name`: the value of the environment variable `variable`, else share/sluice/NAME. `content` says in
 * messages what the folder holds: "machine files". err may be NULL.
 */
bool data_folder_find(const char *name, const char *variable, const char *content, char *folder, size_t size,
                      struct error *err);

/* Find the file that this code was loaded from: a program, or libsluice.so inside another program. */
bool self_file(char path[PATH_MAX]);
/*
 * Find the program whose subcommands (`sluice cc` and the like) are started: this one, or for libsluice.so $SLUICE_PROGRAM,
 * the sluice in the library's folder, or the one in bin/ of its prefix. err may be NULL.
 */
bool self_program(char path[PATH_MAX], struct error *err);

#endif
