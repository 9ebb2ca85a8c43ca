/* Tables and views. Columns of counters, metrics and energy come from their lists, so a new counter is a new column. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/energy.h"
#include "stats/metrics.h"
#include "store/parts.h"

enum { SCHEMA_VERSION = 1 };

static const char TABLES[] =
    "CREATE TABLE IF NOT EXISTS run (\n"
    "  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, status TEXT NOT NULL, message TEXT,\n"
    "  workload TEXT, arguments TEXT, trace TEXT, machine TEXT, machine_id INTEGER REFERENCES machine(id),\n"
    "  changes TEXT, policy TEXT, look TEXT, kernels TEXT, max_insns INTEGER, cold_l2 INTEGER,\n"
    "  quantum INTEGER, sluice TEXT, model TEXT, host TEXT, finished TEXT, wall_s REAL);\n"
    "CREATE INDEX IF NOT EXISTS run_by_workload ON run (workload, policy, machine);\n"
    "CREATE TABLE IF NOT EXISTS machine (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT);\n"
    "CREATE TABLE IF NOT EXISTS machine_value (machine_id INTEGER REFERENCES machine(id), key TEXT, value,\n"
    "  PRIMARY KEY (machine_id, key)) WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS policy_param (run INTEGER REFERENCES run(id) ON DELETE CASCADE,\n"
    "  place INTEGER, policy TEXT, name TEXT, value REAL, PRIMARY KEY (run, place, name)) WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS policy_counter (run INTEGER REFERENCES run(id) ON DELETE CASCADE,\n"
    "  policy TEXT, name TEXT, value INTEGER, PRIMARY KEY (run, policy, name)) WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS series (run INTEGER REFERENCES run(id) ON DELETE CASCADE, launch INTEGER,\n"
    "  name TEXT, \"values\" TEXT, PRIMARY KEY (run, launch, name)) WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS detail (run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE,\n"
    "  json_zstd BLOB);\n"
    "CREATE TABLE IF NOT EXISTS trace_fact (trace TEXT, machine TEXT, name TEXT, value REAL,\n"
    "  PRIMARY KEY (trace, machine, name)) WITHOUT ROWID;\n"
    "CREATE TABLE IF NOT EXISTS trace_file (path TEXT PRIMARY KEY, bytes INTEGER, changed INTEGER,\n"
    "  low INTEGER, high INTEGER) WITHOUT ROWID;\n";

const char *store_column(const char *table, int i)
{
	static const char *const extras[] = {"total", "power"};
	if (!strcmp(table, "counter"))
		return i < COUNTER_COUNT ? counter_infos[i].name : NULL;
	if (!strcmp(table, "metric"))
		return i < METRIC_COUNT ? metric_infos[i].name : NULL;
	return i < ENERGY_COUNT       ? energy_parts[i].name
	       : i < ENERGY_COUNT + 2 ? extras[i - ENERGY_COUNT]
	                              : NULL;
}

static const char *const wide[] = {"counter", "metric", "energy"};

char *store_insert_sql(const char *table)
{
	char *sql = NULL;
	size_t bytes;
	FILE *text = memory_stream_open(&sql, &bytes);
	fprintf(text, "INSERT OR REPLACE INTO %s (run", table);
	for (int i = 0; store_column(table, i); i++)
		fprintf(text, ", \"%s\"", store_column(table, i));
	fputs(") VALUES (?", text);
	for (int i = 0; store_column(table, i); i++)
		fputs(", ?", text);
	fputc(')', text);
	memory_stream_close(text);
	return sql;
}

static bool has_column(struct store *store, const char *table, const char *column)
{
	sqlite3_stmt *query;
	bool has = false;
	char sql[96];
	snprintf(sql, sizeof sql, "SELECT 1 FROM pragma_table_info('%s') WHERE name = ?", table);
	if (sqlite3_prepare_v2(store->db, sql, -1, &query, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_text(query, 1, column, -1, SQLITE_STATIC);
	has = sqlite3_step(query) == SQLITE_ROW;
	sqlite3_finalize(query);
	return has;
}

static bool make_wide(struct store *store, const char *table)
{
	char sql[256];
	snprintf(
	    sql, sizeof sql,
	    "CREATE TABLE IF NOT EXISTS %s (run INTEGER PRIMARY KEY REFERENCES run(id) ON DELETE CASCADE)",
	    table);
	bool ok = store_execute(store, sql);
	for (int i = 0; ok && store_column(table, i); i++) {
		if (has_column(store, table, store_column(table, i)))
			continue;
		snprintf(sql, sizeof sql, "ALTER TABLE %s ADD COLUMN \"%s\" %s", table,
		         store_column(table, i), strcmp(table, "counter") ? "REAL" : "INTEGER");
		ok = store_execute(store, sql);
	}
	return ok;
}

/* runs: everything about a run in one row. */
static bool make_view(struct store *store)
{
	char *sql = NULL;
	size_t bytes;
	FILE *text = memory_stream_open(&sql, &bytes);
	fputs("DROP VIEW IF EXISTS runs; CREATE VIEW runs AS SELECT run.*", text);
	for (size_t t = 0; t < 3; t++)
		for (int i = 0; store_column(wide[t], i); i++)
			fprintf(text, ", %s.\"%s\" AS \"%s%s\"", wide[t], store_column(wide[t], i),
			        t == 2 ? "energy_" : "", store_column(wide[t], i));
	fputs(
	    " FROM run LEFT JOIN counter ON counter.run = run.id LEFT JOIN metric ON metric.run = run.id"
	    " LEFT JOIN energy ON energy.run = run.id;"
	    "DROP VIEW IF EXISTS failures; CREATE VIEW failures AS SELECT id, key, status, message, workload,"
	    " machine, changes, policy, finished FROM run WHERE status IN ('failed', 'killed', 'deadlocked')",
	    text);
	memory_stream_close(text);
	bool ok = store_execute(store, sql);
	free(sql);
	return ok;
}

/* A digest of the columns: tables are examined only if another version of the program made them. */
static int shape_of(void)
{
	unsigned shape = SCHEMA_VERSION;
	for (size_t t = 0; t < 3; t++)
		for (int i = 0; store_column(wide[t], i); i++)
			for (const char *c = store_column(wide[t], i); *c; c++)
				shape = shape * 31 + (unsigned char)*c;
	return (int)(shape & 0x7fffffff);
}

static int user_version(struct store *store)
{
	sqlite3_stmt *query;
	int version = -1;
	if (sqlite3_prepare_v2(store->db, "PRAGMA user_version", -1, &query, NULL) == SQLITE_OK &&
	    sqlite3_step(query) == SQLITE_ROW)
		version = sqlite3_column_int(query, 0);
	sqlite3_finalize(query);
	return version;
}

/* The process that created the file may have ended before its tables were there: then there is no database yet. */
static bool fail_without_schema(struct store *store, struct error *err)
{
	sqlite3_stmt *query;
	bool is_empty =
	    sqlite3_prepare_v2(store->db, "SELECT 1 FROM sqlite_master", -1, &query, NULL) == SQLITE_OK &&
	    sqlite3_step(query) == SQLITE_DONE;
	sqlite3_finalize(query);
	return is_empty ? error_set(err, "results database %s: there is none yet", store->path)
	                : error_set(err, "%s: not a database of results", store->path);
}

bool store_prepare_schema(struct store *store, struct error *err)
{
	char sql[64];
	int found = user_version(store);
	if (found == shape_of())
		return true;
	if (found < 0)
		return error_set(err, "%s: %s", store->path, sqlite3_errmsg(store->db));
	if (!store->writes)
		return found > 0 || fail_without_schema(store, err);
	snprintf(sql, sizeof sql, "PRAGMA user_version = %d", shape_of());
	bool ok = store_execute(store, "BEGIN IMMEDIATE") && store_execute(store, TABLES);
	for (size_t t = 0; ok && t < 3; t++)
		ok = make_wide(store, wide[t]);
	ok = ok && make_view(store) && store_execute(store, sql) && store_execute(store, "COMMIT");
	if (ok)
		return true;
	error_set(err, "%s: %s", store->path, store->why);
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}
