/* sluice results: lists, shows, queries and exports what the results database holds, and cleans it up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "store/query.h"

static const struct command_action actions[] = {
    {"list", "[--where SQL] [--limit N]", "list runs, the latest first", NULL},
    {"show", "KEY", "show everything about the run whose key begins with KEY", NULL},
    {"query", "SQL", "answer a question in SQL; docs/results.md describes the tables", NULL},
    {"export", "--csv FILE [--where SQL]", "write all runs with all values", NULL},
    {"gc", "[--old]", "remove failed runs; with --old, also those of other versions of the model", NULL},
    {NULL, NULL, NULL, NULL},
};
static const struct command command = {.name = "results",
                                       .operand = "action",
                                       .actions = actions,
                                       .footer = "Exit status: 0 done, 2 bad input.\n"};

struct request {
	const char *db, *where, *csv;
	uint64_t limit;
	bool old, help;
	struct store *store;
};

/* Return "SELECT columns FROM runs" with the condition of --where, in this order; the caller frees it. */
static char *select_runs(const struct request *r, const char *columns, const char *order)
{
	char *sql = NULL;
	size_t bytes;
	FILE *text = memory_stream_open(&sql, &bytes);
	fprintf(text, "SELECT %s FROM runs", columns);
	if (r->where)
		fprintf(text, " WHERE %s", r->where);
	fprintf(text, " ORDER BY %s", order);
	memory_stream_close(text);
	return sql;
}

static bool list(const struct request *r, struct error *err)
{
	char order[64];
	snprintf(order, sizeof order, "id DESC LIMIT %llu", (unsigned long long)r->limit);
	char *sql = select_runs(r,
	                        "substr(key, 1, 12) AS key, status, workload, arguments, machine, changes, "
	                        "policy, ipc, wall_s, finished",
	                        order);
	bool ok = query_print(r->store, sql, QUERY_TABLE, stdout, err);
	free(sql);
	return ok;
}

static bool export_csv(const struct request *r, struct error *err)
{
	char *text = NULL;
	size_t bytes;
	if (!r->csv)
		return error_set(err, "export: --csv FILE is missing");
	if (!command_check_output(r->csv, err))
		return false;
	char *sql = select_runs(r, "*", "id");
	FILE *out = memory_stream_open(&text, &bytes);
	bool ok = query_print(r->store, sql, QUERY_CSV, out, err);
	free(sql);
	memory_stream_close(out);
	ok = ok && command_write(r->csv, text, err);
	free(text);
	return ok;
}

static bool collect(const struct request *r, struct error *err)
{
	size_t removed;
	if (!store_collect(r->store, r->old, &removed, err))
		return false;
	printf("removed %zu runs from %s\n", removed, store_path(r->store));
	return true;
}

static bool check_action(const char *action, const char *operand, struct error *err)
{
	bool known = false, wants = !strcmp(action, "show") || !strcmp(action, "query");
	struct suggest near = suggest_start(action);
	for (const struct command_action *a = actions; a->name; a++) {
		known |= !strcmp(a->name, action);
		suggest_offer(&near, a->name);
	}
	if (!known)
		return error_set(err, "unknown action '%s'%s%s%s", action,
		                 near.best ? "; did you mean '" : "", near.best ? near.best : "",
		                 near.best ? "'?" : "; see 'sluice results --help'");
	return wants == (operand != NULL) ||
	       error_set(err, wants ? "%s: %s is missing" : "%s takes no argument", action,
	                 !strcmp(action, "show") ? "the key" : "the SQL");
}

static bool act(struct request *r, const char *action, const char *operand, struct error *err)
{
	switch (action[0]) {
	case 'l':
		return list(r, err);
	case 's':
		return query_print_run(r->store, operand, stdout, err);
	case 'q':
		return query_print(r->store, operand, QUERY_TABLE, stdout, err);
	case 'e':
		return export_csv(r, err);
	default:
		return collect(r, err);
	}
}

static int run(struct request *r, const char *action, const char *operand)
{
	struct error err;
	if (!check_action(action, operand, &err))
		return command_fail(command.name, &err);
	r->store = store_open(r->db, strcmp(action, "gc") ? STORE_READ : STORE_WRITE, &err);
	if (!r->store)
		return command_fail(command.name, &err);
	int rc = act(r, action, operand, &err) ? 0 : command_fail(command.name, &err);
	return store_close(r->store, &err) ? rc : command_fail(command.name, &err);
}

int cmd_results(int argc, char **argv)
{
	struct request r = {.limit = 50};
	const struct arg args[] = {
	    {"--db", "FILE", "results database (~/.local/share/sluice/results.db)", .text = &r.db},
	    {"--where", "SQL", "condition on the columns of the view runs: \"workload = 'atax'\"",
	     .text = &r.where},
	    {"--limit", "N", "most rows of list (50)", .number = &r.limit, .min = 1, .max = 1000000000},
	    {"--csv", "FILE", "file that export writes; - for standard output", .text = &r.csv},
	    {"--old", NULL, "for gc: also remove runs of other versions of the model", .flag = &r.old},
	    {"--help", NULL, "this text", .flag = &r.help},
	};
	const char *operand = NULL, *action = argc > 1 ? argv[1] : "--help";
	char asked[] = "--help", *words[] = {argv[0], asked, NULL};
	bool moved = action[0] != '-';
	int rc;
	if (argc < 2) {
		argc = 2;
		argv = words;
	}
	if (moved)
		argv[1] = argv[0];
	if (!command_parse(&command, argc - moved, argv + moved, args, sizeof args / sizeof *args, &r.help,
	                   &operand, &rc))
		return rc;
	return moved ? run(&r, action, operand) : help_show(&command, HELP_NONE);
}
