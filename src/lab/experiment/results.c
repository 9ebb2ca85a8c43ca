/*
 * Finding results again. A key covers everything a result depends on; for a
 * policy of a shared object that is the object's bytes. Left out: what such an
 * object loads or reads on its own.
 */
#define _GNU_SOURCE /* dladdr */
#include "lab/experiment/results.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "lab/program/program_parts.h"
#include "lab/report/output.h"
#include "trace/cache.h"

/* Raise it when results are kept in another form. */
enum { RESULTS_VERSION = 1, DIGITS = 12 };

static void add(XXH3_state_t *key, const void *data, size_t bytes)
{
	uint64_t length = bytes;
	XXH3_128bits_update(key, &length, sizeof length);
	XXH3_128bits_update(key, data, bytes);
}

static void add_text(XXH3_state_t *key, const char *text)
{
	add(key, text, strlen(text));
}

static void add_machine(XXH3_state_t *key, const struct machine *m)
{
	add_text(key, m->name); /* policies are told */
#define X(section, field, TYPE, unit, min, max, doc)                                                         \
	add(key, &m->section##_##field, sizeof m->section##_##field);
#include "machine/keys.def"
	add(key, m->op, sizeof m->op);
}

static const char *object_of(const void *address)
{
	Dl_info info;
	return dladdr(address, &info) ? info.dli_fname : "";
}

/* Policies of our own are covered by our own bytes. */
static bool add_object(XXH3_state_t *key, const struct policy *policy, struct error *err)
{
	struct digest digest;
	uint64_t bytes;
	const char *object = object_of(policy->name);
	if (!strcmp(object, object_of(policy_registry)))
		return true;
	if (!file_digest(object, &digest, &bytes, err))
		return false;
	add(key, &digest, sizeof digest);
	return true;
}

static bool add_chain(XXH3_state_t *key, const struct chain *chain, struct error *err)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct chain_link *link = &chain->link[i];
		add_text(key, link->policy.name);
		add(key, link->param, link->policy.param_count * sizeof *link->param);
		if (!add_object(key, &link->policy, err))
			return false;
	}
	return true;
}

static void add_options(XXH3_state_t *key, const struct run_options *options)
{
	const uint64_t numbers[] = {RESULTS_VERSION, options->quantum, options->cold_l2, options->max_insns};
	add(key, numbers, sizeof numbers);
	if (options->kernels)
		add(key, options->kernels->range, options->kernels->count * sizeof *options->kernels->range);
}

bool results_prepare(struct results_ground *ground, const struct trace *trace, struct error *err)
{
	struct digest digest;
	uint64_t bytes;
	if (!file_digest(trace_path(trace), &digest, &bytes, err))
		return false;
	memcpy(ground->trace, &digest, sizeof digest);
	if (!file_digest("/proc/self/exe", &digest, &bytes, err))
		return false;
	memcpy(ground->program, &digest, sizeof digest);
	return true;
}

bool results_place(const struct results_ground *ground, const struct config *config,
                   const struct run_options *options, char path[PATH_MAX], struct error *err)
{
	char cache[PATH_MAX], folder[PATH_MAX], text[33], name[64];
	XXH3_state_t *key = XXH3_createState();
	if (!key)
		return error_set(err, "out of memory");
	XXH3_128bits_reset(key);
	add(key, ground, sizeof *ground);
	add_machine(key, config->machine);
	add_options(key, options);
	bool ok = add_chain(key, config->chain, err);
	XXH128_hash_t hash = XXH3_128bits_digest(key);
	XXH3_freeState(key);
	digest_text(&(struct digest){hash.low64, hash.high64}, text);
	snprintf(name, sizeof name, "%s.json", text);
	return ok && cache_folder(cache, sizeof cache, err) && path_join(folder, cache, "results", err) &&
	       cache_make_folders(folder, err) && path_join(path, folder, name, err);
}

json_t *results_find(const char *path)
{
	json_t *result = json_load_file(path, 0, NULL);
	if (json_is_object(json_object_get(result, "total")) &&
	    json_is_string(json_object_get(result, "status")))
		return result;
	json_decref(result);
	return NULL;
}

bool results_keep(const char *path, const json_t *result, struct error *err)
{
	char *text = json_dumps(result, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
	if (!text)
		BUG("a result that JSON cannot hold");
	bool ok = output_write(path, text, strlen(text), err);
	free(text);
	return ok;
}
