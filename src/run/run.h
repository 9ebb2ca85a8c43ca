/* A run: every chosen launch of a trace on one machine under one chain of policies. */
#ifndef SLUICE_RUN_RUN_H
#define SLUICE_RUN_RUN_H

#include "gpu/gpu.h"
#include "stats/energy.h"
#include "window/window.h"

/* A machine with its changes and the policies on it. */
struct config {
	struct machine *machine;
	struct chain *chain;
};

/* `changes`: "section.key=value" texts. False: err says why, nothing to free. */
bool config_load(struct config *config, const char *machine, const char *policy, const char *const *changes,
                 size_t change_count, struct error *err);
void config_free(struct config *config);
/* Applies the changes to a machine, and checks it. */
bool config_change(struct machine *machine, const char *const *changes, size_t count, struct error *err);

struct run_options {
	uint32_t threads;   /* the result does not depend on it */
	uint32_t quantum;   /* 0: the machine's */
	bool cold_l2;       /* every launch starts with cold L2 and L3; else only the first */
	uint64_t max_insns; /* warp instructions of the whole run; 0: no limit */
	const struct kernels *kernels;
	const char *window; /* text of a window that chooses launches of the trace; NULL: all */
	bool
	    is_part; /* the trace holds the launches of a window only: they are called by the program's numbers */
	const struct look *look; /* what to look at; its observers are in the chain; NULL: nothing */
	/* Called now and then with the warp instructions of the whole run; false ends it there. May be NULL. */
	bool (*progress)(void *user, unsigned launch, uint64_t warp_insns);
	void *user;
};

struct run_launch {
	unsigned index;  /* in the trace, from 0 */
	uint32_t number; /* that results call it by: from 1, of the trace or of the program */
	const struct trace_kernel *kernel; /* belongs to the trace, which must outlive the result */
	struct launch_result result;
	struct json_t *look; /* what observers saw; NULL: none was attached */
};

struct run_result {
	struct run_launch *launch;
	size_t count; /* launches begun: those after a truncated or deadlocked one are missing */
	struct counters total;
	struct energy_extra extra_energy; /* of the policies */
	enum launch_status status;        /* of the last launch */
};

/* Warp instructions that the chosen launches hold. */
uint64_t run_count_insns(const struct trace *trace, const struct kernels *kernels);
/* The same for those that options->kernels and options->window choose. */
uint64_t run_count_chosen(const struct trace *trace, const struct run_options *options);
/*
 * Whether launch i is simulated, for every launch of the trace. NULL: err says what of it the trace does not have. The
 * caller frees it.
 */
bool *run_choose(const struct trace *trace, const struct kernels *kernels, const char *window,
                 struct error *err);
/* False: bad input, and err says what; a deadlocked run is a result. Free the result in both cases. */
bool run_trace(const struct config *config, const struct trace *trace, const struct run_options *options,
               struct run_result *result, struct error *err);
void run_result_free(struct run_result *result);

/* "done", "truncated", "deadlocked" or "failed". */
const char *run_status_name(enum launch_status status);

#endif
