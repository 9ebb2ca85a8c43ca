/* The time series: all SMs together, one value per period. */
#include <stdlib.h>

#include "base/memory.h"
#include "lab/report/look_parts.h"
#include "policy/look/series.h"

const struct look_field look_series_fields[] = {
    {"period_cycles", "cycles", "length of a period; the last one of a launch may be shorter"},
    {"sms", "SMs", "SMs that had a CTA in the launch"},
    {"cycle", "cycles", "end of each period, from the start of the launch"},
    {"ipc", "instructions/cycle", "warp instructions issued in the period / its cycles, all SMs together"},
    {"thread_ipc", "instructions/cycle", "thread instructions of the period / its cycles, all SMs together"},
    {"resident_warps", "warps", "warps on an SM at the period's end, on average over `sms`"},
    {"active_warps", "warps",
     "warp slots of an SM that issued at least one instruction in the period, on average"},
    {"stalled_warps", "warps",
     "resident at the period's end beyond those that issued in it (never below 0), on average: warps that "
     "somebody, a "
     "policy or memory, kept from issuing for the whole period"},
    {"isolated_warps", "warps", "warp slots that used the auxiliary cache in the period, on average"},
    {"interference", "lines",
     "lines that a warp lost to another warp's miss in the period, all SMs together"},
    {"l1_hit_rate", "%",
     "100 x (1 - misses / accesses), line requests of the period; requests that bypass L1 are accesses that do not "
     "miss"},
    {"l1_mpki", "misses/1000 instructions", "L1 misses per 1000 thread instructions of the period"},
    {"truncated", "", "later periods are missing: the launch was longer than series:samples periods"},
    {NULL, NULL, NULL},
};

/* Sums over SMs. */
struct row {
	double warp_insns, thread_insns, accesses, misses, interference, resident, issued, aux, stalled;
};

static struct row row_at(const struct look_scene *scene, uint64_t index)
{
	struct row row = {0};
	for (uint32_t i = 0; i < scene->count; i++) {
		if (!scene->sm[i])
			continue;
		struct series_sample s = look_series_at(scene->sm[i], index);
		row.warp_insns += (double)s.warp_insns;
		row.thread_insns += (double)s.thread_insns;
		row.accesses += (double)s.l1_accesses;
		row.misses += (double)s.l1_misses;
		row.interference += (double)s.interference;
		row.resident += s.resident;
		row.issued += s.issued;
		row.aux += s.aux;
		row.stalled += s.resident > s.issued ? s.resident - s.issued : 0;
	}
	return row;
}

static void append(json_t *object, const char *name, double part, double whole)
{
	json_t *array = json_object_get(object, name);
	if (!array)
		json_object_set_new(object, name, array = json_array());
	json_array_append_new(array, whole > 0 ? json_real(part / whole) : json_null());
}

static void append_row(json_t *object, const struct row *row, const struct row *before, double cycles,
                       double sms)
{
	double accesses = row->accesses - before->accesses, misses = row->misses - before->misses;
	double threads = row->thread_insns - before->thread_insns;
	append(object, "ipc", row->warp_insns - before->warp_insns, cycles);
	append(object, "thread_ipc", threads, cycles);
	append(object, "resident_warps", row->resident, sms);
	append(object, "active_warps", row->issued, sms);
	append(object, "stalled_warps", row->stalled, sms);
	append(object, "isolated_warps", row->aux, sms);
	append(object, "interference", row->interference - before->interference, 1);
	append(object, "l1_hit_rate", 100 * (accesses - misses), accesses);
	append(object, "l1_mpki", 1000 * misses, threads);
}

/* Periods that the SM with the most samples covers. */
static uint64_t count_periods(const struct look_scene *scene, uint32_t *period, bool *truncated,
                              uint32_t *sms)
{
	uint64_t most = 0;
	for (uint32_t i = 0; i < scene->count; i++) {
		struct look_series *series = scene->sm[i];
		if (!series)
			continue;
		look_series_close(series, &scene->view[i]);
		*period = series->period;
		*truncated |= series->dropped != 0;
		++*sms;
		uint64_t last = series->count ? series->sample[series->count - 1].cycle / series->period : 0;
		most = last > most ? last : most;
	}
	return most;
}

json_t *look_series_json(const struct look_scene *scene)
{
	static const char *const rows[] = {"cycle",          "ipc",          "thread_ipc",
	                                   "resident_warps", "active_warps", "stalled_warps",
	                                   "isolated_warps", "interference", "l1_hit_rate",
	                                   "l1_mpki"};
	uint32_t period = 0, sms = 0;
	bool truncated = false;
	uint64_t count = count_periods(scene, &period, &truncated, &sms),
	         launch = scene->counters->value[COUNT_cycles];
	json_t *object = json_object();
	look_set(object, "period_cycles", period);
	look_set(object, "sms", sms);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		json_object_set_new(object, rows[i], json_array());
	struct row before = {0};
	for (uint64_t k = 0; k < count; k++) {
		struct row row = row_at(scene, k);
		uint64_t end = (k + 1) * period < launch ? (k + 1) * period : launch;
		json_array_append_new(json_object_get(object, "cycle"), json_integer((json_int_t)end));
		append_row(object, &row, &before, (double)(end - k * period), sms);
		before = row;
	}
	json_object_set_new(object, "truncated", json_boolean(truncated));
	return object;
}
