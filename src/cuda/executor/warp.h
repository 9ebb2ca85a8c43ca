/*
 * One warp: the loop that runs it, and its paths (struct path), which say where
 * lanes go when they diverge and where they meet again. All decisions depend on
 * the program alone, so runs repeat.
 */
#ifndef SLUICE_CUDA_EXECUTOR_WARP_H
#define SLUICE_CUDA_EXECUTOR_WARP_H

#include "cuda/executor/run.h"

enum warp_stop { WARP_ENDED, WARP_WAITS, WARP_SLICE_OVER, WARP_FAULT };

/* Run until the warp ends, waits, or has issued `budget` instructions more. */
enum warp_stop warp_run(struct run *run, struct warp *w, uint64_t budget);

/* Start one path with all live lanes at `pc`, in frame 0. */
void path_start(struct warp *w, uint32_t pc);
/* Split the current path: `taken` goes to `target`, the rest to `next`; they meet at `reconverge`. */
void path_diverge(struct warp *w, uint64_t taken, uint32_t target, uint32_t next, uint32_t reconverge);
/* Make the current path an inner node that goes on at `pc` when its children have ended. */
void path_wait_for_children(struct warp *w, uint32_t pc);
/* Add a ready path below `parent` and return its number; it will be the next to run. */
uint32_t path_add_child(struct warp *w, uint32_t parent, uint64_t mask, uint32_t pc, uint32_t reconverge,
                        uint32_t frame);
/* End the current path: it has reached its meeting point. */
void path_arrive(struct warp *w);
/* Remove lanes from the current path: they have exited, or wait in `node` for the others to return. */
void path_leave(struct warp *w, uint64_t mask);
void path_return(struct warp *w, uint64_t mask, uint32_t node);
/* Let the current path wait, in state `state`, until path_wake() makes it ready again. */
void path_block(struct warp *w, enum path_state state);
void path_wake(struct warp *w, uint32_t path);
/* Add the lanes of a blocked path to the current one, which is at the same place: they run on together. */
void path_merge(struct warp *w, uint32_t path);
/* Make a blocked path current; the one that was so is ready. */
void path_resume(struct warp *w, uint32_t path);
/* Make another path current; false: none is ready. */
bool path_next(struct warp *w);
/*
 * Give lanes a turn that wait for the current path: it goes to the end of the
 * queue, and lanes that have arrived at an inner node go on without the others.
 */
void path_rotate(struct warp *w);
/* When all paths wait at barriers: let lanes that wait only for those go on alone; false: there is none. */
bool path_go_ahead(struct warp *w);

uint32_t frame_new(struct warp *w, uint32_t function, uint32_t bytes);
void frame_free(struct warp *w, uint32_t frame);

#endif
