/*
 * statPCAL: as many warps as throttling would keep use L1; while L2 and DRAM
 * have bandwidth to spare, further warps run past it, one more per window.
 *
 * CIAO (Zhang et al., IPDPS 2018), V-A and V-B, after Li et al., HPCA 2015. The
 * tokens come from Best-SWL (`sluice tune`). Left out: what CIAO does not say;
 * window and thresholds are ours.
 */
#include "policy/lib/tokens.h"

struct statpcal_params {
	uint32_t tokens;
	uint32_t warps;
	uint32_t window;
	double idle;
	double busy;
};

static const struct statpcal_params *given(const struct policy_env *env)
{
	return env->params;
}

struct statpcal {
	double idle, busy;
	uint32_t window, most;     /* most: warps of a scheduler that may run without a token */
	double l2_busy, dram_busy; /* at the last window's end */
	uint64_t windows, bypassing_sum;
	struct tokens tokens; /* last: it ends in an array */
};

static size_t statpcal_bytes(const struct policy_env *env)
{
	return sizeof(struct statpcal) - sizeof(struct tokens) + tokens_bytes(env);
}

static void statpcal_init(void *sm, const struct policy_env *env)
{
	struct statpcal *s = sm;
	uint32_t tokens = given(env)->tokens, slots = (env->warps + env->schedulers - 1) / env->schedulers;
	uint32_t warps = given(env)->warps > 0 ? given(env)->warps : slots;
	*s = (struct statpcal){.idle = given(env)->idle, .busy = given(env)->busy};
	s->window = given(env)->window;
	s->most = warps > tokens ? warps - tokens : 0;
	tokens_init(&s->tokens, env, tokens, 0);
}

static const char *statpcal_refuses(const struct policy_env *env)
{
	return given(env)->idle > given(env)->busy ? "idle is above busy" : NULL;
}

static void statpcal_configure(struct policy *self, const struct policy_env *env)
{
	self->epoch_cycles = given(env)->window;
}

static struct throttle statpcal_throttle(void *sm, const struct sched_view *view)
{
	return tokens_throttle(&((struct statpcal *)sm)->tokens, view);
}

static enum l1_route statpcal_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	return tokens_route(&((struct statpcal *)sm)->tokens, request, fail);
}

/* The busier of L2 and DRAM since the last window; sums that a launch began anew count from 0. */
static double utilisation(struct statpcal *s, const struct sm_view *view)
{
	double l2 = view->l2_busy - (view->l2_busy < s->l2_busy ? 0 : s->l2_busy);
	double dram = view->dram_busy - (view->dram_busy < s->dram_busy ? 0 : s->dram_busy);
	s->l2_busy = view->l2_busy;
	s->dram_busy = view->dram_busy;
	return (l2 > dram ? l2 : dram) / s->window;
}

static void statpcal_on_epoch(void *sm, const struct sm_view *view)
{
	struct statpcal *s = sm;
	double used = utilisation(s, view);
	if (used < s->idle && s->tokens.bypassing < s->most)
		s->tokens.bypassing++;
	else if (used > s->busy && s->tokens.bypassing)
		s->tokens.bypassing--;
	s->windows++;
	s->bypassing_sum += s->tokens.bypassing;
}

static void statpcal_stats(const void *sm, uint64_t *sum)
{
	const struct statpcal *s = sm;
	sum[0] += s->tokens.bypasses;
	sum[1] += s->windows;
	sum[2] += s->bypassing_sum;
}

/* A token bit per warp and a count of the warps that run without. */
static uint64_t statpcal_bits(const struct policy_env *env)
{
	return env->warps + 8;
}

static const struct policy_param params[] = {
    PARAM_U32(struct statpcal_params, tokens, 1, 1, 64, "warps",
              "warps of a scheduler that may take lines of L1: Best-SWL"),
    PARAM_U32(struct statpcal_params, warps, 0, 0, 64, "warps",
              "warps of a scheduler that may run at all; 0: its slots"),
    PARAM_U32(struct statpcal_params, window, 1000, 1, 1e9, "cycles",
              "how often the load of memory is looked at"),
    PARAM_REAL(struct statpcal_params, idle, 0.70, 0, 1, "",
               "L2 and DRAM used less than this: one more warp runs"),
    PARAM_REAL(struct statpcal_params, busy, 0.90, 0, 1, "", "L2 or DRAM used more than this: one less"),
};
static const char *const stat_names[] = {"bypasses", "windows", "bypassing_warps_in_windows"};

const struct policy policy_statpcal = {
    .abi = POLICY_ABI,
    .name = "statpcal",
    .title = "statPCAL: throttled warps bypass L1 while memory has bandwidth to spare",
    .citation = "D. Li et al.: Priority-Based Cache Allocation in Throughput Processors, HPCA 2015; "
                "J. Zhang et al.: CIAO, IPDPS 2018",
    POLICY_PARAMS(params, struct statpcal_params),
    .refuses = statpcal_refuses,
    .sm_bits = statpcal_bits,
    .sm_bytes = statpcal_bytes,
    .sm_init = statpcal_init,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = statpcal_stats,
    .configure = statpcal_configure,
    .throttle = statpcal_throttle,
    .l1_route = statpcal_l1_route,
    .on_epoch = statpcal_on_epoch,
};
