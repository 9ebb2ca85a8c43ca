/* Folders of data that come with Sluice: machines, workloads. */
#ifndef SLUICE_BASE_DATA_FOLDER_H
#define SLUICE_BASE_DATA_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Finds the folder `name`: what the environment variable `variable` says, else the one in the source tree, else
 * PREFIX/share/sluice/NAME for a program at PREFIX/bin/sluice (or a library whose program that is). `content` says in messages what the folder holds:
 * "machine files". err may be NULL.
 */
bool data_folder_find(const char *name, const char *variable, const char *content, char *folder, size_t size,
                      struct error *err);

#endif
