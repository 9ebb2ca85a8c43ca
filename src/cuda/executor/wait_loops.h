/*
 * Loops that wait for memory, found in a kernel's text.
 *
 * Such a loop reads global memory, by a strong load or an atomic, until what it has read says that it may go on. It does
 * nothing else that another thread could see, and all that decides whether it goes on is what one round of it has read and
 * what does not change in the loop. So every round before the last may be left out: what follows does not depend on how many there were.
 *
 * Compilers often put a copy of the loop's first question in front of it. Its load belongs to the wait, too.
 */
#ifndef SLUICE_CUDA_EXECUTOR_WAIT_LOOPS_H
#define SLUICE_CUDA_EXECUTOR_WAIT_LOOPS_H

#include "ptx/ptx.h"

/* Instructions are those of the module; a loop's text is [first, last]. */
struct wait_loop {
	uint32_t first, last;
	uint32_t head;     /* where a round begins */
	uint32_t question; /* the load in front of the loop; PTX_NONE: there is none */
};

struct wait_poll {
	uint32_t insn, loop;
	bool is_strong; /* else a plain load in the loop, which may change, too */
};

struct wait_loops {
	struct wait_loop *loops; /* inner ones before outer ones */
	uint32_t loop_count;
	struct wait_poll *polls; /* ascending; of nested loops the inner one's */
	uint32_t poll_count;
};

/* Find the loops of a function, or add them to `found`. */
void wait_loops_find(struct wait_loops *found, const struct ptx_module *m, const struct ptx_function *f);
void wait_loops_free(struct wait_loops *loops);

#endif
