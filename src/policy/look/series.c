/*
 * Samples an SM every so many cycles while it has warps.
 *
 * An observer does not see the answers of other policies. A warp that issues nothing in a whole period counts
 * as stalled, whatever the reason; one that uses the auxiliary cache counts as isolated.
 */
#include "policy/look/series.h"

#include "policy/define.h"
#include <string.h>

#include "policy/chain.h"

struct look_series_params {
	uint32_t period;
	uint32_t samples;
	bool fold;
};

POLICY_GIVEN(struct look_series_params)

static const struct policy_param series_params[] = {
    PARAM_U32(struct look_series_params, period, 10000, 100, 1000000000, "cycles", "between two samples"),
    PARAM_U32(struct look_series_params, samples, 4096, 1, 1 << 20, "samples",
              "kept per SM and launch; later ones are dropped and counted"),
    PARAM_BOOL(
        struct look_series_params, fold, 0, 0, 1, "",
        "when there is no room, every other sample is dropped and periods are twice as long from then on"),
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
	b->folds = given(env)->fold;
}

static size_t series_gpu_bytes(const struct policy_env *env)
{
	return look_memory_bytes(env->l2_slices / env->slices_per_partition, given(env)->samples);
}

static void series_gpu_init(void *gpu, const struct policy_env *env)
{
	look_memory_init(gpu, env->l2_slices / env->slices_per_partition, given(env)->samples,
	                 given(env)->period, given(env)->fold);
}

static void series_kernel_begin(void *gpu, const char *kernel, uint64_t ctas)
{
	(void)kernel, (void)ctas;
	look_memory_clear(gpu);
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

static void series_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct look_series *b = sm;
	(void)warp;
	b->cta_warps = b->resident && cta == b->cta && cycle == b->cta_start ? b->cta_warps + 1 : 1;
	b->cta = cta;
	b->cta_start = cycle;
	b->leaving = ++b->resident;
}

static void series_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct look_series *b = sm;
	(void)warp;
	b->resident -= b->resident > 0;
	b->last_exit = cycle;
}

/* The warps of a period, once: an SM that had no warps for a while hears of several periods in one go. */
static void add_warps(struct look_series *b, const struct series_sample *s, uint64_t period)
{
	if (period == b->summed)
		return;
	b->summed = period;
	b->resident_sum += s->resident;
	b->issued_sum += s->issued;
	b->stalled_sum += s->resident > s->issued ? s->resident - s->issued : 0;
	b->aux_sum += s->aux;
}

/* `period`: the number of the one that ends, from 1. */
static struct series_sample take_sample(struct look_series *b, const struct sm_view *view, uint64_t period)
{
	struct series_sample s = {.cycle = view->cycle,
	                          .warp_insns = view->warp_insns,
	                          .thread_insns = view->thread_insns,
	                          .l1_accesses = view->l1_accesses,
	                          .l1_misses = view->l1_misses,
	                          .interference = b->interference,
	                          .accounted = view->accounted,
	                          .ctas = (uint16_t)view->resident_ctas,
	                          .resident = (uint16_t)view->resident_warps,
	                          .issued = take_warps(b->issued),
	                          .aux = take_warps(b->aux)};
	for (uint32_t i = 0; view->reason_cycles && i < SERIES_REASONS; i++)
		s.reason[i] = (uint32_t)view->reason_cycles[i];
	add_warps(b, &s, period);
	s.resident_sum = b->resident_sum;
	s.issued_sum = b->issued_sum;
	s.stalled_sum = b->stalled_sum;
	s.aux_sum = b->aux_sum;
	return s;
}

/* Of samples that stand for several periods, whether this one is the first since such a stretch ended. */
static bool ends_period(const struct look_series *b, const struct series_sample *s)
{
	uint64_t before = b->count ? b->sample[b->count - 1].cycle : 0;
	return s->cycle / look_series_period(b) > before / look_series_period(b);
}

void look_series_fold(struct look_series *b, uint32_t level)
{
	uint32_t count = b->count;
	if (b->level == level)
		return;
	b->level = level;
	b->count = 0;
	for (uint32_t i = 0; i < count; i++)
		if (ends_period(b, &b->sample[i]))
			b->sample[b->count++] = b->sample[i];
}

static void series_epoch(void *sm, const struct sm_view *view)
{
	struct look_series *b = sm;
	struct series_sample sample = take_sample(b, view, view->cycle / b->period);
	b->leaving = b->resident;
	if (b->count == b->most && b->folds)
		look_series_fold(b, b->level + 1);
	if (b->level && !ends_period(b, &sample))
		return;
	if (b->count == b->most)
		b->dropped++;
	else
		b->sample[b->count++] = sample;
}

void look_series_close(struct look_series *series, const struct sm_view *end)
{
	uint64_t period = look_series_period(series);
	struct sm_view last = *end;
	if (!last.resident_warps && series->cta_warps) {
		last.resident_warps = series->leaving;
		last.resident_ctas = (series->leaving + series->cta_warps - 1) / series->cta_warps;
	}
	struct series_sample sample = take_sample(series, &last, series->last_exit / series->period + 1);
	sample.cycle = (series->last_exit / period + 1) * period;
	if (series->dropped) /* what is missing would look like one busy period */
		return;
	series->sample[series->count++] = sample;
}

/* How many samples were taken before the period's end had long passed. */
static uint32_t samples_until(const struct look_series *series, uint64_t end)
{
	uint64_t period = look_series_period(series);
	uint32_t low = 0, high = series->count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (series->sample[middle].cycle < end + period)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct series_sample look_series_at(const struct look_series *series, uint64_t index)
{
	uint64_t end = (index + 1) * look_series_period(series);
	uint32_t low = samples_until(series, end);
	struct series_sample at = low ? series->sample[low - 1] : (struct series_sample){0};
	/* No sample in a period: no warps were there. */
	if (at.cycle < end)
		at.resident = at.issued = at.aux = at.ctas = 0;
	return at;
}

void look_series_reasons(const struct look_series *series, uint64_t index, double reason[SERIES_REASONS])
{
	static const struct series_sample none;
	uint64_t end = (index + 1) * look_series_period(series);
	uint32_t low = samples_until(series, end), stall = COUNT_stall_idle + 1 - COUNT_issue_cycles;
	const struct series_sample *at = low ? &series->sample[low - 1] : &none;
	while (low + 1 < series->count && series->sample[low].accounted == at->accounted)
		low++;
	const struct series_sample *after = low < series->count ? &series->sample[low] : at;
	double waited = 0, open = end > at->accounted ? (double)(end - at->accounted) : 0;
	for (uint32_t i = stall; i < SERIES_REASONS; i++)
		waited += (uint32_t)(after->reason[i] - at->reason[i]);
	for (uint32_t i = 0; i < SERIES_REASONS; i++) {
		double next = i >= stall ? (uint32_t)(after->reason[i] - at->reason[i]) : 0;
		reason[i] =
		    at->reason[i] + (waited > 0 ? next * (open < waited ? open : waited) / waited : 0);
	}
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

size_t look_memory_bytes(uint32_t partitions, uint32_t samples)
{
	return sizeof(struct look_memory) +
	       partitions * (sizeof(struct memory_track) + samples * sizeof(struct memory_sample));
}

void look_memory_init(struct look_memory *memory, uint32_t partitions, uint32_t samples, uint32_t period,
                      bool folds)
{
	memory->partitions = partitions;
	memory->most = samples;
	memory->period = period;
	memory->folds = folds;
	struct memory_sample *sample = (struct memory_sample *)&memory->track[partitions];
	for (uint32_t i = 0; i < partitions; i++)
		memory->track[i].sample = sample + (size_t)i * samples;
}

void look_memory_clear(struct look_memory *memory)
{
	for (uint32_t i = 0; i < memory->partitions; i++)
		memory->track[i] = (struct memory_track){.sample = memory->track[i].sample};
}

static void fold_track(struct memory_track *track)
{
	track->count /= 2;
	track->level++;
	for (uint32_t i = 0; i < track->count; i++)
		track->sample[i] = track->sample[2 * i + 1];
}

void look_memory_sample(void *gpu, uint32_t partition, uint64_t cycle, const struct counters *counters)
{
	struct look_memory *memory = gpu;
	struct memory_track *track = &memory->track[partition];
	const struct memory_sample sample = {.l2_reads = counters->value[COUNT_l2_read_sectors],
	                                     .l2_read_hits = counters->value[COUNT_l2_read_hit_sectors],
	                                     .dram_reads = counters->value[COUNT_dram_read_bytes],
	                                     .dram_writes = counters->value[COUNT_dram_write_bytes]};
	if (cycle == MEMORY_WATCH_END) {
		track->end = sample;
		return;
	}
	if (track->count == memory->most && memory->folds)
		fold_track(track);
	if (cycle % ((uint64_t)memory->period << track->level))
		return;
	if (track->count == memory->most)
		track->dropped++;
	else
		track->sample[track->count++] = sample;
}

uint32_t look_memory_level(const struct look_memory *memory)
{
	uint32_t level = 0;
	for (uint32_t i = 0; i < memory->partitions; i++)
		level = memory->track[i].level > level ? memory->track[i].level : level;
	return level;
}

bool look_memory_is_cut(const struct look_memory *memory)
{
	for (uint32_t i = 0; i < memory->partitions; i++)
		if (memory->track[i].dropped)
			return true;
	return false;
}

/* After the last sample, the state at the end of the launch holds. */
static struct memory_sample sample_at(const struct look_memory *memory, const struct memory_track *track,
                                      uint64_t cycle)
{
	uint64_t index = cycle / ((uint64_t)memory->period << track->level);
	if (cycle != MEMORY_WATCH_END && !index)
		return (struct memory_sample){0};
	return cycle != MEMORY_WATCH_END && index <= track->count ? track->sample[index - 1] : track->end;
}

struct memory_sample look_memory_at(const struct look_memory *memory, uint64_t cycle)
{
	struct memory_sample sum = {0};
	for (uint32_t i = 0; i < memory->partitions; i++) {
		struct memory_sample s = sample_at(memory, &memory->track[i], cycle);
		sum.l2_reads += s.l2_reads;
		sum.l2_read_hits += s.l2_read_hits;
		sum.dram_reads += s.dram_reads;
		sum.dram_writes += s.dram_writes;
	}
	return sum;
}

const struct policy look_series = {
    .abi = POLICY_ABI,
    .name = "look-series",
    .title = "observer: counters of every SM at the end of each period",
    POLICY_PARAMS(series_params, struct look_series_params),
    .sm_bytes = series_bytes,
    .sm_init = series_init,
    .gpu_bytes = series_gpu_bytes,
    .gpu_init = series_gpu_init,
    .configure = series_configure,
    .on_kernel_begin = series_kernel_begin,
    .on_issue = series_issue,
    .on_warp_start = series_warp_start,
    .on_warp_exit = series_warp_exit,
    .on_l1_evict = series_evict,
    .on_l1_hit = series_aux,
    .on_l1_miss = series_aux,
    .on_epoch = series_epoch,
};
