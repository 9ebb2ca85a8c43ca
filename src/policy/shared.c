#include "policy/shared.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define SYMBOL "sluice_policy"

struct shared {
	void *handle;
	struct shared *next;
};

static bool check(const char *path, const struct policy *policy, struct error *err)
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
	return true;
}

const struct policy *shared_load(const char *path, struct shared **list, struct error *err)
{
	/* A name without a slash would be looked for in the system's folders. */
	char *full = realpath(path, NULL);
	if (!full) {
		error_set(err, "%s: no such policy file", path);
		return NULL;
	}
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
	return check(path, policy, err) ? policy : NULL;
}

void shared_free(struct shared *list)
{
	while (list) {
		struct shared *next = list->next;
		dlclose(list->handle);
		free(list);
		list = next;
	}
}
