/*
 * A chain: the policies of one run in the order given, their parameters, and
 * who answers what.
 */
#ifndef SLUICE_POLICY_CHAIN_H
#define SLUICE_POLICY_CHAIN_H

#include "base/error.h"
#include "machine/machine.h"
#include "policy/policy.h"

enum { CHAIN_MAX = 16 };

/* What an access to shared memory is to an observer; atomics are both. */
enum { WATCHED_READ = 1, WATCHED_WRITE = 2 };

struct chain_link {
	struct policy policy; /* a copy, after configure() */
	double *param;
	bool *param_given;
	const char *bundle; /* the name it came by; NULL: its own */
	void *gpu;          /* the policy's GPU block */
	/*
	 * Short ways to an observer, in place of on_l1_hit and smem_route where no other link has the hook and
	 * nobody but observers cares: its block begins with a struct hit_watch (which it needs for hits to take
	 * the short way); a call for neighbouring lines of an instruction, numbered as for smem_route.
	 */
	bool watches_hits;
	void (*watch_shared)(void *sm, uint64_t line, uint32_t count, uint32_t what, uint64_t cycle);
};

/* X(hook): every hook, once. */
/* clang-format off */
#define POLICY_HOOKS(X)                                                                                      \
	X(order) X(gate) X(cta_limit) X(memq_insert) X(memq_pick) X(l1_route) X(l1_feedback) X(set_index)    \
	X(l1_alloc) X(l1_victim) X(l1_flush) X(smem_capacity) X(l1_capacity) X(side_cache) X(side_index)     \
	X(smem_route) X(smem_dead)                                                                            \
	X(l2_route) X(l2_reply) X(on_l2_fill) X(on_l2_evict) X(on_issue) X(on_warp_start)                   \
	X(on_warp_exit) X(on_l1_hit) X(on_l1_pending) X(on_l1_miss) X(on_l1_evict) X(on_l1_fill) X(on_reply) \
	X(on_epoch) X(on_kernel_begin) X(on_kernel_end) X(on_gpu_epoch)
/* clang-format on */

struct chain {
	const struct machine *machine;
	struct chain_link link[CHAIN_MAX];
	uint32_t count;
	/* For each hook, a mask of the links that have it: 0 means nobody asks, nobody pays. */
#define X(hook) uint32_t has_##hook;
	POLICY_HOOKS(X)
#undef X
	uint32_t order; /* link that owns order */
	uint32_t
	    watching; /* links that only watch: L1 may tell them of a look-up a few cycles before it is due */
	char text[512];        /* the chain as resolved, "gto,swl:n=2" */
	struct shared *shared; /* objects that were loaded for it */
};

/* Links that may put shared memory behind a cache, not only see its accesses. */
static inline uint32_t chain_smem_routers(const struct chain *chain)
{
	return chain->has_smem_route & ~chain->watching;
}

/* What the policy at `link` is told. */
struct policy_env chain_env(const struct chain *chain, uint32_t link, uint32_t sm);

/* One SM's policy memory. */
struct chain_sm {
	void *block[CHAIN_MAX];
};

/*
 * Parses "name[:param=value]...,name...". Unknown names and parameters,
 * values out of range and two owners of one question are refused; without an
 * owner of `order`, gto is added.
 */
struct chain *chain_new(const char *text, const struct machine *machine, struct error *err);
/*
 * Appends a policy that is not in the registry, with its default parameters;
 * before any chain_sm_init(). Refusals are those of chain_new(); a refused
 * chain can only be freed.
 */
bool chain_add(struct chain *chain, const struct policy *policy, struct error *err);
void chain_free(struct chain *chain);
void chain_sm_init(struct chain_sm *sm, const struct chain *chain, uint32_t sm_id);
/* At every launch, and every pass of one. */
void chain_sm_reset(struct chain_sm *sm, const struct chain *chain, uint32_t sm_id, uint32_t pass);
/* Passes that the most demanding policy wants of a launch; one without shared memory is nothing to those of it alone. */
uint32_t chain_passes(const struct chain *chain, bool shared_memory);
void chain_sm_free(struct chain_sm *sm, const struct chain *chain);

/* chain_parse.c: adds what the text names; a link with default parameters. */
bool chain_parse(struct chain *chain, char *text, struct error *err);
bool chain_append(struct chain *chain, const struct policy *policy, struct error *err);

/* Calls `body` for every link that has the hook; `link` and `block` are at hand inside. */
#define CHAIN_EACH(chain, sm_blocks, hook, ...)                                                              \
	for (uint32_t mask_ = (chain)->has_##hook; mask_; mask_ &= mask_ - 1) {                              \
		const struct policy *policy = &(chain)->link[__builtin_ctz(mask_)].policy;                   \
		void *block = (sm_blocks)->block[__builtin_ctz(mask_)];                                      \
		__VA_ARGS__;                                                                                 \
	}

/* The same for hooks of the memory side and of the whole GPU, whose block hangs at the link. */
#define CHAIN_EACH_GPU(chain, hook, ...)                                                                     \
	for (uint32_t mask_ = (chain)->has_##hook; mask_; mask_ &= mask_ - 1) {                              \
		const struct policy *policy = &(chain)->link[__builtin_ctz(mask_)].policy;                   \
		void *block = (chain)->link[__builtin_ctz(mask_)].gpu;                                       \
		__VA_ARGS__;                                                                                 \
	}

/* ---- registry ------------------------------------------------------------------------------------------- */

/* All built-in policies, ended by NULL. */
extern const struct policy *const policy_registry[];
const struct policy *policy_find(const char *name);

#endif
