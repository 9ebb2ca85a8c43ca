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

/* Add a program unless the name is there already. */
void programs_add(struct programs *programs, const char *name, const char *path);
/* Sort the programs and keep those of `only`; `where` is for messages. False: there is nothing to free. */
bool programs_finish(struct programs *programs, const char *where, const char *only, struct error *err);
/* `only`: names separated by commas, each of which must be there; NULL: all. */
bool programs_list(struct programs *programs, const char *dir, const char *only, struct error *err);
void programs_free(struct programs *programs);

#endif
