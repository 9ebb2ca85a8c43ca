#include "policy/chain.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"

static bool unknown_policy(const char *name, struct error *err)
{
	struct suggest nearest = suggest_start(name);
	char list[256] = "";
	for (size_t i = 0; policy_registry[i]; i++) {
		suggest_offer(&nearest, policy_registry[i]->name);
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
			 policy_registry[i]->name);
	}
	if (nearest.best)
		return error_set(err, "unknown policy '%s'; did you mean '%s'?", name, nearest.best);
	return error_set(err, "unknown policy '%s'; there are: %s", name, list);
}

static bool parse_value(const struct policy *policy, const struct policy_param *param, const char *text, double *value,
			struct error *err)
{
	char *end;
	if (param->type == PARAM_BOOL && (!strcmp(text, "yes") || !strcmp(text, "no"))) {
		*value = text[0] == 'y';
		return true;
	}
	*value = strtod(text, &end);
	if (end == text || *end || !isfinite(*value))
		return error_set(err, "policy %s: '%s' is no value for %s", policy->name, text, param->name);
	if (*value < param->min || *value > param->max)
		return error_set(err, "policy %s: %s must be %g to %g %s, not %s", policy->name, param->name, param->min,
				 param->max, param->unit, text);
	if (param->type != PARAM_REAL && *value != floor(*value))
		return error_set(err, "policy %s: %s must be a whole number, not %s", policy->name, param->name, text);
	return true;
}

static bool parse_param(struct chain_link *link, char *text, struct error *err)
{
	const struct policy *policy = &link->policy;
	char *equals = strchr(text, '=');
	if (!equals)
		return error_set(err, "policy %s: expected parameter=value, found '%s'", policy->name, text);
	*equals = 0;
	struct suggest nearest = suggest_start(text);
	for (uint32_t i = 0; i < policy->param_count; i++) {
		if (!strcmp(policy->params[i].name, text)) {
			link->param_given[i] = true;
			return parse_value(policy, &policy->params[i], equals + 1, &link->param[i], err);
		}
		suggest_offer(&nearest, policy->params[i].name);
	}
	if (nearest.best)
		return error_set(err, "policy %s has no parameter '%s'; did you mean '%s'?", policy->name, text,
				 nearest.best);
	return error_set(err, "policy %s has no parameter '%s'", policy->name, text);
}

static bool add_link(struct chain *chain, const struct policy *policy, char *params, struct error *err)
{
	if (chain->count == CHAIN_MAX)
		return error_set(err, "a chain holds at most %d policies", CHAIN_MAX);
	for (uint32_t i = 0; i < chain->count; i++)
		if (!strcmp(chain->link[i].policy.name, policy->name))
			return error_set(err, "policy '%s' is given twice", policy->name);
	struct chain_link *link = &chain->link[chain->count++];
	link->policy = *policy;
	link->param = memory_zeroed(policy->param_count + 1, sizeof *link->param);
	link->param_given = memory_zeroed(policy->param_count + 1, sizeof *link->param_given);
	for (uint32_t i = 0; i < policy->param_count; i++)
		link->param[i] = policy->params[i].default_value;
	for (char *save, *text = params ? strtok_r(params, ":", &save) : NULL; text; text = strtok_r(NULL, ":", &save))
		if (!parse_param(link, text, err))
			return false;
	struct policy_env env = {.machine = chain->machine, .param = link->param};
	if (policy->configure)
		policy->configure(&link->policy, &env);
	if (policy->gpu_bytes)
		link->gpu = memory_zeroed(1, policy->gpu_bytes(&env));
	if (policy->gpu_init)
		policy->gpu_init(link->gpu, &env);
	return true;
}

static bool parse_links(struct chain *chain, char *text, struct error *err)
{
	for (char *save, *item = strtok_r(text, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		char *params = strchr(item, ':');
		if (params)
			*params++ = 0;
		const struct policy *policy = policy_find(item);
		if (!policy)
			return unknown_policy(item, err);
		if (!add_link(chain, policy, params, err))
			return false;
	}
	return true;
}

/* Questions that only one policy may answer. */
static bool check_owners(const struct chain *chain, struct error *err)
{
	const struct {
		const char *question;
		uint32_t mask;
	} owned[] = {
		{"order (which warp issues)", chain->has_order},
		{"memq_pick (which request goes next)", chain->has_memq_pick},
		{"set_index (which set a line belongs to)", chain->has_set_index},
		{"l1_victim (which line is replaced)", chain->has_l1_victim},
	};
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
		if (__builtin_popcount(owned[i].mask) < 2)
			continue;
		uint32_t first = (uint32_t)__builtin_ctz(owned[i].mask);
		uint32_t second = (uint32_t)__builtin_ctz(owned[i].mask & (owned[i].mask - 1));
		return error_set(err, "policies '%s' and '%s' both own %s; leave one out",
				 chain->link[first].policy.name, chain->link[second].policy.name, owned[i].question);
	}
	return true;
}

/* Questions that no part of the model asks yet: a policy that counts on them would silently do nothing. */
static bool check_modelled(const struct chain *chain, struct error *err)
{
	const struct {
		const char *what;
		uint32_t mask;
	} missing[] = {
		{"side_cache (a second cache in shared memory)", chain->has_side_cache},
		{"smem_route (shared memory behind a cache)", chain->has_smem_route},
	};
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		if (missing[i].mask)
			return error_set(err, "policy '%s' needs %s, which this version does not model",
					 chain->link[__builtin_ctz(missing[i].mask)].policy.name, missing[i].what);
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->link[i].policy.passes > 1)
			return error_set(err, "policy '%s' needs several passes, which this version does not do",
					 chain->link[i].policy.name);
	return true;
}

static void find_hooks(struct chain *chain)
{
	for (uint32_t i = 0; i < chain->count; i++) {
#define X(hook)                                                                                              \
	if (chain->link[i].policy.hook)                                                                      \
		chain->has_##hook |= 1u << i;
		POLICY_HOOKS(X)
#undef X
	}
}

static void spell(struct chain *chain)
{
	size_t n = 0;
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct chain_link *link = &chain->link[i];
		n += (size_t)snprintf(chain->text + n, sizeof chain->text - n, "%s%s", i ? "," : "", link->policy.name);
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
	bool good = parse_links(chain, copy, err);
	free(copy);
	find_hooks(chain);
	if (good && !chain->has_order) {
		good = add_link(chain, policy_find("gto"), NULL, err);
		find_hooks(chain);
	}
	if (!good || !check_owners(chain, err) || !check_modelled(chain, err)) {
		chain_free(chain);
		return NULL;
	}
	chain->order = (uint32_t)__builtin_ctz(chain->has_order);
	spell(chain);
	return chain;
}

bool chain_add(struct chain *chain, const struct policy *policy, struct error *err)
{
	if (!add_link(chain, policy, NULL, err))
		return false;
	find_hooks(chain);
	spell(chain);
	return check_owners(chain, err);
}

void chain_free(struct chain *chain)
{
	if (!chain)
		return;
	for (uint32_t i = 0; i < chain->count; i++) {
		free(chain->link[i].param);
		free(chain->link[i].param_given);
		free(chain->link[i].gpu);
	}
	free(chain);
}

void chain_sm_init(struct chain_sm *sm, const struct chain *chain, uint32_t sm_id)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct policy *policy = &chain->link[i].policy;
		struct policy_env env = {.machine = chain->machine, .param = chain->link[i].param, .sm = sm_id};
		sm->block[i] = policy->sm_bytes ? memory_zeroed(1, policy->sm_bytes(&env)) : NULL;
	}
}

void chain_sm_reset(struct chain_sm *sm, const struct chain *chain, uint32_t sm_id)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct policy *policy = &chain->link[i].policy;
		struct policy_env env = {.machine = chain->machine, .param = chain->link[i].param, .sm = sm_id};
		if (policy->sm_init)
			policy->sm_init(sm->block[i], &env);
	}
}

void chain_sm_free(struct chain_sm *sm, const struct chain *chain)
{
	for (uint32_t i = 0; i < chain->count; i++)
		free(sm->block[i]);
}
