/*
 * The hooks of a chain as one part of the model calls them: an SM, a worker of the memory side, or the GPU.
 *
 * For every hook of hooks.def there is hooks_has_NAME(), whether anybody answers or listens, and hooks_NAME(), which asks
 * those who do, combines their answers and checks each. A hook that nobody has costs a load and a branch. An illegal
 * answer is reported through `error` and `failed`, which end the launch, and a safe one takes its place: no answer of a
 * policy can corrupt the model.
 */
#ifndef SLUICE_POLICY_HOOKS_H
#define SLUICE_POLICY_HOOKS_H

#include "policy/chain.h"
#include "policy/hits.h"
#include "policy/hooks_call.h"

#define HOOKS_LIST(...) __VA_ARGS__

#define HOOKS_SELF_TYPE_SM void *
#define HOOKS_SELF_TYPE_L1 void *
#define HOOKS_SELF_TYPE_GPU void *
#define HOOKS_SELF_TYPE_PURE const void *
#define HOOKS_SELF_TYPE_SETUP const struct policy_env *

/* Fast paths: to an owner, and to the only listener of what happens all the time. NULL: there is none. */
#define HOOKS_FAST(scope, type, name, params)                                                                \
	type (*fast_##name)(HOOKS_SELF_TYPE_##scope self HOOKS_LIST params);                                 \
	HOOKS_SELF_TYPE_##scope self_##name;
#define HOOKS_SLOW(scope, type, name, params)
#define HOOKS_FAST_OWNER HOOKS_FAST
#define HOOKS_FAST_ALL_HOT HOOKS_FAST
#define HOOKS_FAST_FIRST HOOKS_SLOW
#define HOOKS_FAST_MIN HOOKS_SLOW
#define HOOKS_FAST_MAX HOOKS_SLOW
#define HOOKS_FAST_OR HOOKS_SLOW
#define HOOKS_FAST_AND HOOKS_SLOW
#define HOOKS_FAST_LINK HOOKS_SLOW
#define HOOKS_FAST_ALL HOOKS_SLOW
#define HOOKS_FAST_HEARD HOOKS_SLOW

struct hooks {
	const struct chain *chain;
#define HOOK(scope, combine, type, name, params, ...) HOOKS_FAST_##combine(scope, type, name, params)
#define EVENT(scope, combine, name, params, ...) HOOKS_FAST_##combine(scope, void, name, params)
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
	/* For each hook, the links that have it and are not idle in this launch. */
#define HOOK(scope, combine, type, name, ...) uint16_t has_##name;
#define EVENT(scope, combine, name, ...) uint16_t has_##name;
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
	uint16_t idle;               /* links that have nothing to do in this launch */
	bool order_keeps_last;       /* of the owner of order */
	bool asks_next_load;         /* somebody may look at sched_view.next_is_load */
	struct hit_watch *hit_watch; /* observer of hits; NULL: none */
	void (*watch_shared)(void *sm, uint64_t line, uint32_t count, uint32_t what, uint64_t cycle);
	void *watch_shared_self;
	void *block[CHAIN_MAX]; /* an SM's, which it owns; else those of the GPU */
	uint32_t sm;            /* UINT32_MAX: not of an SM */
	struct error *error;    /* where an illegal answer is reported; the first stays */
	bool *failed;           /* and what it sets */
};

/* An SM's: takes memory for the blocks. Nothing may be asked before hooks_begin_launch(). */
void hooks_init_sm(struct hooks *hooks, const struct chain *chain, uint32_t sm);
/* At every launch, and every pass of one: the policies' sm_init. */
void hooks_begin_launch(struct hooks *hooks, uint32_t pass, bool shared_memory);
void hooks_free_sm(struct hooks *hooks);
/* An SM's blocks for others of the same chain, as for an SM that is made anew and goes on with what policies know. */
void hooks_swap_blocks(struct hooks *hooks, void *block[CHAIN_MAX]);
/* Of the memory side and the GPU: works on the chain's GPU blocks, owns nothing. */
void hooks_init_gpu(struct hooks *hooks, const struct chain *chain, struct error *error, bool *failed);

/* Links that may put shared memory behind a cache, not only see its accesses. */
static inline uint32_t hooks_smem_routers(const struct hooks *hooks)
{
	return hooks->has_smem_route & ~hooks->chain->watching;
}

/* ---- the callers ------------------------------------------------------------------------------------------- */

#define HOOK(scope, combine, type, name, params, args, otherwise, legal, bound, ...)                         \
	static inline bool hooks_has_##name(const struct hooks *hooks)                                       \
	{                                                                                                    \
		return hooks->has_##name;                                                                    \
	}                                                                                                    \
	HOOKS_CALL_##combine(scope, type, name, params, args, otherwise, legal, bound)
#define EVENT(scope, combine, name, params, args, ...)                                                       \
	static inline bool hooks_has_##name(const struct hooks *hooks)                                       \
	{                                                                                                    \
		return hooks->has_##name;                                                                    \
	}                                                                                                    \
	HOOKS_TELL_##combine(name, params, args)
#include "policy/hooks.def"
#undef HOOK
#undef EVENT

#endif
