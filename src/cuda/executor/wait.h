/*
 * Waits for memory, while a kernel with such loops (wait_loops.h) runs.
 *
 * A path of a warp that runs such a loop does so in rounds. A round that comes back to its beginning has found that the
 * wait is not over: the recording forgets it, and the path is parked until a word that the round has read is written.
 * Right after that write, before anything else, it runs one round more. So the number of writes after which a wait was
 * over is exact. A round in which lanes leave the loop is recorded, and its polls say how many writes they waited for.
 *
 * Rounds are not interrupted: no other warp runs between a poll and what follows from it.
 */
#ifndef SLUICE_CUDA_EXECUTOR_WAIT_H
#define SLUICE_CUDA_EXECUTOR_WAIT_H

#include "cuda/executor/run.h"
#include "cuda/executor/wait_loops.h"

/* What a kernel's waits are; NULL: it has none. */
struct kernel_waits {
	struct wait_loops loops;
	struct recorded_poll *polls; /* for the recorder: strong ones */
	uint32_t poll_count;
};
/* Find the waits of a decoded kernel, and mark its code: CODE_HEAD, CODE_ASK, CODE_POLL, CODE_WRITE. */
struct kernel_waits *kernel_waits_new(struct exec_kernel *kernel, const uint32_t *code_of);
void kernel_waits_free(struct kernel_waits *waits);

/* Of a launch. */
struct waits *waits_new(struct run *run);
void waits_free(struct waits *waits);
/* Name the words waited for to the recorder, before the launch's recording ends. */
void waits_end_recording(struct run *run);

/* ---- for the warp loop ---- */

/* From here on the current path records into its round, if it is in one. */
void waits_select(struct run *run, struct warp *w);
/* Nothing more is recorded for this warp in this turn. */
void waits_deselect(struct warp *w);
/* The current path is at the beginning of rounds, or at a question in front of them. */
enum wait_entry {
	WAIT_GOES_ON,
	WAIT_IS_PARKED,
	WAIT_RUNS_AGAIN /* after a round that cannot be forgotten */
};
enum wait_entry waits_enter(struct run *run, struct warp *w, const struct code *op);
/* At a branch in a loop that waits; return whether the path is in a round still. */
bool waits_branch(struct run *run, struct warp *w, const struct code *op, uint64_t taken);
/* Run an access that polls, or one that writes; false: a fault. */
bool waits_poll(struct run *run, struct warp *w, const struct code *op, uint64_t mask);
bool waits_write(struct run *run, struct warp *w, const struct code *op, uint64_t mask);
/* Whether a store waits for those before it. */
bool waits_fences(const struct run *run, const struct code *op);
/* Whether a write has ended the pause of a parked path, which is to run now. */
bool waits_has_woken(const struct run *run);

/* ---- for turns ---- */

/* Return the next path that is to run a round, as its warp's current one; NULL: there is none. */
struct warp *waits_next(struct run *run);
/* Let a warp's lanes that meet others behind a loop go on without those that wait in it; false: there are none. */
bool waits_go_ahead(struct run *run);
/* Let every parked path run a round; false: there is none. */
bool waits_ask_again(struct run *run);
/* Whether any path is parked, or one of the warp. */
bool waits_has_parked(const struct run *run);
bool waits_is_parked(const struct run *run, const struct warp *w);

#endif
