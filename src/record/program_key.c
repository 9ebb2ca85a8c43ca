/*
 * Which recording a request is for. The key covers the executable's bytes, the
 * runtime's, arguments, working directory, standard input, the machine and the
 * settings that change what is recorded. What the program itself asks for is
 * known only after a run: its entry lists that with the answers
 * (program_inputs.c). Left out: the time, and what else the runtime does not see.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/cache.h"
#include "base/content_key.h"
#include "base/data_folder.h"
#include "machine/machine.h"
#include "record/program_parts.h"

/* Raise it when the same run is recorded differently. */
enum { RECORDING_VERSION = 2 };

static bool add_file(XXH3_state_t *key, const char *path, struct error *err)
{
	struct digest digest;
	uint64_t bytes;
	if (!file_digest(path, &digest, &bytes, err))
		return false;
	key_add(key, &digest, sizeof digest);
	return true;
}

/* A program may ask for any property of the machine. */
static bool add_machine(XXH3_state_t *key, const char *name, struct error *err)
{
	struct machine *m = machine_load(name, err);
	if (!m)
		return false;
	key_add_text(key, m->name);
#define X(section, field, TYPE, unit, min, max, doc)                                                         \
	key_add(key, &m->section##_##field, sizeof m->section##_##field);
#include "machine/keys.def"
	machine_free(m);
	return true;
}

/* A change to the runtime may change recordings. */
static void add_runtime(XXH3_state_t *key)
{
	char folder[PATH_MAX], path[PATH_MAX + 32];
	if (!own_library_folder(folder, sizeof folder))
		return;
	snprintf(path, sizeof path, "%s/libsluicert.so", folder);
	add_file(key, path, NULL);
}

const char *program_stdin(char path[PATH_MAX])
{
	struct stat st;
	if (fstat(STDIN_FILENO, &st) || !S_ISREG(st.st_mode))
		return "/dev/null";
	ssize_t n = readlink("/proc/self/fd/0", path, PATH_MAX - 1);
	if (n <= 0)
		return "/dev/null";
	path[n] = '\0';
	return path;
}

static bool add_surroundings(XXH3_state_t *key, struct error *err)
{
	char path[PATH_MAX];
	if (!getcwd(path, sizeof path))
		return error_set(err, "working directory: %s", strerror(errno));
	key_add_text(key, path);
	const char *input = program_stdin(path);
	return !strcmp(input, "/dev/null") || add_file(key, input, err);
}

static bool add_request(XXH3_state_t *key, const struct program_request *r, const char *executable,
                        struct error *err)
{
	const uint64_t numbers[] = {RECORDING_VERSION, r->check_races,   r->lenient_memory,
	                            r->spin_budget,    r->max_registers, r->arg_count};
	key_add(key, numbers, sizeof numbers);
	for (size_t i = 0; i < r->arg_count; i++)
		key_add_text(key, r->args[i]);
	add_runtime(key);
	return add_file(key, executable, err) && add_machine(key, r->machine, err) &&
	       add_surroundings(key, err);
}

bool program_root(char root[PATH_MAX], struct error *err)
{
	char cache[PATH_MAX];
	return cache_folder(cache, sizeof cache, err) && path_join(root, cache, "programs", err) &&
	       cache_make_folders(root, err);
}

/* What people recognise in the folder. */
static void readable_name(const char *path, char *name, size_t bytes)
{
	const char *slash = strrchr(path, '/');
	snprintf(name, bytes, "%s", slash ? slash + 1 : path);
	for (char *at = name; *at; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", *at))
			*at = '_';
}

bool program_place(const struct program_request *request, const char *executable, char folder[PATH_MAX],
                   struct error *err)
{
	char root[PATH_MAX], name[64], text[33], full[128];
	XXH3_state_t *key = XXH3_createState();
	if (!key)
		return error_set(err, "out of memory");
	XXH3_128bits_reset(key);
	bool ok = add_request(key, request, executable, err);
	XXH128_hash_t hash = XXH3_128bits_digest(key);
	XXH3_freeState(key);
	if (!ok || !program_root(root, err))
		return false;
	digest_text(&(struct digest){hash.low64, hash.high64}, text);
	readable_name(request->path, name, sizeof name);
	snprintf(full, sizeof full, "%s-%s", name, text);
	return path_join(folder, root, full, err);
}
