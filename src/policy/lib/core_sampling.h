/*
 * Core sampling (Khairy 2015, section 5.2): watch the misses of all SMs period
 * by period; when they have been too many for some periods in a row, let every
 * SM try another number of warps; settle for the number that did best.
 */
#ifndef SLUICE_POLICY_LIB_CORE_SAMPLING_H
#define SLUICE_POLICY_LIB_CORE_SAMPLING_H

#include "policy/policy.h"

enum sampling_phase { SAMPLING_WATCH, SAMPLING_TRY, SAMPLING_DONE };

/* What an SM did while trying: thread instructions before it, and when it was last seen to have warps. */
struct sampling_try {
	uint64_t insns_before, busy_until;
};

/* A kernel that was seen before; limit 0: `run` periods of it thrashed, but it was too short to be sampled. */
struct sampling_kernel {
	uint64_t key;
	uint32_t limit, run;
};

struct sampling {
	/* Set by the owner before the first launch. */
	uint64_t period;
	double threshold;        /* misses per 1000 thread instructions */
	uint32_t detect, sample; /* periods */
	uint32_t most;           /* warps of a scheduler */
	uint32_t sm_count, known_size;
	bool first_only; /* only the first `detect` periods of a launch count */
	struct sampling_kernel *known;
	struct sampling_try *tries; /* one per SM */

	enum sampling_phase phase;
	uint32_t run, periods; /* periods that thrashed in a row; periods of the phase */
	uint64_t period_end, try_start, misses, insns;
	uint32_t base, best, limit; /* limits up to base were tried before; the best of all; what holds now */
	double best_rate;
	uint64_t kernel;
	uint32_t known_count, known_next;
	uint64_t thrashing_periods, rounds; /* of this launch */
};

void sampling_begin(struct sampling *sampling, const char *kernel, uint64_t ctas);
/* A kernel of short launches goes on counting where the last one ended. */
void sampling_end(struct sampling *sampling);
/* After every exchange, with the views of all SMs. */
void sampling_step(struct sampling *sampling, const struct sm_view *view);
/*
 * May the kernel still turn out to thrash? In its first periods, after every period that thrashed, and while SMs try
 * numbers of warps; not any more once a number holds.
 */
bool sampling_in_doubt(const struct sampling *sampling);
/* Warps of a scheduler that may issue on this SM now; 0: all. */
uint32_t sampling_limit(const struct sampling *sampling, uint32_t sm);

#endif
