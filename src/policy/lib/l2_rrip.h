/*
 * Re-reference predictions of the lines of L2 (Jaleel et al., ISCA 2010), two bits each: what drrip and ship have in common.
 * Slices run in parallel; each has its own part of `value`, so a policy that touches only the slice it is asked about is safe.
 */
#ifndef SLUICE_POLICY_LIB_L2_RRIP_H
#define SLUICE_POLICY_LIB_L2_RRIP_H

#include "policy/policy.h"

enum { L2_RRIP_DISTANT = 3, L2_RRIP_LONG = 2 };

struct l2_rrip {
	uint32_t frames, ways; /* of a slice */
	uint8_t *value;        /* per slice and frame */
};

static inline size_t l2_rrip_frames(const struct policy_env *env)
{
	return (size_t)env->l2_slices * env->l2_sets * env->l2_ways;
}

static inline uint8_t *l2_rrip_at(const struct l2_rrip *rrip, uint32_t slice, uint32_t frame)
{
	return &rrip->value[(size_t)slice * rrip->frames + frame];
}

/* Return the first way with the most distant prediction; the others of the set age until there is one. An empty way first. */
static inline uint32_t l2_rrip_victim(const struct l2_rrip *rrip, uint32_t slice, const struct l2_frame *ways,
                                      uint32_t count)
{
	uint32_t victim = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		if (!ways[i].valid)
			return i;
		if (!ways[i].reserved &&
		    (victim == UINT32_MAX ||
		     *l2_rrip_at(rrip, slice, ways[i].frame) > *l2_rrip_at(rrip, slice, ways[victim].frame)))
			victim = i;
	}
	uint8_t steps = (uint8_t)(L2_RRIP_DISTANT - *l2_rrip_at(rrip, slice, ways[victim].frame));
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *value = l2_rrip_at(rrip, slice, ways[i].frame);
		*value = (uint8_t)(*value + steps < L2_RRIP_DISTANT ? *value + steps : L2_RRIP_DISTANT);
	}
	return victim;
}

#endif
