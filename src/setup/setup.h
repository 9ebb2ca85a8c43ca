/* Folders that sluice makes for other tools, and the check of an installation. */
#ifndef SLUICE_SETUP_SETUP_H
#define SLUICE_SETUP_SETUP_H

#include <stdio.h>

#include "base/error.h"

/*
 * Make `path` a folder of the shape of a CUDA toolkit, for makefiles with CUDA_DIR or CUDA_HOME, CMake and configure
 * scripts. A folder that exists must be empty or an earlier toolkit of sluice, which is renewed. *whole is its absolute
 * path, the caller's to free, after errors, too.
 */
bool setup_make_toolkit(const char *path, char **whole, struct error *err);
/* Print the PTX that an object, a program, a shared library or a file of PTX holds, in the format of cuobjdump. */
bool setup_dump_ptx(FILE *out, const char *path, struct error *err);
/*
 * Make `folder` with a policy `name` to start from, a CMakeLists.txt that builds it and a test. `source` becomes the name
 * of its source file.
 */
enum { SETUP_SOURCE_SIZE = 64 };
bool setup_make_policy(const char *name, const char *kind_name, const char *folder,
                       char source[SETUP_SOURCE_SIZE], struct error *err);

#endif
