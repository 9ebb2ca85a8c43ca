/*
 * Least recently used: the rule of L1 when no policy owns l1_victim, as a
 * policy of its own. Misses and hits renew a line, fills do not.
 */
#include "base/bits.h"
#include "policy/lib/frames.h"

static uint32_t lru_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                           uint32_t count)
{
	(void)sm;
	(void)request;
	return frames_lru(ways, count);
}

/* A rank per line. */
static uint64_t lru_sm_bits(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * env->l1_ways * bits_log2_up(env->l1_ways);
}

const struct policy policy_lru = {
    .abi = POLICY_ABI,
    .name = "lru",
    .title = "the least recently used line of the set is replaced",
    .citation = "textbook; CIAO and LCM name it for L1 (IPDPS 2018, Table I; Micromachines 2021, Table 2)",
    .sm_bits = lru_sm_bits,
    .l1_victim = lru_victim,
};
