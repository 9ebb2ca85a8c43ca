/*
 * Policies of one's own: shared objects that hold a `const struct policy` under
 * the name sluice_policy.
 */
#ifndef SLUICE_POLICY_SHARED_H
#define SLUICE_POLICY_SHARED_H

#include "base/error.h"
#include "policy/policy.h"

/* Objects that a chain has loaded; NULL: none. */
struct shared;

/* Loads the object at `path` and adds it to the list. NULL: err names the file and what is wrong with it. */
const struct policy *shared_load(const char *path, struct shared **list, struct error *err);
void shared_free(struct shared *list);

#endif
