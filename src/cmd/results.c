/* sluice results: what is in the results database. */
#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/run_json.h"
#include "report/table.h"
#include "store/store.h"

static const struct command_action actions[] = {
    {"list", "[--where SQL] [--limit N]", "runs, the latest first"},
    {"show", "KEY", "everything about one: key, or its beginning"},
    {"query", "SQL", "any question; docs/results.md has the tables"},
    {"export", "--csv FILE [--where SQL]", "all runs with all values"},
    {"gc", "[--old]", "remove failed runs; --old: those of other models, too"},
    {NULL, NULL, NULL},
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

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice results: %s\n", err->text);
	return 2;
}

static int fail_sql(const struct request *r)
{
	struct error err;
	error_set(&err, "%s: %s", store_path(r->store), sqlite3_errmsg(store_handle(r->store)));
	return fail(&err);
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

static int write_csv(const struct request *r, sqlite3_stmt *query, FILE *out)
{
	int columns = sqlite3_column_count(query), rc;
	for (int i = 0; i < columns; i++) {
		fputs(i ? "," : "", out);
		table_put_csv(out, sqlite3_column_name(query, i));
	}
	fputc('\n', out);
	while ((rc = sqlite3_step(query)) == SQLITE_ROW) {
		for (int i = 0; i < columns; i++) {
			const char *text = (const char *)sqlite3_column_text(query, i);
			fputs(i ? "," : "", out);
			table_put_csv(out, text ? text : "");
		}
		fputc('\n', out);
	}
	return rc == SQLITE_DONE ? 0 : fail_sql(r);
}

/* As a table if it is narrow, else as CSV. */
static int print_rows(const struct request *r, sqlite3_stmt *query)
{
	int columns = sqlite3_column_count(query), rc;
	struct table_column head[TABLE_MAX_COLUMNS];
	if (columns > TABLE_MAX_COLUMNS)
		return write_csv(r, query, stdout);
	for (int i = 0; i < columns; i++)
		head[i] = (struct table_column){sqlite3_column_name(query, i), TABLE_LEFT, 60};
	struct table *table = table_new(head, (size_t)columns);
	while ((rc = sqlite3_step(query)) == SQLITE_ROW)
		for (int i = 0; i < columns; i++) {
			if (sqlite3_column_type(query, i) == SQLITE_FLOAT) {
				table_add(table, "%.6g", sqlite3_column_double(query, i));
				continue;
			}
			const char *text = (const char *)sqlite3_column_text(query, i);
			table_add(table, "%s", text ? text : "");
		}
	if (rc == SQLITE_DONE)
		table_print(table, stdout, "");
	table_free(table);
	return rc == SQLITE_DONE ? 0 : fail_sql(r);
}

static int ask(const struct request *r, const char *sql, FILE *csv)
{
	sqlite3_stmt *query;
	if (sqlite3_prepare_v2(store_handle(r->store), sql, -1, &query, NULL) != SQLITE_OK)
		return fail_sql(r);
	int rc = !query ? 0 : csv ? write_csv(r, query, csv) : print_rows(r, query);
	sqlite3_finalize(query);
	return rc;
}

/* ---- commands --------------------------------------------------------------------------------------------- */

/* "SELECT columns FROM runs", those of --where, in this order; the caller frees it. */
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

static int list(const struct request *r)
{
	char order[64];
	snprintf(order, sizeof order, "id DESC LIMIT %llu", (unsigned long long)r->limit);
	char *sql = select_runs(r,
	                        "substr(key, 1, 12) AS key, status, workload, arguments, machine, changes, "
	                        "policy, ipc, wall_s, finished",
	                        order);
	int rc = ask(r, sql, NULL);
	free(sql);
	return rc;
}

/* One row, a line per column that has a value. */
static int show(const struct request *r, const char *key)
{
	sqlite3_stmt *query;
	struct error err;
	if (sqlite3_prepare_v2(store_handle(r->store), "SELECT * FROM runs WHERE key GLOB ? || '*' LIMIT 2",
	                       -1, &query, NULL) != SQLITE_OK)
		return fail_sql(r);
	sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC);
	bool found = strspn(key, "0123456789abcdef") == strlen(key) && sqlite3_step(query) == SQLITE_ROW;
	char *row = NULL;
	size_t bytes;
	FILE *out = memory_stream_open(&row, &bytes);
	for (int i = 0; found && i < sqlite3_column_count(query); i++)
		if (sqlite3_column_type(query, i) != SQLITE_NULL)
			fprintf(out, "%-28s %s\n", sqlite3_column_name(query, i),
			        sqlite3_column_text(query, i));
	memory_stream_close(out);
	bool more = found && sqlite3_step(query) == SQLITE_ROW, one = found && !more;
	sqlite3_finalize(query);
	if (one)
		fputs(row, stdout);
	free(row);
	if (one)
		return 0;
	error_set(&err, found ? "more than one run begins with '%s'" : "no run begins with '%s'", key);
	return fail(&err);
}

static int export_csv(const struct request *r)
{
	struct error err;
	char *text = NULL;
	size_t bytes;
	bool to_stdout = r->csv && !strcmp(r->csv, "-");
	if (!r->csv) {
		error_set(&err, "export: --csv FILE is missing");
		return fail(&err);
	}
	if (!to_stdout && !output_check(r->csv, &err))
		return fail(&err);
	char *sql = select_runs(r, "*", "id");
	FILE *out = to_stdout ? stdout : memory_stream_open(&text, &bytes);
	int rc = ask(r, sql, out);
	free(sql);
	if (to_stdout)
		return rc;
	memory_stream_close(out);
	if (!rc && !output_write(r->csv, text, bytes, &err))
		rc = fail(&err);
	free(text);
	return rc;
}

static int collect(const struct request *r)
{
	struct error err;
	size_t removed;
	if (!store_collect(r->store, r->old, &removed, &err))
		return fail(&err);
	printf("removed %zu runs from %s\n", removed, store_path(r->store));
	return 0;
}

static int run(struct request *r, const char *verb, const char *operand)
{
	static const char *const verbs[] = {"list", "show", "query", "export", "gc"};
	struct error err;
	bool known = false, wants = !strcmp(verb, "show") || !strcmp(verb, "query");
	struct suggest near = suggest_start(verb);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		known |= !strcmp(verbs[i], verb);
		suggest_offer(&near, verbs[i]);
	}
	if (!known || wants != (operand != NULL)) {
		if (!known)
			error_set(&err, "unknown command '%s'%s%s%s", verb,
			          near.best ? "; did you mean '" : "", near.best ? near.best : "",
			          near.best ? "'?" : "; see 'sluice results --help'");
		else
			error_set(&err, wants ? "%s: %s is missing" : "%s takes no argument", verb,
			          !strcmp(verb, "show") ? "the key" : "the SQL");
		return fail(&err);
	}
	r->store = store_open(r->db, strcmp(verb, "gc") ? STORE_READ : STORE_WRITE, &err);
	if (!r->store)
		return fail(&err);
	int rc = !strcmp(verb, "list")     ? list(r)
	         : !strcmp(verb, "show")   ? show(r, operand)
	         : !strcmp(verb, "query")  ? ask(r, operand, NULL)
	         : !strcmp(verb, "export") ? export_csv(r)
	                                   : collect(r);
	if (!store_close(r->store, &err))
		rc = fail(&err);
	if (!rc && (fflush(stdout) || ferror(stdout))) {
		error_set(&err, "cannot write to standard output: %s", strerror(errno));
		rc = fail(&err);
	}
	return rc;
}

int cmd_results(int argc, char **argv)
{
	struct request r = {.limit = 50};
	const struct arg args[] = {
	    {"--db", "FILE", "results database (~/.local/share/sluice/results.db)", .text = &r.db},
	    {"--where", "SQL", "condition on the columns of the view runs: \"workload = 'atax'\"",
	     .text = &r.where},
	    {"--limit", "N", "rows of list (50)", .number = &r.limit, .min = 1, .max = 1000000000},
	    {"--csv", "FILE", "where export writes; - for standard output", .text = &r.csv},
	    {"--old", NULL, "gc: remove runs of other versions of the model, too", .flag = &r.old},
	    {"--help", NULL, "this text", .flag = &r.help},
	};
	const char *operand = NULL, *verb = argc > 1 ? argv[1] : "--help";
	char asked[] = "--help", *words[] = {argv[0], asked, NULL};
	bool moved = verb[0] != '-';
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
	return moved ? run(&r, verb, operand) : help_show(&command, HELP_NONE);
}
