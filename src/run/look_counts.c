/* Reservation failures, the balance of SMs, bypasses and shared memory. */
#include <string.h>

#include "policy/look/bypass.h"
#include "policy/look/shared.h"
#include "run/look_parts.h"

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
		look_set(cycles, causes[i].name, value[causes[i].counter]);
		look_set_ratio(share, causes[i].name, 1000, (double)value[causes[i].counter], (double)busy);
	}
	look_set(object, "busy_sm_cycles", busy);
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
	look_set(object, "cycles", scene->counters->value[COUNT_cycles]);
	for (int c = 0; c < COUNTER_COUNT; c++)
		if (is_of_sm((enum counter)c))
			json_object_set_new(counters, counter_infos[c].name,
			                    sms_counter(scene, (enum counter)c));
	json_object_set_new(object, "counters", counters);
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
	look_set(object, "misses", misses - late);
	look_set(object, "bypasses", bypasses + late);
	look_set(object, "late_bypasses", late);
	look_set_ratio(object, "coverage", 100, (double)(bypasses + late), (double)(bypasses + misses));
	look_set(object, "watched_bypasses", watched);
	look_set(object, "false_positives", regretted);
	look_set_ratio(object, "false_positive_rate", 100, (double)regretted, (double)watched);
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
		look_set(bins, look_shared_bins[i], sum.bin[i]);
	look_set(object, "accesses", sum.accesses);
	look_set(object, "live_ranges", sum.ranges);
	look_set(object, "unread", sum.unread);
	look_set_ratio(object, "mean_lifetime", 1, (double)sum.lifetime, ranges);
	look_set(object, "longest_lifetime", sum.longest);
	look_set_ratio(object, "mean_cta_cycles", 1, (double)sum.cta_cycles, (double)sum.ctas);
	look_set_ratio(object, "relative_lifetime", 1, (double)sum.lifetime, ranges * cta);
	look_set_ratio(object, "relative_longest", 1, (double)sum.longest, ranges > 0 ? cta : 0);
	json_object_set_new(object, "reads_per_range", bins);
	look_set(object, "stays", sum.stays);
	look_set_ratio(object, "mean_residency", 1, (double)sum.residency, (double)sum.stays);
	look_set(object, "evicted_ranges", sum.evicted_ranges);
	look_set_ratio(object, "residency_per_lifetime", 1, (double)sum.evicted_residency,
	               (double)sum.evicted_lifetime);
	json_object_set_new(object, "truncated", json_boolean(sum.dropped));
	return object;
}
