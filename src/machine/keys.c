/* The table of keys from keys.def and the instruction classes, and their values as text: types, sizes, ranges. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "machine/internal.h"

/* Each TYPE of keys.def: its kind and, for an enum, its spellings in order of value. */
enum { KIND_U32 = MACHINE_U32, KIND_REAL = MACHINE_REAL, KIND_BOOL = MACHINE_BOOL };
#define choices_U32 NULL
#define choices_REAL NULL
#define choices_BOOL NULL
#define E(TYPE, NAME, spelling, doc) {spelling, doc},
#define ENUM_TYPE(TYPE, tag)                                                                                 \
	enum { KIND_##TYPE = MACHINE_ENUM };                                                                 \
	static const struct machine_choice choices_##TYPE[] = {TYPE##_VALUES(E){NULL, NULL}};
CHOICE_TYPES(ENUM_TYPE)
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
	/* Comparing the first letter avoids most calls: every line of every machine file is looked up. */
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

/* Return the key of this section with the nearest name, else a key of the same name elsewhere. */
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

/* Keys that had another name in earlier versions. */
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

/* ---- values ------------------------------------------------------------------------------------------------- */

enum { NUMBER_MAX = 30 }; /* characters of a number; no valid number is longer */

static bool key_is_size(const struct machine_key *key)
{
	return key->type == MACHINE_U32 && !strcmp(key->unit, "B");
}

const char *value_wanted(const struct machine_key *key)
{
	if (key_is_size(key))
		return "a size such as 16384, 16K or 1.5MiB";
	switch (key->type) {
	case MACHINE_U32:
		return "a whole number";
	case MACHINE_REAL:
		return "a number";
	case MACHINE_BOOL:
		return "yes or no";
	default:
		return "one word";
	}
}

static const char *skip_digits(const char *p)
{
	while (*p >= '0' && *p <= '9')
		p++;
	return p;
}

/*
 * Scan a decimal number; return its end, or NULL. *whole: it has no point. strtod() would also take "inf",
 * "0x1p3" and " 5", and a leading zero means octal to some readers of YAML.
 */
static const char *scan_number(const char *text, bool *whole)
{
	const char *p = text + (*text == '-');
	const char *digits = p;
	p = skip_digits(p);
	if (p == digits || (*digits == '0' && p > digits + 1))
		return NULL;
	*whole = true;
	if (*p == '.') {
		const char *fraction = ++p;
		p = skip_digits(p);
		*whole = false;
		if (p == fraction)
			return NULL;
	}
	return p - text <= NUMBER_MAX ? p : NULL;
}

/* Return the factor of a size suffix; 0: unknown. */
static double size_factor(const char *suffix)
{
	static const struct {
		const char *text;
		double factor;
	} suffixes[] = {{"", 1},        {"B", 1},         {"K", 1024},       {"KiB", 1024},
	                {"M", 1048576}, {"MiB", 1048576}, {"G", 1073741824}, {"GiB", 1073741824}};
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (!strcmp(suffix, suffixes[i].text))
			return suffixes[i].factor;
	return 0;
}

static bool fail_wanted(const struct machine_key *key, const char *text, struct error *why)
{
	char clip[CLIP_SIZE];
	if (!*text)
		return error_set(why, "expected %s for %s.%s, found nothing", value_wanted(key), key->section,
		                 key->key);
	return error_set(why, "expected %s for %s.%s, found '%s'", value_wanted(key), key->section, key->key,
	                 clip_text(clip, text));
}

static bool fail_range(const struct machine_key *key, const char *text, struct error *why)
{
	char clip[CLIP_SIZE];
	return error_set(why, "%s.%s is %s, outside its range %.15g to %.15g%s%s", key->section, key->key,
	                 clip_text(clip, text), key->min, key->max, *key->unit ? " " : "", key->unit);
}

static bool parse_number(const struct machine_key *key, const char *text, double *value, struct error *why)
{
	bool whole;
	const char *end = scan_number(text, &whole);
	if (!end)
		return fail_wanted(key, text, why);
	double factor = key_is_size(key) ? size_factor(end) : *end ? 0 : 1;
	if (factor == 0)
		return fail_wanted(key, text, why);
	*value = strtod(text, NULL) * factor;
	if (key->type == MACHINE_U32 && !whole && (factor == 1 || *value != floor(*value)))
		return fail_wanted(key, text, why);
	if (*value < key->min || *value > key->max)
		return fail_range(key, text, why);
	return true;
}

static bool parse_bool(const struct machine_key *key, const char *text, uint32_t *value, struct error *why)
{
	*value = !strcmp(text, "yes") || !strcmp(text, "true");
	if (*value || !strcmp(text, "no") || !strcmp(text, "false"))
		return true;
	return fail_wanted(key, text, why);
}

static bool fail_choice(const struct machine_key *key, const char *text, struct error *why)
{
	char clip[CLIP_SIZE], list[256] = "";
	struct suggest near = suggest_start(text);
	for (const struct machine_choice *c = key->choices; c->spelling; c++) {
		suggest_offer(&near, c->spelling);
		size_t used = strlen(list);
		if (used + strlen(c->spelling) + 3 < sizeof list)
			strcat(strcat(list, used ? ", " : ""), c->spelling);
	}
	clip_text(clip, text);
	if (near.best)
		return error_set(why, "unknown value '%s' for %s.%s; did you mean '%s'?", clip, key->section,
		                 key->key, near.best);
	return error_set(why, "unknown value '%s' for %s.%s; expected one of %s", clip, key->section,
	                 key->key, list);
}

static bool parse_choice(const struct machine_key *key, const char *text, uint32_t *value, struct error *why)
{
	for (uint32_t i = 0; key->choices[i].spelling; i++) {
		if (!strcmp(text, key->choices[i].spelling)) {
			*value = i;
			return true;
		}
	}
	return fail_choice(key, text, why);
}

/* Parse a value that is stored in 32 bits. */
static bool parse_word(const struct machine_key *key, const char *text, uint32_t *word, struct error *why)
{
	double number;
	if (key->type == MACHINE_BOOL)
		return parse_bool(key, text, word, why);
	if (key->type == MACHINE_ENUM)
		return parse_choice(key, text, word, why);
	if (!parse_number(key, text, &number, why))
		return false;
	*word = (uint32_t)number;
	return true;
}

bool value_store(struct machine *machine, const struct machine_key *key, const char *text, bool plain,
                 struct error *why)
{
	char *field = (char *)machine + key->offset, clip[CLIP_SIZE];
	if (!plain && key->type != MACHINE_ENUM)
		return error_set(why, "expected %s for %s.%s, found the quoted text \"%s\"",
		                 value_wanted(key), key->section, key->key, clip_text(clip, text));
	if (key->type == MACHINE_REAL) {
		double number;
		if (!parse_number(key, text, &number, why))
			return false;
		memcpy(field, &number, sizeof number);
		return true;
	}
	uint32_t word;
	if (!parse_word(key, text, &word, why))
		return false;
	memcpy(field, &word, sizeof word);
	return true;
}
