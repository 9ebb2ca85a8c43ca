/* Telling a spin from a long computation. Part of exec_state.h. */
#ifndef SLUICE_CUDA_EXEC_SPIN_H
#define SLUICE_CUDA_EXEC_SPIN_H

#include <stdbool.h>
#include <stdint.h>

struct run;
struct warp;

/* Of a warp: the state it was in some turns ago. Once it is in that state again, it will be for ever. */
struct spin {
	uint64_t epoch;          /* of progress in which the rest means something */
	uint64_t state;          /* hash */
	uint64_t age, age_limit; /* turns since; the state is replaced when it gets too old (Brent) */
	bool is_proven;
};

/* After a turn in which nothing changed; `changed_own`: the warp wrote other values to its own memory. */
void spin_note(const struct run *run, struct warp *w, bool changed_own);
/* Every warp that could run is in a loop that only others can end, and nobody else is there. */
bool spin_is_proven(const struct run *run);

#endif
