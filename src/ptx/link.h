/* Several PTX texts as one: what nvlink does for relocatable device code, here before parsing. */
#ifndef SLUICE_PTX_LINK_H
#define SLUICE_PTX_LINK_H

#include "base/error.h"

/* A text, and the number that names of its own get where another text has them, too: name$2. */
struct ptx_link_input {
	const char *text;
	unsigned number;
};

/*
 * For each of `count` texts: the first text of the group it belongs to, groups being those that need one another's
 * functions or variables. A text alone in its group needs no linking.
 */
void ptx_link_groups(const struct ptx_link_input *input, unsigned count, unsigned *group);

/*
 * The texts of one group as one, in their order; the caller frees it. NULL: err says which function or variable
 * several of them define. What none of them defines stays .extern.
 */
char *ptx_link(const struct ptx_link_input *input, unsigned count, struct error *err);

#endif
