/* The observer of requests past L1. */
#ifndef SLUICE_POLICY_LOOK_BYPASS_H
#define SLUICE_POLICY_LOOK_BYPASS_H

#include "policy/policy.h"

/* A line as a cache without bypassing would hold it. */
struct bypass_frame {
	uint64_t line; /* + 1; 0: empty */
	bool bypassed; /* it is not in L1: its last request went past */
};

/* An SM's block; sets x ways frames, misses on their way and a turn per set follow. */
struct look_bypass {
	uint32_t sets, ways;
	uint64_t misses, bypasses;
	uint64_t late;      /* of the bypasses, misses that took no line when the data came */
	uint64_t regretted; /* bypasses whose line was asked for again while the shadow held it */
	uint64_t asked; /* line + 1 of the request that was last sent; 0: it has turned out to be a miss */
	uint32_t asked_set;
	uint64_t
	    replied; /* line + 1 of such a miss, whose data are there and may still be filled in; 0: none */
	uint32_t replied_set, waiting_count, waiting_most;
	struct bypass_wait {
		uint64_t line; /* + 1 */
		uint32_t set;
	} * waiting;    /* misses without a line, on their way */
	uint32_t *turn; /* per set: the way that goes next */
	struct bypass_frame frame[];
};

extern const struct policy look_bypass;

/* The last request of a launch is known to be a bypass only afterwards. */
void look_bypass_close(struct look_bypass *bypass);

#endif
