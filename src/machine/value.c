/* The text of one value into its field: types, sizes, ranges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "machine/internal.h"

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
 * Decimal numbers alone: strtod() would also take "inf", "0x1p3" and " 5", and
 * a leading zero means octal to some readers of YAML. Returns the end of the
 * number, or NULL; *whole says that there is no point and no exponent.
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

/* The factor of a size suffix; 0: none that we know. */
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

/* Everything that is kept in 32 bits. */
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
