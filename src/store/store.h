/*
 * The results database: every run once, by its content key (docs/results.md).
 * Several processes may read and write at a time; committed runs survive the death
 * of any of them. Runs that cannot be written (a full disk, a database that
 * another program holds) wait in memory and are tried again.
 */
#ifndef SLUICE_STORE_STORE_H
#define SLUICE_STORE_STORE_H

#include <jansson.h>
#include <limits.h>

#include "store/outcome.h"
#include "store/run_key.h"

enum store_mode { STORE_READ, STORE_WRITE };

struct store;
/* Store the path that is used if none is given. */
bool store_default_path(char path[PATH_MAX], struct error *err);
/* Open `path`; NULL: $SLUICE_RESULTS, else ~/.local/share/sluice/results.db (XDG_DATA_HOME). Return NULL on failure. */
struct store *store_open(const char *path, enum store_mode mode, struct error *err);
/* Write the waiting runs and close. On false, err says how many runs are lost and why. */
bool store_close(struct store *store, struct error *err);
const char *store_path(const struct store *store);

/* What a run was made of. Texts may be NULL. */
struct store_run {
	char key[RUN_KEY_SIZE];
	const char *workload, *arguments, *trace; /* trace: digest of its content */
	const struct config *config;
	const char *changes, *look, *kernels; /* changes: "a.b=1 c.d=2" */
	const struct run_options *options;
};
/*
 * Write a run, or keep it until it can be written: store_waiting(). It replaces an earlier run of the same key. The
 * caller keeps the outcome.
 */
void store_put(struct store *store, const struct store_run *run, const struct outcome *outcome);
/* Return how many runs wait to be written; *why: why the last attempt failed. */
size_t store_waiting(const struct store *store, const char **why);
/* Try again to write the waiting runs; true if none is left. */
bool store_flush(struct store *store);

/* The run of a key. */
struct store_found {
	char status[16]; /* empty: nothing */
	char *message;   /* of one that failed; the caller frees it */
	json_t *total;   /* {"total": {counters, metrics, energy}}; NULL: it has none; the caller's */
	double wall_s;
};
/* Find a run; false if there is none or it is damaged. */
bool store_find(struct store *store, const char *key, struct store_found *found);
/* Find its status alone; false if there is none. */
bool store_status(struct store *store, const char *key, char status[16]);
void store_found_free(struct store_found *found);
/* Return the whole result for the caller to free, or NULL. */
json_t *store_detail(struct store *store, const char *key);

/* Facts of a trace on a machine, by name. */
bool store_fact(struct store *store, const char *trace, const char *machine, const char *name, double *value);
void store_put_fact(struct store *store, const char *trace, const char *machine, const char *name,
                    double value);
/* Digest of a file's content, remembered while size and times stay. */
bool store_digest(struct store *store, const char *path, uint64_t digest[2], struct error *err);
/* Return the simulated instructions per second of the latest runs; NaN: none yet. */
double store_speed(struct store *store);

/* For `sluice results`. */
struct sqlite3 *store_handle(struct store *store);
/* Remove failed runs and, with `everything_else`, those of other models; free the space. *removed: how many. */
bool store_collect(struct store *store, bool everything_else, size_t *removed, struct error *err);

#endif
