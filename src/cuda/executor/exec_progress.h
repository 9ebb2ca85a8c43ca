/* Whether a launch gets anywhere. Part of exec_state.h. */
#ifndef SLUICE_CUDA_EXEC_PROGRESS_H
#define SLUICE_CUDA_EXEC_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Progress of a launch: how long nothing has happened that could end a wait.
 * Loops that compute are told from loops that wait by what they read: who waits
 * reads the same place again and again.
 */
struct progress {
	uint64_t idle_insns, patience; /* others are let in when the first exceeds the second */
	bool is_watched;               /* accesses look closer */
	bool changed;                  /* a store or atomic has changed memory */
	uint64_t repeated,
	    fresh;        /* reads of the turn, at the place that the instruction read last or another */
	bool waits;       /* some turn since the last progress looked like a wait */
	bool computes;    /* some did not */
	bool changed_own; /* a thread has changed its own memory in this turn */
	uint64_t epoch;   /* counts progress */
};

#endif
