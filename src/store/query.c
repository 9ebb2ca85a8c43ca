/* Questions to the results database in SQL, and their answers as text. */
#include "store/query.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/safe_text.h"
#include "report/table.h"

static bool fail(struct store *store, struct error *err)
{
	return error_set(err, "%s: %s", store_path(store), sqlite3_errmsg(store_handle(store)));
}

/* Copy a text for people: a database may come from anywhere, and terminals obey control characters. The caller frees it. */
static char *shown(const char *text)
{
	char *copy = memory_text(text ? text : "");
	safe_text(copy, strlen(copy), "\n\t");
	return copy;
}

static char *cell(sqlite3_stmt *query, int column)
{
	return shown((const char *)sqlite3_column_text(query, column));
}

static char *column_name(sqlite3_stmt *query, int column)
{
	return shown(sqlite3_column_name(query, column));
}

/* Write the rows; return what sqlite3_step() ended with. */
static int write_csv(sqlite3_stmt *query, FILE *out)
{
	int columns = sqlite3_column_count(query), rc = SQLITE_ROW;
	for (bool head = true; rc == SQLITE_ROW; head = false, rc = sqlite3_step(query)) {
		for (int i = 0; i < columns; i++) {
			fputs(i ? "," : "", out);
			char *text = head ? column_name(query, i) : cell(query, i);
			table_put_csv(out, text);
			free(text);
		}
		fputc('\n', out);
	}
	return rc;
}

static int write_table(sqlite3_stmt *query, FILE *out)
{
	int columns = sqlite3_column_count(query), rc;
	struct table_column head[TABLE_MAX_COLUMNS];
	char *names[TABLE_MAX_COLUMNS];
	for (int i = 0; i < columns; i++)
		head[i] = (struct table_column){names[i] = column_name(query, i), TABLE_LEFT, 60};
	struct table *table = table_new(head, (size_t)columns);
	while ((rc = sqlite3_step(query)) == SQLITE_ROW)
		for (int i = 0; i < columns; i++) {
			char *text = cell(query, i);
			if (sqlite3_column_type(query, i) == SQLITE_FLOAT)
				table_add(table, "%.6g", sqlite3_column_double(query, i));
			else
				table_add(table, "%s", text);
			free(text);
		}
	if (rc == SQLITE_DONE)
		table_print(table, out, "");
	table_free(table);
	for (int i = 0; i < columns; i++)
		free(names[i]);
	return rc;
}

/* Pragmas that only tell; the second column: whether they take an argument for it. */
static bool pragma_only_tells(const char *name, const char *argument)
{
	static const char *const about[] = {"table_info", "table_xinfo", "table_list",      "index_list",
	                                    "index_info", "index_xinfo", "integrity_check", "quick_check"},
	                         *const values[] = {"user_version",    "schema_version", "journal_mode",
	                                            "page_count",      "page_size",      "encoding",
	                                            "compile_options", "database_list",  "function_list"};
	for (size_t i = 0; i < sizeof about / sizeof *about; i++)
		if (!sqlite3_stricmp(name, about[i]))
			return true;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (!argument && !sqlite3_stricmp(name, values[i]))
			return true;
	return false;
}

/* Questions only: not even a pragma or VACUUM INTO changes a file. */
static int authorize(void *user, int action, const char *one, const char *two, const char *base,
                     const char *inner)
{
	bool *denied = user;
	(void)base, (void)inner;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_FUNCTION:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_PRAGMA:
		if (pragma_only_tells(one, two))
			return SQLITE_OK;
		break;
	default:
		break;
	}
	*denied = true;
	return SQLITE_DENY;
}

static bool fail_answer(struct store *store, bool denied, struct error *err)
{
	if (!denied)
		return fail(store, err);
	return error_set(
	    err,
	    "%s: only questions are answered (SELECT, and pragmas that tell something); this would "
	    "change or open a file",
	    store_path(store));
}

/* Prepare one question; NULL in *query: there was only a comment. */
static bool prepare(struct store *store, const char *sql, sqlite3_stmt **query, const bool *denied,
                    struct error *err)
{
	const char *rest;
	sqlite3_stmt *second = NULL;
	sqlite3 *db = store_handle(store);
	*query = NULL;
	if (sqlite3_prepare_v2(db, sql, -1, query, &rest) != SQLITE_OK)
		return fail_answer(store, *denied, err);
	bool more = *rest && (sqlite3_prepare_v2(db, rest, -1, &second, NULL) != SQLITE_OK || second);
	sqlite3_finalize(second);
	return !more || error_set(err, "one statement at a time: '%.60s' stands behind the first",
	                          rest + strspn(rest, " \n\t"));
}

bool query_print(struct store *store, const char *sql, enum query_format format, FILE *out, struct error *err)
{
	sqlite3_stmt *query;
	bool denied = false;
	/* Until the answer is complete: VACUUM asks when it is carried out. */
	sqlite3_set_authorizer(store_handle(store), authorize, &denied);
	bool ok = prepare(store, sql, &query, &denied, err);
	int rc = SQLITE_DONE;
	if (ok && query && (format == QUERY_CSV || sqlite3_column_count(query) > TABLE_MAX_COLUMNS))
		rc = write_csv(query, out);
	else if (ok && query)
		rc = write_table(query, out);
	ok = ok && (rc == SQLITE_DONE || fail_answer(store, denied, err));
	sqlite3_finalize(query);
	sqlite3_set_authorizer(store_handle(store), NULL, NULL);
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
		if (sqlite3_column_type(query, i) != SQLITE_NULL) {
			char *name = column_name(query, i), *value = cell(query, i);
			fprintf(text, "%-28s %s\n", name, value);
			free(value);
			free(name);
		}
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
