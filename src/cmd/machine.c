/* sluice machine: what machines there are, what one consists of, what its keys mean. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/help.h"
#include "cmd/cmd.h"
#include "machine/catalog.h"
#include "machine/machine.h"
#include "report/run_json.h"

enum { VALUE_SIZE = 64, NAME_SIZE = 64, WARNINGS_SHOWN = 8 };

static const struct command_action actions[] = {
    {"list", "", "the machines that can be simulated"},
    {"show", "MACHINE|FILE [--json FILE|-]",
     "every value of one machine, its unit and the line that it comes from"},
    {"diff", "MACHINE|FILE [MACHINE|FILE] [--set KEY=VALUE]... [--json FILE|-]",
     "the keys in which a machine differs from another, or from itself with --set"},
    {"keys", "", "what every key of a machine file means (docs/machine-keys.md)"},
    {NULL, NULL, NULL},
};
static const struct command command = {
    .name = "machine",
    .actions = actions,
    .footer = "Machine files are looked for in $SLUICE_MACHINES, or in those that come with sluice.\n",
};

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice machine: %s\n", err->text);
	return 2;
}

static int refuse(const char *what, const char *word)
{
	fprintf(stderr, "sluice machine: %s '%s'; see 'sluice machine --help'\n", what, word);
	return 2;
}

/* Everything was written, or says why not. */
static int finish(FILE *out, const char *path)
{
	if (!fflush(out) && !ferror(out))
		return 0;
	fprintf(stderr, "sluice machine: cannot write %s: %s\n", path, strerror(errno));
	return 2;
}

static int list_machines(int argc, char **argv)
{
	struct machine_summary *list;
	struct error err;
	size_t count, width = 0;
	if (argc > 0)
		return refuse("unexpected argument", argv[0]);
	if (!machine_list(&list, &count, &err))
		return fail(&err);
	for (size_t i = 0; i < count; i++)
		width = strlen(list[i].name) > width ? strlen(list[i].name) : width;
	for (size_t i = 0; i < count; i++)
		printf("%-*s  %s\n", (int)width, list[i].name,
		       list[i].title ? list[i].title : "(cannot be read; try 'sluice machine show')");
	machine_list_free(list, count);
	return finish(stdout, "the list");
}

/* One line of the table that `show` prints. */
struct row {
	char name[NAME_SIZE], value[VALUE_SIZE];
	const char *unit, *origin, *doc;
};

static struct row plain_row(const struct machine *m, const struct machine_key *key)
{
	struct row row = {
	    .unit = key->unit, .origin = machine_origin(m, key->section, key->key), .doc = key->doc};
	snprintf(row.name, sizeof row.name, "%s", key->key);
	machine_format_value(m, key, row.value, sizeof row.value);
	return row;
}

/* The three keys of an instruction class in one line; origin: that of the latency. */
static struct row class_row(const struct machine *m, const struct machine_key keys[3])
{
	struct row row = plain_row(m, &keys[1]);
	char unit[VALUE_SIZE], latency[VALUE_SIZE], interval[VALUE_SIZE];
	machine_format_value(m, &keys[0], unit, sizeof unit);
	machine_format_value(m, &keys[1], latency, sizeof latency);
	machine_format_value(m, &keys[2], interval, sizeof interval);
	*strchr(row.name, '.') = '\0';
	snprintf(row.value, sizeof row.value, "%.8s %.8s/%.8s", unit, latency, interval);
	row.doc = "pipe, latency/interval";
	return row;
}

/* A table of rows, each section headed by its name; the caller frees it. */
static struct row *make_rows(const struct machine *m, const char **sections, size_t *count)
{
	size_t key_count;
	const struct machine_key *keys = machine_keys(&key_count);
	struct row *rows = calloc(key_count, sizeof *rows);
	*count = 0;
	for (size_t i = 0; rows && i < key_count; (*count)++) {
		bool class = !strcmp(keys[i].section, "ops");
		sections[*count] = keys[i].section;
		rows[*count] = class ? class_row(m, &keys[i]) : plain_row(m, &keys[i]);
		i += class ? 3 : 1;
	}
	return rows;
}

static int max_width(int width, const char *text)
{
	return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void print_rows(const struct row *rows, const char *const *sections, size_t count)
{
	int name = 0, value = 0, unit = 0, origin = 0;
	for (size_t i = 0; i < count; i++) {
		name = max_width(name, rows[i].name);
		value = max_width(value, rows[i].value);
		unit = max_width(unit, rows[i].unit);
		origin = max_width(origin, rows[i].origin);
	}
	for (size_t i = 0; i < count; i++) {
		if (!i || strcmp(sections[i], sections[i - 1]))
			printf("\n%s\n", sections[i]);
		printf("  %-*s  %*s  %-*s  %-*s  %s\n", name, rows[i].name, value, rows[i].value, unit,
		       rows[i].unit, origin, rows[i].origin, rows[i].doc);
	}
}

static void print_source(const char *source)
{
	while (*source) {
		size_t line = strcspn(source, "\n");
		printf("  %.*s\n", (int)line, source);
		source += line + (source[line] == '\n');
	}
}

static int print_machine(const struct machine *m)
{
	size_t key_count, count;
	machine_keys(&key_count);
	const char **sections = calloc(key_count, sizeof *sections);
	struct row *rows = sections ? make_rows(m, sections, &count) : NULL;
	if (rows) {
		printf("%s: %s\n", m->name, m->title);
		print_source(m->source);
		print_rows(rows, sections, count);
	}
	free(rows);
	free(sections);
	return rows ? finish(stdout, "the table") : 2;
}

static json_t *value_json(const struct machine *m, const struct machine_key *key)
{
	char text[VALUE_SIZE];
	machine_format_value(m, key, text, sizeof text);
	switch (key->type) {
	case MACHINE_U32:
		return json_integer((json_int_t)strtoull(text, NULL, 10));
	case MACHINE_REAL:
		return json_real(strtod(text, NULL));
	case MACHINE_BOOL:
		return json_boolean(!strcmp(text, "yes"));
	default:
		return json_string(text);
	}
}

static json_t *machine_json(const struct machine *m)
{
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	json_t *values = json_object();
	for (size_t i = 0; i < count; i++) {
		json_t *section = json_object_get(values, keys[i].section);
		if (!section) {
			section = json_object();
			json_object_set_new(values, keys[i].section, section);
		}
		json_object_set_new(section, keys[i].key,
		                    json_pack("{s:o, s:s, s:o}", "value", value_json(m, &keys[i]), "unit",
		                              keys[i].unit, "origin",
		                              json_text(machine_origin(m, keys[i].section, keys[i].key))));
	}
	return json_pack("{s:s, s:s, s:s, s:o}", "name", m->name, "title", m->title, "source", m->source,
	                 "values", values);
}

static int write_json(const struct machine *m, const char *path)
{
	bool to_stdout = !strcmp(path, "-");
	FILE *out = to_stdout ? stdout : fopen(path, "w");
	if (!out) {
		fprintf(stderr, "sluice machine: cannot write %s: %s\n", path, strerror(errno));
		return 2;
	}
	json_t *json = machine_json(m);
	json_dumpf(json, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(json);
	int rc = finish(out, path);
	if (!to_stdout && fclose(out) && !rc) {
		fprintf(stderr, "sluice machine: cannot write %s: %s\n", path, strerror(errno));
		return 2;
	}
	return rc;
}

static void print_warnings(const struct machine *m)
{
	struct error texts[WARNINGS_SHOWN];
	size_t count = machine_warn(m, texts, WARNINGS_SHOWN);
	for (size_t i = 0; i < count && i < WARNINGS_SHOWN; i++)
		fprintf(stderr, "sluice machine: warning: %s\n", texts[i].text);
}

static int show_machine(int argc, char **argv)
{
	const char *name = NULL, *json = NULL;
	for (int i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--json")) {
			if (++i == argc)
				return refuse("no file after", "--json");
			json = argv[i];
		} else if (argv[i][0] == '-' || name) {
			return refuse("unexpected argument", argv[i]);
		} else {
			name = argv[i];
		}
	}
	if (!name)
		return refuse("no machine named after", "show");
	struct error err;
	const char *const inputs[] = {name, NULL};
	struct machine *m = output_is_no_input(json, inputs, &err) ? machine_load(name, &err) : NULL;
	if (!m)
		return fail(&err);
	print_warnings(m);
	int rc = json ? write_json(m, json) : print_machine(m);
	machine_free(m);
	return rc;
}

static int print_keys(int argc, char **argv)
{
	if (argc > 0)
		return refuse("unexpected argument", argv[0]);
	char *text = machine_describe_keys();
	if (!text)
		return fail(&(struct error){"out of memory"});
	fputs(text, stdout);
	free(text);
	return finish(stdout, "the reference");
}

int cmd_machine(int argc, char **argv)
{
	if (argc < 2 || help_asked(argv[1]))
		return help_show(&command, argc < 2 ? HELP_NONE : help_asked(argv[1]));
	if (!strcmp(argv[1], "list"))
		return list_machines(argc - 2, argv + 2);
	if (!strcmp(argv[1], "show"))
		return show_machine(argc - 2, argv + 2);
	if (!strcmp(argv[1], "diff"))
		return cmd_machine_diff(argc - 2, argv + 2);
	if (!strcmp(argv[1], "keys"))
		return print_keys(argc - 2, argv + 2);
	return refuse("unknown action", argv[1]);
}
