#include "policy/lib/core_sampling.h"

#include "base/bits.h"

uint32_t sampling_limit(const struct sampling *sampling, uint32_t sm)
{
	if (sampling->phase != SAMPLING_TRY)
		return sampling->limit;
	uint32_t limit = sampling->base + sm + 1;
	return limit < sampling->most ? limit : sampling->most;
}

bool sampling_in_doubt(const struct sampling *sampling)
{
	if (sampling->phase == SAMPLING_WATCH)
		return sampling->run || sampling->periods < sampling->detect;
	return sampling->phase == SAMPLING_TRY;
}

static struct sampling_kernel *find_known(struct sampling *sampling)
{
	for (uint32_t i = 0; i < sampling->known_count; i++)
		if (sampling->known[i].key == sampling->kernel)
			return &sampling->known[i];
	return NULL;
}

static void remember(struct sampling *sampling, uint32_t limit, uint32_t run)
{
	struct sampling_kernel *known = find_known(sampling);
	if (!known) {
		known = &sampling->known[sampling->known_next];
		sampling->known_next = (sampling->known_next + 1) % sampling->known_size;
		sampling->known_count += sampling->known_count < sampling->known_size;
	}
	*known = (struct sampling_kernel){sampling->kernel, limit, run};
}

static void settle(struct sampling *sampling, uint32_t limit)
{
	sampling->phase = SAMPLING_DONE;
	sampling->limit = limit;
}

static void start_round(struct sampling *sampling, const struct sm_view *view, uint32_t base)
{
	sampling->phase = SAMPLING_TRY;
	sampling->base = base;
	sampling->periods = 0;
	sampling->rounds++;
	sampling->try_start = view->cycle;
	for (uint32_t i = 0; i < sampling->sm_count; i++)
		sampling->tries[i] = (struct sampling_try){view[i].thread_insns, view->cycle};
}

static void end_watch_period(struct sampling *sampling, const struct sm_view *view, uint64_t misses,
                             uint64_t insns)
{
	bool thrashes = 1000.0 * (double)misses > sampling->threshold * (double)insns;
	sampling->thrashing_periods += thrashes;
	sampling->run = thrashes ? sampling->run + 1 : 0;
	if (sampling->run >= sampling->detect) {
		const struct sampling_kernel *known = find_known(sampling);
		if (known && known->limit)
			settle(sampling, known->limit);
		else
			start_round(sampling, view, 0);
	} else if (sampling->first_only && sampling->periods >= sampling->detect) {
		settle(sampling, 0);
	}
}

/* Thread instructions per cycle of the SMs that tried this limit, on average over those that had work; 0: none had. */
static double rate_at(const struct sampling *sampling, const struct sm_view *view, uint32_t limit)
{
	double sum = 0;
	uint32_t sms = 0;
	for (uint32_t i = 0; i < sampling->sm_count; i++) {
		uint64_t cycles = sampling->tries[i].busy_until - sampling->try_start;
		if (sampling_limit(sampling, i) != limit || !cycles)
			continue;
		sum += (double)(view[i].thread_insns - sampling->tries[i].insns_before) / (double)cycles;
		sms++;
	}
	return sms ? sum / sms : 0;
}

static void end_round(struct sampling *sampling, const struct sm_view *view)
{
	uint32_t top = sampling_limit(sampling, sampling->sm_count - 1);
	for (uint32_t limit = sampling->base + 1; limit <= top; limit++) {
		double rate = rate_at(sampling, view, limit);
		if (rate > sampling->best_rate) {
			sampling->best_rate = rate;
			sampling->best = limit;
		}
	}
	/* The most that was tried is the best: more may be better still. */
	if (sampling->best == top && top < sampling->most) {
		start_round(sampling, view, top);
		return;
	}
	settle(sampling, sampling->best);
	if (sampling->best)
		remember(sampling, sampling->best, 0);
}

static void end_period(struct sampling *sampling, const struct sm_view *view)
{
	uint64_t misses = 0, insns = 0;
	for (uint32_t i = 0; i < sampling->sm_count; i++) {
		misses += view[i].l1_misses;
		insns += view[i].thread_insns;
	}
	sampling->periods++;
	if (sampling->phase == SAMPLING_WATCH)
		end_watch_period(sampling, view, misses - sampling->misses, insns - sampling->insns);
	else if (sampling->phase == SAMPLING_TRY && sampling->periods >= sampling->sample)
		end_round(sampling, view);
	sampling->misses = misses;
	sampling->insns = insns;
	sampling->period_end = (view->cycle / sampling->period + 1) * sampling->period;
}

void sampling_step(struct sampling *sampling, const struct sm_view *view)
{
	for (uint32_t i = 0; i < sampling->sm_count; i++)
		if (view[i].resident_warps)
			sampling->tries[i].busy_until = view->cycle;
	if (view->cycle >= sampling->period_end)
		end_period(sampling, view);
}

void sampling_begin(struct sampling *sampling, const char *kernel, uint64_t ctas)
{
	sampling->kernel = bits_mix(ctas);
	for (; *kernel; kernel++)
		sampling->kernel = bits_mix(sampling->kernel + (uint8_t)*kernel);
	const struct sampling_kernel *known = find_known(sampling);
	sampling->run = known && !sampling->first_only ? known->run : 0;
	sampling->phase = SAMPLING_WATCH;
	sampling->periods = sampling->limit = sampling->best = 0;
	sampling->best_rate = 0;
	sampling->misses = sampling->insns = sampling->thrashing_periods = sampling->rounds = 0;
	sampling->period_end = sampling->period;
}

void sampling_end(struct sampling *sampling)
{
	const struct sampling_kernel *known = find_known(sampling);
	if (sampling->phase == SAMPLING_WATCH && !sampling->first_only)
		remember(sampling, known ? known->limit : 0, sampling->run);
}
