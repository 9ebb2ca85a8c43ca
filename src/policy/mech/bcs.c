/*
 * bcs: block CTA scheduling. Consecutive CTAs, which often share lines, go to the same SM: a block of two is given when an SM
 * has room for two.
 *
 * M. Lee et al., Improving GPGPU Resource Utilization Through Alternative Thread Block Scheduling, HPCA 2014, section 5.1. Left
 * out: the block-aware warp scheduler (BAWS) of section 5.2, and lazy CTA scheduling (LCS) of section 4.
 */
#include <string.h>

#include "policy/define.h"

struct bcs_params {
	uint32_t block;
};

POLICY_GIVEN(struct bcs_params)

static const struct policy_param params[] = {
    PARAM_U32(struct bcs_params, block, 2, 1, 64, "CTAs", "that go to one SM together"),
};

enum { SM_MOST = 1024 };

struct bcs {
	uint32_t block;
	uint64_t next;           /* the first CTA of no block yet */
	uint64_t first[SM_MOST]; /* of an SM's open block: the CTA that it gets next */
	uint32_t left[SM_MOST];  /* CTAs of that block */
};

/* An SM that can hold fewer CTAs than a block at all takes what it can. */
static uint64_t bcs_pick(void *gpu, const struct cta_place *place)
{
	struct bcs *b = gpu;
	uint32_t sm = place->sm % SM_MOST, room = place->most - place->held;
	if (!b->left[sm]) {
		uint32_t block = b->block < place->most ? b->block : place->most;
		if (room < block || b->next == place->ctas)
			return POLICY_CTA_NONE;
		b->first[sm] = b->next;
		b->left[sm] = (uint32_t)(place->ctas - b->next < block ? place->ctas - b->next : block);
		b->next += b->left[sm];
	}
	b->left[sm]--;
	return b->first[sm]++;
}

static void bcs_begin(void *gpu, const char *kernel, uint64_t ctas)
{
	struct bcs *b = gpu;
	(void)kernel, (void)ctas;
	b->next = 0;
	memset(b->left, 0, sizeof b->left);
}

POLICY_BYTES(bcs_bytes, struct bcs)

static void bcs_init(void *gpu, const struct policy_env *env)
{
	((struct bcs *)gpu)->block = given(env)->block;
}

static const char *bcs_refuses(const struct policy_env *env)
{
	return env->sm_count > SM_MOST ? "it has more than 1024 SMs" : NULL;
}

const struct policy policy_bcs = {
    .abi = POLICY_ABI,
    .name = "bcs",
    .title = "consecutive CTAs go to the same SM, in pairs",
    .citation =
        "M. Lee et al.: Improving GPGPU Resource Utilization Through Alternative Thread Block Scheduling, HPCA 2014",
    POLICY_PARAMS(params, struct bcs_params),
    .refuses = bcs_refuses,
    .gpu_bytes = bcs_bytes,
    .gpu_init = bcs_init,
    .on_kernel_begin = bcs_begin,
    .cta_pick = bcs_pick,
};
