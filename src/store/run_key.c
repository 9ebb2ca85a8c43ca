/* Keys of runs. */
#define _GNU_SOURCE /* dladdr */
#include "store/run_key.h"

#include <dlfcn.h>
#include <string.h>
#include <xxhash.h>

#include "base/child.h"
#include "base/content_key.h"
#include "base/files.h"
#include <model_digest.h>

/* Raise it when results are kept in another form. */
enum { RESULTS_VERSION = 2 };

const char *run_key_model(void)
{
	return MODEL_DIGEST;
}

static void add_machine(XXH3_state_t *key, const struct machine *m)
{
	key_add_text(key, m->name); /* policies see it */
#define X(section, field, TYPE, unit, min, max, doc)                                                         \
	key_add(key, &m->section##_##field, sizeof m->section##_##field);
#include "machine/keys.def"
	key_add(key, m->op, sizeof m->op);
}

static const char *object_of(const void *address)
{
	Dl_info info;
	return dladdr(address, &info) ? info.dli_fname : "";
}

/* Built-in policies are covered by the model's digest. */
static bool add_object(XXH3_state_t *key, const struct policy *policy, struct error *err)
{
	struct digest digest;
	uint64_t bytes;
	const char *object = object_of(policy->name);
	if (!strcmp(object, object_of(policy_registry)))
		return true;
	if (!file_digest(object, &digest, &bytes, err))
		return false;
	key_add(key, &digest, sizeof digest);
	return true;
}

static bool add_chain(XXH3_state_t *key, const struct chain *chain, struct error *err)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct chain_link *link = &chain->link[i];
		key_add_text(key, link->policy.name);
		key_add(key, link->param, link->policy.param_count * sizeof *link->param);
		if (!add_object(key, &link->policy, err))
			return false;
	}
	return true;
}

static void add_options(XXH3_state_t *key, const struct run_options *options, const char *look)
{
	const uint64_t numbers[] = {RESULTS_VERSION, options->quantum, options->cold_l2, options->max_insns};
	key_add(key, numbers, sizeof numbers);
	key_add_text(key, look ? look : "");
	/* In front of the list, and only if it is there: other keys stay what they were. */
	if (options->window && *options->window)
		key_add_text(key, options->window);
	if (options->is_part)
		key_add_text(key, "part");
	if (options->kernels)
		key_add(key, options->kernels->range,
		        options->kernels->count * sizeof *options->kernels->range);
}

static XXH3_state_t *start(void)
{
	XXH3_state_t *key = XXH3_createState();
	if (!key)
		BUG("no memory for a key");
	XXH3_128bits_reset(key);
	return key;
}

static void finish(XXH3_state_t *key, uint64_t digest[2])
{
	XXH128_hash_t hash = XXH3_128bits_digest(key);
	XXH3_freeState(key);
	digest[0] = hash.low64;
	digest[1] = hash.high64;
}

bool run_key_config(const struct config *config, const char *machine, const struct run_options *options,
                    const char *look, uint64_t digest[2], struct error *err)
{
	char fresh[RUN_KEY_SIZE];
	if (!machine)
		run_key_machine(config->machine, fresh);
	XXH3_state_t *key = start();
	key_add_text(key, MODEL_DIGEST);
	key_add_text(key, machine ? machine : fresh);
	add_options(key, options, look);
	bool ok = add_chain(key, config->chain, err);
	finish(key, digest);
	return ok;
}

void run_key_text(const uint64_t config_digest[2], const uint64_t trace[2], char key[RUN_KEY_SIZE])
{
	const uint64_t both[4] = {config_digest[0], config_digest[1], trace[0], trace[1]};
	XXH128_hash_t hash = XXH3_128bits(both, sizeof both);
	digest_text(&(struct digest){hash.low64, hash.high64}, key);
}

void run_key_machine(const struct machine *machine, char key[RUN_KEY_SIZE])
{
	uint64_t digest[2];
	XXH3_state_t *state = start();
	add_machine(state, machine);
	finish(state, digest);
	digest_text(&(struct digest){digest[0], digest[1]}, key);
}
