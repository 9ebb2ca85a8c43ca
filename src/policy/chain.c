#include "policy/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "policy/shared.h"

struct policy_env chain_env(const struct chain *chain, uint32_t link, uint32_t sm)
{
	const struct machine *m = chain->machine;
	uint32_t slices = m->dram_channels * m->l2_slices_per_channel;
	return (struct policy_env){
	    .params = chain->link[link].params,
	    .sm = sm,
	    .machine = m->name,
	    .sm_count = m->sm_count,
	    .schedulers = m->sm_schedulers,
	    .warps = m->sm_warps,
	    .warp_size = m->sm_warp_size,
	    .l1_sets = m->l1d_sets,
	    .l1_ways = m->l1d_ways,
	    .l1_line_bytes = m->l1d_line_bytes,
	    .l1_mshrs = m->l1d_mshr_entries,
	    .l2_slices = slices,
	    .slices_per_partition = m->l2_slices_per_channel,
	    .l2_sets = m->l2_sets,
	    .l2_ways = m->l2_ways,
	    .l2_round_trip_cycles = m->icnt_request_cycles + m->l2_latency_cycles + m->icnt_reply_cycles,
	    .smem_bytes = m->smem_bytes,
	    .smem_cycles = m->smem_latency_cycles,
	    .unified_bytes =
	        m->smem_carveout == CARVE_NONE ? 0 : m->l1d_unified_bytes - m->l1d_unified_overhead,
	    .allocates_on_fill = m->l1d_allocate == ALLOCATE_ON_FILL,
	};
}

void policy_fill_params(const struct policy *policy, const double *value, void *params)
{
	for (uint32_t i = 0; i < policy->param_count; i++) {
		char *member = (char *)params + policy->params[i].offset;
		uint32_t whole = (uint32_t)value[i];
		bool yes = value[i] != 0;
		if (policy->params[i].type == PARAM_TYPE_REAL)
			memcpy(member, &value[i], sizeof value[i]);
		else if (policy->params[i].type == PARAM_TYPE_U32)
			memcpy(member, &whole, sizeof whole);
		else
			memcpy(member, &yes, sizeof yes);
	}
}

/* Once all parameters are known. */
static bool set_up(struct chain *chain, uint32_t first, struct error *err)
{
	for (uint32_t i = first; i < chain->count; i++) {
		struct chain_link *link = &chain->link[i];
		policy_fill_params(&link->policy, link->param, link->params);
		struct policy_env env = chain_env(chain, i, 0);
		const char *why = link->policy.refuses ? link->policy.refuses(&env) : NULL;
		if (why)
			return error_set(err, "policy '%s' cannot run on %s: %s", link->policy.name,
			                 env.machine, why);
		if (link->policy.configure)
			link->policy.configure(&link->policy, &env);
		if (link->policy.gpu_bytes)
			link->gpu = memory_zeroed(1, link->policy.gpu_bytes(&env));
		if (link->policy.gpu_init)
			link->policy.gpu_init(link->gpu, &env);
	}
	return true;
}

/* Questions that only one policy may answer. */
static bool check_owners(const struct chain *chain, struct error *err)
{
	static const enum hook owned[] = {HOOK_order,     HOOK_prel1_pick, HOOK_set_index,
	                                  HOOK_l1_victim, HOOK_aux_cache,  HOOK_aux_index};
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
		uint32_t mask = chain_mask(chain, owned[i]);
		if (__builtin_popcount(mask) < 2)
			continue;
		uint32_t first = (uint32_t)__builtin_ctz(mask);
		uint32_t second = (uint32_t)__builtin_ctz(mask & (mask - 1));
		return error_set(err, "policies '%s' and '%s' both own %s (%s); leave one out",
		                 chain->link[first].policy.name, chain->link[second].policy.name,
		                 hook_facts[owned[i]].name, hook_facts[owned[i]].question);
	}
	return true;
}

static void find_hooks(struct chain *chain)
{
#define HOOK(scope, combine, type, name, ...) FIND(name)
#define EVENT(scope, combine, name, ...) FIND(name)
#define FIND(name)                                                                                           \
	chain->has_##name = 0;                                                                               \
	for (uint32_t i = 0; i < chain->count; i++)                                                          \
		chain->has_##name |= (uint32_t)(chain->link[i].policy.name != NULL) << i;
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
#undef FIND
}

static void spell(struct chain *chain)
{
	size_t n = 0;
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct chain_link *link = &chain->link[i];
		n += (size_t)snprintf(chain->text + n, sizeof chain->text - n, "%s%s", i ? "," : "",
		                      link->policy.name);
		for (uint32_t k = 0; k < link->policy.param_count && n < sizeof chain->text; k++)
			n += (size_t)snprintf(chain->text + n, sizeof chain->text - n, ":%s=%.17g",
			                      link->policy.params[k].name, link->param[k]);
		if (n >= sizeof chain->text)
			return;
	}
}

struct chain *chain_new(const char *text, const struct machine *machine, struct error *err)
{
	struct chain *chain = memory_zeroed(1, sizeof *chain);
	chain->machine = machine;
	char *copy = memory_text(text);
	bool good = chain_parse(chain, copy, err);
	free(copy);
	find_hooks(chain);
	if (good && !chain->has_order) {
		good = chain_append(chain, policy_find("gto"), err);
		find_hooks(chain);
	}
	if (!good || !check_owners(chain, err) || !set_up(chain, 0, err)) {
		chain_free(chain);
		return NULL;
	}
	find_hooks(chain); /* a policy whose parameters leave no use for a hook has dropped it */
	chain->order = (uint32_t)__builtin_ctz(chain->has_order);
	spell(chain);
	return chain;
}

bool chain_add(struct chain *chain, const struct policy *policy, struct error *err)
{
	uint32_t first = chain->count;
	if (!chain_append(chain, policy, err))
		return false;
	find_hooks(chain);
	spell(chain);
	if (!check_owners(chain, err) || !set_up(chain, first, err))
		return false;
	find_hooks(chain);
	return true;
}

void chain_free(struct chain *chain)
{
	if (!chain)
		return;
	for (uint32_t i = 0; i < chain->count; i++) {
		free(chain->link[i].param);
		free(chain->link[i].params);
		free(chain->link[i].param_given);
		if (chain->link[i].policy.gpu_free && chain->link[i].gpu)
			chain->link[i].policy.gpu_free(chain->link[i].gpu);
		free(chain->link[i].gpu);
	}
	shared_free(chain->shared);
	free(chain);
}

uint32_t chain_passes(const struct chain *chain, bool shared_memory)
{
	uint32_t passes = 1;
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct policy *policy = &chain->link[i].policy;
		if (policy->passes > passes && (shared_memory || !policy->smem_only))
			passes = policy->passes;
	}
	return passes;
}
