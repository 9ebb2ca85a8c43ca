/*
 * sawtooth: CTAs of the grid in boustrophedon order. Every second run of CTAs goes backwards, so that the data that the end of
 * one run left in L2 are used by the beginning of the next.
 *
 * The order of the sawtooth wavefront (Sawtooth Wavefront Reordering, 2026), which alternates the direction in which the
 * tiles of keys and values are scanned. That loop is the program's; here the same is done with the CTAs of a grid. Left out:
 * reordering inside a persistent kernel.
 */
#include "policy/define.h"

struct sawtooth_params {
	uint32_t run;
};

POLICY_GIVEN(struct sawtooth_params)

static const struct policy_param params[] = {
    PARAM_U32(struct sawtooth_params, run, 0, 0, 1u << 31, "CTAs",
              "of a run in one direction; 0: a row of the grid"),
};

/* The CTA at a position of the order: a bijection of 0 .. ctas - 1, for a last run that is short, too. */
static uint64_t sawtooth_pick(void *gpu, const struct cta_place *place)
{
	const struct sawtooth_params *given = gpu;
	uint64_t run = given->run ? given->run : place->x;
	uint64_t first = place->given / run * run, within = place->given - first;
	uint64_t length = place->ctas - first < run ? place->ctas - first : run;
	return first / run % 2 ? first + length - 1 - within : place->given;
}

POLICY_BYTES(sawtooth_bytes, struct sawtooth_params)

static void sawtooth_init(void *gpu, const struct policy_env *env)
{
	*(struct sawtooth_params *)gpu = *given(env);
}

const struct policy policy_sawtooth = {
    .abi = POLICY_ABI,
    .name = "sawtooth",
    .title = "every second row of the grid is dispatched backwards",
    .citation = "after Sawtooth Wavefront Reordering, 2026",
    POLICY_PARAMS(params, struct sawtooth_params),
    .gpu_bytes = sawtooth_bytes,
    .gpu_init = sawtooth_init,
    .cta_pick = sawtooth_pick,
};
