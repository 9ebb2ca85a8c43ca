/*
 * A chain: the policies of one run in the order given, their parameters, and the hooks that they have. A
 * policy is built in, or in a shared object that holds a `const struct policy` under the name sluice_policy.
 */
#ifndef SLUICE_POLICY_CHAIN_H
#define SLUICE_POLICY_CHAIN_H

#include "base/error.h"
#include "machine/machine.h"
#include "policy/policy.h"
#include "stats/counters.h"

enum { CHAIN_MAX = 16 };

/* Kinds of accesses to shared memory that an observer sees; an atomic is both. */
enum { WATCHED_READ = 1, WATCHED_WRITE = 2 };

/*
 * An observer of memory. The worker that owns a memory partition gives it the partition's counters after
 * every `period` cycles of a launch and at its end (cycle MEMORY_WATCH_END).
 */
#define MEMORY_WATCH_END UINT64_MAX
struct memory_watch {
	uint32_t period; /* 0: no observer */
	uint32_t link;   /* its GPU block is passed */
	void (*sample)(void *gpu, uint32_t partition, uint64_t cycle, const struct counters *counters);
};

struct chain_link {
	struct policy policy; /* a copy, after configure() */
	double *param;        /* values in the order of the table */
	void *params;         /* and in the policy's struct */
	bool *param_given;
	const char *bundle; /* the bundle that named it; NULL: none */
	void *gpu;          /* the policy's GPU block */
	/*
	 * Fast paths to an observer, used in place of on_l1_hit and smem_route if only observers have the hook. watches_hits: its
	 * block begins with a struct hit_watch. watch_shared: called once for neighbouring lines of an instruction.
	 */
	bool watches_hits;
	void (*watch_shared)(void *sm, uint64_t line, uint32_t count, uint32_t what, uint64_t cycle);
};

/* HOOK_order and so on: every hook of hooks.def. */
enum hook {
#define HOOK(scope, combine, type, name, ...) HOOK_##name,
#define EVENT(scope, combine, name, ...) HOOK_##name,
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
	HOOK_COUNT
};

struct chain {
	const struct machine *machine;
	struct chain_link link[CHAIN_MAX];
	uint32_t count;
	/* For each hook, a mask of the links that have it. */
#define HOOK(scope, combine, type, name, ...) uint32_t has_##name;
#define EVENT(scope, combine, name, ...) uint32_t has_##name;
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
	uint32_t order;    /* link that owns order */
	uint32_t watching; /* observers: L1 may tell them of a look-up a few cycles early */
	struct memory_watch memory_watch;
	bool profiles;         /* what each static instruction costs is asked for */
	char text[512];        /* the chain as resolved, "gto,swl:n=2" */
	struct shared *shared; /* objects that were loaded for it */
};

/* Links that may put shared memory behind a cache, not only see its accesses. */
static inline uint32_t chain_smem_routers(const struct chain *chain)
{
	return chain->has_smem_route & ~chain->watching;
}

/* The links that have a hook. */
uint32_t chain_mask(const struct chain *chain, enum hook hook);

/* Facts about a hook, for messages and documents. */
struct hook_facts {
	const char *name;
	const char *combine; /* several answers: "one owner", "first", ...; events: NULL */
	const char *range, *otherwise, *when, *question;
};
extern const struct hook_facts hook_facts[HOOK_COUNT];

/* The environment of the policy at `link`. */
struct policy_env chain_env(const struct chain *chain, uint32_t link, uint32_t sm);

/*
 * Parse "name[:param=value]...,name...". Unknown names and parameters, values out of range and two owners of
 * one hook are refused. Without an owner of `order`, gto is added.
 */
struct chain *chain_new(const char *text, const struct machine *machine, struct error *err);
/*
 * Append a policy that is not in the registry, with default parameters, before any hooks_init_sm(). Refusals
 * are those of chain_new(); a refused chain can only be freed.
 */
bool chain_add(struct chain *chain, const struct policy *policy, struct error *err);
void chain_free(struct chain *chain);
/* Whether the text of a chain names a shared object, whose code chain_new() would load. */
bool chain_names_file(const char *text);
/* Passes of a launch: the most that a policy needs. Policies with smem_only need none without shared memory. */
uint32_t chain_passes(const struct chain *chain, bool shared_memory);

/* Write values, in the order of the policy's table, into its struct of parameters. */
void policy_fill_params(const struct policy *policy, const double *value, void *params);

/* ---- registry ------------------------------------------------------------------------------------------- */

/* All built-in policies, ended by NULL. */
extern const struct policy *const policy_registry[];
const struct policy *policy_find(const char *name);

#endif
