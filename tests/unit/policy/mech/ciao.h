/* What the tests of the three CIAO policies have in common: warps that take each other's lines. */
#ifndef SLUICE_TESTS_UNIT_POLICY_MECH_CIAO_H
#define SLUICE_TESTS_UNIT_POLICY_MECH_CIAO_H

#include "lib/policy_probe.h"
#include "policy/lib/ciao.h"

static inline struct probe ciao_begin(const char *name, uint32_t warps)
{
	struct probe h = probe_begin(name);
	for (uint32_t i = 0; i < warps; i++)
		h.policy->on_warp_start(h.sm, i, 0, 0);
	return h;
}

/* Warp `by` evicts lines of warp `of`, which wants them again: so many VTA hits. */
static inline void interfere(struct probe *h, uint32_t of, uint32_t by, uint32_t times)
{
	for (uint64_t line = 1; line <= times; line++) {
		h->policy->on_l1_evict(h->sm, &(struct l1_event){.line = line, .owner = of, .warp = by});
		h->policy->on_l1_miss(h->sm, &(struct l1_event){.line = line, .owner = of, .warp = of});
	}
}

/* Instructions up to that many in all, of one lane each: as many of warps as of threads. */
static inline void issue_to(struct probe *h, uint64_t insns)
{
	struct ciao *c = h->sm;
	while (c->insns < insns)
		h->policy->on_issue(h->sm, 0, 0, 1, 0);
}

static inline bool is_stalled(const struct probe *h, uint32_t warp)
{
	return ((const struct ciao *)h->sm)->warp[warp].stalled;
}

static inline bool is_isolated(const struct probe *h, uint32_t warp)
{
	return ((const struct ciao *)h->sm)->warp[warp].isolated;
}

static inline int32_t pair_of(const struct probe *h, uint32_t warp, enum ciao_cause cause)
{
	return ((const struct ciao *)h->sm)->warp[warp].pair[cause].warp;
}

#endif
