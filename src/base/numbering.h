/* Texts to numbers: 0, 1, 2 in the order in which they are first added. */
#ifndef SLUICE_BASE_NUMBERING_H
#define SLUICE_BASE_NUMBERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbering {
	uint64_t *hash; /* by number: 64 bits of the text stand for it, and 64 more */
	uint64_t *more;
	uint32_t *slot; /* number + 1; 0: free */
	size_t count, slots;
};

/* Return the number of the text; *fresh: it is new. */
size_t numbering_add(struct numbering *numbering, const char *text, bool *fresh);
void numbering_free(struct numbering *numbering);

#endif
