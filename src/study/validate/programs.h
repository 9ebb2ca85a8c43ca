/* The traced programs of a folder: DIR/NAME/ (an Accel-Sim folder) or DIR/NAME.sluice. */
#ifndef SLUICE_STUDY_VALIDATE_PROGRAMS_H
#define SLUICE_STUDY_VALIDATE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct program {
	char *name, *path;
};

struct programs {
	struct program *program; /* sorted by name */
	size_t count;
};

/* A name that is there already is not added again. */
void programs_add(struct programs *programs, const char *name, const char *path);
/* Sorts, and keeps `only` some; `where` they come from is for messages. False: nothing is left to free. */
bool programs_finish(struct programs *programs, const char *where, const char *only, struct error *err);
/* `only`: names separated by commas, each of which must be there; NULL: all. */
bool programs_list(struct programs *programs, const char *dir, const char *only, struct error *err);
void programs_free(struct programs *programs);

#endif
