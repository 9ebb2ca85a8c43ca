/* The built-in policies: one line each in the file included below. */
#include <string.h>

#include "policy/chain.h"

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
