/*
 * Pseudo-LRU with a tree of bits per set, as in the L1 of Tian's machine: each
 * bit points to the half of its ways that was used longer ago. A hit and an
 * allocation turn the bits on their way from the root away from the line; the
 * victim is where the bits point to.
 *
 * A number of ways that is no power of two gets the tree of the next one with
 * the missing leaves cut off. Where the bits point to reserved lines only, the
 * other half is taken.
 */
#include "base/bits.h"
#include "policy/lib/frames.h"

struct plru {
	uint64_t *line_of; /* behind this block */
	uint8_t
	    *node; /* per set, from the root, node n has the children 2n + 1 and 2n + 2; 1: points right */
	uint32_t ways, leaves;
};

static uint8_t *tree_of(const struct plru *plru, uint32_t set)
{
	return &plru->node[(size_t)set * (plru->leaves - 1)];
}

static void touch(struct plru *plru, uint32_t frame)
{
	uint8_t *node = tree_of(plru, frame / plru->ways);
	uint32_t way = frame % plru->ways, at = 0;
	for (uint32_t half = plru->leaves / 2; half; half /= 2) {
		bool right = way & half;
		node[at] = !right;
		at = 2 * at + 1 + right;
	}
}

/* May a way of first .. first + count go? */
static bool any_goes(const struct frame_view *ways, uint32_t total, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count && i < total; i++)
		if (!ways[i].reserved)
			return true;
	return false;
}

static uint32_t plru_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                            uint32_t count)
{
	const struct plru *plru = sm;
	if (request->aux || frames_free(ways, count) != UINT32_MAX)
		return frames_lru(ways, count);
	if (!any_goes(ways, count, 0, count))
		return UINT32_MAX;
	const uint8_t *node = tree_of(plru, ways[0].frame / plru->ways);
	uint32_t first = 0, at = 0;
	for (uint32_t half = plru->leaves / 2; half; half /= 2) {
		bool right = node[at];
		if (!any_goes(ways, count, right ? first + half : first, half))
			right = !right;
		first += right ? half : 0;
		at = 2 * at + 1 + right;
	}
	return first;
}

static void plru_on_hit(void *sm, const struct l1_event *event)
{
	if (!event->aux)
		touch(sm, event->frame);
}

static void plru_enter(void *sm, const struct l1_event *event)
{
	struct plru *plru = sm;
	if (frames_enter(plru->line_of, event))
		touch(plru, event->frame);
}

static uint32_t leaves_of(const struct policy_env *env)
{
	return 1u << bits_log2_up(env->l1_ways);
}

static size_t plru_sm_bytes(const struct policy_env *env)
{
	return sizeof(struct plru) + (size_t)env->l1_sets * env->l1_ways * sizeof(uint64_t) +
	       (size_t)env->l1_sets * (leaves_of(env) - 1);
}

static void plru_sm_init(void *sm, const struct policy_env *env)
{
	struct plru *plru = sm;
	uint32_t frames = env->l1_sets * env->l1_ways;
	plru->ways = env->l1_ways;
	plru->leaves = leaves_of(env);
	plru->line_of = (uint64_t *)(plru + 1);
	plru->node = (uint8_t *)(plru->line_of + frames);
	frames_clear(plru->line_of, frames);
	memset(plru->node, 0, (size_t)env->l1_sets * (plru->leaves - 1));
}

static uint64_t plru_sm_bits(const struct policy_env *env)
{
	return (uint64_t)env->l1_sets * (env->l1_ways - 1);
}

const struct policy policy_plru = {
    .abi = POLICY_ABI,
    .name = "plru",
    .title = "the line that a tree of bits per set points to is replaced",
    .citation = "textbook; the L1 of Y. Tian et al.: Adaptive GPU Cache Bypassing, GPGPU-8 2015",
    .sm_bits = plru_sm_bits,
    .sm_bytes = plru_sm_bytes,
    .sm_init = plru_sm_init,
    .l1_victim = plru_victim,
    .on_l1_hit = plru_on_hit,
    .on_l1_miss = plru_enter,
    .on_l1_fill = plru_enter,
};
