/* A machine's life, and what `sluice machine` and sweeps ask of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "machine/internal.h"

enum { MISSING_SHOWN = 8 };

struct machine *machine_new(struct error *err)
{
	struct machine *m = calloc(1, sizeof *m);
	if (m)
		m->origins = calloc(1, sizeof *m->origins);
	if (m && m->origins)
		return m;
	free(m);
	error_set(err, "out of memory");
	return NULL;
}

static bool copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return *to || !from;
}

struct machine *machine_copy(const struct machine *machine, struct error *err)
{
	struct machine *copy = machine_new(err);
	if (!copy)
		return NULL;
	struct machine_origins *origins = copy->origins;
	*copy = *machine;
	copy->origins = origins;
	copy->name = copy->title = copy->source = NULL;
	bool ok = copy_text(&copy->name, machine->name) && copy_text(&copy->title, machine->title) &&
	          copy_text(&copy->source, machine->source);
	for (size_t i = 0; ok && i < MACHINE_KEY_COUNT; i++)
		ok = copy_text(&origins->text[i], machine->origins->text[i]);
	if (ok)
		return copy;
	machine_free(copy);
	error_set(err, "out of memory");
	return NULL;
}

void machine_free(struct machine *machine)
{
	if (!machine)
		return;
	for (size_t i = 0; i < MACHINE_KEY_COUNT; i++)
		free(machine->origins->text[i]);
	free(machine->origins);
	free(machine->name);
	free(machine->title);
	free(machine->source);
	free(machine);
}

const char *machine_origin(const struct machine *machine, const char *section, const char *key)
{
	const struct machine_key *found = key_find(section, key);
	return found ? machine->origins->text[key_index(found)] : NULL;
}

bool machine_store_origin(struct machine *m, const struct machine_key *key, const char *origin)
{
	char *copy = strdup(origin), **slot = &m->origins->text[key_index(key)];
	if (!copy)
		return false;
	free(*slot);
	*slot = copy;
	return true;
}

static void note_missing(char *list, size_t size, size_t *missing, const char *name)
{
	size_t used = strlen(list);
	if ((*missing)++ < MISSING_SHOWN)
		snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

bool machine_check_complete(const struct machine *m, const char *path, struct error *err)
{
	char list[MISSING_SHOWN * (MACHINE_FULL_NAME_MAX + 2)] = "", name[MACHINE_FULL_NAME_MAX];
	size_t count, missing = 0;
	const struct machine_key *keys = machine_keys(&count);
	if (!m->name)
		note_missing(list, sizeof list, &missing, "name");
	if (!m->title)
		note_missing(list, sizeof list, &missing, "title");
	if (!m->source)
		note_missing(list, sizeof list, &missing, "source");
	for (size_t i = 0; i < count; i++) {
		key_full_name(&keys[i], name);
		if (!m->origins->text[i])
			note_missing(list, sizeof list, &missing, name);
	}
	if (!missing)
		return true;
	if (missing <= MISSING_SHOWN)
		return error_at(err, path, 0, 0, "%zu key%s missing: %s", missing, missing == 1 ? "" : "s",
		                list);
	return error_at(err, path, 0, 0, "%zu keys missing: %s and %zu more", missing, list,
	                missing - MISSING_SHOWN);
}

bool machine_set(struct machine *machine, const char *key, const char *text, const char *origin,
                 struct error *err)
{
	const char *dot = strchr(key, '.');
	char section[MACHINE_FULL_NAME_MAX];
	if (!dot)
		return error_set(err, "expected SECTION.KEY, such as 'l1d.sets'");
	snprintf(section, sizeof section, "%.*s", (int)(dot - key), key);
	const struct machine_key *found = key_find(section, dot + 1);
	if (!found)
		return key_fail_unknown(section, dot + 1, err);
	return value_store(machine, found, text, true, err) &&
	       (machine_store_origin(machine, found, origin) || error_set(err, "out of memory"));
}
