/*
 * The process pool: tasks in children, so many at once. A child leaves bytes, which the parent is handed when
 * the child has ended. Children die with the parent; each is a process group of its own, so that Ctrl-C
 * reaches the parent alone and what a child started ends with it.
 */
#ifndef SLUICE_RUN_POOL_H
#define SLUICE_RUN_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* How a child ended. */
struct pool_end {
	bool ok;            /* its work said so */
	int signal;         /* that killed it; 0: none */
	const char *output; /* what it left, ended by NUL; valid during the call */
	size_t bytes;
	double seconds; /* from its start to its end */
};

struct pool {
	size_t jobs; /* children at once */
	/* The next task; false: there is none, now and later. */
	bool (*next)(void *user, size_t *task);
	/* In the child. What it writes to `out` reaches done(). */
	bool (*work)(void *user, size_t task, FILE *out);
	/* In the parent, for every child that ended. False: err says why the rest is not to be done. */
	bool (*done)(void *user, size_t task, const struct pool_end *end, struct error *err);
	/* In the parent, several times a second. May be NULL. */
	void (*tick)(void *user, size_t running);
	void *user;
	int interrupted; /* filled: the signal that ended the work early; 0: none */
};

/*
 * Works until there is no task left. False: interrupted by SIGINT, SIGTERM or SIGHUP, or err of done(), or no
 * child could be started; children still at work have been ended. Our own process must have no threads but
 * this one.
 */
bool pool_run(struct pool *pool, struct error *err);
/* "killed by signal 9 (Killed)", or what the child left, or "it failed". */
const char *pool_describe(const struct pool_end *end, char *text, size_t size);

#endif
