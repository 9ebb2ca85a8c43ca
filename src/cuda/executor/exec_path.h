/*
 * Paths of a warp: where lanes go when they part, and where they meet again.
 * See struct path. All decisions depend on the program alone, so runs repeat.
 */
#ifndef SLUICE_CUDA_EXEC_PATH_H
#define SLUICE_CUDA_EXEC_PATH_H

#include "cuda/executor/exec_state.h"

/* One path with all live lanes at `pc`, in frame 0. */
void path_start(struct warp *w, uint32_t pc);
/* The current path parts: `taken` goes to `target`, the rest to `next`; they meet at `reconverge`. */
void path_diverge(struct warp *w, uint64_t taken, uint32_t target, uint32_t next, uint32_t reconverge);
/* The current path becomes an inner node that goes on at `pc` when its children have ended. */
void path_wait_for_children(struct warp *w, uint32_t pc);
/* A new ready path below `parent`; it will be the next to run. */
uint32_t path_add_child(struct warp *w, uint32_t parent, uint64_t mask, uint32_t pc, uint32_t reconverge,
                        uint32_t frame);
/* The current path has reached its meeting point. */
void path_arrive(struct warp *w);
/* Lanes of the current path are gone (exit) or wait in `node` (ret). */
void path_leave(struct warp *w, uint64_t mask);
void path_return(struct warp *w, uint64_t mask, uint32_t node);
/* The current path waits; path_wake() makes it ready again. */
void path_block(struct warp *w, enum path_state state);
void path_wake(struct warp *w, uint32_t path);
/* Makes another path current; false: none is ready. */
bool path_next(struct warp *w);
/*
 * Lets lanes run that wait for the current path: it goes to the end of the
 * queue, and lanes that have arrived somewhere go on without the others.
 */
void path_rotate(struct warp *w);
/* All paths wait at barriers: lanes that only wait for those go on alone; false: there is none. */
bool path_go_ahead(struct warp *w);

uint32_t frame_new(struct warp *w, uint32_t function, uint32_t bytes);
void frame_free(struct warp *w, uint32_t frame);

#endif
