/* The keys in which two machines differ. */
#ifndef SLUICE_MACHINE_DIFF_H
#define SLUICE_MACHINE_DIFF_H

#include "machine/catalog.h"

enum { MACHINE_VALUE_SIZE = 64 /* of any value as machine_format_value() spells it */ };

struct machine_difference {
	const struct machine_key *key;
	char value[2][MACHINE_VALUE_SIZE]; /* as machine files spell them */
};
/* Fill *found with the keys that differ, in the order of machine_keys(); the caller frees it. Return how many there are. */
size_t machine_diff(const struct machine *const machines[2], struct machine_difference **found);

#endif
