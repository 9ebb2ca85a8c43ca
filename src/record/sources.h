/* The source file of an instruction of a recording: the trace itself has only line numbers. */
#ifndef SLUICE_RECORD_SOURCES_H
#define SLUICE_RECORD_SOURCES_H

#include <stdint.h>

struct sources;

/* Read the file "report" of a recording; if it is missing, no file is known. */
struct sources *sources_open(const char *report);
void sources_free(struct sources *sources);
/* Return the file's name as the compiler was given it, or NULL. */
const char *sources_find(const struct sources *sources, const char *kernel, uint64_t pc);

#endif
