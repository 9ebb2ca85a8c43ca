/* What a policy that orders and places CTAs is told: the hook `cta_pick`. */
#ifndef SLUICE_POLICY_CTA_H
#define SLUICE_POLICY_CTA_H

#include <stdbool.h>
#include <stdint.h>

#define POLICY_CTA_NONE UINT64_MAX

/* A free place for a CTA on an SM. */
struct cta_place {
	uint64_t cycle;
	uint64_t ctas;         /* of the grid */
	uint64_t given;        /* CTAs that have been given to SMs so far */
	uint32_t x, y, z;      /* the grid: CTA i has x index i % x, y index i / x % y */
	uint32_t sm, sm_count; /* the SM with the place */
	uint32_t held, most;   /* CTAs that it holds or has been given, and the most it may hold now */
	const uint64_t *taken; /* a bit per CTA of the grid: it has been given */
};

static inline bool cta_taken(const struct cta_place *place, uint64_t cta)
{
	return place->taken[cta / 64] >> cta % 64 & 1;
}

#endif
