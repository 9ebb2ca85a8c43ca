/*
 * Static CTA throttling: no SM holds more than n CTAs at a time. One CTA more
 * or less is all its warps, so the grain is that of the program's CTAs.
 *
 * Khairy (thesis, Cairo 2015), Figure 5.15, where the best n of each program is
 * compared with limits on warps. Left out: the dynamic relatives (DYNCTA, OWL,
 * lazy CTA scheduling), which are named there only.
 */
#include "policy/policy.h"

struct cta_limit_params {
	uint32_t n;
};

static const struct cta_limit_params *given(const struct policy_env *env)
{
	return env->params;
}

static size_t cta_limit_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(uint32_t);
}

static void cta_limit_init(void *sm, const struct policy_env *env)
{
	*(uint32_t *)sm = given(env)->n;
}

static uint32_t cta_limit_answer(void *sm, const struct sm_view *view)
{
	(void)view;
	return *(const uint32_t *)sm;
}

static const struct policy_param params[] = {
    PARAM_U32(struct cta_limit_params, n, 1, 1, 64, "CTAs", "CTAs that an SM holds at most"),
};

const struct policy policy_cta_limit = {
    .abi = POLICY_ABI,
    .name = "cta-limit",
    .title = "static CTA throttling: at most n CTAs per SM",
    .citation =
        "M. Khairy: Adaptive Cache Management for GPGPUs, MSc thesis, Cairo University 2015, Figure 5.15",
    POLICY_PARAMS(params, struct cta_limit_params),
    .sm_bytes = cta_limit_bytes,
    .sm_init = cta_limit_init,
    .cta_limit = cta_limit_answer,
};
