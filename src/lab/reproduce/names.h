/* Texts to numbers: 0, 1, 2 in the order in which they were first seen. */
#ifndef SLUICE_LAB_REPRODUCE_NAMES_H
#define SLUICE_LAB_REPRODUCE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
	uint64_t *hash; /* by number: 64 bits of the text stand for it, and 64 more */
	uint64_t *more;
	uint32_t *slot; /* number + 1; 0: free */
	size_t count, slots;
};

/* Its number; *fresh: it was not there. */
size_t names_intern(struct names *names, const char *text, bool *fresh);
void names_free(struct names *names);

#endif
