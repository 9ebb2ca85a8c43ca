/*
 * Tokens of priority-based cache allocation (Li et al., HPCA 2015): of each
 * scheduler, the oldest warps that could run hold one and use L1 as ever; the
 * next ones run too, but take no line; the rest waits. Shared by pcal-fixed
 * and statpcal, which differ in how many run without a token.
 */
#ifndef SLUICE_POLICY_LIB_TOKENS_H
#define SLUICE_POLICY_LIB_TOKENS_H

#include "policy/lib/oldest.h"

struct tokens {
	uint32_t count;     /* per scheduler */
	uint32_t bypassing; /* warps per scheduler that run without */
	uint32_t schedulers;
	uint64_t bypasses;
	uint64_t holders[]; /* per scheduler, as of the last question */
};

static inline size_t tokens_bytes(const struct policy_env *env)
{
	return sizeof(struct tokens) + env->schedulers * sizeof(uint64_t);
}

static inline void tokens_init(struct tokens *t, const struct policy_env *env, uint32_t count,
                               uint32_t bypassing)
{
	*t = (struct tokens){.count = count, .bypassing = bypassing, .schedulers = env->schedulers};
	for (uint32_t i = 0; i < env->schedulers; i++)
		t->holders[i] = 0;
}

/* Tokens pass on by themselves: whoever is among the oldest now holds one. */
static inline struct throttle tokens_throttle(struct tokens *t, const struct sched_view *view)
{
	t->holders[view->scheduler] = oldest_running(view, t->count);
	uint64_t may = oldest_running(view, t->count + t->bypassing);
	return (struct throttle){may, may, POLICY_UNTIL_WARPS};
}

/* Without a token: lines that are there are used, none is taken. */
static inline enum l1_route tokens_route(struct tokens *t, const struct l1_request *request,
                                         enum l1_fail fail)
{
	uint64_t holders = t->holders[request->warp % t->schedulers];
	if (request->is_store || holders >> request->warp / t->schedulers & 1)
		return L1_ROUTE_NONE;
	t->bypasses += fail == L1_FAIL_NONE && request->presence != L1_WHOLE;
	return L1_ROUTE_BYPASS;
}

#endif
