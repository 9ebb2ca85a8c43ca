/*
 * A simulated GPU on the test bench: machine, chain and gpu in one, launches
 * from cold caches, and counts of what a trace must lead to.
 *
 * What only a mistake in the test can cause ends the program with a message.
 */
#ifndef SLUICE_TESTS_BENCH_H
#define SLUICE_TESTS_BENCH_H

#include "gpu/internal.h"

struct bench_setup {
	const char *machine;
	const char *policy;         /* NULL: gto */
	const char *changes;        /* "l1d.sets=64 l1d.ways=2"; NULL: none */
	const struct policy *extra; /* appended to the chain; NULL: none */
	uint32_t threads, quantum;  /* 0: one thread, the machine's quantum */
};

struct bench {
	struct machine *machine;
	struct chain *chain;
	struct gpu *gpu;
	bool few_alone; /* launches of few warps are left to one thread, as outside tests */
};

struct bench bench_open(struct bench_setup setup);
void bench_close(struct bench *bench);
/* The launch must end; only its counters are kept. */
struct counters bench_run(struct bench *bench, const struct trace *trace, unsigned kernel, bool flush);
/* The same on a bench of its own, launch 0. */
struct counters bench_once(struct bench_setup setup, const struct trace *trace);

/* The same, and closes the trace. */
struct counters bench_only(struct bench_setup setup, struct trace *trace);

/* What any correct simulation of the launch counts, found by a plain walk through the trace. */
struct recount {
	uint64_t ctas, warps, warp_insns, thread_insns;
	uint64_t load_lines, store_lines,
	    atomic_lines; /* line requests to global, local and texture memory */
	uint64_t local_store_lines;
};
struct recount bench_recount(const struct trace *trace, unsigned kernel, const struct machine *machine);

/* Names of all machines there are, ended by NULL. */
const char *const *bench_machines(void);

/* Says what differs, and where; returns whether they are equal. */
bool bench_equal(const char *where, const char *what, uint64_t got, uint64_t want);
/* The same for all counters at once. */
bool bench_same(const char *where, const struct counters *got, const struct counters *want);
/* Whether the counters of a launch fit each other and the trace, as they do on any machine under any chain. */
bool bench_adds_up(const char *where, const struct machine *machine, const uint64_t *value,
                   const struct recount *recount);

#endif
