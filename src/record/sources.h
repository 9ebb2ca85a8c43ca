/* Which source file an instruction of a recording is of: the trace itself has line numbers alone. */
#ifndef SLUICE_RECORD_SOURCES_H
#define SLUICE_RECORD_SOURCES_H

#include <stdint.h>

struct sources;

/* From the file "report" of a recording. One that is missing, or has nothing of the kind, knows no files. */
struct sources *sources_open(const char *report);
void sources_free(struct sources *sources);
/* The file as the compiler was given it; NULL: unknown. */
const char *sources_find(const struct sources *sources, const char *kernel, uint64_t pc);

#endif
