/* Machines and their differences, as tables and as JSON. */
#include "report/machine_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "report/table.h"

/* ---- one machine, as a table ------------------------------------------------------------------------------ */

enum { NAME_SIZE = 64, CELLS = 4 /* columns that are aligned */ };

struct row {
	char name[NAME_SIZE], value[MACHINE_VALUE_SIZE];
	const char *section, *unit, *origin, *doc;
};

static struct row plain_row(const struct machine *m, const struct machine_key *key)
{
	struct row row = {.section = key->section,
	                  .unit = key->unit,
	                  .origin = machine_origin(m, key->section, key->key),
	                  .doc = key->doc};
	snprintf(row.name, sizeof row.name, "%s", key->key);
	machine_format_value(m, key, row.value, sizeof row.value);
	return row;
}

/* The three keys of an instruction class in one line, with the origin of the latency. */
static struct row class_row(const struct machine *m, const struct machine_key keys[3])
{
	struct row row = plain_row(m, &keys[1]);
	char text[3][MACHINE_VALUE_SIZE];
	for (int i = 0; i < 3; i++)
		machine_format_value(m, &keys[i], text[i], sizeof text[i]);
	*strchr(row.name, '.') = '\0';
	snprintf(row.value, sizeof row.value, "%.8s %.8s/%.8s", text[0], text[1], text[2]);
	row.doc = "pipe, latency/interval";
	return row;
}

static size_t make_rows(const struct machine *m, struct row **rows)
{
	size_t key_count, count = 0;
	const struct machine_key *keys = machine_keys(&key_count);
	*rows = memory_zeroed(key_count, sizeof **rows);
	for (size_t i = 0; i < key_count; count++) {
		bool class = !strcmp(keys[i].section, "ops");
		(*rows)[count] = class ? class_row(m, &keys[i]) : plain_row(m, &keys[i]);
		i += class ? 3 : 1;
	}
	return count;
}

static void widen(int *width, const char *text)
{
	int length = (int)strlen(text);
	*width = length > *width ? length : *width;
}

static void print_source(FILE *out, const char *source)
{
	while (*source) {
		size_t line = strcspn(source, "\n");
		fprintf(out, "  %.*s\n", (int)line, source);
		source += line + (source[line] == '\n');
	}
}

void machine_report_print(FILE *out, const struct machine *m)
{
	struct row *rows;
	size_t count = make_rows(m, &rows);
	int width[CELLS] = {0};
	for (size_t i = 0; i < count; i++) {
		const char *const cells[CELLS] = {rows[i].name, rows[i].value, rows[i].unit, rows[i].origin};
		for (int c = 0; c < CELLS; c++)
			widen(&width[c], cells[c]);
	}
	fprintf(out, "%s: %s\n", m->name, m->title);
	print_source(out, m->source);
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];
		if (!i || strcmp(row->section, rows[i - 1].section))
			fprintf(out, "\n%s\n", row->section);
		fprintf(out, "  %-*s  %*s  %-*s  %-*s  %s\n", width[0], row->name, width[1], row->value,
		        width[2], row->unit, width[3], row->origin, row->doc);
	}
	free(rows);
}

/* ---- one machine, as JSON --------------------------------------------------------------------------------- */

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

char *machine_report_json(const struct machine *m)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	json_t *values = json_object();
	for (size_t i = 0; i < count; i++) {
		const struct machine_key *key = &keys[i];
		char text[MACHINE_VALUE_SIZE];
		json_t *section = json_object_get(values, key->section);
		if (!section) {
			section = json_object();
			json_object_set_new(values, key->section, section);
		}
		machine_format_value(m, key, text, sizeof text);
		json_object_set_new(section, key->key,
		                    json_pack("{s:o, s:s, s:o}", "value", value_json(key, text), "unit",
		                              key->unit, "origin",
		                              json_text(machine_origin(m, key->section, key->key))));
	}
	return json_finish(json_pack("{s:s, s:s, s:s, s:o}", "name", m->name, "title", m->title, "source",
	                             m->source, "values", values));
}

/* ---- differences ------------------------------------------------------------------------------------------ */

void machine_comparison_print(FILE *out, const struct machine_comparison *c)
{
	const struct machine *first = c->machine[0];
	char second[128];
	snprintf(second, sizeof second, "%s%s", c->machine[1]->name, c->change_count ? " (changed)" : "");
	const struct table_column columns[] = {
	    {.title = "key", .align = TABLE_LEFT},
	    {.title = first->name},
	    {.title = second},
	    {.title = "unit", .align = TABLE_LEFT},
	    {.title = "from", .align = TABLE_LEFT},
	    {.title = "from", .align = TABLE_LEFT},
	};
	fprintf(out, "%s: %s\n%s: %s\n", first->name, first->title, second, c->machine[1]->title);
	if (!c->count) {
		fputs("no key differs\n", out);
		return;
	}
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < c->count; i++) {
		const struct machine_key *key = c->found[i].key;
		table_add(table, "%s.%s", key->section, key->key);
		for (int k = 0; k < 2; k++)
			table_add(table, "%s", c->found[i].value[k]);
		table_add(table, "%s", key->unit);
		for (int k = 0; k < 2; k++)
			table_add(table, "%s", machine_origin(c->machine[k], key->section, key->key));
	}
	fputc('\n', out);
	table_print(table, out, "");
	table_free(table);
	size_t all;
	machine_keys(&all);
	fprintf(out, "\n%zu of %zu keys differ\n", c->count, all);
}

char *machine_comparison_json(const struct machine_comparison *c)
{
	json_t *list = json_array(), *changes = json_array();
	for (size_t i = 0; i < c->change_count; i++)
		json_array_append_new(changes, json_text(c->changes[i]));
	for (size_t i = 0; i < c->count; i++) {
		const struct machine_key *key = c->found[i].key;
		char name[2 * NAME_SIZE];
		snprintf(name, sizeof name, "%s.%s", key->section, key->key);
		json_t *values = json_array(), *origins = json_array();
		for (int k = 0; k < 2; k++) {
			json_array_append_new(values, value_json(key, c->found[i].value[k]));
			json_array_append_new(
			    origins, json_text(machine_origin(c->machine[k], key->section, key->key)));
		}
		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o}", "key", name, "unit", key->unit,
		                                      "values", values, "origins", origins));
	}
	return json_finish(json_pack("{s:s, s:i, s:[o,o], s:o, s:o}", "format", "sluice machine diff",
	                             "version", 1, "machines", json_text(c->machine[0]->name),
	                             json_text(c->machine[1]->name), "changes", changes, "differences",
	                             list));
}
