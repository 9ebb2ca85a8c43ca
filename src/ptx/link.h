/* Linking of several PTX texts into one, as nvlink does for relocatable device code; here before parsing. */
#ifndef SLUICE_PTX_LINK_H
#define SLUICE_PTX_LINK_H

#include "base/error.h"

/* A text, and the suffix of its local names that collide with those of another text: name$NUMBER. */
struct ptx_link_input {
	const char *text;
	unsigned number;
};

/*
 * Divide `count` texts into groups whose members need one another's functions or variables: group[i] becomes the number
 * of the first text of i's group. A text alone in its group needs no linking.
 */
void ptx_link_groups(const struct ptx_link_input *input, unsigned count, unsigned *group);

/*
 * Link the texts of one group, in their order, into one that the caller frees. NULL: err names a function or variable
 * that several of them define. What none of them defines stays .extern.
 */
char *ptx_link(const struct ptx_link_input *input, unsigned count, struct error *err);

#endif
