/* What the files of src/store share. */
#ifndef SLUICE_STORE_STORE_PARTS_H
#define SLUICE_STORE_STORE_PARTS_H

#include <limits.h>
#include <sqlite3.h>

#include "store/store.h"

/* A run with its outcome, until it is written. */
struct waiting {
	char key[RUN_KEY_SIZE], machine_key[RUN_KEY_SIZE], trace[RUN_KEY_SIZE];
	char *workload, *arguments, *machine, *policy, *changes, *look, *kernels;
	uint64_t max_insns, quantum;
	bool cold_l2;
	json_t *machine_values; /* {"l1d.ways": "4"}; NULL: the database has them */
	json_t *policy_params;  /* [[place, policy, name, value]] */
	json_t *summary;
	unsigned char *detail;
	size_t detail_bytes;
	double wall_s;
	char finished[32];
};

struct store {
	sqlite3 *db;
	char path[PATH_MAX];
	bool writes;
	struct waiting *waiting;
	size_t waiting_count;
	char why[256];
	char host[128];
	sqlite3_stmt *insert_run, *insert_counter, *insert_metric, *insert_energy, *insert_detail, *find,
	    *detail, *status;
};

/* schema.c: create tables and views; add the columns that an older database lacks. */
bool store_prepare_schema(struct store *store, struct error *err);
/*
 * Return "INSERT OR REPLACE INTO counter (run, cycles, ...) VALUES (?, ...)" for the caller to free. It replaces, since rows
 * of a run that was removed by hand may still be there.
 */
char *store_insert_sql(const char *table);
/* Return the name of column i, from 0 on, of such a table, or NULL. */
const char *store_column(const char *table, int i);
/* write.c */
bool store_write_one(struct store *store, const struct waiting *waiting);
void waiting_free(struct waiting *waiting);
/* Execute SQL; on failure store->why has the reason. */
bool store_execute(struct store *store, const char *sql);

#endif
