/* A policy that does what none may do, for tests of who survives it. */
#include <stdlib.h>

#include <sluice/policy.h>

struct unruly_params {
	uint32_t how;
};
static const struct policy_param params[] = {
    PARAM_U32(struct unruly_params, how, 0, 0, 1, "", "0: it crashes; 1: it ends the process with status 7"),
};

static size_t bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct unruly_params);
}

static void init(void *sm, const struct policy_env *env)
{
	*(struct unruly_params *)sm = *(const struct unruly_params *)env->params;
}

static uint32_t order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)view, (void)eligible;
	if (((const struct unruly_params *)sm)->how)
		exit(7);
	abort();
}

const struct policy sluice_policy = {
    .abi = POLICY_ABI,
    .name = "unruly",
    .title = "a policy that takes its process down",
    POLICY_PARAMS(params, struct unruly_params),
    .sm_bytes = bytes,
    .sm_init = init,
    .order = order,
};
