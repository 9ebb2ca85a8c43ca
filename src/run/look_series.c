/* The time series: all SMs together, one value per period. */
#include <stdlib.h>

#include "base/memory.h"
#include "policy/look/series.h"
#include "run/look_parts.h"

const struct look_field look_series_fields[] = {
    {"period_cycles", "cycles", "length of a period; the last one of a launch may be shorter"},
    {"sampled_cycles", "cycles",
     "length of the shorter periods that warps are counted in; of several in a period, warps are averages"},
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
    {"l1_accesses", "requests", "line requests of the period that L1 was asked, all SMs together"},
    {"l1_misses", "requests", "of those, misses"},
    {"l2_hit_rate", "%", "l2_read_hit_sectors / l2_read_sectors"},
    {"l2_read_sectors", "sectors", "read sectors looked up in L2 in the period"},
    {"l2_read_hit_sectors", "sectors", "of those, found there or already in flight"},
    {"dram_bandwidth", "%",
     "bytes read and written in the period, of what the buses could carry in it; bytes count when the command is "
     "scheduled, some cycles before they are on the bus"},
    {"dram_read_bytes", "B", "read from DRAM in the period"},
    {"dram_write_bytes", "B", "written to DRAM in the period"},
    {"truncated", "", "later periods are missing: the launch was longer than series:samples periods"},
    {NULL, NULL, NULL},
};

/* Sums over SMs, and over memory partitions. */
struct row {
	double warp_insns, thread_insns, accesses, misses, interference, resident, issued, aux, stalled;
	struct memory_sample memory;
};

/* The periods of a launch. */
struct grid {
	uint64_t period, sampled; /* cycles: of a value; in which warps are counted */
	uint64_t count;
	uint32_t sms;
	bool truncated;
};

/* Warps in the period that ended; of several, all so far. */
static void add_warps(struct row *row, const struct series_sample *s, bool folded)
{
	row->resident += folded ? (double)s->resident_sum : s->resident;
	row->issued += folded ? (double)s->issued_sum : s->issued;
	row->aux += folded ? (double)s->aux_sum : s->aux;
	row->stalled += folded                    ? (double)s->stalled_sum
	                : s->resident > s->issued ? s->resident - s->issued
	                                          : 0;
}

static struct row row_at(const struct look_scene *scene, const struct grid *grid, uint64_t index)
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
		add_warps(&row, &s, grid->period != grid->sampled);
	}
	bool is_last = index + 1 == grid->count && !grid->truncated;
	row.memory = look_memory_at(scene->gpu, is_last ? MEMORY_WATCH_END : (index + 1) * grid->period);
	return row;
}

static void append(json_t *object, const char *name, double part, double whole)
{
	json_t *array = json_object_get(object, name);
	if (!array)
		json_object_set_new(object, name, array = json_array());
	json_array_append_new(array, whole > 0 ? json_real(part / whole) : json_null());
}

static void append_count(json_t *object, const char *name, double count)
{
	json_array_append_new(json_object_get(object, name), json_integer((json_int_t)count));
}

static void append_warps(json_t *object, const struct row *row, const struct row *before,
                         const struct grid *grid, uint64_t cycles)
{
	static const struct row none;
	bool folded = grid->period != grid->sampled;
	const struct row *from = folded ? before : &none;
	double samples = folded ? (double)((cycles + grid->sampled - 1) / grid->sampled) : 1;
	append(object, "resident_warps", row->resident - from->resident, grid->sms * samples);
	append(object, "active_warps", row->issued - from->issued, grid->sms * samples);
	append(object, "stalled_warps", row->stalled - from->stalled, grid->sms * samples);
	append(object, "isolated_warps", row->aux - from->aux, grid->sms * samples);
}

static void append_memory(json_t *object, const struct look_scene *scene, const struct memory_sample *now,
                          const struct memory_sample *before, double cycles)
{
	const struct machine *m = scene->machine;
	double peak = m->dram_channels * m->dram_bus_bytes_per_clock * m->clock_dram_mhz / m->clock_core_mhz;
	double reads = (double)(now->l2_reads - before->l2_reads),
	       hits = (double)(now->l2_read_hits - before->l2_read_hits),
	       in = (double)(now->dram_reads - before->dram_reads),
	       out = (double)(now->dram_writes - before->dram_writes);
	append(object, "l2_hit_rate", 100 * hits, reads);
	append_count(object, "l2_read_sectors", reads);
	append_count(object, "l2_read_hit_sectors", hits);
	append(object, "dram_bandwidth", 100 * (in + out), cycles * peak);
	append_count(object, "dram_read_bytes", in);
	append_count(object, "dram_write_bytes", out);
}

static void append_row(json_t *object, const struct look_scene *scene, const struct row *row,
                       const struct row *before, const struct grid *grid, uint64_t span)
{
	double accesses = row->accesses - before->accesses, misses = row->misses - before->misses;
	double threads = row->thread_insns - before->thread_insns, cycles = (double)span;
	append(object, "ipc", row->warp_insns - before->warp_insns, cycles);
	append(object, "thread_ipc", threads, cycles);
	append_warps(object, row, before, grid, span);
	append(object, "interference", row->interference - before->interference, 1);
	append(object, "l1_hit_rate", 100 * (accesses - misses), accesses);
	append(object, "l1_mpki", 1000 * misses, threads);
	append_count(object, "l1_accesses", accesses);
	append_count(object, "l1_misses", misses);
	append_memory(object, scene, &row->memory, &before->memory, cycles);
}

/* Samples of all SMs and of memory stand for as many periods as those of the one with the most. */
static uint32_t common_level(const struct look_scene *scene)
{
	uint32_t level = look_memory_level(scene->gpu);
	for (uint32_t i = 0; i < scene->count; i++) {
		const struct look_series *series = scene->sm[i];
		level = series && series->level > level ? series->level : level;
	}
	return level;
}

/* Periods that the SM with the most samples covers. */
static struct grid close_series(const struct look_scene *scene)
{
	struct grid grid = {.truncated = look_memory_is_cut(scene->gpu)};
	uint32_t level = common_level(scene);
	for (uint32_t i = 0; i < scene->count; i++) {
		struct look_series *series = scene->sm[i];
		if (!series)
			continue;
		look_series_fold(series, level);
		look_series_close(series, &scene->view[i]);
		grid.period = look_series_period(series);
		grid.sampled = series->period;
		grid.truncated |= series->dropped != 0;
		grid.sms++;
		uint64_t last = series->count ? series->sample[series->count - 1].cycle / grid.period : 0;
		grid.count = last > grid.count ? last : grid.count;
	}
	return grid;
}

json_t *look_series_json(const struct look_scene *scene)
{
	static const char *const rows[] = {"cycle",
	                                   "ipc",
	                                   "thread_ipc",
	                                   "resident_warps",
	                                   "active_warps",
	                                   "stalled_warps",
	                                   "isolated_warps",
	                                   "interference",
	                                   "l1_hit_rate",
	                                   "l1_mpki",
	                                   "l1_accesses",
	                                   "l1_misses",
	                                   "l2_hit_rate",
	                                   "l2_read_sectors",
	                                   "l2_read_hit_sectors",
	                                   "dram_bandwidth",
	                                   "dram_read_bytes",
	                                   "dram_write_bytes"};
	struct grid grid = close_series(scene);
	uint64_t launch = scene->counters->value[COUNT_cycles];
	json_t *object = json_object();
	look_set(object, "period_cycles", grid.period);
	look_set(object, "sampled_cycles", grid.sampled);
	look_set(object, "sms", grid.sms);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		json_object_set_new(object, rows[i], json_array());
	struct row before = {0};
	for (uint64_t k = 0; k < grid.count; k++) {
		struct row row = row_at(scene, &grid, k);
		uint64_t start = k * grid.period,
		         end = start + grid.period < launch ? start + grid.period : launch;
		json_array_append_new(json_object_get(object, "cycle"), json_integer((json_int_t)end));
		append_row(object, scene, &row, &before, &grid, end - start);
		before = row;
	}
	json_object_set_new(object, "truncated", json_boolean(grid.truncated));
	return object;
}
