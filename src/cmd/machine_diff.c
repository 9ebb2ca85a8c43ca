/* sluice machine diff: the keys in which two machines differ. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "machine/catalog.h"
#include "report/run_json.h"
#include "report/table.h"
#include "run/run.h"

enum { VALUE_SIZE = 64 };

static const char NAME[] = "machine";

struct request {
	const char *name[2]; /* the second may be missing: the first, changed */
	const char *json;
	struct arg_texts changes; /* to the second */
	struct machine *machine[2];
};

static bool refuse(struct error *err, const char *what, const char *word)
{
	return error_set(err, "%s '%s'; see 'sluice machine --help'", what, word);
}

/* diff A [B] [--set KEY=VALUE]... [--json FILE] */
static bool parse(struct request *r, int argc, char **argv, struct error *err)
{
	for (int i = 0; i < argc; i++) {
		bool json = !strcmp(argv[i], "--json"), set = !strcmp(argv[i], "--set");
		if ((json || set) && i + 1 == argc)
			return refuse(err, "no value after", argv[i]);
		if (json && r->json)
			return refuse(err, "given twice:", argv[i]);
		if (set && r->changes.count == ARG_TEXTS_MAX)
			return refuse(err, "too many times:", argv[i]);
		if (json)
			r->json = argv[++i];
		else if (set)
			r->changes.text[r->changes.count++] = argv[++i];
		else if (argv[i][0] == '-' || r->name[1])
			return refuse(err, "unexpected argument", argv[i]);
		else
			r->name[r->name[0] != NULL] = argv[i];
	}
	if (!r->name[0] || (!r->name[1] && !r->changes.count))
		return refuse(err, "two machines are needed, or one and --set, after", "diff");
	const char *const inputs[] = {r->name[0], r->name[1], NULL};
	return output_is_no_input(r->json, inputs, err) && command_check_output(r->json, err);
}

static bool load(struct request *r, struct error *err)
{
	r->machine[0] = machine_load(r->name[0], err);
	if (!r->machine[0])
		return false;
	r->machine[1] = r->name[1] ? machine_load(r->name[1], err) : machine_copy(r->machine[0], err);
	return r->machine[1] && config_change(r->machine[1], r->changes.text, r->changes.count, err);
}

/* A key of which the machines have different values, as they spell them. */
struct difference {
	const struct machine_key *key;
	char value[2][VALUE_SIZE];
};

static size_t compare(const struct request *r, struct difference *found)
{
	size_t count, n = 0;
	const struct machine_key *keys = machine_keys(&count);
	for (size_t i = 0; i < count; i++) {
		struct difference d = {.key = &keys[i]};
		for (int k = 0; k < 2; k++)
			machine_format_value(r->machine[k], &keys[i], d.value[k], sizeof d.value[k]);
		if (strcmp(d.value[0], d.value[1]))
			found[n++] = d;
	}
	return n;
}

static void print(const struct request *r, const struct difference *found, size_t count)
{
	const char *changed = r->changes.count ? " (changed)" : "";
	char second[128];
	snprintf(second, sizeof second, "%s%s", r->machine[1]->name, changed);
	const struct table_column columns[] = {
	    {.title = "key", .align = TABLE_LEFT},
	    {.title = r->machine[0]->name},
	    {.title = second},
	    {.title = "unit", .align = TABLE_LEFT},
	    {.title = "from", .align = TABLE_LEFT},
	    {.title = "from", .align = TABLE_LEFT},
	};
	printf("%s: %s\n%s: %s\n", r->machine[0]->name, r->machine[0]->title, second, r->machine[1]->title);
	if (!count) {
		puts("no key differs");
		return;
	}
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < count; i++) {
		const struct machine_key *key = found[i].key;
		table_add(table, "%s.%s", key->section, key->key);
		table_add(table, "%s", found[i].value[0]);
		table_add(table, "%s", found[i].value[1]);
		table_add(table, "%s", key->unit);
		for (int k = 0; k < 2; k++)
			table_add(table, "%s", machine_origin(r->machine[k], key->section, key->key));
	}
	putchar('\n');
	table_print(table, stdout, "");
	table_free(table);
	size_t all;
	machine_keys(&all);
	printf("\n%zu of %zu keys differ\n", count, all);
}

static json_t *value_json(const struct machine_key *key, const char *text)
{
	switch (key->type) {
	case MACHINE_U32:
		return json_integer((json_int_t)strtoull(text, NULL, 10));
	case MACHINE_REAL:
		return json_number(strtod(text, NULL));
	case MACHINE_BOOL:
		return json_boolean(!strcmp(text, "yes"));
	default:
		return json_text(text);
	}
}

static char *write_json(const struct request *r, const struct difference *found, size_t count)
{
	json_t *list = json_array(), *changes = json_array();
	for (size_t i = 0; i < r->changes.count; i++)
		json_array_append_new(changes, json_text(r->changes.text[i]));
	for (size_t i = 0; i < count; i++) {
		const struct machine_key *key = found[i].key;
		char name[2 * VALUE_SIZE];
		snprintf(name, sizeof name, "%s.%s", key->section, key->key);
		json_t *values = json_array(), *origins = json_array();
		for (int k = 0; k < 2; k++) {
			json_array_append_new(values, value_json(key, found[i].value[k]));
			json_array_append_new(
			    origins, json_text(machine_origin(r->machine[k], key->section, key->key)));
		}
		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o}", "key", name, "unit", key->unit,
		                                      "values", values, "origins", origins));
	}
	return json_finish(json_pack("{s:s, s:i, s:[o,o], s:o, s:o}", "format", "sluice machine diff",
	                             "version", 1, "machines", json_text(r->machine[0]->name),
	                             json_text(r->machine[1]->name), "changes", changes, "differences",
	                             list));
}

static bool report(const struct request *r, struct error *err)
{
	size_t all;
	machine_keys(&all);
	struct difference *found = calloc(all, sizeof *found);
	if (!found)
		return error_set(err, "out of memory");
	size_t count = compare(r, found);
	bool ok = true;
	if (!command_is_stdout(r->json))
		print(r, found, count);
	if (r->json) {
		char *text = write_json(r, found, count);
		ok = command_write(r->json, text, err);
		free(text);
	}
	free(found);
	return ok && command_flush(err);
}

int cmd_machine_diff(int argc, char **argv)
{
	struct request r = {0};
	struct error err = {{0}};
	bool ok = parse(&r, argc, argv, &err) && load(&r, &err) && report(&r, &err);
	for (int k = 0; k < 2; k++)
		if (r.machine[k])
			machine_free(r.machine[k]);
	return ok ? 0 : command_fail(NAME, &err);
}
