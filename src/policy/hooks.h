/*
 * The hooks of a chain as one part of the model calls them: an SM, a worker of the memory side, or the GPU.
 *
 * For every hook of hooks.def there is hooks_has_NAME(), whether a link has the hook, and hooks_NAME(), which
 * calls the links that have it, combines their answers and checks each. A hook without links costs a load and
 * a branch. An illegal answer is reported through `error` and `failed`, which end the launch, and a safe
 * answer takes its place: no answer of a policy can corrupt the model.
 */
#ifndef SLUICE_POLICY_HOOKS_H
#define SLUICE_POLICY_HOOKS_H

#include "policy/chain.h"
#include "policy/hits.h"

#define HOOKS_LIST(...) __VA_ARGS__

#define HOOKS_SELF_TYPE_SM void *
#define HOOKS_SELF_TYPE_L1 void *
#define HOOKS_SELF_TYPE_GPU void *
#define HOOKS_SELF_TYPE_PURE const void *
#define HOOKS_SELF_TYPE_SETUP const struct policy_env *

/* Fast paths: to an owner, and to the only listener of frequent events. NULL: none. */
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
	bool asks_next_load;         /* a policy may look at sched_view.next_is_load */
	struct hit_watch *hit_watch; /* observer of hits; NULL: none */
	void (*watch_shared)(void *sm, uint64_t line, uint32_t count, uint32_t what, uint64_t cycle);
	void *watch_shared_self;
	void *block[CHAIN_MAX]; /* an SM's, which it owns; else those of the GPU */
	uint32_t sm;            /* UINT32_MAX: not of an SM */
	struct error *error;    /* receives the first illegal answer */
	bool *failed;           /* set by an illegal answer */
};

/* Prepare the hooks of an SM: allocate its blocks. Call hooks_begin_launch() before any hook. */
void hooks_init_sm(struct hooks *hooks, const struct chain *chain, uint32_t sm);
/* Call sm_init of the policies, at every launch and every pass of one. */
void hooks_begin_launch(struct hooks *hooks, uint32_t pass, bool shared_memory);
void hooks_free_sm(struct hooks *hooks);
/* Exchange an SM's blocks with others of the same chain, so that a new SM continues with the policies' state. */
void hooks_swap_blocks(struct hooks *hooks, void *block[CHAIN_MAX]);
/* Prepare the hooks of the memory side or the GPU: they use the chain's GPU blocks and own nothing. */
void hooks_init_gpu(struct hooks *hooks, const struct chain *chain, struct error *error, bool *failed);

/* Links that may put shared memory behind a cache, not only see its accesses. */
static inline uint32_t hooks_smem_routers(const struct hooks *hooks)
{
	return hooks->has_smem_route & ~hooks->chain->watching;
}

/* ---- how callers are made ----------------------------------------------------------------------------------- */

struct hooks_answer {
	char text[160];
};
struct hooks_answer hooks_show_number(int64_t answer);
struct hooks_answer hooks_show_count(uint64_t answer);
struct hooks_answer hooks_show_throttle(struct throttle answer);
struct hooks_answer hooks_show_shape(struct aux_shape answer);
#define HOOKS_SHOW(answer)                                                                                   \
	_Generic((answer), struct throttle                                                                   \
	         : hooks_show_throttle, struct aux_shape                                                     \
	         : hooks_show_shape, uint64_t                                                                \
	         : hooks_show_count, default                                                                 \
	         : hooks_show_number)(answer)

/* Report the illegal answer of a link; `format` shows the bound. */
void hooks_refuse(const struct hooks *hooks, uint32_t link, enum hook hook, struct hooks_answer answer,
                  const char *format, ...) __attribute__((cold, noinline, format(printf, 5, 6)));
#define HOOKS_BOUND(format, value) format, (unsigned long long)(value)

#define HOOKS_EACH(name)                                                                                     \
	for (uint32_t mask_ = hooks->has_##name, link = 0;                                                   \
	     mask_ && (link = (uint32_t)__builtin_ctz(mask_), true); mask_ &= mask_ - 1)

#define HOOKS_SELF_SM hooks->block[link]
#define HOOKS_SELF_L1 hooks->block[link]
#define HOOKS_SELF_GPU hooks->block[link]
#define HOOKS_SELF_SETUP env
#define HOOKS_ENV_SM
#define HOOKS_ENV_L1
#define HOOKS_ENV_GPU
#define HOOKS_ENV_PURE
#define HOOKS_ENV_SETUP                                                                                      \
	const struct policy_env env_ = chain_env(hooks->chain, link, 0);                                     \
	const struct policy_env *env = &env_;

#define HOOKS_CHECKED(name, otherwise, legal, bound)                                                         \
	if (__builtin_expect(!(legal), 0)) {                                                                 \
		hooks_refuse(hooks, link, HOOK_##name, HOOKS_SHOW(answer), HOOKS_BOUND bound);               \
		answer = otherwise;                                                                          \
	}                                                                                                    \
	return answer;

/* hooks_ask_NAME: the checked answer of one link. */
#define HOOKS_ASK(scope, type, name, params, args, otherwise, legal, bound)                                  \
	static inline type hooks_ask_##name(const struct hooks *hooks, uint32_t link HOOKS_LIST params)      \
	{                                                                                                    \
		HOOKS_ENV_##scope type answer =                                                              \
		    hooks->chain->link[link].policy.name(HOOKS_SELF_##scope HOOKS_LIST args);                \
		HOOKS_CHECKED(name, otherwise, legal, bound)                                                 \
	}

#define HOOKS_CALL_OWNER(scope, type, name, params, args, otherwise, legal, bound)                           \
	static inline type hooks_##name(const struct hooks *hooks HOOKS_LIST params)                         \
	{                                                                                                    \
		if (!hooks->fast_##name)                                                                     \
			return otherwise;                                                                    \
		type answer = hooks->fast_##name(hooks->self_##name HOOKS_LIST args);                        \
		uint32_t link = (uint32_t)__builtin_ctz(hooks->has_##name);                                  \
		HOOKS_CHECKED(name, otherwise, legal, bound)                                                 \
	}

#define HOOKS_CALL_LINK(scope, type, name, params, args, otherwise, legal, bound)                            \
	HOOKS_ASK(scope, type, name, params, args, otherwise, legal, bound)                                  \
	static inline type hooks_##name(const struct hooks *hooks, uint32_t link HOOKS_LIST params)          \
	{                                                                                                    \
		return hooks->has_##name >> link & 1 ? hooks_ask_##name(hooks, link HOOKS_LIST args)         \
		                                     : otherwise;                                            \
	}

/* `step` is done with the answer of each link and `all`, which begins as `otherwise`. */
#define HOOKS_FOLD(scope, type, name, params, args, otherwise, legal, bound, step)                           \
	HOOKS_ASK(scope, type, name, params, args, otherwise, legal, bound)                                  \
	static inline type hooks_##name(const struct hooks *hooks HOOKS_LIST params)                         \
	{                                                                                                    \
		type all = otherwise;                                                                        \
		HOOKS_EACH(name)                                                                             \
		{                                                                                            \
			type answer = hooks_ask_##name(hooks, link HOOKS_LIST args);                         \
			step;                                                                                \
		}                                                                                            \
		return all;                                                                                  \
	}
#define HOOKS_CALL_FIRST(scope, type, name, params, args, otherwise, legal, bound)                           \
	HOOKS_FOLD(scope, type, name, params, args, otherwise, legal, bound,                                 \
	           if (answer != otherwise) return answer)
#define HOOKS_CALL_MIN(scope, type, name, params, args, otherwise, legal, bound)                             \
	HOOKS_FOLD(scope, type, name, params, args, otherwise, legal, bound,                                 \
	           all = answer < all ? answer : all)
#define HOOKS_CALL_MAX(scope, type, name, params, args, otherwise, legal, bound)                             \
	HOOKS_FOLD(scope, type, name, params, args, otherwise, legal, bound,                                 \
	           all = answer > all ? answer : all)
#define HOOKS_CALL_OR(scope, type, name, params, args, otherwise, legal, bound)                              \
	HOOKS_FOLD(scope, type, name, params, args, otherwise, legal, bound, all = (type)(all | answer))
#define HOOKS_CALL_AND(scope, type, name, params, args, otherwise, legal, bound)                             \
	HOOKS_FOLD(scope, type, name, params, args, otherwise, legal, bound, all = throttle_and(all, answer))

#define HOOKS_TELL_ALL(name, params, args)                                                                   \
	static inline void hooks_##name(const struct hooks *hooks HOOKS_LIST params)                         \
	{                                                                                                    \
		HOOKS_EACH(name)                                                                             \
		hooks->chain->link[link].policy.name(hooks->block[link] HOOKS_LIST args);                    \
	}
#define HOOKS_TELL_HEARD(name, params, args)                                                                 \
	static inline void hooks_##name(const struct hooks *hooks HOOKS_LIST params)                         \
	{                                                                                                    \
		HOOKS_EACH(name)                                                                             \
		if (!event->shared || hooks->has_smem_route >> link & 1)                                     \
			hooks->chain->link[link].policy.name(hooks->block[link] HOOKS_LIST args);            \
	}
#define HOOKS_TELL_ALL_HOT(name, params, args)                                                               \
	static inline void hooks_##name(const struct hooks *hooks HOOKS_LIST params)                         \
	{                                                                                                    \
		if (hooks->fast_##name)                                                                      \
			hooks->fast_##name(hooks->self_##name HOOKS_LIST args);                              \
	}
#define HOOKS_TELL_LINK(name, params, args)                                                                  \
	static inline void hooks_##name(const struct hooks *hooks, uint32_t link HOOKS_LIST params)          \
	{                                                                                                    \
		if (hooks->has_##name >> link & 1)                                                           \
			hooks->chain->link[link].policy.name(hooks->block[link] HOOKS_LIST args);            \
	}

/* All must agree. The combination holds until warps change only if both answers do. */
static inline struct throttle throttle_and(struct throttle a, struct throttle b)
{
	bool stands = a.until == POLICY_UNTIL_WARPS && b.until == POLICY_UNTIL_WARPS;
	uint64_t first = a.until == POLICY_UNTIL_WARPS ? POLICY_CYCLE_NEVER : a.until;
	uint64_t second = b.until == POLICY_UNTIL_WARPS ? POLICY_CYCLE_NEVER : b.until;
	uint64_t until = first < second ? first : second;
	return (struct throttle){a.issue & b.issue, a.load & b.load, stands ? POLICY_UNTIL_WARPS : until};
}

/* Only loads of one line can be merged. */
static inline bool prel1_can_merge(const struct prel1_item *window, uint32_t count,
                                   const struct prel1_item *request, int index)
{
	return index >= 0 && (uint32_t)index < count && !request->is_store && !window[index].is_store &&
	       window[index].line == request->line && window[index].merged < UINT8_MAX;
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
