/* The keys in which two machines differ. */
#include "machine/diff.h"

#include <string.h>

#include "base/memory.h"

size_t machine_diff(const struct machine *const machines[2], struct machine_difference **found)
{
	size_t count, differ = 0;
	const struct machine_key *keys = machine_keys(&count);
	*found = memory_zeroed(count, sizeof **found);
	for (size_t i = 0; i < count; i++) {
		struct machine_difference *d = &(*found)[differ];
		d->key = &keys[i];
		for (int k = 0; k < 2; k++)
			machine_format_value(machines[k], &keys[i], d->value[k], sizeof d->value[k]);
		differ += strcmp(d->value[0], d->value[1]) != 0;
	}
	return differ;
}
