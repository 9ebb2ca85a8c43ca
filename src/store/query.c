/* Questions to the results database in SQL, and their answers as text. */
#include "store/query.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/table.h"

static bool fail(struct store *store, struct error *err)
{
	return error_set(err, "%s: %s", store_path(store), sqlite3_errmsg(store_handle(store)));
}

static const char *cell(sqlite3_stmt *query, int column)
{
	const char *text = (const char *)sqlite3_column_text(query, column);
	return text ? text : "";
}

/* Write the rows; return what sqlite3_step() ended with. */
static int write_csv(sqlite3_stmt *query, FILE *out)
{
	int columns = sqlite3_column_count(query), rc = SQLITE_ROW;
	for (bool head = true; rc == SQLITE_ROW; head = false, rc = sqlite3_step(query)) {
		for (int i = 0; i < columns; i++) {
			fputs(i ? "," : "", out);
			table_put_csv(out, head ? sqlite3_column_name(query, i) : cell(query, i));
		}
		fputc('\n', out);
	}
	return rc;
}

static int write_table(sqlite3_stmt *query, FILE *out)
{
	int columns = sqlite3_column_count(query), rc;
	struct table_column head[TABLE_MAX_COLUMNS];
	for (int i = 0; i < columns; i++)
		head[i] = (struct table_column){sqlite3_column_name(query, i), TABLE_LEFT, 60};
	struct table *table = table_new(head, (size_t)columns);
	while ((rc = sqlite3_step(query)) == SQLITE_ROW)
		for (int i = 0; i < columns; i++) {
			if (sqlite3_column_type(query, i) == SQLITE_FLOAT)
				table_add(table, "%.6g", sqlite3_column_double(query, i));
			else
				table_add(table, "%s", cell(query, i));
		}
	if (rc == SQLITE_DONE)
		table_print(table, out, "");
	table_free(table);
	return rc;
}

bool query_print(struct store *store, const char *sql, enum query_format format, FILE *out, struct error *err)
{
	sqlite3_stmt *query;
	if (sqlite3_prepare_v2(store_handle(store), sql, -1, &query, NULL) != SQLITE_OK)
		return fail(store, err);
	int rc = SQLITE_DONE;
	if (query && (format == QUERY_CSV || sqlite3_column_count(query) > TABLE_MAX_COLUMNS))
		rc = write_csv(query, out);
	else if (query)
		rc = write_table(query, out);
	bool ok = rc == SQLITE_DONE || fail(store, err);
	sqlite3_finalize(query);
	return ok;
}

bool query_print_run(struct store *store, const char *key, FILE *out, struct error *err)
{
	sqlite3_stmt *query;
	if (sqlite3_prepare_v2(store_handle(store), "SELECT * FROM runs WHERE key GLOB ? || '*' LIMIT 2", -1,
	                       &query, NULL) != SQLITE_OK)
		return fail(store, err);
	sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC);
	bool found = strspn(key, "0123456789abcdef") == strlen(key) && sqlite3_step(query) == SQLITE_ROW;
	char *row = NULL;
	size_t bytes;
	FILE *text = memory_stream_open(&row, &bytes);
	for (int i = 0; found && i < sqlite3_column_count(query); i++)
		if (sqlite3_column_type(query, i) != SQLITE_NULL)
			fprintf(text, "%-28s %s\n", sqlite3_column_name(query, i), cell(query, i));
	memory_stream_close(text);
	bool only = found && sqlite3_step(query) != SQLITE_ROW;
	sqlite3_finalize(query);
	if (only)
		fputs(row, out);
	else
		error_set(err, found ? "more than one run begins with '%s'" : "no run begins with '%s'", key);
	free(row);
	return only;
}
