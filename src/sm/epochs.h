/* When policies' epochs end, in instructions and in cycles. */
#ifndef SLUICE_SM_EPOCHS_H
#define SLUICE_SM_EPOCHS_H

#include "base/cycle.h"
#include "policy/hooks.h"

struct epochs {
	cycle_t due;        /* look whether one has ended */
	cycle_t next_cycle; /* the nearest boundary in cycles; CYCLE_NEVER: there is none */
	uint64_t next_insns;
	cycle_t cycle[CHAIN_MAX]; /* per policy; 0: none */
	uint64_t insns[CHAIN_MAX];
};

/* The first epochs of a launch. */
void epochs_begin_launch(struct epochs *epochs, const struct hooks *hooks);
/* Does an epoch of the policy at `link` end now? If so, its next begins. */
bool epochs_end(struct epochs *epochs, const struct hooks *hooks, uint32_t link, uint64_t insns, cycle_t now);
/* After epochs_end() of every link. */
void epochs_settle(struct epochs *epochs, const struct hooks *hooks);

static inline bool epochs_are_over(const struct epochs *epochs, uint64_t insns, cycle_t now)
{
	return now >= epochs->next_cycle || insns >= epochs->next_insns;
}

#endif
