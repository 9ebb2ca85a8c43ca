/*
 * Static CTA throttling: no SM holds more than n CTAs at a time. One CTA more
 * or less is all its warps, so the grain is that of the program's CTAs.
 *
 * Khairy (thesis, Cairo 2015), Figure 5.15, where the best n of each program is
 * compared with limits on warps. Left out: the dynamic relatives (DYNCTA, OWL,
 * lazy CTA scheduling), which are named there only.
 */
#include "policy/policy.h"

static size_t cta_limit_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(uint32_t);
}

static void cta_limit_init(void *sm, const struct policy_env *env)
{
	*(uint32_t *)sm = (uint32_t)env->param[0];
}

static uint32_t cta_limit_answer(void *sm, const struct sm_view *view)
{
	(void)view;
	return *(const uint32_t *)sm;
}

static const struct policy_param params[] = {
    {"n", PARAM_U32, 1, 1, 64, "CTAs", "CTAs that an SM holds at most"},
};

extern const struct policy policy_cta_limit;
const struct policy policy_cta_limit = {
    .abi = POLICY_ABI,
    .name = "cta-limit",
    .title = "static CTA throttling: at most n CTAs per SM",
    .citation =
        "M. Khairy: Adaptive Cache Management for GPGPUs, MSc thesis, Cairo University 2015, Figure 5.15",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .sm_bytes = cta_limit_bytes,
    .sm_init = cta_limit_init,
    .cta_limit = cta_limit_answer,
};
