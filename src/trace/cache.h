/*
 * Imported traces kept on disk: ~/.cache/sluice (or $SLUICE_CACHE_DIR,
 * $XDG_CACHE_HOME/sluice), one .sluice per source, keyed by the content of the
 * source files (names, sizes, modification times) and the importer version.
 */
#ifndef SLUICE_TRACE_CACHE_H
#define SLUICE_TRACE_CACHE_H

#include "trace/accelsim.h"

/*
 * Opens anything that holds a trace: a .sluice file, an Accel-Sim folder,
 * kernelslist.g or .traceg[.xz] file. Accel-Sim input is imported into the
 * cache on first use (atomically: nothing half-written is ever found there).
 */
struct trace *trace_open_any(const char *path, accelsim_progress progress, void *user, struct error *err);

/* The cache folder itself, made if it is not there. */
bool cache_folder(char *to, size_t bytes, struct error *err);
/* Creates a folder and its parents. */
bool cache_make_folders(char *path, struct error *err);

#endif
