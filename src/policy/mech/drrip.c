/*
 * drrip: dynamic re-reference interval prediction at L2. Some sets always insert a line with a long prediction (SRRIP), some
 * nearly always with a distant one (BRRIP); a counter of their misses decides for all others.
 *
 * A. Jaleel et al., High Performance Cache Replacement Using Re-Reference Interval Prediction (RRIP), ISCA 2010, section 4.3.
 * Each slice duels for itself. What it has learned outlives a launch.
 */
#include <string.h>

#include "policy/define.h"
#include "policy/lib/l2_rrip.h"

enum { PSEL_MOST = 1023, BRRIP_EVERY = 32 };

struct drrip_params {
	uint32_t leaders;
};

POLICY_GIVEN(struct drrip_params)

static const struct policy_param params[] = {
    PARAM_U32(struct drrip_params, leaders, 32, 1, 1024, "sets",
              "of a slice that lead for each of the two policies"),
};

struct duel {
	uint32_t psel;    /* above the middle: SRRIP's leaders miss more */
	uint32_t inserts; /* of BRRIP */
};

struct drrip {
	struct l2_rrip rrip;
	uint32_t period;   /* one set of so many leads for each */
	struct duel *duel; /* per slice */
};

enum side { SIDE_SRRIP, SIDE_BRRIP, SIDE_FOLLOWS };

static enum side side_of(const struct drrip *d, uint32_t set)
{
	uint32_t at = set % d->period;
	return at == 0 ? SIDE_SRRIP : at == d->period - 1 ? SIDE_BRRIP : SIDE_FOLLOWS;
}

static uint32_t drrip_victim(void *gpu, const struct l2_request *request, const struct l2_frame *ways,
                             uint32_t count, uint32_t choice)
{
	const struct drrip *d = gpu;
	(void)choice;
	return l2_rrip_victim(&d->rrip, request->slice, ways, count);
}

static void drrip_on_access(void *gpu, const struct l2_request *request)
{
	const struct drrip *d = gpu;
	if (request->frame != UINT32_MAX)
		*l2_rrip_at(&d->rrip, request->slice, request->frame) = 0;
}

/* A line comes because its set missed. */
static void drrip_on_fill(void *gpu, const struct l2_request *request)
{
	const struct drrip *d = gpu;
	struct duel *duel = &d->duel[request->slice];
	enum side side = side_of(d, request->frame / d->rrip.ways);
	if (side == SIDE_SRRIP && duel->psel < PSEL_MOST)
		duel->psel++;
	else if (side == SIDE_BRRIP && duel->psel)
		duel->psel--;
	bool bimodal = side == SIDE_BRRIP || (side == SIDE_FOLLOWS && duel->psel > PSEL_MOST / 2);
	bool distant = bimodal && ++duel->inserts % BRRIP_EVERY;
	*l2_rrip_at(&d->rrip, request->slice, request->frame) = distant ? L2_RRIP_DISTANT : L2_RRIP_LONG;
}

static size_t drrip_bytes(const struct policy_env *env)
{
	return sizeof(struct drrip) + env->l2_slices * sizeof(struct duel) + l2_rrip_frames(env);
}

static void drrip_init(void *gpu, const struct policy_env *env)
{
	struct drrip *d = gpu;
	d->duel = (struct duel *)(d + 1);
	d->rrip = (struct l2_rrip){env->l2_sets * env->l2_ways, env->l2_ways,
	                           (uint8_t *)(d->duel + env->l2_slices)};
	d->period = env->l2_sets / given(env)->leaders;
	d->period = d->period < 2 ? 2 : d->period;
	for (uint32_t i = 0; i < env->l2_slices; i++)
		d->duel[i].psel = PSEL_MOST / 2;
	memset(d->rrip.value, L2_RRIP_DISTANT, l2_rrip_frames(env));
}

static uint64_t drrip_bits(const struct policy_env *env)
{
	return 2 * (uint64_t)l2_rrip_frames(env) + 10 * (uint64_t)env->l2_slices;
}

const struct policy policy_drrip = {
    .abi = POLICY_ABI,
    .name = "drrip",
    .title =
        "L2 replaces the line whose next use is predicted to be most distant, by a duel of two insertions",
    .citation =
        "A. Jaleel, K. B. Theobald, S. C. Steely Jr., J. Emer: High Performance Cache Replacement Using "
        "Re-Reference Interval Prediction (RRIP), ISCA 2010",
    POLICY_PARAMS(params, struct drrip_params),
    .gpu_bits = drrip_bits,
    .gpu_bytes = drrip_bytes,
    .gpu_init = drrip_init,
    .l2_victim = drrip_victim,
    .on_l2_access = drrip_on_access,
    .on_l2_fill = drrip_on_fill,
};
