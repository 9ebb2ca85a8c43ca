/*
 * The results database: every run once, by its content key (docs/results.md).
 * One process writes, others may read or write beside it; what is committed
 * survives the death of any of them. Runs that cannot be written (a full disk,
 * a database that somebody holds) wait in memory and are tried again.
 */
#ifndef SLUICE_STORE_STORE_H
#define SLUICE_STORE_STORE_H

#include <jansson.h>
#include <limits.h>

#include "store/outcome.h"
#include "store/run_key.h"

enum store_mode { STORE_READ, STORE_WRITE };

struct store;
/* Where it is if nobody names another. */
bool store_default_path(char path[PATH_MAX], struct error *err);
/* `path` NULL: $SLUICE_RESULTS, else ~/.local/share/sluice/results.db (XDG_DATA_HOME). NULL: err says why. */
struct store *store_open(const char *path, enum store_mode mode, struct error *err);
/* Writes what waits; false: err says how many runs are lost and why. Closes in any case. */
bool store_close(struct store *store, struct error *err);
const char *store_path(const struct store *store);

/* What a run was made of. Texts may be NULL where there is nothing to say. */
struct store_run {
	char key[RUN_KEY_SIZE];
	const char *workload, *arguments, *trace; /* trace: digest of its content */
	const struct config *config;
	const char *changes, *look, *kernels; /* changes: "a.b=1 c.d=2" */
	const struct run_options *options;
};
/*
 * Records it, or keeps it until it can be: store_waiting(). An earlier record
 * of the same key is replaced. The outcome stays the caller's.
 */
void store_put(struct store *store, const struct store_run *run, const struct outcome *outcome);
/* Runs that wait to be written, and why the last attempt failed. */
size_t store_waiting(const struct store *store, const char **why);
/* Tries again to write what waits. */
bool store_flush(struct store *store);

/* What is known of a key. */
struct store_found {
	char status[16]; /* empty: nothing */
	char *message;   /* of one that failed; the caller frees it */
	json_t *total;   /* {"total": {counters, metrics, energy}}; NULL: it has none; the caller's */
	double wall_s;
};
/* False: not there, or damaged. */
bool store_find(struct store *store, const char *key, struct store_found *found);
/* Its status alone; false: not there. */
bool store_status(struct store *store, const char *key, char status[16]);
void store_found_free(struct store_found *found);
/* The whole result; NULL: none. The caller owns it. */
json_t *store_detail(struct store *store, const char *key);

/* Facts of a trace on a machine, by name. */
bool store_fact(struct store *store, const char *trace, const char *machine, const char *name, double *value);
void store_put_fact(struct store *store, const char *trace, const char *machine, const char *name,
                    double value);
/* Digest of a file's content, remembered while size and times stay. */
bool store_digest(struct store *store, const char *path, uint64_t digest[2], struct error *err);
/* Simulated instructions per second so far, by what is in the database; NaN: nothing yet. */
double store_speed(struct store *store);

/* For `sluice results`. */
struct sqlite3 *store_handle(struct store *store);
/* Removes runs of other models and failed ones, and gives space back; *removed: how many. */
bool store_collect(struct store *store, bool everything_else, size_t *removed, struct error *err);

#endif
