#include "policy/look/ctas.h"

#include <string.h>

#include "policy/define.h"

struct look_ctas_params {
	uint32_t most;
};

POLICY_GIVEN(struct look_ctas_params)

static const struct policy_param ctas_params[] = {
    PARAM_U32(struct look_ctas_params, most, 4096, 1, 1 << 20, "CTAs",
              "kept per SM and launch; later ones are dropped and counted"),
};

static size_t ctas_bytes(const struct policy_env *env)
{
	return sizeof(struct look_ctas) + given(env)->most * sizeof(struct look_cta_span) + env->warps;
}

static void ctas_init(void *sm, const struct policy_env *env)
{
	struct look_ctas *b = sm;
	memset(b, 0, sizeof *b);
	b->most = given(env)->most;
	b->span = (struct look_cta_span *)(b + 1);
	b->slot_of = (uint8_t *)(b->span + b->most);
}

static void ctas_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct look_ctas *b = sm;
	uint32_t slot = cta % LOOK_CTA_SLOTS;
	b->slot_of[warp] = (uint8_t)slot;
	if (b->live[slot]++)
		return;
	/* A CTA's warps start together; one of them may have ended already, having nothing to do. */
	if (b->at[slot] && b->span[b->at[slot] - 1].start == cycle) {
		b->span[b->at[slot] - 1].end = UINT64_MAX;
		return;
	}
	b->at[slot] = 0;
	if (b->count == b->most) {
		b->dropped++;
		return;
	}
	b->span[b->count++] = (struct look_cta_span){.start = cycle, .end = UINT64_MAX, .slot = slot};
	b->at[slot] = b->count;
}

static void ctas_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct look_ctas *b = sm;
	uint32_t slot = b->slot_of[warp];
	if (!--b->live[slot] && b->at[slot])
		b->span[b->at[slot] - 1].end = cycle;
}

const struct policy look_ctas = {
    .abi = POLICY_ABI,
    .name = "look-ctas",
    .title = "observer: when each CTA was on its SM",
    POLICY_PARAMS(ctas_params, struct look_ctas_params),
    .sm_bytes = ctas_bytes,
    .sm_init = ctas_init,
    .on_warp_start = ctas_warp_start,
    .on_warp_exit = ctas_warp_exit,
};
