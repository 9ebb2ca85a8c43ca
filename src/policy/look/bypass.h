/* The observer of requests past L1. */
#ifndef SLUICE_POLICY_LOOK_BYPASS_H
#define SLUICE_POLICY_LOOK_BYPASS_H

#include "policy/policy.h"

/* A line as a cache without bypassing would hold it. */
struct bypass_frame {
	uint64_t line; /* + 1; 0: empty */
	bool bypassed; /* it is not in L1: its last request went past */
};

/* An SM's block; sets x ways frames and a turn per set follow. */
struct look_bypass {
	uint32_t sets, ways;
	uint64_t misses, bypasses;
	uint64_t regretted; /* bypasses whose line was asked for again while the shadow held it */
	uint64_t asked;     /* line + 1 of the request that was last sent; 0: it has turned out to be a miss */
	uint32_t asked_set;
	uint32_t *turn;     /* per set: the way that goes next */
	struct bypass_frame frame[];
};

extern const struct policy look_bypass;

/* The last request of a launch is known to be a bypass only afterwards. */
void look_bypass_close(struct look_bypass *bypass);

#endif
