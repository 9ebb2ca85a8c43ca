/*
 * What others left in an L2 slice that was emptied: lines at addresses that no program has, as many in each set, some dirty.
 *
 * Short launches see few of a slice's sets: the lines of a set are put there when it is first looked at. They are older
 * then than whatever the set will hold, as if they had been there from the start.
 */
#ifndef SLUICE_MEM_LEFT_H
#define SLUICE_MEM_LEFT_H

#include "mem/memory.h"

/* The slice has just been emptied. */
void left_begin(struct slice *slice, const struct memory *memory);
/* Puts the lines of one set there, or of all that nobody has looked at. */
void left_put(struct slice *slice, const struct memory *memory, uint32_t set);
void left_put_all(struct slice *slice, const struct memory *memory);

/* Before a look at the set. */
static inline void left_look(struct slice *slice, const struct memory *memory, uint32_t set)
{
	if (__builtin_expect(slice->left[set], 0))
		left_put(slice, memory, set);
}

#endif
