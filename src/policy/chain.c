#include "policy/chain.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/read_files.h"
#include "base/safe_text.h"
#include "base/suggest.h"

/* ---- the registry: built-in policies, one line each in registry.def ----------------------------------------- */

#define X(name) extern const struct policy policy_##name;
#include "policy/registry.def"
#undef X

const struct policy *const policy_registry[] = {
#define X(name) &policy_##name,
#include "policy/registry.def"
#undef X
    NULL,
};

const struct policy *policy_find(const char *name)
{
	for (int i = 0; policy_registry[i]; i++)
		if (!strcmp(policy_registry[i]->name, name))
			return policy_registry[i];
	return NULL;
}

/* ---- policies in shared objects ----------------------------------------------------------------------------- */

#define SYMBOL "sluice_policy"

enum { NAME_MOST = 63 };

struct shared {
	void *handle;
	struct shared *next;
};

static bool check_shared(const char *path, const struct policy *policy, struct error *err)
{
	if (!policy)
		return error_set(err, "%s: has no symbol " SYMBOL " (a const struct policy)", path);
	if (policy->abi != POLICY_ABI)
		return error_set(
		    err,
		    "%s: made for version %u of the policy interface, this is version %u; compile it again",
		    path, policy->abi, POLICY_ABI);
	if (!policy->name || !policy->name[0] || strpbrk(policy->name, ",:= "))
		return error_set(err, "%s: the policy needs a name without ',', ':', '=' and blanks", path);
	if (strlen(policy->name) > NAME_MOST || !text_is_safe(policy->name, strlen(policy->name), "") ||
	    (policy->title && !text_is_safe(policy->title, strlen(policy->title), "")))
		return error_set(
		    err, "%s: the policy's name (at most %d bytes) and title must be plain text in UTF-8",
		    path, NAME_MOST);
	if ((policy->sm_init && !policy->sm_bytes) || (policy->gpu_init && !policy->gpu_bytes))
		return error_set(
		    err, "%s: the policy has %s_init, but no %s_bytes, which says how large the block is",
		    path, policy->sm_init && !policy->sm_bytes ? "sm" : "gpu",
		    policy->sm_init && !policy->sm_bytes ? "sm" : "gpu");
	return true;
}

static const struct policy *shared_load(const char *path, struct shared **list, struct error *err)
{
	/* dlopen() looks for a name without a slash in the system's folders. */
	char *full = realpath(path, NULL);
	if (!full) {
		error_set(err, "%s: no such policy file", path);
		return NULL;
	}
	struct stat file;
	if (stat(full, &file) ||
	    !S_ISREG(file.st_mode)) { /* dlopen() would wait for a writer of a named pipe */
		error_set(err, "%s: not a file, which a policy's shared object is", path);
		free(full);
		return NULL;
	}
	read_files_note_path(full);
	void *handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
	free(full);
	if (!handle) {
		error_set(err, "%s: cannot be loaded: %s", path, dlerror());
		return NULL;
	}
	struct shared *shared = memory_zeroed(1, sizeof *shared);
	*shared = (struct shared){handle, *list};
	*list = shared;
	const struct policy *policy = dlsym(handle, SYMBOL);
	return check_shared(path, policy, err) ? policy : NULL;
}

static void shared_free(struct shared *list)
{
	while (list) {
		struct shared *next = list->next;
		dlclose(list->handle);
		free(list);
		list = next;
	}
}

/* ---- from a text to links ----------------------------------------------------------------------------------- */

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

/* Set "param=value" in the links from `first` on that have the parameter; `policy` is the one that the user named. */
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

/* Check a policy's table, built-in or from a shared object. */
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

static bool append(struct chain *chain, const struct policy *policy, struct error *err)
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

bool chain_names_file(const char *text)
{
	char *copy = memory_text(text);
	bool found = false;
	for (char *save, *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		item[strcspn(item, ":")] = '\0';
		found |= is_file(item);
	}
	free(copy);
	return found;
}

static const struct policy *find_item(struct chain *chain, const char *item, struct error *err)
{
	if (is_file(item))
		return shared_load(item, &chain->shared, err);
	const struct policy *policy = policy_find(item);
	if (!policy)
		unknown_policy(item, err);
	return policy;
}

static bool parse(struct chain *chain, char *text, struct error *err);

static bool parse_item(struct chain *chain, char *item, struct error *err)
{
	char *params = strchr(item, ':');
	if (params)
		*params++ = 0;
	const struct policy *policy = find_item(chain, item, err);
	if (!policy)
		return false;
	uint32_t first = chain->count;
	if (!policy->bundle)
		return append(chain, policy, err) && parse_params(chain, first, policy, params, err);
	char *parts = memory_text(policy->bundle);
	bool good = parse(chain, parts, err) && parse_params(chain, first, policy, params, err);
	free(parts);
	for (uint32_t i = first; i < chain->count; i++)
		chain->link[i].bundle = policy->name;
	return good;
}

static bool parse(struct chain *chain, char *text, struct error *err)
{
	for (char *save, *item = strtok_r(text, ",", &save); item; item = strtok_r(NULL, ",", &save))
		if (!parse_item(chain, item, err))
			return false;
	return true;
}

/* ---- set-up ------------------------------------------------------------------------------------------------- */

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

/* Set up links whose parameters are all known. */
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

/* Refuse two owners of a hook that only one policy may answer. */
static bool check_owners(const struct chain *chain, struct error *err)
{
	static const enum hook owned[] = {HOOK_order,     HOOK_cta_pick,  HOOK_prel1_pick, HOOK_set_index,
	                                  HOOK_l1_victim, HOOK_aux_cache, HOOK_aux_index,  HOOK_l2_victim};
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
	bool good = parse(chain, copy, err);
	free(copy);
	find_hooks(chain);
	if (good && !chain->has_order) {
		good = append(chain, policy_find("gto"), err);
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
	if (!append(chain, policy, err))
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
