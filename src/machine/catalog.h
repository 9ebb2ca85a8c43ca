/*
 * What machines and which keys there are: for `sluice machine`, the generated reference, and sweeps that go
 * over keys. The model itself needs machine.h alone.
 */
#ifndef SLUICE_MACHINE_CATALOG_H
#define SLUICE_MACHINE_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "machine/machine.h"

enum machine_type { MACHINE_U32, MACHINE_REAL, MACHINE_BOOL, MACHINE_ENUM };
struct machine_choice {
	const char *spelling, *doc;
};
struct machine_key {
	const char *section, *key; /* full name: section.key */
	enum machine_type type;
	const struct machine_choice
	    *choices; /* of MACHINE_ENUM, in order of value, ended by a NULL spelling */
	const char *unit;
	double min, max; /* of MACHINE_U32 and MACHINE_REAL */
	const char *doc;
	size_t offset; /* of the field in struct machine */
};
/* Those of keys.def, then ops.CLASS.unit, .latency and .interval of every instruction class. */
const struct machine_key *machine_keys(size_t *count);
/* The value as a machine file would spell it. */
void machine_format_value(const struct machine *machine, const struct machine_key *key, char *buf,
                          size_t size);
/* docs/machine-keys.md; the caller frees it. NULL: out of memory. */
char *machine_describe_keys(void);

/* What can be loaded by name. */
struct machine_summary {
	char *name, *title; /* title: NULL where the file cannot be read */
};
/* Sorted by name; the caller hands the list to machine_list_free(). */
bool machine_list(struct machine_summary **list, size_t *count, struct error *err);
void machine_list_free(struct machine_summary *list, size_t count);
/* $SLUICE_MACHINES, or share/sluice/machines of this sluice (data_folder_find()). */
bool machine_directory(char *buf, size_t size, struct error *err);

#endif
