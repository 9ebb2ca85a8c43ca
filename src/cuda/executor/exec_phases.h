/*
 * Books of mbarriers, kept while a launch is recorded: what had happened at one when its last phase ended, which is what
 * a wait for that phase waited for (trace/mbarrier.h).
 */
#ifndef SLUICE_CUDA_EXEC_PHASES_H
#define SLUICE_CUDA_EXEC_PHASES_H

#include "cuda/executor/exec_state.h"
#include "trace/mbarrier.h"

struct mbarrier_book {
	struct phase_counts now, ended; /* so far, and when the last phase ended */
};

/* The CTA's own address of an object, from a lane's: in the window of generic addresses or not. */
static inline uint64_t phases_own_address(uint64_t address)
{
	return address - SHARED_WINDOW < WINDOW_BYTES ? address - SHARED_WINDOW : address;
}

/* A lane changes the object at `address`, as it stands in the instruction. */
void phases_note_change(const struct run *run, struct warp *w, uint64_t address);
/* Pieces of a bulk copy report to the object there; their mark. */
uint64_t phases_note_pieces(const struct run *run, struct warp *w, uint64_t address, uint64_t pieces);
/* The object at `host` begins anew: no phase has ended. */
void phases_note_init(const struct run *run, struct warp *w, uint64_t host);
/* A phase of the object at `host` has ended, in this CTA or another of the cluster. */
void phases_note_end(const struct run *run, struct cta *cta, uint64_t host);
/* What a wait of these lanes waited for; nothing if they name several objects, or one of another CTA. */
struct phase_counts phases_waited_for(const struct run *run, const struct warp *w, const uint64_t *address,
                                      uint64_t mask);
/* A CTA opens in a slot that had another; the slot goes. */
void phases_open_cta(const struct run *run, struct cta *cta);
void phases_free(struct cta *cta);

#endif
