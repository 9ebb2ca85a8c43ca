/* Opens anything that holds a trace: the native format, or Accel-Sim's, which is imported first. */
#ifndef SLUICE_ACCELSIM_OPEN_ANY_H
#define SLUICE_ACCELSIM_OPEN_ANY_H

#include "accelsim/accelsim.h"

/*
 * Opens anything that holds a trace: a .sluice file, an Accel-Sim folder,
 * kernelslist.g or .traceg[.xz] file. Accel-Sim input is imported into the
 * cache on first use (atomically: nothing half-written is ever found there).
 */
struct trace *trace_open_any(const char *path, accelsim_progress progress, void *user, struct error *err);

/* A .sluice file, by its first bytes or its name. */
bool trace_is_native(const char *path);

#endif
