#include "policy/hooks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- what is known of each ---------------------------------------------------------------------------------- */

#define COMBINE_OWNER "one owner"
#define COMBINE_FIRST "first"
#define COMBINE_MIN "the least"
#define COMBINE_MAX "the most"
#define COMBINE_OR "all together"
#define COMBINE_AND "all must agree"
#define COMBINE_LINK "any"

const struct hook_facts hook_facts[HOOK_COUNT] = {
#define HOOK(scope, combine, type, name, params, args, otherwise, legal, bound, range, otherwise_words,      \
             when, question)                                                                                 \
	{#name, COMBINE_##combine, range, otherwise_words, when, question},
#define EVENT(scope, combine, name, params, args, when) {#name, NULL, NULL, NULL, when, NULL},
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
};

uint32_t chain_mask(const struct chain *chain, enum hook hook)
{
	switch (hook) {
#define HOOK(scope, combine, type, name, ...) EVENT(scope, combine, name)
#define EVENT(scope, combine, name, ...)                                                                     \
	case HOOK_##name:                                                                                    \
		return chain->has_##name;
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
	default:
		return 0;
	}
}

/* ---- illegal answers ------------------------------------------------------------------------------------------ */

struct hooks_answer hooks_show_number(int64_t answer)
{
	struct hooks_answer shown;
	snprintf(shown.text, sizeof shown.text, "%" PRId64, answer);
	return shown;
}

struct hooks_answer hooks_show_count(uint64_t answer)
{
	struct hooks_answer shown;
	snprintf(shown.text, sizeof shown.text, "%" PRIu64, answer);
	return shown;
}

struct hooks_answer hooks_show_throttle(struct throttle answer)
{
	struct hooks_answer shown;
	snprintf(shown.text, sizeof shown.text,
	         "issue 0x%" PRIx64 ", load 0x%" PRIx64 " until cycle %" PRIu64, answer.issue, answer.load,
	         answer.until);
	return shown;
}

struct hooks_answer hooks_show_shape(struct aux_shape answer)
{
	struct hooks_answer shown;
	snprintf(shown.text, sizeof shown.text, "%u sets of %u ways", answer.sets, answer.ways);
	return shown;
}

void hooks_refuse(const struct hooks *hooks, uint32_t link, enum hook hook, struct hooks_answer answer,
                  const char *format, ...)
{
	*hooks->failed = true;
	if (hooks->error->text[0])
		return;
	char where[32] = "", bound[96];
	if (hooks->sm != UINT32_MAX)
		snprintf(where, sizeof where, " on SM %u", hooks->sm);
	va_list args;
	va_start(args, format);
	vsnprintf(bound, sizeof bound, format, args);
	va_end(args);
	error_set(hooks->error, "policy '%s': %s answered %s%s; legal: %s (%s)",
	          hooks->chain->link[link].policy.name, hook_facts[hook].name, answer.text, where,
	          hook_facts[hook].range, bound);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* Several listeners behind the one function that the fast path calls. */
#define TELL_FAST(name, params, args)                                                                        \
	static void tell_##name(void *self HOOKS_LIST params)                                                \
	{                                                                                                    \
		const struct hooks *hooks = self;                                                            \
		HOOKS_EACH(name)                                                                             \
		hooks->chain->link[link].policy.name(hooks->block[link] HOOKS_LIST args);                    \
	}
#define TELL_SLOW(name, params, args)
#define TELL_ALL_HOT TELL_FAST
#define TELL_ALL TELL_SLOW
#define TELL_HEARD TELL_SLOW
#define TELL_LINK TELL_SLOW
#define HOOK(...)
#define EVENT(scope, combine, name, params, args, ...) TELL_##combine(name, params, args)
#include "policy/hooks.def"
#undef HOOK
#undef EVENT

#define IDLE_SM 0
#define IDLE_GPU 0
#define IDLE_PURE 0
#define IDLE_SETUP 0
#define IDLE_L1 hooks->idle

#define SELF_SM hooks->block[link]
#define SELF_L1 hooks->block[link]
#define SELF_GPU hooks->block[link]
#define SELF_PURE hooks->chain->link[link].params

#define POINT_OWNER(scope, name)                                                                             \
	hooks->fast_##name = NULL;                                                                           \
	if (hooks->has_##name) {                                                                             \
		uint32_t link = (uint32_t)__builtin_ctz(hooks->has_##name);                                  \
		hooks->fast_##name = hooks->chain->link[link].policy.name;                                   \
		hooks->self_##name = SELF_##scope;                                                           \
	}
#define POINT_ALL_HOT(scope, name)                                                                           \
	POINT_OWNER(scope, name)                                                                             \
	if (hooks->has_##name & (hooks->has_##name - 1)) {                                                   \
		hooks->fast_##name = tell_##name;                                                            \
		hooks->self_##name = hooks;                                                                  \
	}
#define POINT_NOWHERE(scope, name)
#define POINT_FIRST POINT_NOWHERE
#define POINT_MIN POINT_NOWHERE
#define POINT_MAX POINT_NOWHERE
#define POINT_OR POINT_NOWHERE
#define POINT_AND POINT_NOWHERE
#define POINT_LINK POINT_NOWHERE
#define POINT_ALL POINT_NOWHERE
#define POINT_HEARD POINT_NOWHERE

static void find_listeners(struct hooks *hooks)
{
#define HOOK(scope, combine, type, name, ...) EVENT(scope, combine, name)
#define EVENT(scope, combine, name, ...)                                                                     \
	hooks->has_##name = (uint16_t)(hooks->chain->has_##name & ~(uint32_t)IDLE_##scope);                  \
	POINT_##combine(scope, name)
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
}

/* What points into blocks. */
static void find_blocks(struct hooks *hooks)
{
	const struct chain *chain = hooks->chain;
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->link[i].watches_hits)
			hooks->hit_watch = hooks->block[i];
	if (__builtin_popcount(chain->has_smem_route) == 1) {
		uint32_t only = (uint32_t)__builtin_ctz(chain->has_smem_route);
		hooks->watch_shared = chain->link[only].watch_shared;
		hooks->watch_shared_self = hooks->block[only];
	}
}

void hooks_init_sm(struct hooks *hooks, const struct chain *chain, uint32_t sm)
{
	*hooks = (struct hooks){.chain = chain, .sm = sm};
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct policy *policy = &chain->link[i].policy;
		struct policy_env env = chain_env(chain, i, sm);
		hooks->block[i] = policy->sm_bytes ? memory_zeroed(1, policy->sm_bytes(&env)) : NULL;
	}
	find_blocks(hooks);
	const struct policy *owner = &chain->link[chain->order].policy;
	hooks->order_keeps_last = owner->order_keeps_last;
	hooks->asks_next_load = chain->has_throttle || !owner->order_looks_back_only;
	find_listeners(hooks);
}

void hooks_begin_launch(struct hooks *hooks, uint32_t pass, bool shared_memory)
{
	const struct chain *chain = hooks->chain;
	hooks->idle = 0;
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct policy *policy = &chain->link[i].policy;
		struct policy_env env = chain_env(chain, i, hooks->sm);
		env.pass = pass;
		if (policy->sm_init)
			policy->sm_init(hooks->block[i], &env);
		if (policy->smem_only && !shared_memory)
			hooks->idle |= (uint16_t)(1u << i);
	}
	find_listeners(hooks);
}

void hooks_free_sm(struct hooks *hooks)
{
	for (uint32_t i = 0; hooks->chain && i < hooks->chain->count; i++) {
		const struct policy *policy = &hooks->chain->link[i].policy;
		if (policy->sm_free && hooks->block[i])
			policy->sm_free(hooks->block[i]);
		free(hooks->block[i]);
	}
}

void hooks_swap_blocks(struct hooks *hooks, void *block[CHAIN_MAX])
{
	for (uint32_t i = 0; i < CHAIN_MAX; i++) {
		void *own = hooks->block[i];
		hooks->block[i] = block[i];
		block[i] = own;
	}
	find_blocks(hooks);
}

void hooks_init_gpu(struct hooks *hooks, const struct chain *chain, struct error *error, bool *failed)
{
	*hooks = (struct hooks){.chain = chain, .sm = UINT32_MAX, .error = error, .failed = failed};
	for (uint32_t i = 0; i < chain->count; i++)
		hooks->block[i] = chain->link[i].gpu;
	find_listeners(hooks);
}
