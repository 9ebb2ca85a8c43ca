/* Where we are installed: everything that belongs to Sluice is found from there. */
#ifndef SLUICE_BASE_SELF_H
#define SLUICE_BASE_SELF_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

/* The file that this code was loaded from: a program, or libsluice.so inside somebody else's. */
bool self_file(char path[PATH_MAX]);
/*
 * The program whose commands we start (`sluice cc` and the like): ourselves, or for libsluice.so $SLUICE_PROGRAM, or the
 * sluice beside the library, or the one in bin/ of its prefix. `err` may be NULL.
 */
bool self_program(char path[PATH_MAX], struct error *err);

#endif
