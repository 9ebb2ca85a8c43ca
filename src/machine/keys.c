/* The table of keys that keys.def and the instruction classes give. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "machine/internal.h"

/* Each TYPE of keys.def: its kind and, for an enum, its spellings in order of value. */
enum { KIND_U32 = MACHINE_U32, KIND_REAL = MACHINE_REAL, KIND_BOOL = MACHINE_BOOL };
#define choices_U32 NULL
#define choices_REAL NULL
#define choices_BOOL NULL
#define E(NAME, spelling, doc) {spelling, doc},
#define ENUM_TYPE(TYPE)                                                                                      \
	enum { KIND_##TYPE = MACHINE_ENUM };                                                                 \
	static const struct machine_choice choices_##TYPE[] = {TYPE##_VALUES(E){NULL, NULL}}
ENUM_TYPE(WARP_ORDER);
ENUM_TYPE(SCHEDULER_ORDER);
ENUM_TYPE(GPC_LAYOUT);
ENUM_TYPE(HOME_INDEX);
ENUM_TYPE(SLICE_HASH);
ENUM_TYPE(COALESCE);
ENUM_TYPE(ALLOCATE);
ENUM_TYPE(WRITE_HIT);
ENUM_TYPE(WRITE_MISS);
ENUM_TYPE(SET_INDEX);
ENUM_TYPE(BANK_INDEX);
ENUM_TYPE(CARVE);
ENUM_TYPE(CARVED);
ENUM_TYPE(REPLACEMENT);
ENUM_TYPE(UNIT);
#undef E

/* clang-format off */
static const struct machine_key keys[MACHINE_KEY_COUNT] = {
#define X(section, key, TYPE, unit, min, max, doc) \
	{#section, #key, (enum machine_type)KIND_##TYPE, choices_##TYPE, unit, min, max, doc, \
	 offsetof(struct machine, section##_##key)},
#include "machine/keys.def"
#define X(NAME, name, doc) \
	{"ops", name ".unit", MACHINE_ENUM, choices_UNIT, "", 0, 0, "pipe that " name " takes", \
	 offsetof(struct machine, op[OP_##NAME].unit)}, \
	{"ops", name ".latency", MACHINE_U32, NULL, "cycles", 0, 10000, \
	 "issue of " name " to issue of a dependent instruction", \
	 offsetof(struct machine, op[OP_##NAME].latency_cycles)}, \
	{"ops", name ".interval", MACHINE_U32, NULL, "cycles", 0, 1000, "cycles that " name " takes its pipe", \
	 offsetof(struct machine, op[OP_##NAME].interval_cycles)},
	OP_CLASSES(X)
#undef X
};
/* clang-format on */

const struct machine_key *machine_keys(size_t *count)
{
	*count = MACHINE_KEY_COUNT;
	return keys;
}

const struct machine_key *key_find(const char *section, const char *key)
{
	/* The first letter spares most comparisons: every line of every machine file is looked up. */
	for (size_t i = 0; i < MACHINE_KEY_COUNT; i++)
		if (keys[i].key[0] == key[0] && !strcmp(keys[i].key, key) &&
		    !strcmp(keys[i].section, section))
			return &keys[i];
	return NULL;
}

size_t key_index(const struct machine_key *key)
{
	return (size_t)(key - keys);
}

void key_full_name(const struct machine_key *key, char buf[MACHINE_FULL_NAME_MAX])
{
	snprintf(buf, MACHINE_FULL_NAME_MAX, "%s.%s", key->section, key->key);
}

/* The key of this section that is nearest; else one of the same name elsewhere. */
static const struct machine_key *nearest_key(const char *section, const char *name)
{
	const struct machine_key *best = NULL;
	struct suggest near = suggest_start(name);
	for (size_t i = 0; i < MACHINE_KEY_COUNT; i++) {
		const char *before = near.best;
		if (!strcmp(keys[i].section, section))
			suggest_offer(&near, keys[i].key);
		if (near.best != before)
			best = &keys[i];
	}
	for (size_t i = 0; i < MACHINE_KEY_COUNT && !best; i++)
		if (!strcmp(keys[i].key, name))
			best = &keys[i];
	return best;
}

/* Keys by the names that machine files used to have for them. */
static const struct {
	const char *section, *old, *name;
} renamed[] = {
    {"l2", "sides", "partitions"},
    {"l2", "side_cycles", "partition_cycles"},
    {"smem", "carve", "carveout"},
    {"l1d", "atomic_drops_line", "atomic_invalidates_line"},
};

static const char *new_name(const char *section, const char *old)
{
	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
		if (!strcmp(renamed[i].section, section) && !strcmp(renamed[i].old, old))
			return renamed[i].name;
	return NULL;
}

bool key_fail_unknown(const char *section, const char *name, struct error *why)
{
	char clip1[CLIP_SIZE], clip2[CLIP_SIZE];
	const char *now = new_name(section, name);
	if (now)
		return error_set(why, "key '%s.%s' is now called '%s.%s'", section, name, section, now);
	const struct machine_key *near = nearest_key(section, name);
	clip_text(clip1, section);
	clip_text(clip2, name);
	if (near)
		return error_set(why, "unknown key '%s.%s'; did you mean '%s.%s'?", clip1, clip2,
		                 near->section, near->key);
	return error_set(why, "unknown key '%s.%s'; 'sluice machine keys' lists all keys", clip1, clip2);
}

void machine_format_value(const struct machine *machine, const struct machine_key *key, char *buf,
                          size_t size)
{
	const char *field = (const char *)machine + key->offset;
	uint32_t word;
	double real;
	memcpy(&word, field, sizeof word);
	switch (key->type) {
	case MACHINE_U32:
		snprintf(buf, size, "%" PRIu32, word);
		break;
	case MACHINE_REAL:
		memcpy(&real, field, sizeof real);
		snprintf(buf, size, "%.15g", real);
		break;
	case MACHINE_BOOL:
		snprintf(buf, size, "%s", word ? "yes" : "no");
		break;
	case MACHINE_ENUM:
		snprintf(buf, size, "%s", key->choices[word].spelling);
		break;
	}
}
