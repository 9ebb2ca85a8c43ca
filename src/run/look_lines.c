/* Interference matrix, locality classes, reuse, reuse distances: what the observers of lines saw. */
#include "policy/look/distance.h"
#include "policy/look/lines.h"
#include "run/look_parts.h"

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
	look_set(object, "warps", warps);
	json_object_set_new(object, "evictions", matrix_json(scene, warps, pick_evicted));
	json_object_set_new(object, "lost", matrix_json(scene, warps, pick_lost));
	look_set(object, "self_evictions", self);
	look_set(object, "other_evictions", all - self);
	json_object_set_new(object, "truncated", json_boolean(untracked));
	return object;
}

/* ---- locality ------------------------------------------------------------------------------------------------- */

static json_t *classes_json(const uint64_t *sum)
{
	json_t *object = json_object();
	json_object_set_new(object, "intra_thread", json_null());
	look_set(object, "intra_warp", sum[LOCALITY_WARP]);
	look_set(object, "intra_block", sum[LOCALITY_BLOCK]);
	look_set(object, "intra_core", sum[LOCALITY_CORE]);
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
	look_set(bounded, "miss", misses + first);
	look_set(unbounded, "inter_core", all.sm_lines - all.lines);
	look_set(unbounded, "inter_kernel", all.known);
	look_set(unbounded, "cold", all.lines - all.known);
	look_set(object, "accesses", sum + first + untracked);
	json_object_set_new(object, "bounded", bounded);
	json_object_set_new(object, "unbounded", unbounded);
	look_set(object, "untracked", untracked);
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
	look_set(object, "evictions", evictions);
	look_set(object, "zero_reuse_evictions", unused);
	look_set_ratio(object, "zero_reuse_share", 100, (double)unused, (double)evictions);
	look_set(object, "zero_reuse_once", once);
	look_set(object, "distinct_lines", all.lines);
	look_set(object, "line_bytes", scene->machine->l1d_line_bytes);
	look_set(object, "once_lines", all.once);
	look_set(object, "distinct_load_pcs", all.pcs);
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
	look_set(object, "accesses", all + cold + untracked);
	json_object_set_new(object, "distance", distance);
	json_object_set_new(object, "requests", requests);
	look_set(object, "cold", cold);
	look_set(object, "line_bytes", scene->machine->l1d_line_bytes);
	look_set(object, "l1_lines", (uint64_t)scene->machine->l1d_sets * scene->machine->l1d_ways);
	look_set(object, "untracked", untracked);
	return object;
}
