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

/* schema.c: tables and views as this program knows them; newer ones get their columns. */
bool store_prepare_schema(struct store *store, struct error *err);
/*
 * "INSERT OR REPLACE INTO counter (run, cycles, ...) VALUES (?, ...)"; the caller frees it. Rows of a run that
 * somebody removed by hand may still be there.
 */
char *store_insert_sql(const char *table);
/* write.c */
bool store_write_one(struct store *store, const struct waiting *waiting);
void waiting_free(struct waiting *waiting);
/* A statement of one's own; false: the database says no. */
bool store_execute(struct store *store, const char *sql);

#endif
