/* Shared by the files of this module. */
#ifndef SLUICE_MACHINE_INTERNAL_H
#define SLUICE_MACHINE_INTERNAL_H

#include "machine/catalog.h"
#include "machine/machine.h"

enum {
	MACHINE_PLAIN_KEYS = 0
#define X(section, key, TYPE, unit, min, max, doc) +1
#include "machine/keys.def"
	,
	MACHINE_OP_KEYS = 3, /* unit, latency, interval */
	MACHINE_KEY_COUNT = MACHINE_PLAIN_KEYS + MACHINE_OP_KEYS * OP_COUNT,
	MACHINE_NAME_MAX = 63,
	MACHINE_FULL_NAME_MAX = 64, /* "section.key" with its NUL */
};

struct machine_origins {
	char *text[MACHINE_KEY_COUNT]; /* NULL: not given yet */
};

/* keys.c */
const struct machine_key *key_find(const char *section, const char *key);
size_t key_index(const struct machine_key *key);
void key_full_name(const struct machine_key *key, char buf[MACHINE_FULL_NAME_MAX]);
/* "unknown key ...; did you mean ...?", without a place. Always false. */
bool key_fail_unknown(const char *section, const char *name, struct error *why);

/* machine.c: a machine without values. */
struct machine *machine_new(struct error *err);
bool machine_store_origin(struct machine *machine, const struct machine_key *key, const char *origin);
/* Fail with a list of the keys that were not given. */
bool machine_check_complete(const struct machine *machine, const char *file, struct error *err);

/*
 * Read `text` as the key's type, check the range and store it. On failure *why is one sentence without a
 * place. `plain`: not in quotes.
 */
bool value_store(struct machine *machine, const struct machine_key *key, const char *text, bool plain,
                 struct error *why);
/* What value_store() accepts: "a whole number". */
const char *value_wanted(const struct machine_key *key);

/* find.c; the caller frees the result. NULL: err is set. */
char *find_path(const char *name, struct error *err);
char *find_read(const char *path, size_t *len, struct error *err);
/* Whether a name has only letters, digits, '.', '_' and '-', at most MACHINE_NAME_MAX: a name is never a path. */
bool find_name_ok(const char *name);

#endif
