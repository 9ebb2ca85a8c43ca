/* docs/machine-keys.md, written from the table of keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/internal.h"

static void write_type(FILE *out, const struct machine_key *key)
{
	if (key->type == MACHINE_BOOL)
		fputs("yes or no", out);
	else if (key->type == MACHINE_ENUM)
		for (const struct machine_choice *c = key->choices; c->spelling; c++)
			fprintf(out, "%s`%s`", c == key->choices ? "" : ", ", c->spelling);
	else
		fprintf(out, "%s, %.15g to %.15g", key->type == MACHINE_REAL ? "number" : "whole number",
		        key->min, key->max);
}

static void write_sections(FILE *out)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	const char *section = "";
	for (size_t i = 0; i < MACHINE_PLAIN_KEYS; i++) {
		if (strcmp(section, keys[i].section)) {
			section = keys[i].section;
			fprintf(out, "\n## %s\n\n| key | value | unit | meaning |\n|---|---|---|---|\n",
			        section);
		}
		fprintf(out, "| `%s` | ", keys[i].key);
		write_type(out, &keys[i]);
		fprintf(out, " | %s | %s |\n", keys[i].unit, keys[i].doc);
	}
}

static void write_choices(FILE *out, const struct machine_choice *choices)
{
	for (const struct machine_choice *c = choices; c->spelling; c++)
		fprintf(out, "| `%s` | %s |\n", c->spelling, c->doc);
}

/* Each set of words once, under the first key that takes it. */
static void write_words(FILE *out)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	fputs("\n## Words\n", out);
	for (size_t i = 0; i < count; i++) {
		bool told = keys[i].type != MACHINE_ENUM;
		for (size_t j = 0; j < i && !told; j++)
			told = keys[j].choices == keys[i].choices;
		if (told)
			continue;
		fputs("\n", out);
		for (size_t j = i; j < MACHINE_PLAIN_KEYS; j++)
			if (keys[j].choices == keys[i].choices)
				fprintf(out, "%s`%s.%s`", j == i ? "" : ", ", keys[j].section, keys[j].key);
		fputs(i < MACHINE_PLAIN_KEYS ? ":\n\n| word | meaning |\n|---|---|\n"
		                             : "`unit` of `ops`:\n\n| word | meaning |\n|---|---|\n",
		      out);
		write_choices(out, keys[i].choices);
	}
}

static void write_classes(FILE *out)
{
	fputs("\n## ops\n\n"
	      "One line for each class of instructions: `int: {unit: alu, latency: 4, interval: 2}`. `unit` "
	      "is the\n"
	      "pipe of a scheduler that the class takes, `latency` the cycles from issue to the issue of a "
	      "dependent\n"
	      "instruction (0 to 10000; not used by memory classes), `interval` the cycles for which the "
	      "pipe is\n"
	      "taken (0 to 1000).\n\n"
	      "| class | covers |\n|---|---|\n",
	      out);
#define X(NAME, name, doc) fputs("| `" name "` | " doc " |\n", out);
	OP_CLASSES(X)
#undef X
}

char *machine_describe_keys(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	fputs(
	    "# Keys of a machine file\n\n"
	    "Written by `sluice machine keys`; the source is `src/machine/keys.def`.\n\n"
	    "Every key must be given, in the file or in the one that it names with `extends:`. Unknown "
	    "keys,\n"
	    "wrong types and values outside their range are errors. Sizes (unit B) may be written `16K`, "
	    "`16KiB`\n"
	    "or `1.5MiB`, with 1 KiB = 1024 B. In addition to the sections below a file has `name`, `title` (one "
	    "line),\n"
	    "`source` (where the numbers come from) and, if it builds on another machine, `extends`.\n",
	    out);
	write_sections(out);
	write_classes(out);
	write_words(out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
