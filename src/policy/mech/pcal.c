/*
 * Priority-based cache allocation (Li et al., HPCA 2015): the oldest warps of each scheduler that could run hold tokens and may
 * take lines of L1. The next ones run too, but take no line; the rest waits. The policies differ in how many run without a
 * token. Left out: the search for both numbers at run time; they come from a profile (`sluice tune`).
 *
 * pcal-fixed: fixed numbers, as Khairy (thesis, Cairo 2015, 3 and 5.6) and LCM (Fang et al., 2021) describe it.
 * statpcal: CIAO (Zhang et al., IPDPS 2018), V-A and V-B: as many tokens as Best-SWL lets warps run; while L2 and DRAM have
 * bandwidth to spare, further warps bypass L1, one more per window. CIAO does not give window and thresholds: they are ours.
 * pcal: the same with the specified thresholds, as LCM compares with it: tokens from `sluice tune --param swl.n` or the search
 * of an experiment.
 */
#include "policy/define.h"
#include "policy/lib/order.h"

/* ---- tokens ----------------------------------------------------------------------------------------------- */

struct tokens {
	uint32_t count;     /* per scheduler */
	uint32_t bypassing; /* warps per scheduler that run without a token */
	uint32_t schedulers;
	uint64_t bypasses;
	uint64_t holders[]; /* per scheduler, as of its last throttle() */
};

static size_t tokens_bytes(const struct policy_env *env)
{
	return sizeof(struct tokens) + env->schedulers * sizeof(uint64_t);
}

static void tokens_init(struct tokens *t, const struct policy_env *env, uint32_t count, uint32_t bypassing)
{
	*t = (struct tokens){.count = count, .bypassing = bypassing, .schedulers = env->schedulers};
	for (uint32_t i = 0; i < env->schedulers; i++)
		t->holders[i] = 0;
}

/* Tokens pass on by themselves: the warps that are the oldest now hold them. */
static struct throttle tokens_throttle(void *sm, const struct sched_view *view)
{
	struct tokens *t = sm;
	t->holders[view->scheduler] = oldest_running(view, t->count);
	uint64_t may = oldest_running(view, t->count + t->bypassing);
	return (struct throttle){may, may, POLICY_UNTIL_WARPS};
}

/* Route a request. Without a token, lines that are present are used and none is taken. */
static enum l1_route tokens_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	struct tokens *t = sm;
	uint64_t holders = t->holders[request->warp % t->schedulers];
	if (request->is_store || holders >> request->warp / t->schedulers & 1)
		return L1_ROUTE_NONE;
	t->bypasses += fail == L1_FAIL_NONE && request->presence != L1_WHOLE;
	return L1_ROUTE_BYPASS;
}

/* ---- pcal-fixed --------------------------------------------------------------------------------------------- */

struct pcal_fixed_params {
	uint32_t tokens;
	uint32_t bypass;
};

static void fixed_init(void *sm, const struct policy_env *env)
{
	const struct pcal_fixed_params *given = env->params;
	tokens_init(sm, env, given->tokens, given->bypass);
}

static void fixed_stats(const void *sm, uint64_t *sum)
{
	sum[0] += ((const struct tokens *)sm)->bypasses;
}

/* A token bit per warp. */
static uint64_t fixed_bits(const struct policy_env *env)
{
	return env->warps;
}

static const struct policy_param fixed_params[] = {
    PARAM_U32(struct pcal_fixed_params, tokens, 1, 1, 64, "warps",
              "warps of a scheduler that may take lines of L1"),
    PARAM_U32(struct pcal_fixed_params, bypass, 2, 0, 64, "warps",
              "further warps of a scheduler that run without taking any"),
};
static const char *const fixed_stat_names[] = {"bypasses"};

const struct policy policy_pcal_fixed = {
    .abi = POLICY_ABI,
    .name = "pcal-fixed",
    .title = "PCAL with fixed numbers: some warps cache, some bypass, the rest waits",
    .citation = "D. Li et al.: Priority-Based Cache Allocation in Throughput Processors, HPCA 2015",
    POLICY_PARAMS(fixed_params, struct pcal_fixed_params),
    .sm_bits = fixed_bits,
    .sm_bytes = tokens_bytes,
    .sm_init = fixed_init,
    POLICY_STAT_NAMES(fixed_stat_names),
    .stats = fixed_stats,
    .throttle = tokens_throttle,
    .l1_route = tokens_route,
};

/* ---- statpcal ----------------------------------------------------------------------------------------------- */

struct statpcal_params {
	uint32_t tokens;
	uint32_t warps;
	uint32_t window;
	double idle;
	double busy;
};

POLICY_GIVEN(struct statpcal_params)

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

/* Utilisation of L2 or DRAM since the last window, the larger; sums restart at 0 with a launch. */
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
    POLICY_STAT_NAMES(stat_names),
    .stats = statpcal_stats,
    .configure = statpcal_configure,
    .throttle = statpcal_throttle,
    .l1_route = statpcal_l1_route,
    .on_epoch = statpcal_on_epoch,
};

/* ---- pcal --------------------------------------------------------------------------------------------------- */

struct pcal_params {
	uint32_t tokens, warps;
};

static const struct policy_param pcal_params[] = {
    PARAM_U32(struct pcal_params, tokens, 1, 1, 64, "warps",
              "warps of a scheduler that may take lines of L1: from a profile"),
    PARAM_U32(struct pcal_params, warps, 0, 0, 64, "warps",
              "warps of a scheduler that may run at all; 0: its slots"),
};

const struct policy policy_pcal = {
    .abi = POLICY_ABI,
    .name = "pcal",
    .title = "priority-based cache allocation: profiled tokens, bypassing warps by the load of memory",
    .citation = "D. Li et al.: Priority-Based Cache Allocation in Throughput Processors, HPCA 2015",
    .bundle = "statpcal:idle=0.70:busy=0.90",
    POLICY_PARAMS(pcal_params, struct pcal_params),
};
