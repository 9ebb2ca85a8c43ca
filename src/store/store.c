/* Opening the database, and reading from it. */
#include "store/store.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/child.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/read_files.h"
#include "report/run_json.h"
#include "stats/energy.h"
#include "stats/metrics.h"
#include "store/parts.h"

/* Other processes may hold the database for a moment; beyond this, runs wait in memory. */
enum { BUSY_MS = 5000, CLOSE_TRIES = 5 };

/* ---- opening ---------------------------------------------------------------------------------------------- */

bool store_default_path(char path[PATH_MAX], struct error *err)
{
	const char *chosen = getenv("SLUICE_RESULTS"), *data = getenv("XDG_DATA_HOME"),
	           *home = getenv("HOME");
	int n;
	if (chosen && *chosen)
		n = snprintf(path, PATH_MAX, "%s", chosen);
	else if (data && *data == '/')
		n = snprintf(path, PATH_MAX, "%s/sluice/results.db", data);
	else if (home && *home)
		n = snprintf(path, PATH_MAX, "%s/.local/share/sluice/results.db", home);
	else
		return error_set(err, "no place for results: HOME is not set; give --db FILE");
	return n < PATH_MAX || error_set(err, "the path of the results database is too long");
}

static bool make_parent(const char *path, struct error *err)
{
	char folder[PATH_MAX];
	snprintf(folder, sizeof folder, "%s", path);
	char *slash = strrchr(folder, '/');
	if (!slash || slash == folder)
		return true;
	*slash = '\0';
	return cache_make_folders(folder, err);
}

static bool fail_open(struct store *store, struct error *err)
{
	int code = store->db ? sqlite3_errcode(store->db) & 0xff : SQLITE_NOMEM;
	const char *hint =
	    code == SQLITE_READONLY || code == SQLITE_CANTOPEN || code == SQLITE_PERM
	        ? "; may this user write there? --db FILE chooses another"
	    : code == SQLITE_BUSY || code == SQLITE_LOCKED
	        ? "; another program holds it: wait, or choose another with --db FILE"
	    : code == SQLITE_FULL ? "; the disk is full: make room, or choose another with --db FILE"
	    : code == SQLITE_IOERR || code == SQLITE_NOLFS || code == SQLITE_PROTOCOL
	        ? "; a file system without locks, as some network ones are, holds no database: choose "
	          "another with --db FILE"
	    : code == SQLITE_NOTADB ? "; choose another with --db FILE"
	                            : "";
	return error_set(err, "results database %s: %s%s", store->path,
	                 store->db ? sqlite3_errmsg(store->db) : "out of memory", hint);
}

/*
 * A write-ahead log: readers never wait, and a commit is one short write. SQLite does not wait while another process makes
 * the same change for the first time, whatever sqlite3_busy_timeout() says.
 */
static bool use_log(struct store *store)
{
	enum { WAIT_MS = 20 };
	for (int waited = 0;; waited += WAIT_MS) {
		if (store_execute(store, "PRAGMA journal_mode = WAL"))
			return true;
		int code = sqlite3_errcode(store->db) & 0xff;
		if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) || waited >= BUSY_MS)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000L}, NULL);
	}
}

static bool open_database(struct store *store, struct error *err)
{
	/* Readers, too, roll back the transaction of a process that died; without permission, SQLite only reads. */
	int flags = SQLITE_OPEN_READWRITE | (store->writes ? SQLITE_OPEN_CREATE : 0);
	if (!store->writes && access(store->path, F_OK))
		return error_set(err, "results database %s: there is none yet", store->path);
	if (store->writes && !make_parent(store->path, err))
		return false;
	if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK)
		return fail_open(store, err);
	read_files_note_path(store->path);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	if (!store->writes && !store_execute(store, "PRAGMA query_only = ON"))
		return fail_open(store, err);
	if (store->writes && (!use_log(store) || !store_execute(store, "PRAGMA synchronous = NORMAL") ||
	                      !store_execute(store, "PRAGMA foreign_keys = ON") ||
	                      !store_execute(store, "BEGIN IMMEDIATE; ROLLBACK")))
		return fail_open(store, err);
	return store_prepare_schema(store, err);
}

struct store *store_open(const char *path, enum store_mode mode, struct error *err)
{
	struct store *store = memory_zeroed(1, sizeof *store);
	store->writes = mode == STORE_WRITE;
	if (gethostname(store->host, sizeof store->host - 1))
		store->host[0] = '\0';
	bool ok = path ? snprintf(store->path, sizeof store->path, "%s", path) < (int)sizeof store->path ||
	                     error_set(err, "the path of the results database is too long")
	               : store_default_path(store->path, err);
	if (ok && open_database(store, err))
		return store;
	sqlite3_close_v2(store->db);
	free(store);
	return NULL;
}

bool store_close(struct store *store, struct error *err)
{
	sqlite3_stmt *statements[] = {store->insert_run,    store->insert_counter, store->insert_metric,
	                              store->insert_energy, store->insert_detail,  store->find,
	                              store->detail,        store->status};
	bool ok = !store->waiting_count || store_flush(store);
	for (int i = 0; !ok && i < CLOSE_TRIES; i++) {
		nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
		ok = store_flush(store);
	}
	if (!ok)
		error_set(err, "results database %s: %s; %zu finished runs could not be kept", store->path,
		          store->why, store->waiting_count);
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
		sqlite3_finalize(statements[i]);
	for (size_t i = 0; i < store->waiting_count; i++)
		waiting_free(&store->waiting[i]);
	free(store->waiting);
	sqlite3_close_v2(store->db);
	free(store);
	return ok;
}

const char *store_path(const struct store *store)
{
	return store->path;
}

struct sqlite3 *store_handle(struct store *store)
{
	return store->db;
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* Find the row of a key; NULL if there is none. The caller resets the statement. */
static sqlite3_stmt *ask(struct store *store, sqlite3_stmt **kept, const char *sql, const char *key)
{
	if (!*kept && sqlite3_prepare_v2(store->db, sql, -1, kept, NULL) != SQLITE_OK)
		return NULL;
	sqlite3_bind_text(*kept, 1, key, -1, SQLITE_STATIC);
	if (sqlite3_step(*kept) == SQLITE_ROW)
		return *kept;
	sqlite3_reset(*kept);
	return NULL;
}

bool store_status(struct store *store, const char *key, char status[16])
{
	sqlite3_stmt *row = ask(store, &store->status, "SELECT status FROM run WHERE key = ?", key);
	if (!row)
		return false;
	snprintf(status, 16, "%s", (const char *)sqlite3_column_text(row, 0));
	sqlite3_reset(row);
	return true;
}

/* Read columns of a join by their names: their order depends on the version that created the table. */
static json_t *read_columns(sqlite3_stmt *row, int *column, int end)
{
	json_t *object = json_object();
	for (; *column < end; ++*column) {
		const char *name = sqlite3_column_name(row, *column);
		if (!strcmp(name, "run"))
			continue;
		int type = sqlite3_column_type(row, *column);
		json_object_set_new(object, name,
		                    type == SQLITE_INTEGER ? json_integer(sqlite3_column_int64(row, *column))
		                    : type == SQLITE_FLOAT ? json_number(sqlite3_column_double(row, *column))
		                                           : json_null());
	}
	return object;
}

static int count_columns(struct store *store, const char *table)
{
	char sql[96];
	sqlite3_stmt *query;
	int count = 0;
	snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s')", table);
	if (sqlite3_prepare_v2(store->db, sql, -1, &query, NULL) == SQLITE_OK &&
	    sqlite3_step(query) == SQLITE_ROW)
		count = sqlite3_column_int(query, 0);
	sqlite3_finalize(query);
	return count;
}

static json_t *read_total(struct store *store, sqlite3_stmt *row)
{
	int at = 3, counters = at + count_columns(store, "counter"),
	    metrics = counters + count_columns(store, "metric");
	json_t *c = read_columns(row, &at, counters), *m = read_columns(row, &at, metrics),
	       *e = read_columns(row, &at, sqlite3_column_count(row));
	return json_pack("{s:{s:o, s:o, s:o}}", "total", "counters", c, "metrics", m, "energy", e);
}

bool store_find(struct store *store, const char *key, struct store_found *found)
{
	*found = (struct store_found){.wall_s = NAN};
	sqlite3_stmt *row =
	    ask(store, &store->find,
	        "SELECT run.status, run.message, run.wall_s, counter.*, metric.*, energy.* FROM run"
	        " LEFT JOIN counter ON counter.run = run.id LEFT JOIN metric ON metric.run = run.id"
	        " LEFT JOIN energy ON energy.run = run.id WHERE run.key = ?",
	        key);
	if (!row)
		return false;
	snprintf(found->status, sizeof found->status, "%s", (const char *)sqlite3_column_text(row, 0));
	const char *message = (const char *)sqlite3_column_text(row, 1);
	found->message = message ? memory_text(message) : NULL;
	found->wall_s = sqlite3_column_double(row, 2);
	if (sqlite3_column_type(row, 3) != SQLITE_NULL)
		found->total = read_total(store, row);
	sqlite3_reset(row);
	return true;
}

void store_found_free(struct store_found *found)
{
	free(found->message);
	json_decref(found->total);
	*found = (struct store_found){0};
}

json_t *store_detail(struct store *store, const char *key)
{
	sqlite3_stmt *row =
	    ask(store, &store->detail,
	        "SELECT json_zstd FROM detail JOIN run ON run.id = detail.run WHERE run.key = ?", key);
	if (!row)
		return NULL;
	json_t *result = outcome_unpack(sqlite3_column_blob(row, 0), (size_t)sqlite3_column_bytes(row, 0));
	sqlite3_reset(row);
	return result;
}

/* ---- traces ----------------------------------------------------------------------------------------------- */

bool store_fact(struct store *store, const char *trace, const char *machine, const char *name, double *value)
{
	sqlite3_stmt *query;
	bool found = false;
	if (sqlite3_prepare_v2(store->db,
	                       "SELECT value FROM trace_fact WHERE trace = ? AND machine = ? AND name = ?",
	                       -1, &query, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_text(query, 1, trace, -1, SQLITE_STATIC);
	sqlite3_bind_text(query, 2, machine, -1, SQLITE_STATIC);
	sqlite3_bind_text(query, 3, name, -1, SQLITE_STATIC);
	if (sqlite3_step(query) == SQLITE_ROW) {
		found = true;
		*value = sqlite3_column_type(query, 0) == SQLITE_NULL ? NAN : sqlite3_column_double(query, 0);
	}
	sqlite3_finalize(query);
	return found;
}

/* A fact that cannot be stored is computed again: no error. */
void store_put_fact(struct store *store, const char *trace, const char *machine, const char *name,
                    double value)
{
	sqlite3_stmt *insert;
	if (sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO trace_fact VALUES (?, ?, ?, ?)", -1,
	                       &insert, NULL) != SQLITE_OK)
		return;
	sqlite3_bind_text(insert, 1, trace, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 2, machine, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 3, name, -1, SQLITE_STATIC);
	if (isnan(value))
		sqlite3_bind_null(insert, 4);
	else
		sqlite3_bind_double(insert, 4, value);
	sqlite3_step(insert);
	sqlite3_finalize(insert);
}

static void keep_digest(struct store *store, const char *path, sqlite3_int64 bytes, sqlite3_int64 changed,
                        const uint64_t digest[2])
{
	sqlite3_stmt *insert;
	if (!store->writes ||
	    sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO trace_file VALUES (?, ?, ?, ?, ?)", -1,
	                       &insert, NULL) != SQLITE_OK)
		return;
	sqlite3_bind_text(insert, 1, path, -1, SQLITE_STATIC);
	sqlite3_bind_int64(insert, 2, bytes);
	sqlite3_bind_int64(insert, 3, changed);
	sqlite3_bind_int64(insert, 4, (sqlite3_int64)digest[0]);
	sqlite3_bind_int64(insert, 5, (sqlite3_int64)digest[1]);
	sqlite3_step(insert);
	sqlite3_finalize(insert);
}

bool store_digest(struct store *store, const char *path, uint64_t digest[2], struct error *err)
{
	struct stat st;
	read_files_note_path(path);
	sqlite3_stmt *query = NULL;
	bool found = false;
	if (stat(path, &st))
		return error_set(err, "%s: %s", path, strerror(errno));
	sqlite3_int64 bytes = st.st_size,
	              changed = (sqlite3_int64)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	if (sqlite3_prepare_v2(
	        store->db, "SELECT low, high FROM trace_file WHERE path = ? AND bytes = ? AND changed = ?",
	        -1, &query, NULL) == SQLITE_OK) {
		sqlite3_bind_text(query, 1, path, -1, SQLITE_STATIC);
		sqlite3_bind_int64(query, 2, bytes);
		sqlite3_bind_int64(query, 3, changed);
		if (sqlite3_step(query) == SQLITE_ROW) {
			found = true;
			digest[0] = (uint64_t)sqlite3_column_int64(query, 0);
			digest[1] = (uint64_t)sqlite3_column_int64(query, 1);
		}
	}
	sqlite3_finalize(query);
	struct digest fresh;
	uint64_t size;
	if (found)
		return true;
	if (!file_digest(path, &fresh, &size, err))
		return false;
	digest[0] = fresh.low;
	digest[1] = fresh.high;
	keep_digest(store, path, bytes, changed, digest);
	return true;
}

double store_speed(struct store *store)
{
	sqlite3_stmt *query = NULL;
	double speed = NAN;
	if (sqlite3_prepare_v2(store->db,
	                       "SELECT sum(warp_insns) / sum(wall_s) FROM (SELECT warp_insns, wall_s FROM run"
	                       " JOIN counter ON counter.run = run.id ORDER BY run.id DESC LIMIT 500)",
	                       -1, &query, NULL) == SQLITE_OK &&
	    sqlite3_step(query) == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
		speed = sqlite3_column_double(query, 0);
	sqlite3_finalize(query);
	return speed;
}

bool store_collect(struct store *store, bool everything_else, size_t *removed, struct error *err)
{
	char sql[200];
	snprintf(sql, sizeof sql, "DELETE FROM run WHERE status IN ('failed', 'killed')%s%s%s",
	         everything_else ? " OR model != '" : "", everything_else ? run_key_model() : "",
	         everything_else ? "'" : "");
	bool ok = store_execute(store, sql);
	*removed = (size_t)sqlite3_changes(store->db);
	ok = ok &&
	     store_execute(store,
	                   "DELETE FROM machine_value WHERE machine_id NOT IN (SELECT machine_id FROM run);"
	                   "DELETE FROM machine WHERE id NOT IN (SELECT machine_id FROM run)") &&
	     store_execute(store, "VACUUM") && store_execute(store, "PRAGMA wal_checkpoint(TRUNCATE)");
	return ok || error_set(err, "results database %s: %s", store->path, store->why);
}
