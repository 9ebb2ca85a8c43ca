/*
 * dyncta: the number of CTAs that run on an SM follows what its warps wait for. Half of those that fit run at first. After
 * every period, one more runs if the SM was idle, or seldom waited for memory; one fewer if it often waited for memory.
 *
 * O. Kayiran, A. Jog, M. T. Kandemir, C. R. Das, Neither More Nor Less: Optimizing Thread-level Parallelism for GPGPUs, PACT
 * 2013, section 4. A CTA above the number is paused: none of its warps issues; the youngest are paused first. The limit on
 * new CTAs is as many as fit, as in the paper, where a CTA that ends is replaced.
 */
#include "policy/define.h"

struct dyncta_params {
	uint32_t period, idle, low, high;
};

POLICY_GIVEN(struct dyncta_params)

static const struct policy_param params[] = {
    PARAM_U32(struct dyncta_params, period, 2048, 16, 1 << 20, "cycles", "between two decisions"),
    PARAM_U32(struct dyncta_params, idle, 16, 1, 1 << 20, "cycles",
              "of a period without work: more CTAs (t_idle)"),
    PARAM_U32(struct dyncta_params, low, 128, 0, 1 << 20, "cycles",
              "of waiting for memory; below: more (t_mem_l)"),
    PARAM_U32(struct dyncta_params, high, 384, 0, 1 << 20, "cycles",
              "of waiting for memory; from there: fewer (t_mem_h)"),
};

static const char *const stat_names[] = {"raised", "lowered"};

enum { SLOTS = 64 };

struct dyncta {
	struct dyncta_params params;
	uint32_t schedulers;
	uint32_t n, most; /* CTAs that run; that were resident at once */
	uint32_t resident;
	uint64_t memory, idle; /* at the last decision */
	uint64_t stat[2];
	uint16_t cta_of[256];    /* warp slot -> CTA slot */
	uint16_t warps[SLOTS];   /* of a CTA slot that have not ended */
	uint64_t started[SLOTS]; /* order of its start */
	uint64_t clock;
};

static void dyncta_on_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct dyncta *d = sm;
	(void)cycle;
	if (!d->warps[cta]++) {
		d->started[cta] = ++d->clock;
		d->resident++;
		if (d->resident > d->most) {
			d->most = d->resident;
			d->n = (d->most + 1) / 2;
		}
	}
	d->cta_of[warp] = (uint16_t)cta;
}

static void dyncta_on_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct dyncta *d = sm;
	(void)cycle;
	d->resident -= !--d->warps[d->cta_of[warp]];
}

static void dyncta_on_epoch(void *sm, const struct sm_view *view)
{
	struct dyncta *d = sm;
	uint64_t memory = view->memory_cycles - d->memory, idle = view->idle_cycles - d->idle;
	bool more = idle >= d->params.idle || memory < d->params.low,
	     fewer = !more && memory >= d->params.high;
	d->memory = view->memory_cycles;
	d->idle = view->idle_cycles;
	if (more && d->n < d->most) {
		d->n++;
		d->stat[0]++;
	} else if (fewer && d->n > 1) {
		d->n--;
		d->stat[1]++;
	}
}

/* A CTA runs if fewer than n CTAs are older. */
static bool runs(const struct dyncta *d, uint32_t cta)
{
	uint32_t older = 0;
	for (uint32_t i = 0; i < SLOTS; i++)
		older += d->warps[i] && d->started[i] < d->started[cta];
	return older < d->n;
}

static struct throttle dyncta_throttle(void *sm, const struct sched_view *view)
{
	const struct dyncta *d = sm;
	struct throttle answer = POLICY_THROTTLE_NONE;
	if (d->n >= d->resident)
		return answer;
	answer.issue = 0;
	for (uint32_t i = 0; i < view->by_age_count; i++) {
		uint32_t bit = view->by_age[i], warp = bit * d->schedulers + view->scheduler;
		answer.issue |= (uint64_t)runs(d, d->cta_of[warp]) << bit;
	}
	return answer;
}

static void dyncta_configure(struct policy *self, const struct policy_env *env)
{
	self->epoch_cycles = given(env)->period;
}

POLICY_BYTES(dyncta_bytes, struct dyncta)
POLICY_STATS(dyncta_stats, struct dyncta)

static void dyncta_init(void *sm, const struct policy_env *env)
{
	*(struct dyncta *)sm = (struct dyncta){.params = *given(env), .schedulers = env->schedulers};
}

const struct policy policy_dyncta = {
    .abi = POLICY_ABI,
    .name = "dyncta",
    .title = "CTAs of an SM are paused while it mostly waits for memory",
    .citation =
        "O. Kayiran, A. Jog, M. T. Kandemir, C. R. Das: Neither More Nor Less: Optimizing Thread-level Parallelism for "
        "GPGPUs, PACT 2013",
    POLICY_PARAMS(params, struct dyncta_params),
    POLICY_STAT_NAMES(stat_names),
    .stats = dyncta_stats,
    .sm_bytes = dyncta_bytes,
    .sm_init = dyncta_init,
    .configure = dyncta_configure,
    .throttle = dyncta_throttle,
    .on_warp_start = dyncta_on_start,
    .on_warp_exit = dyncta_on_exit,
    .on_epoch = dyncta_on_epoch,
};
