/* An observer on its own: its hooks are called by hand. */
#ifndef SLUICE_TESTS_UNIT_POLICY_LOOK_FIXTURE_H
#define SLUICE_TESTS_UNIT_POLICY_LOOK_FIXTURE_H

#include "policy/chain.h"
#include "test.h"

struct observer {
	const struct policy *policy;
	double param[8], params[8]; /* by number; in the observer's struct */
	struct policy_env env;
	void *sm;
};

/* 4 warps, L1 of 2 sets and 2 ways; `first_param` 0: the default. */
static inline void observer_open(struct observer *o, const struct policy *policy, double first_param)
{
	*o = (struct observer){.policy = policy};
	for (uint32_t i = 0; i < policy->param_count; i++)
		o->param[i] = policy->params[i].default_value;
	if (first_param > 0)
		o->param[0] = first_param;
	o->env = (struct policy_env){.params = o->params,
	                             .machine = "test",
	                             .sm_count = 1,
	                             .schedulers = 1,
	                             .warps = 4,
	                             .warp_size = 32,
	                             .l1_sets = 2,
	                             .l1_ways = 2,
	                             .l1_line_bytes = 128,
	                             .l1_mshrs = 8,
	                             .smem_bytes = 16384};
	policy_fill_params(policy, o->param, o->params);
	o->sm = calloc(1, policy->sm_bytes(&o->env));
	policy->sm_init(o->sm, &o->env);
}

static inline void observer_close(struct observer *o)
{
	if (o->policy->sm_free)
		o->policy->sm_free(o->sm);
	free(o->sm);
}

static inline struct l1_event event_of(uint32_t warp, uint64_t line, uint32_t frame)
{
	return (struct l1_event){.warp = warp, .owner = warp, .line = line, .frame = frame, .pc = 0x40};
}

#endif
