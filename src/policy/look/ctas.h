/* The observer of CTAs: when each was on its SM. */
#ifndef SLUICE_POLICY_LOOK_CTAS_H
#define SLUICE_POLICY_LOOK_CTAS_H

#include "policy/policy.h"

enum { LOOK_CTA_SLOTS = 64 };

struct look_cta_span {
	uint64_t start, end; /* end UINT64_MAX: it is there */
	uint32_t slot;
};

/* An SM's block; spans follow. */
struct look_ctas {
	uint32_t count, most, dropped;
	uint32_t live[LOOK_CTA_SLOTS]; /* warps of the CTA in the slot */
	uint32_t at[LOOK_CTA_SLOTS];   /* 1 + its span; 0: it found no room */
	uint8_t *slot_of;              /* per warp slot: that of its CTA */
	struct look_cta_span *span;
};

extern const struct policy look_ctas;

#endif
