/* Definitions that most built-in policies have in common. */
#ifndef SLUICE_POLICY_DEFINE_H
#define SLUICE_POLICY_DEFINE_H

#include "policy/policy.h"

/* Define given(), which returns the policy's parameters. */
#define POLICY_GIVEN(type)                                                                                   \
	static inline const type *given(const struct policy_env *env)                                        \
	{                                                                                                    \
		return env->params;                                                                          \
	}
/* Define a function for sm_bytes or gpu_bytes: the block is one `type`. */
#define POLICY_BYTES(name, type)                                                                             \
	static size_t name(const struct policy_env *env)                                                     \
	{                                                                                                    \
		(void)env;                                                                                   \
		return sizeof(type);                                                                         \
	}
/* Define a function for stats: it adds the array `stat` of a block of `type`. */
#define POLICY_STATS(name, type)                                                                             \
	static void name(const void *block, uint64_t *sum)                                                   \
	{                                                                                                    \
		const type *b = block;                                                                       \
		for (size_t i = 0; i < sizeof b->stat / sizeof *b->stat; i++)                                \
			sum[i] += b->stat[i];                                                                \
	}
/* The members that name what a policy counts. */
#define POLICY_STAT_NAMES(names) .stat_names = (names), .stat_count = sizeof(names) / sizeof *(names)

#endif
