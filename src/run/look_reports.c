/* The reports of looks, one object per look and launch. */
#include "run/look_reports.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "policy/look/bypass.h"
#include "policy/look/ctas.h"
#include "policy/look/distance.h"
#include "policy/look/lines.h"
#include "policy/look/series.h"
#include "policy/look/shared.h"

/* Set an integer. */
static void set(json_t *object, const char *name, uint64_t value)
{
	json_object_set_new(object, name, json_integer((json_int_t)value));
}

/* Set a ratio; null where the denominator is 0. */
static void set_ratio(json_t *object, const char *name, double scale, double part, double whole)
{
	json_object_set_new(object, name, whole > 0 ? json_number(scale * part / whole) : json_null());
}

/* ---- the time series ---------------------------------------------------------------------------------------- */

const struct look_field look_series_fields[] = {
    {"period_cycles", "cycles", "length of a period; the last one of a launch may be shorter"},
    {"sampled_cycles", "cycles",
     "length of the shorter periods that warps are counted in; of several in a period, warps are averages"},
    {"sms", "SMs", "SMs that had a CTA in the launch"},
    {"cycle", "cycles", "end of each period, from the start of the launch"},
    {"ipc", "instructions/cycle", "warp instructions issued in the period / its cycles, all SMs together"},
    {"thread_ipc", "instructions/cycle", "thread instructions of the period / its cycles, all SMs together"},
    {"resident_warps", "warps",
     "warps on an SM at the period's end, on average over `sms`; in the period of an SM's last warp, those before its last "
     "CTAs left"},
    {"active_warps", "warps",
     "warp slots of an SM that issued at least one instruction in the period, on average"},
    {"stalled_warps", "warps",
     "resident at the period's end beyond those that issued in it (never below 0), on average: warps that "
     "a policy or memory kept from issuing for the whole period"},
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
    {"resident_ctas", "CTAs",
     "CTAs on an SM at the period's end, on average over `sms`; of the last period as resident_warps"},
    {"sms_by_reason", "SMs",
     "by name of issue_cycles and of every stall counter: SMs in that state, on average over the period's cycles; they "
     "sum to all SMs of the machine"},
    {"ctas_by_sm", "CTAs",
     "`resident`: for every SM, CTAs at the ends of periods 1, 1 + `periods`, ...; empty where an SM had none"},
    {"truncated", "", "later periods are missing: the launch was longer than series:samples periods"},
    {NULL, NULL, NULL},
};

/* Sums over SMs, and over memory partitions. */
struct row {
	double warp_insns, thread_insns, accesses, misses, interference, resident, issued, aux, stalled;
	struct memory_sample memory;
	double reason[SERIES_REASONS], ctas;
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

static void add_reasons(struct row *row, const struct look_series *series, uint64_t index)
{
	double reason[SERIES_REASONS];
	look_series_reasons(series, index, reason);
	for (uint32_t i = 0; i < SERIES_REASONS; i++)
		row->reason[i] += reason[i];
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
		row.ctas += s.ctas;
		add_reasons(&row, scene->sm[i], index);
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

/* SMs in each state on average. Idle is what is left: SMs without a CTA count nothing until the launch ends. */
static void append_reasons(json_t *object, const struct row *row, const struct row *before, double sms,
                           double cycles)
{
	json_t *reasons = json_object_get(object, "sms_by_reason");
	double left = sms;
	for (uint32_t i = 0; i < SERIES_REASONS; i++) {
		double share = row->reason[i] - before->reason[i];
		share = cycles > 0 && share > 0 ? share / cycles : 0;
		if (i != COUNT_stall_idle - COUNT_issue_cycles) {
			share = share < left ? share : left;
			left -= share;
			append(reasons, counter_infos[COUNT_issue_cycles + i].name, share, 1);
		}
	}
	append(reasons, "stall_idle", left, 1);
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
	append(object, "resident_ctas", row->ctas, grid->sms);
	append_reasons(object, row, before, scene->machine->sm_count, cycles);
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

static json_t *reason_arrays(void)
{
	json_t *reasons = json_object();
	for (uint32_t i = 0; i < SERIES_REASONS; i++)
		json_object_set_new(reasons, counter_infos[COUNT_issue_cycles + i].name, json_array());
	return reasons;
}

/* Resident CTAs of every SM at the end of every so many periods. */
static json_t *ctas_by_sm(const struct look_scene *scene, const struct grid *grid)
{
	enum { COLUMNS = 128 };
	uint64_t step = grid->count / COLUMNS + 1;
	json_t *sms = json_array();
	for (uint32_t i = 0; i < scene->count; i++) {
		json_t *own = json_array();
		for (uint64_t k = 0; scene->sm[i] && k < grid->count; k += step)
			json_array_append_new(own, json_integer(look_series_at(scene->sm[i], k).ctas));
		json_array_append_new(sms, own);
	}
	return json_pack("{s:I, s:o}", "periods", (json_int_t)step, "resident", sms);
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
	                                   "dram_write_bytes",
	                                   "resident_ctas"};
	struct grid grid = close_series(scene);
	uint64_t launch = scene->counters->value[COUNT_cycles];
	json_t *object = json_object();
	set(object, "period_cycles", grid.period);
	set(object, "sampled_cycles", grid.sampled);
	set(object, "sms", grid.sms);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		json_object_set_new(object, rows[i], json_array());
	json_object_set_new(object, "sms_by_reason", reason_arrays());
	struct row before = {0};
	for (uint64_t k = 0; k < grid.count; k++) {
		struct row row = row_at(scene, &grid, k);
		uint64_t start = k * grid.period,
		         end = start + grid.period < launch ? start + grid.period : launch;
		json_array_append_new(json_object_get(object, "cycle"), json_integer((json_int_t)end));
		append_row(object, scene, &row, &before, &grid, end - start);
		before = row;
	}
	json_object_set_new(object, "ctas_by_sm", ctas_by_sm(scene, &grid));
	json_object_set_new(object, "truncated", json_boolean(grid.truncated));
	return object;
}

/* ---- lines -------------------------------------------------------------------------------------------------- */

const struct look_field look_matrix_fields[] = {
    {"warps", "warps", "warp slots of an SM: rows and columns"},
    {"evictions", "lines",
     "[owner][evictor]: lines of L1 that warp slot `owner` had brought in and a miss of `evictor` evicted, "
     "summed over SMs"},
    {"lost", "lines",
     "[warp][evictor]: misses of a warp to a line that it had brought in and `evictor` had evicted since, "
     "summed over SMs: interference that hurt"},
    {"self_evictions", "lines", "lines that a warp's own misses evicted: the diagonal of `evictions`"},
    {"other_evictions", "lines", "lines that another warp's misses evicted"},
    {"truncated", "", "more lines than the observer remembers: `lost` is too small"},
    {NULL, NULL, NULL},
};

const struct look_field look_locality_fields[] = {
    {"accesses", "requests", "line requests of loads that L1 served; those that bypass it are left out"},
    {"bounded", "requests",
     "accesses by what L1 as it is made of them: hits and pending hits by who touched the line last on the "
     "SM (the same warp, another warp of the CTA, another CTA), and misses"},
    {"unbounded", "requests",
     "accesses as an unlimited L1 would find them: by who touched the line last on the SM since the launch "
     "began; inter_core: first touch of the SM, another SM touched the line in this launch (all but the "
     "first of them); inter_kernel: first touch of the launch, an earlier launch touched the line; cold: "
     "first touch of all"},
    {"intra_thread", "requests",
     "null: policies do not see lanes; a thread's own reuse is part of intra_warp"},
    {"untracked", "requests", "accesses to lines beyond those that the observer remembers, in no class"},
    {"truncated", "",
     "more lines than the observer remembers: untracked accesses, and first touches of earlier launches, may "
     "be missing"},
    {NULL, NULL, NULL},
};

const struct look_field look_reuse_fields[] = {
    {"evictions", "lines", "lines evicted from L1, summed over SMs"},
    {"zero_reuse_evictions", "lines", "of those, without a second touch since the line came"},
    {"zero_reuse_share", "%", "zero_reuse_evictions / evictions"},
    {"zero_reuse_once", "lines",
     "of zero_reuse_evictions, lines that the SM touched once in the whole launch: no cache would have "
     "helped"},
    {"distinct_lines", "lines", "lines that loads touched through L1, each counted once for the GPU"},
    {"line_bytes", "B", "size of a line"},
    {"once_lines", "lines", "of distinct_lines, those with one touch in the launch, all SMs together"},
    {"distinct_load_pcs", "instructions", "PCs of loads that touched L1"},
    {"truncated", "", "more lines or PCs than the observer remembers: the figures are too small"},
    {NULL, NULL, NULL},
};

const struct look_field look_distance_fields[] = {
    {"accesses", "requests", "line requests of loads that L1 served; those that bypass it are left out"},
    {"distance", "lines",
     "lower bound of each bin: how many other lines the SM touched since it touched this one last; a bin ends "
     "before the next begins"},
    {"requests", "requests", "accesses by bin, summed over SMs"},
    {"cold", "requests", "first touches of an SM in the launch, summed over SMs"},
    {"line_bytes", "B", "size of a line"},
    {"l1_lines", "lines", "lines of an SM's L1 at its largest"},
    {"untracked", "requests", "accesses to lines beyond those that the observer remembers, in no bin"},
    {NULL, NULL, NULL},
};

/* ---- interference --------------------------------------------------------------------------------------------- */

/* Sums one matrix over SMs; `pick` chooses it. */
static json_t *matrix_json(const struct look_scene *scene, uint32_t warps,
                           uint32_t *(*pick)(struct look_lines *))
{
	json_t *rows = json_array();
	for (uint32_t r = 0; r < warps; r++) {
		json_t *row = json_array();
		for (uint32_t c = 0; c < warps; c++) {
			uint64_t sum = 0;
			for (uint32_t i = 0; i < scene->count; i++)
				sum += scene->sm[i] ? pick(scene->sm[i])[(size_t)r * warps + c] : 0;
			json_array_append_new(row, json_integer((json_int_t)sum));
		}
		json_array_append_new(rows, row);
	}
	return rows;
}

static uint32_t *pick_evicted(struct look_lines *lines)
{
	return lines->evicted;
}

static uint32_t *pick_lost(struct look_lines *lines)
{
	return lines->lost;
}

json_t *look_matrix_json(const struct look_scene *scene)
{
	uint32_t warps = scene->machine->sm_warps;
	uint64_t self = 0, all = 0, untracked = 0;
	for (uint32_t i = 0; i < scene->count; i++) {
		const struct look_lines *lines = scene->sm[i];
		for (uint32_t w = 0; lines && w < warps; w++)
			self += lines->evicted[(size_t)w * warps + w];
		all += lines ? lines->evictions : 0;
		untracked += lines ? lines->untracked : 0;
	}
	json_t *object = json_object();
	set(object, "warps", warps);
	json_object_set_new(object, "evictions", matrix_json(scene, warps, pick_evicted));
	json_object_set_new(object, "lost", matrix_json(scene, warps, pick_lost));
	set(object, "self_evictions", self);
	set(object, "other_evictions", all - self);
	json_object_set_new(object, "truncated", json_boolean(untracked));
	return object;
}

/* ---- locality ------------------------------------------------------------------------------------------------- */

static json_t *classes_json(const uint64_t *sum)
{
	json_t *object = json_object();
	json_object_set_new(object, "intra_thread", json_null());
	set(object, "intra_warp", sum[LOCALITY_WARP]);
	set(object, "intra_block", sum[LOCALITY_BLOCK]);
	set(object, "intra_core", sum[LOCALITY_CORE]);
	return object;
}

json_t *look_locality_json(const struct look_scene *scene)
{
	uint64_t hit[LOCALITY_COUNT] = {0}, any[LOCALITY_COUNT] = {0}, misses = 0, first = 0, untracked = 0,
	         sum = 0;
	for (uint32_t i = 0; i < scene->count; i++) {
		const struct look_lines *lines = scene->sm[i];
		if (!lines)
			continue;
		for (int k = 0; k < LOCALITY_COUNT; k++) {
			hit[k] += lines->watch.hits[k];
			any[k] += lines->watch.hits[k] + lines->misses[k];
			misses += lines->misses[k];
			sum += lines->watch.hits[k] + lines->misses[k];
		}
		first += lines->first;
		untracked += lines->untracked;
	}
	struct look_lines_union all =
	    look_lines_join(scene->gpu, (struct look_lines *const *)scene->sm, scene->count);
	json_t *object = json_object(), *bounded = classes_json(hit), *unbounded = classes_json(any);
	set(bounded, "miss", misses + first);
	set(unbounded, "inter_core", all.sm_lines - all.lines);
	set(unbounded, "inter_kernel", all.known);
	set(unbounded, "cold", all.lines - all.known);
	set(object, "accesses", sum + first + untracked);
	json_object_set_new(object, "bounded", bounded);
	json_object_set_new(object, "unbounded", unbounded);
	set(object, "untracked", untracked);
	json_object_set_new(object, "truncated", json_boolean(all.truncated));
	return object;
}

/* ---- reuse ------------------------------------------------------------------------------------------------------ */

/* A line that was replaced and not asked for again, having been touched once. */
static uint64_t count_once(const struct look_lines *lines)
{
	uint64_t once = 0;
	for (uint32_t k = 0; k < lines->table.count; k++)
		once += lines->table.entry[k].touches == 1 && lines->table.entry[k].taken_by;
	return once;
}

json_t *look_reuse_json(const struct look_scene *scene)
{
	uint64_t evictions = 0, unused = 0, once = 0;
	for (uint32_t i = 0; i < scene->count; i++) {
		struct look_lines *lines = scene->sm[i];
		if (!lines)
			continue;
		look_lines_close(lines);
		evictions += lines->evictions;
		unused += lines->unused_evictions;
		once += count_once(lines);
	}
	struct look_lines_union all =
	    look_lines_join(NULL, (struct look_lines *const *)scene->sm, scene->count);
	json_t *object = json_object();
	set(object, "evictions", evictions);
	set(object, "zero_reuse_evictions", unused);
	set_ratio(object, "zero_reuse_share", 100, (double)unused, (double)evictions);
	set(object, "zero_reuse_once", once);
	set(object, "distinct_lines", all.lines);
	set(object, "line_bytes", scene->machine->l1d_line_bytes);
	set(object, "once_lines", all.once);
	set(object, "distinct_load_pcs", all.pcs);
	json_object_set_new(object, "truncated", json_boolean(all.truncated));
	return object;
}

/* ---- reuse distances -------------------------------------------------------------------------------------------- */

json_t *look_distance_json(const struct look_scene *scene)
{
	uint64_t bin[DISTANCE_BINS] = {0}, cold = 0, untracked = 0, all = 0;
	uint32_t used = 1;
	for (uint32_t i = 0; i < scene->count; i++) {
		const struct look_distance *b = scene->sm[i];
		for (uint32_t k = 0; b && k < DISTANCE_BINS; k++)
			bin[k] += b->bin[k];
		cold += b ? b->cold : 0;
		untracked += b ? b->untracked : 0;
	}
	for (uint32_t k = 0; k < DISTANCE_BINS; k++) {
		used = bin[k] ? k + 1 : used;
		all += bin[k];
	}
	json_t *object = json_object(), *distance = json_array(), *requests = json_array();
	for (uint32_t k = 0; k < used; k++) {
		json_array_append_new(distance, json_integer(k ? (json_int_t)1 << (k - 1) : 0));
		json_array_append_new(requests, json_integer((json_int_t)bin[k]));
	}
	set(object, "accesses", all + cold + untracked);
	json_object_set_new(object, "distance", distance);
	json_object_set_new(object, "requests", requests);
	set(object, "cold", cold);
	set(object, "line_bytes", scene->machine->l1d_line_bytes);
	set(object, "l1_lines", (uint64_t)scene->machine->l1d_sets * scene->machine->l1d_ways);
	set(object, "untracked", untracked);
	return object;
}

/* ---- reservation failures --------------------------------------------------------------------------------------- */

const struct look_field look_failures_fields[] = {
    {"busy_sm_cycles", "SM-cycles", "cycles with a CTA on the SM, summed over SMs"},
    {"cycles", "cycles",
     "cycles in which the head of the load/store queue waited, by what it lacked, summed over SMs: "
     "line_alloc (every way of the set reserved), mshr_entry (no MSHR free), mshr_merge (its MSHR takes no "
     "more), miss_queue (no room towards L2)"},
    {"per_1000_cycles", "cycles/1000 cycles", "the same per 1000 busy SM-cycles"},
    {NULL, NULL, NULL},
};

json_t *look_failures_json(const struct look_scene *scene)
{
	static const struct {
		const char *name;
		enum counter counter;
	} causes[] = {{"line_alloc", COUNT_l1_fail_line_alloc},
	              {"mshr_entry", COUNT_l1_fail_mshr_entry},
	              {"mshr_merge", COUNT_l1_fail_mshr_merge},
	              {"miss_queue", COUNT_l1_fail_miss_queue}};
	const uint64_t *value = scene->counters->value;
	uint64_t busy = value[COUNT_sm_cycles] - value[COUNT_stall_idle];
	json_t *object = json_object(), *cycles = json_object(), *share = json_object();
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
		set(cycles, causes[i].name, value[causes[i].counter]);
		set_ratio(share, causes[i].name, 1000, (double)value[causes[i].counter], (double)busy);
	}
	set(object, "busy_sm_cycles", busy);
	json_object_set_new(object, "cycles", cycles);
	json_object_set_new(object, "per_1000_cycles", share);
	return object;
}

/* ---- the balance of SMs ----------------------------------------------------------------------------------------- */

const struct look_field look_sms_fields[] = {
    {"cycles", "cycles", "of the launch"},
    {"counters", "",
     "by name, one value per SM in order: issue_cycles and every stall reason (which sum to `cycles`), warp_insns, "
     "l1_accesses, l1_misses; an SM that had no CTA was idle"},
    {NULL, NULL, NULL},
};

static bool is_of_sm(enum counter counter)
{
	return counter == COUNT_issue_cycles || counter == COUNT_warp_insns || counter == COUNT_l1_accesses ||
	       counter == COUNT_l1_misses || !strncmp(counter_infos[counter].name, "stall_", 6);
}

static json_t *sms_counter(const struct look_scene *scene, enum counter counter)
{
	json_t *values = json_array();
	for (uint32_t i = 0; i < scene->count; i++) {
		uint64_t absent = counter == COUNT_stall_idle ? scene->counters->value[COUNT_cycles] : 0;
		const struct counters *own = scene->sm_counters[i];
		json_array_append_new(values, json_integer((json_int_t)(own ? own->value[counter] : absent)));
	}
	return values;
}

json_t *look_sms_json(const struct look_scene *scene)
{
	json_t *object = json_object(), *counters = json_object();
	set(object, "cycles", scene->counters->value[COUNT_cycles]);
	for (int c = 0; c < COUNTER_COUNT; c++)
		if (is_of_sm((enum counter)c))
			json_object_set_new(counters, counter_infos[c].name,
			                    sms_counter(scene, (enum counter)c));
	json_object_set_new(object, "counters", counters);
	return object;
}

/* ---- instructions ------------------------------------------------------------------------------------------- */

const struct look_field look_instructions_fields[] = {
    {"pc", "", "address of each instruction that was executed; the other fields are in the same order"},
    {"opcode", "", "its mnemonic"},
    {"source_line", "", "its line of source; 0: unknown"},
    {"issued", "instructions", "warp instructions"},
    {"lanes", "instructions", "their active lanes: thread instructions"},
    {"requests", "requests", "accesses to global and local memory"},
    {"sectors", "sectors", "distinct sectors of those, summed"},
    {"l1_missed_sectors", "sectors", "sectors that its loads missed in L1"},
    {"not_selected", "warp-cycles",
     "cycles in which a warp was ready to issue it and its scheduler issued another"},
    {"waited", "warp-cycles",
     "by name of a stall counter: cycles that warps waited before they issued it, since their instruction before, charged "
     "to what they waited for last. With `issued` and `not_selected` they sum to the cycles of residence, but for those "
     "after a warp's last instruction"},
    {NULL, NULL, NULL},
};

static json_t *array_in(json_t *object, const char *name)
{
	json_t *array = json_object_get(object, name);
	if (!array)
		json_object_set_new(object, name, array = json_array());
	return array;
}

static void append_instruction(json_t *object, json_t *waited, const struct look_scene *scene, uint32_t k)
{
	const struct trace_insn *insn = &scene->kernel->insns[k];
	const struct profile_insn *own = &scene->result->profile[k];
	char pc[32];
	snprintf(pc, sizeof pc, "0x%04llx", (unsigned long long)insn->pc);
	json_array_append_new(array_in(object, "pc"), json_string(pc));
	json_array_append_new(array_in(object, "opcode"), json_text(trace_mnemonic(scene->kernel, insn)));
	const struct {
		const char *name;
		uint64_t value;
	} columns[] = {{"source_line", insn->source_line},
	               {"issued", own->issued},
	               {"lanes", own->lanes},
	               {"requests", own->requests},
	               {"sectors", own->sectors},
	               {"l1_missed_sectors", scene->result->pc_misses[k]},
	               {"not_selected", own->waited[PROFILE_NOT_SELECTED]}};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		append_count(object, columns[i].name, (double)columns[i].value);
	for (uint32_t r = 1; r < PROFILE_REASONS; r++)
		append_count(waited, counter_infos[profile_counter(r)].name, (double)own->waited[r]);
}

json_t *look_instructions_json(const struct look_scene *scene)
{
	json_t *object = json_object(), *waited = json_object();
	for (const struct look_field *field = look_instructions_fields; field->name; field++)
		json_object_set_new(object, field->name, json_array());
	json_object_set(object, "waited", waited);
	for (uint32_t r = 1; r < PROFILE_REASONS; r++)
		array_in(waited, counter_infos[profile_counter(r)].name);
	for (uint32_t k = 0; scene->result->profile && k < scene->kernel->insn_count; k++)
		if (scene->result->profile[k].issued)
			append_instruction(object, waited, scene, k);
	json_decref(waited);
	return object;
}

/* ---- DRAM channels -------------------------------------------------------------------------------------------- */

const struct look_field look_channels_fields[] = {
    {"cycles", "cycles", "of the launch"},
    {"counters", "",
     "by name, one value per DRAM channel in order: bytes read and written, requests to open rows, rows opened, clocks with "
     "data on the bus, and the sectors of the slices of L2 in front of it"},
    {NULL, NULL, NULL},
};

json_t *look_channels_json(const struct look_scene *scene)
{
	static const enum counter shown[] = {
	    COUNT_dram_read_bytes, COUNT_dram_write_bytes, COUNT_dram_row_hits,       COUNT_dram_activates,
	    COUNT_dram_busy,       COUNT_l2_read_sectors,  COUNT_l2_read_hit_sectors, COUNT_l2_write_sectors};
	json_t *object = json_object(), *counters = json_object();
	set(object, "cycles", scene->counters->value[COUNT_cycles]);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		json_t *values = json_array();
		for (uint32_t p = 0; p < scene->machine->dram_channels; p++)
			json_array_append_new(
			    values,
			    json_integer((json_int_t)gpu_channel_counters(scene->whole, p)->value[shown[i]]));
		json_object_set_new(counters, counter_infos[shown[i]].name, values);
	}
	json_object_set_new(object, "counters", counters);
	return object;
}

/* ---- CTAs ------------------------------------------------------------------------------------------------------- */

const struct look_field look_ctas_fields[] = {
    {"sm", "", "of each CTA, in the order in which the CTAs of an SM came"},
    {"slot", "", "its slot on the SM"},
    {"start", "cycles", "when its first warp came, from the start of the launch"},
    {"end", "cycles", "when its last warp ended; null: it was cut off"},
    {"truncated", "", "later CTAs are missing: an SM had more than ctas:most"},
    {NULL, NULL, NULL},
};

json_t *look_ctas_json(const struct look_scene *scene)
{
	json_t *object = json_object();
	bool cut = false;
	for (const struct look_field *field = look_ctas_fields; field->name; field++)
		json_object_set_new(object, field->name, json_array());
	for (uint32_t i = 0; i < scene->count; i++) {
		const struct look_ctas *ctas = scene->sm[i];
		for (uint32_t k = 0; ctas && k < ctas->count; k++) {
			const struct look_cta_span *span = &ctas->span[k];
			append_count(object, "sm", i);
			append_count(object, "slot", span->slot);
			append_count(object, "start", (double)span->start);
			json_array_append_new(json_object_get(object, "end"),
			                      span->end == UINT64_MAX ? json_null()
			                                              : json_integer((json_int_t)span->end));
		}
		cut |= ctas && ctas->dropped;
	}
	json_object_set_new(object, "truncated", json_boolean(cut));
	return object;
}

/* ---- bypasses ------------------------------------------------------------------------------------------------------ */

const struct look_field look_bypass_fields[] = {
    {"misses", "requests", "line requests of loads that missed L1 and took a line"},
    {"bypasses", "requests",
     "line requests of loads that left for L2 and took no line, by a policy or by the instruction itself"},
    {"late_bypasses", "requests", "of those, misses that had an MSHR but whose data were not put into L1"},
    {"coverage", "%", "bypasses / (bypasses + misses)"},
    {"watched_bypasses", "requests",
     "bypasses that a policy may have chosen: all if a policy of the chain routes requests, else none"},
    {"false_positives", "requests",
     "watched bypasses whose line was asked for again (a miss or another bypass) while a cache of L1's sets "
     "and ways that bypasses nothing and replaces in order of arrival still held it"},
    {"false_positive_rate", "%", "false_positives / watched_bypasses"},
    {NULL, NULL, NULL},
};

json_t *look_bypass_json(const struct look_scene *scene)
{
	uint64_t misses = scene->counters->value[COUNT_l1_misses],
	         bypasses = scene->counters->value[COUNT_l1_bypasses];
	uint64_t late = 0, watched = 0, regretted = 0;
	for (uint32_t i = 0; i < scene->count; i++) {
		struct look_bypass *bypass = scene->sm[i];
		if (!bypass)
			continue;
		look_bypass_close(bypass);
		late += bypass->late;
		watched += bypass->bypasses;
		regretted += bypass->regretted;
	}
	json_t *object = json_object();
	set(object, "misses", misses - late);
	set(object, "bypasses", bypasses + late);
	set(object, "late_bypasses", late);
	set_ratio(object, "coverage", 100, (double)(bypasses + late), (double)(bypasses + misses));
	set(object, "watched_bypasses", watched);
	set(object, "false_positives", regretted);
	set_ratio(object, "false_positive_rate", 100, (double)regretted, (double)watched);
	return object;
}

/* ---- shared memory -------------------------------------------------------------------------------------------------- */

const struct look_field look_shared_fields[] = {
    {"accesses", "accesses", "to lines of shared memory"},
    {"live_ranges", "ranges",
     "of lines: from a write to the last read before the next write that follows a read, or the CTA's end"},
    {"unread", "ranges", "of those, without a read"},
    {"mean_lifetime", "cycles", "last read - first write, on average over live ranges; 0 for unread ones"},
    {"longest_lifetime", "cycles", "the longest of them"},
    {"mean_cta_cycles", "cycles", "from a CTA's start to its last warp's end, on average"},
    {"relative_lifetime", "", "mean_lifetime / mean_cta_cycles"},
    {"relative_longest", "", "longest_lifetime / mean_cta_cycles"},
    {"reads_per_range", "ranges", "live ranges by the number of reads in them"},
    {"stays", "lines",
     "lines of shared memory that left the cache they were in (policies with shared memory behind a cache)"},
    {"mean_residency", "cycles",
     "from a line's coming into that cache to its leaving, on average over stays"},
    {"evicted_ranges", "ranges",
     "live ranges with a read whose line was evicted from that cache before the next range began"},
    {"residency_per_lifetime", "",
     "over those: cycles from the first write to the line's first eviction / cycles from the first write to "
     "the last read, each summed: below 1 lines are evicted too soon, above 1 too late"},
    {"truncated", "", "more lines than the observer remembers"},
    {NULL, NULL, NULL},
};

/* Adds one SM's sums. */
static void add(struct look_shared *sum, const struct look_shared *part)
{
	sum->accesses += part->accesses;
	sum->ranges += part->ranges;
	sum->unread += part->unread;
	sum->lifetime += part->lifetime;
	sum->longest = part->longest > sum->longest ? part->longest : sum->longest;
	sum->stays += part->stays;
	sum->residency += part->residency;
	sum->evicted_ranges += part->evicted_ranges;
	sum->evicted_residency += part->evicted_residency;
	sum->evicted_lifetime += part->evicted_lifetime;
	sum->ctas += part->ctas;
	sum->cta_cycles += part->cta_cycles;
	sum->dropped += part->dropped;
	for (int i = 0; i < SHARED_BINS; i++)
		sum->bin[i] += part->bin[i];
}

json_t *look_shared_json(const struct look_scene *scene)
{
	struct look_shared sum = {0};
	for (uint32_t i = 0; i < scene->count; i++) {
		struct look_shared *shared = scene->sm[i];
		if (!shared)
			continue;
		look_shared_close(shared);
		add(&sum, shared);
	}
	double ranges = (double)sum.ranges, cta = sum.ctas ? (double)sum.cta_cycles / (double)sum.ctas : 0;
	json_t *object = json_object(), *bins = json_object();
	for (int i = 0; i < SHARED_BINS; i++)
		set(bins, look_shared_bins[i], sum.bin[i]);
	set(object, "accesses", sum.accesses);
	set(object, "live_ranges", sum.ranges);
	set(object, "unread", sum.unread);
	set_ratio(object, "mean_lifetime", 1, (double)sum.lifetime, ranges);
	set(object, "longest_lifetime", sum.longest);
	set_ratio(object, "mean_cta_cycles", 1, (double)sum.cta_cycles, (double)sum.ctas);
	set_ratio(object, "relative_lifetime", 1, (double)sum.lifetime, ranges * cta);
	set_ratio(object, "relative_longest", 1, (double)sum.longest, ranges > 0 ? cta : 0);
	json_object_set_new(object, "reads_per_range", bins);
	set(object, "stays", sum.stays);
	set_ratio(object, "mean_residency", 1, (double)sum.residency, (double)sum.stays);
	set(object, "evicted_ranges", sum.evicted_ranges);
	set_ratio(object, "residency_per_lifetime", 1, (double)sum.evicted_residency,
	          (double)sum.evicted_lifetime);
	json_object_set_new(object, "truncated", json_boolean(sum.dropped));
	return object;
}
