/* From "name[:param=value]...,name..." to links: names, bundles, shared objects, values. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "policy/chain.h"
#include "policy/shared.h"

static bool unknown_policy(const char *name, struct error *err)
{
	struct suggest nearest = suggest_start(name);
	for (size_t i = 0; policy_registry[i]; i++)
		suggest_offer(&nearest, policy_registry[i]->name);
	if (nearest.best)
		return error_set(err, "unknown policy '%s'; did you mean '%s'?", name, nearest.best);
	return error_set(err, "unknown policy '%s'; 'sluice policy list' shows those there are", name);
}

static bool parse_value(const struct policy *policy, const struct policy_param *param, const char *text,
                        double *value, struct error *err)
{
	char *end;
	if (param->type == PARAM_TYPE_BOOL && (!strcmp(text, "yes") || !strcmp(text, "no"))) {
		*value = text[0] == 'y';
		return true;
	}
	*value = strtod(text, &end);
	if (end == text || *end || !isfinite(*value))
		return error_set(err, "policy %s: '%s' is no value for %s", policy->name, text, param->name);
	if (*value < param->min || *value > param->max)
		return error_set(err, "policy %s: %s must be %g to %g %s, not %s", policy->name, param->name,
		                 param->min, param->max, param->unit, text);
	if (param->type != PARAM_TYPE_REAL && *value != floor(*value))
		return error_set(err, "policy %s: %s must be a whole number, not %s", policy->name,
		                 param->name, text);
	return true;
}

static uint32_t find_param(const struct policy *policy, const char *name)
{
	for (uint32_t i = 0; i < policy->param_count; i++)
		if (!strcmp(policy->params[i].name, name))
			return i;
	return UINT32_MAX;
}

static bool unknown_param(const struct policy *policy, const char *name, struct error *err)
{
	struct suggest nearest = suggest_start(name);
	for (uint32_t i = 0; i < policy->param_count; i++)
		suggest_offer(&nearest, policy->params[i].name);
	if (nearest.best)
		return error_set(err, "policy %s has no parameter '%s'; did you mean '%s'?", policy->name,
		                 name, nearest.best);
	return error_set(err, "policy %s has no parameter '%s'", policy->name, name);
}

/* Gives "param=value" to the links from `first` on that have the parameter; `policy` is whose name the user wrote. */
static bool parse_param(struct chain *chain, uint32_t first, const struct policy *policy, char *text,
                        struct error *err)
{
	char *equals = strchr(text, '=');
	if (!equals)
		return error_set(err, "policy %s: expected parameter=value, found '%s'", policy->name, text);
	*equals = 0;
	bool found = false;
	for (uint32_t i = first; i < chain->count; i++) {
		struct chain_link *link = &chain->link[i];
		uint32_t param = find_param(&link->policy, text);
		if (param == UINT32_MAX)
			continue;
		found = link->param_given[param] = true;
		if (!parse_value(&link->policy, &link->policy.params[param], equals + 1, &link->param[param],
		                 err))
			return false;
	}
	return found || unknown_param(policy, text, err);
}

static bool parse_params(struct chain *chain, uint32_t first, const struct policy *policy, char *text,
                         struct error *err)
{
	for (char *save, *item = text ? strtok_r(text, ":", &save) : NULL; item;
	     item = strtok_r(NULL, ":", &save))
		if (!parse_param(chain, first, policy, item, err))
			return false;
	return true;
}

static bool check_param(const struct policy *policy, uint32_t index, struct error *err)
{
	static const size_t size[] = {
	    [PARAM_TYPE_U32] = sizeof(uint32_t), [PARAM_TYPE_REAL] = sizeof(double), [PARAM_TYPE_BOOL] = 1};
	const struct policy_param *param = &policy->params[index];
	if (!param->name || !param->name[0] || !param->unit || !param->doc)
		return error_set(err, "policy '%s': parameter %u lacks a name, unit or text", policy->name,
		                 index);
	if ((uint32_t)param->type > PARAM_TYPE_BOOL || policy->params_bytes < size[param->type] ||
	    param->offset > policy->params_bytes - size[param->type])
		return error_set(err,
		                 "policy '%s': parameter '%s' lies outside the struct of %zu bytes; see "
		                 "POLICY_PARAMS",
		                 policy->name, param->name, policy->params_bytes);
	if (!(param->min <= param->default_value && param->default_value <= param->max))
		return error_set(err, "policy '%s': the default of parameter '%s' is not within %g to %g",
		                 policy->name, param->name, param->min, param->max);
	return true;
}

/* Mistakes in a table, of a shared object as of one that is built in. */
static bool check_policy(const struct policy *policy, struct error *err)
{
	if (policy->abi != POLICY_ABI)
		return error_set(err,
		                 "policy '%s' was made for version %u of the policy interface, this is "
		                 "version %u; compile it again",
		                 policy->abi && policy->abi < POLICY_ABI && policy->name ? policy->name : "?",
		                 policy->abi, POLICY_ABI);
	if (!policy->name || !policy->name[0] || strpbrk(policy->name, ",:="))
		return error_set(err, "a policy needs a name without ',', ':' and '='");
	if ((policy->param_count && !policy->params) || (policy->stat_count && !policy->stat_names))
		return error_set(err, "policy '%s': %s", policy->name,
		                 policy->param_count && !policy->params ? "param_count without params"
		                                                        : "stat_count without stat_names");
	for (uint32_t i = 0; i < policy->param_count; i++)
		if (!check_param(policy, i, err))
			return false;
	return true;
}

bool chain_append(struct chain *chain, const struct policy *policy, struct error *err)
{
	if (!check_policy(policy, err))
		return false;
	if (chain->count == CHAIN_MAX)
		return error_set(err, "a chain holds at most %d policies", CHAIN_MAX);
	for (uint32_t i = 0; i < chain->count; i++)
		if (!strcmp(chain->link[i].policy.name, policy->name))
			return error_set(err, "policy '%s' is given twice", policy->name);
	struct chain_link *link = &chain->link[chain->count++];
	link->policy = *policy;
	link->param = memory_zeroed(policy->param_count + 1, sizeof *link->param);
	link->params = policy->params_bytes ? memory_zeroed(1, policy->params_bytes) : NULL;
	link->param_given = memory_zeroed(policy->param_count + 1, sizeof *link->param_given);
	for (uint32_t i = 0; i < policy->param_count; i++)
		link->param[i] = policy->params[i].default_value;
	return true;
}

static bool is_file(const char *item)
{
	size_t length = strlen(item);
	return strchr(item, '/') || (length > 3 && !strcmp(item + length - 3, ".so"));
}

static const struct policy *find(struct chain *chain, const char *item, struct error *err)
{
	if (is_file(item))
		return shared_load(item, &chain->shared, err);
	const struct policy *policy = policy_find(item);
	if (!policy)
		unknown_policy(item, err);
	return policy;
}

static bool parse_item(struct chain *chain, char *item, struct error *err)
{
	char *params = strchr(item, ':');
	if (params)
		*params++ = 0;
	const struct policy *policy = find(chain, item, err);
	if (!policy)
		return false;
	uint32_t first = chain->count;
	if (!policy->bundle)
		return chain_append(chain, policy, err) && parse_params(chain, first, policy, params, err);
	char *parts = memory_text(policy->bundle);
	bool good = chain_parse(chain, parts, err) && parse_params(chain, first, policy, params, err);
	free(parts);
	for (uint32_t i = first; i < chain->count; i++)
		chain->link[i].bundle = policy->name;
	return good;
}

bool chain_parse(struct chain *chain, char *text, struct error *err)
{
	for (char *save, *item = strtok_r(text, ",", &save); item; item = strtok_r(NULL, ",", &save))
		if (!parse_item(chain, item, err))
			return false;
	return true;
}
