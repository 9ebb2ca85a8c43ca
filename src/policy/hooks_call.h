/* What the callers of policy/hooks.h are made of; of use there and in hooks.c alone. */
#ifndef SLUICE_POLICY_HOOKS_CALL_H
#define SLUICE_POLICY_HOOKS_CALL_H

#include "policy/chain.h"

struct hooks;

struct hooks_answer {
	char text[160];
};
struct hooks_answer hooks_show_number(int64_t answer);
struct hooks_answer hooks_show_throttle(struct throttle answer);
struct hooks_answer hooks_show_shape(struct aux_shape answer);
#define HOOKS_SHOW(answer)                                                                                   \
	_Generic((answer), struct throttle                                                                   \
	         : hooks_show_throttle, struct aux_shape                                                     \
	         : hooks_show_shape, default                                                                 \
	         : hooks_show_number)(answer)

/* Reports the illegal answer of a link; `format` shows what it had to keep to. */
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

/* All must agree; an answer that holds until warps change does so only beside others of its kind. */
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

#endif
