#include "sm/epochs.h"

void epochs_settle(struct epochs *epochs, const struct hooks *hooks)
{
	epochs->next_cycle = CYCLE_NEVER;
	epochs->next_insns = UINT64_MAX;
	for (uint32_t mask = hooks->has_on_epoch; mask; mask &= mask - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(mask);
		if (epochs->cycle[i] && epochs->cycle[i] < epochs->next_cycle)
			epochs->next_cycle = epochs->cycle[i];
		if (epochs->insns[i] && epochs->insns[i] < epochs->next_insns)
			epochs->next_insns = epochs->insns[i];
	}
	/* Where instructions are counted, every cycle may be one. */
	epochs->due = epochs->next_insns != UINT64_MAX ? 0 : epochs->next_cycle;
}

void epochs_begin_launch(struct epochs *epochs, const struct hooks *hooks)
{
	for (uint32_t i = 0; i < hooks->chain->count; i++) {
		epochs->insns[i] = hooks->chain->link[i].policy.epoch_insns;
		epochs->cycle[i] = hooks->chain->link[i].policy.epoch_cycles;
	}
	epochs_settle(epochs, hooks);
}

bool epochs_end(struct epochs *epochs, const struct hooks *hooks, uint32_t link, uint64_t insns, cycle_t now)
{
	const struct policy *policy = &hooks->chain->link[link].policy;
	bool by_insns = policy->epoch_insns && insns >= epochs->insns[link];
	bool by_cycles = policy->epoch_cycles && now >= epochs->cycle[link];
	epochs->insns[link] += by_insns ? policy->epoch_insns : 0;
	epochs->cycle[link] += by_cycles ? policy->epoch_cycles : 0;
	return by_insns || by_cycles;
}
