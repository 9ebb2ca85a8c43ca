/*
 * Samples an SM every so many cycles while it has warps.
 *
 * An observer does not see what other policies answer. A warp that issues
 * nothing in a whole period counts as stalled, whoever or whatever held it; one
 * that uses the auxiliary cache counts as isolated.
 */
#include "policy/look/series.h"

#include <string.h>

struct look_series_params {
	uint32_t period;
	uint32_t samples;
};

static const struct look_series_params *given(const struct policy_env *env)
{
	return env->params;
}

static const struct policy_param series_params[] = {
    PARAM_U32(struct look_series_params, period, 10000, 100, 1000000000, "cycles", "between two samples"),
    PARAM_U32(struct look_series_params, samples, 4096, 1, 1 << 20, "samples",
              "kept per SM and launch; later ones are dropped and counted"),
};

static size_t series_bytes(const struct policy_env *env)
{
	/* One more, for the end. */
	return sizeof(struct look_series) + ((size_t)given(env)->samples + 1) * sizeof(struct series_sample);
}

static void series_init(void *sm, const struct policy_env *env)
{
	struct look_series *b = sm;
	memset(b, 0, sizeof *b);
	b->most = given(env)->samples;
	b->period = given(env)->period;
}

static void series_configure(struct policy *self, const struct policy_env *env)
{
	self->epoch_cycles = given(env)->period;
}

static void series_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle)
{
	struct look_series *b = sm;
	(void)pc, (void)lanes, (void)cycle;
	b->issued[warp / 64 % SERIES_WARP_WORDS] |= (uint64_t)1 << warp % 64;
}

static void series_evict(void *sm, const struct l1_event *event)
{
	struct look_series *b = sm;
	b->interference += event->owner != event->warp;
}

static void series_aux(void *sm, const struct l1_event *event)
{
	struct look_series *b = sm;
	if (event->aux)
		b->aux[event->warp / 64 % SERIES_WARP_WORDS] |= (uint64_t)1 << event->warp % 64;
}

/* Counts the warps and forgets them. */
static uint16_t take_warps(uint64_t *mask)
{
	int count = 0;
	for (int i = 0; i < SERIES_WARP_WORDS; i++)
		count += __builtin_popcountll(mask[i]);
	memset(mask, 0, SERIES_WARP_WORDS * sizeof *mask);
	return (uint16_t)count;
}

static void series_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct look_series *b = sm;
	(void)warp;
	b->last_exit = cycle;
}

static struct series_sample take_sample(struct look_series *b, const struct sm_view *view)
{
	return (struct series_sample){.cycle = view->cycle,
	                              .warp_insns = view->warp_insns,
	                              .thread_insns = view->thread_insns,
	                              .l1_accesses = view->l1_accesses,
	                              .l1_misses = view->l1_misses,
	                              .interference = b->interference,
	                              .resident = (uint16_t)view->resident_warps,
	                              .issued = take_warps(b->issued),
	                              .aux = take_warps(b->aux)};
}

static void series_epoch(void *sm, const struct sm_view *view)
{
	struct look_series *b = sm;
	struct series_sample sample = take_sample(b, view);
	if (b->count == b->most)
		b->dropped++;
	else
		b->sample[b->count++] = sample;
}

void look_series_close(struct look_series *series, const struct sm_view *end)
{
	struct series_sample sample = take_sample(series, end);
	sample.cycle = (series->last_exit / series->period + 1) * series->period;
	if (series->dropped) /* what is missing would look like one busy period */
		return;
	series->sample[series->count++] = sample;
}

struct series_sample look_series_at(const struct look_series *series, uint64_t index)
{
	uint64_t end = (index + 1) * series->period;
	uint32_t low = 0, high = series->count;
	/* The last sample that was taken before the period's end had long passed. */
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (series->sample[middle].cycle < end + series->period)
			low = middle + 1;
		else
			high = middle;
	}
	struct series_sample at = low ? series->sample[low - 1] : (struct series_sample){0};
	/* No sample in a period: no warps were there. */
	if (at.cycle < end)
		at.resident = at.issued = at.aux = 0;
	return at;
}

const struct policy look_series = {
    .abi = POLICY_ABI,
    .name = "look-series",
    .title = "observer: counters of every SM at the end of each period",
    POLICY_PARAMS(series_params, struct look_series_params),
    .sm_bytes = series_bytes,
    .sm_init = series_init,
    .configure = series_configure,
    .on_issue = series_issue,
    .on_warp_exit = series_warp_exit,
    .on_l1_evict = series_evict,
    .on_l1_hit = series_aux,
    .on_l1_miss = series_aux,
    .on_epoch = series_epoch,
};
