/* Runs into the database: one transaction each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "machine/catalog.h"
#include "store/parts.h"

#ifndef SLUICE_VERSION
#define SLUICE_VERSION "unknown"
#endif

bool store_execute(struct store *store, const char *sql)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return true;
	snprintf(store->why, sizeof store->why, "%s", sqlite3_errmsg(store->db));
	return false;
}

static bool step(struct store *store, sqlite3_stmt *statement)
{
	int rc = sqlite3_step(statement);
	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		snprintf(store->why, sizeof store->why, "%s", sqlite3_errmsg(store->db));
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
	return rc == SQLITE_DONE || rc == SQLITE_ROW;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
	if (text)
		sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(statement, at);
}

static void bind_json(sqlite3_stmt *statement, int at, const json_t *value)
{
	if (json_is_integer(value))
		sqlite3_bind_int64(statement, at, json_integer_value(value));
	else if (json_is_number(value))
		sqlite3_bind_double(statement, at, json_number_value(value));
	else if (json_is_string(value))
		sqlite3_bind_text(statement, at, json_string_value(value), -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(statement, at);
}

/* A statement for a few rows; NULL: store->why says why. */
static sqlite3_stmt *prepare(struct store *store, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
		snprintf(store->why, sizeof store->why, "%s", sqlite3_errmsg(store->db));
	return statement;
}

static bool prepare_kept(struct store *store, sqlite3_stmt **statement, const char *table)
{
	if (*statement)
		return true;
	char *sql = store_insert_sql(table);
	*statement = prepare(store, sql);
	free(sql);
	return *statement != NULL;
}

/* ---- machines --------------------------------------------------------------------------------------------- */

static sqlite3_int64 find_machine(struct store *store, const char *digest)
{
	sqlite3_stmt *query = prepare(store, "SELECT id FROM machine WHERE digest = ?");
	sqlite3_int64 id = 0;
	bind_text(query, 1, digest);
	if (query && sqlite3_step(query) == SQLITE_ROW)
		id = sqlite3_column_int64(query, 0);
	sqlite3_finalize(query);
	return id;
}

static bool write_machine_values(struct store *store, sqlite3_int64 id, const json_t *values)
{
	sqlite3_stmt *insert = prepare(store, "INSERT OR REPLACE INTO machine_value VALUES (?, ?, ?)");
	const char *key;
	json_t *value;
	bool ok = insert != NULL;
	json_object_foreach((json_t *)(uintptr_t)values, key, value)
	{
		if (!ok)
			break;
		sqlite3_bind_int64(insert, 1, id);
		bind_text(insert, 2, key);
		bind_json(insert, 3, value);
		ok = step(store, insert);
	}
	sqlite3_finalize(insert);
	return ok;
}

static bool write_machine(struct store *store, const struct waiting *w, sqlite3_int64 *id)
{
	*id = find_machine(store, w->machine_key);
	if (*id)
		return true;
	sqlite3_stmt *insert = prepare(store, "INSERT INTO machine (digest, name) VALUES (?, ?)");
	if (!insert)
		return false;
	bind_text(insert, 1, w->machine_key);
	bind_text(insert, 2, w->machine);
	bool ok = step(store, insert);
	sqlite3_finalize(insert);
	*id = sqlite3_last_insert_rowid(store->db);
	return ok && write_machine_values(store, *id, w->machine_values);
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

static const char RUN_SQL[] =
    "INSERT INTO run (key, status, message, workload, arguments, trace, machine, machine_id, changes, policy,"
    " look, kernels, max_insns, cold_l2, quantum, sluice, model, host, finished, wall_s)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

static bool write_run(struct store *store, const struct waiting *w, sqlite3_int64 machine, sqlite3_int64 *id)
{
	if (!store->insert_run && !(store->insert_run = prepare(store, RUN_SQL)))
		return false;
	sqlite3_stmt *s = store->insert_run;
	const char *const texts[] = {w->key,
	                             json_string_value(json_object_get(w->summary, "status")),
	                             json_string_value(json_object_get(w->summary, "message")),
	                             w->workload,
	                             w->arguments,
	                             w->trace,
	                             w->machine};
	for (int i = 0; i < 7; i++)
		bind_text(s, i + 1, texts[i]);
	sqlite3_bind_int64(s, 8, machine);
	bind_text(s, 9, w->changes);
	bind_text(s, 10, w->policy);
	bind_text(s, 11, w->look);
	bind_text(s, 12, w->kernels);
	if (w->max_insns)
		sqlite3_bind_int64(s, 13, (sqlite3_int64)w->max_insns);
	sqlite3_bind_int(s, 14, w->cold_l2);
	sqlite3_bind_int64(s, 15, (sqlite3_int64)w->quantum);
	bind_text(s, 16, SLUICE_VERSION);
	bind_text(s, 17, run_key_model());
	bind_text(s, 18, store->host);
	bind_text(s, 19, w->finished);
	sqlite3_bind_double(s, 20, w->wall_s);
	bool ok = step(store, s);
	*id = sqlite3_last_insert_rowid(store->db);
	return ok;
}

static bool write_wide(struct store *store, sqlite3_stmt **insert, const char *table, sqlite3_int64 run,
                       const json_t *values)
{
	if (!prepare_kept(store, insert, table))
		return false;
	sqlite3_bind_int64(*insert, 1, run);
	for (int i = 0; store_column(table, i); i++)
		bind_json(*insert, i + 2, json_object_get(values, store_column(table, i)));
	return step(store, *insert);
}

static bool write_params(struct store *store, sqlite3_int64 run, const json_t *params)
{
	sqlite3_stmt *insert = NULL;
	size_t i;
	json_t *row;
	bool ok = !json_array_size(params) ||
	          (insert = prepare(store, "INSERT OR REPLACE INTO policy_param VALUES (?, ?, ?, ?, ?)"));
	json_array_foreach((json_t *)(uintptr_t)params, i, row)
	{
		if (!ok)
			break;
		sqlite3_bind_int64(insert, 1, run);
		for (int c = 0; c < 4; c++)
			bind_json(insert, c + 2, json_array_get(row, (size_t)c));
		ok = step(store, insert);
	}
	sqlite3_finalize(insert);
	return ok;
}

static bool write_policy_counters(struct store *store, sqlite3_int64 run, const json_t *policies)
{
	sqlite3_stmt *insert = NULL;
	const char *policy, *name;
	json_t *counters, *value;
	bool ok = !json_object_size(policies) ||
	          (insert = prepare(store, "INSERT OR REPLACE INTO policy_counter VALUES (?, ?, ?, ?)"));
	json_object_foreach((json_t *)(uintptr_t)policies, policy, counters)
	{
		json_object_foreach(counters, name, value)
		{
			if (!ok)
				break;
			sqlite3_bind_int64(insert, 1, run);
			bind_text(insert, 2, policy);
			bind_text(insert, 3, name);
			bind_json(insert, 4, value);
			ok = step(store, insert);
		}
	}
	sqlite3_finalize(insert);
	return ok;
}

static bool write_series(struct store *store, sqlite3_int64 run, const json_t *series)
{
	sqlite3_stmt *insert = NULL;
	size_t i;
	json_t *row;
	bool ok = !json_array_size(series) ||
	          (insert = prepare(store, "INSERT OR REPLACE INTO series VALUES (?, ?, ?, ?)"));
	json_array_foreach((json_t *)(uintptr_t)series, i, row)
	{
		if (!ok)
			break;
		char *values = json_dumps(json_array_get(row, 2), JSON_COMPACT | JSON_REAL_PRECISION(9));
		sqlite3_bind_int64(insert, 1, run);
		bind_json(insert, 2, json_array_get(row, 0));
		bind_json(insert, 3, json_array_get(row, 1));
		bind_text(insert, 4, values);
		ok = step(store, insert);
		free(values);
	}
	sqlite3_finalize(insert);
	return ok;
}

static bool write_detail(struct store *store, sqlite3_int64 run, const struct waiting *w)
{
	if (!store->insert_detail &&
	    !(store->insert_detail = prepare(store, "INSERT OR REPLACE INTO detail VALUES (?, ?)")))
		return false;
	sqlite3_bind_int64(store->insert_detail, 1, run);
	sqlite3_bind_blob64(store->insert_detail, 2, w->detail, w->detail_bytes, SQLITE_STATIC);
	return step(store, store->insert_detail);
}

static bool remove_old(struct store *store, const char *key)
{
	sqlite3_stmt *delete = prepare(store, "DELETE FROM run WHERE key = ?");
	if (!delete)
		return false;
	bind_text(delete, 1, key);
	bool ok = step(store, delete);
	sqlite3_finalize(delete);
	return ok;
}

static bool write_rows(struct store *store, const struct waiting *w)
{
	sqlite3_int64 machine, run;
	const json_t *total = json_object_get(w->summary, "total");
	if (!remove_old(store, w->key) || !write_machine(store, w, &machine) ||
	    !write_run(store, w, machine, &run) || !write_params(store, run, w->policy_params))
		return false;
	if (!w->detail)
		return true; /* it failed */
	return write_wide(store, &store->insert_counter, "counter", run,
	                  json_object_get(total, "counters")) &&
	       write_wide(store, &store->insert_metric, "metric", run, json_object_get(total, "metrics")) &&
	       write_wide(store, &store->insert_energy, "energy", run, json_object_get(total, "energy")) &&
	       write_policy_counters(store, run, json_object_get(w->summary, "policy_counters")) &&
	       write_series(store, run, json_object_get(w->summary, "series")) && write_detail(store, run, w);
}

bool store_write_one(struct store *store, const struct waiting *w)
{
	if (!store_execute(store, "BEGIN IMMEDIATE"))
		return false;
	if (write_rows(store, w) && store_execute(store, "COMMIT"))
		return true;
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

/* ---- what waits ------------------------------------------------------------------------------------------- */

static json_t *values_of(const struct machine *machine)
{
	json_t *values = json_object();
	size_t count;
	const struct machine_key *keys = machine_keys(&count);
	for (size_t i = 0; i < count; i++) {
		char name[96], text[64], *end;
		snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].key);
		machine_format_value(machine, &keys[i], text, sizeof text);
		double number = strtod(text, &end);
		json_object_set_new(values, name,
		                    end != text && !*end ? json_real(number) : json_string(text));
	}
	return values;
}

static json_t *params_of(const struct chain *chain)
{
	json_t *params = json_array();
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct chain_link *link = &chain->link[i];
		for (uint32_t k = 0; k < link->policy.param_count; k++)
			json_array_append_new(params, json_pack("[i, s, s, f]", (int)i, link->policy.name,
			                                        link->policy.params[k].name, link->param[k]));
	}
	return params;
}

static char *copy_text(const char *text)
{
	return text ? memory_text(text) : NULL;
}

static struct waiting make_waiting(struct store *store, const struct store_run *run, const struct outcome *o)
{
	const struct machine *machine = run->config->machine;
	struct waiting w = {.workload = copy_text(run->workload),
	                    .arguments = copy_text(run->arguments),
	                    .machine = copy_text(machine->name),
	                    .policy = copy_text(run->config->chain->text),
	                    .changes = copy_text(run->changes),
	                    .look = copy_text(run->look),
	                    .kernels = copy_text(run->kernels),
	                    .max_insns = run->options->max_insns,
	                    .quantum = run->options->quantum ? run->options->quantum : machine->sim_quantum,
	                    .cold_l2 = run->options->cold_l2,
	                    .policy_params = params_of(run->config->chain),
	                    .summary = json_incref(o->summary),
	                    .wall_s = o->wall_s};
	time_t now = time(NULL);
	struct tm utc;
	strftime(w.finished, sizeof w.finished, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	memcpy(w.key, run->key, sizeof w.key);
	snprintf(w.trace, sizeof w.trace, "%s", run->trace ? run->trace : "");
	run_key_machine(machine, w.machine_key);
	if (!find_machine(store, w.machine_key))
		w.machine_values = values_of(machine);
	if (o->detail) {
		w.detail = memory_zeroed(o->detail_bytes, 1);
		memcpy(w.detail, o->detail, o->detail_bytes);
		w.detail_bytes = o->detail_bytes;
	}
	return w;
}

void waiting_free(struct waiting *w)
{
	char *texts[] = {w->workload, w->arguments, w->machine, w->policy, w->changes, w->look, w->kernels};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(texts[i]);
	json_decref(w->machine_values);
	json_decref(w->policy_params);
	json_decref(w->summary);
	free(w->detail);
}

bool store_flush(struct store *store)
{
	size_t written = 0;
	while (written < store->waiting_count && store_write_one(store, &store->waiting[written]))
		waiting_free(&store->waiting[written++]);
	store->waiting_count -= written;
	if (written)
		memmove(store->waiting, store->waiting + written,
		        store->waiting_count * sizeof *store->waiting);
	return !store->waiting_count;
}

void store_put(struct store *store, const struct store_run *run, const struct outcome *outcome)
{
	struct waiting w = make_waiting(store, run, outcome);
	store->waiting = memory_grow(store->waiting, store->waiting_count + 1, sizeof *store->waiting);
	store->waiting[store->waiting_count++] = w;
	store_flush(store);
}

size_t store_waiting(const struct store *store, const char **why)
{
	*why = store->why;
	return store->waiting_count;
}
