/* The built-in policies: one line each. */
#include <string.h>

#include "policy/chain.h"

extern const struct policy policy_lrr, policy_gto, policy_oldest;

const struct policy *const policy_registry[] = {
	&policy_lrr,
	&policy_gto,
	&policy_oldest,
	NULL,
};

const struct policy *policy_find(const char *name)
{
	for (int i = 0; policy_registry[i]; i++)
		if (!strcmp(policy_registry[i]->name, name))
			return policy_registry[i];
	return NULL;
}
