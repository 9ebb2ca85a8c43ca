/* The document that web/run.html shows. */
#include "report/run_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/peaks.h"
#include "report/page.h"
#include "report/run_json.h"

enum { DIGITS = 7, LAUNCHES = 1000 };

/* ---- sums over launches ------------------------------------------------------------------------------------ */

static void add_values(json_t *sum, const json_t *part)
{
	for (size_t i = 0; i < json_array_size(part); i++) {
		json_t *value = json_array_get(part, i), *own = json_array_get(sum, i);
		if (own && json_is_array(own))
			run_page_add(own, value);
		else if (own)
			json_array_set_new(sum, i,
			                   json_integer(json_integer_value(own) + json_integer_value(value)));
		else
			json_array_append_new(sum, json_deep_copy(value));
	}
}

void run_page_add(json_t *sum, const json_t *part)
{
	if (json_is_array(sum)) {
		add_values(sum, part);
		return;
	}
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)part, name, value)
	{
		json_t *own = json_object_get(sum, name);
		if (!own)
			json_object_set_new(sum, name, json_deep_copy(value));
		else if (json_is_integer(own))
			json_object_set_new(
			    sum, name, json_integer(json_integer_value(own) + json_integer_value(value)));
		else if (json_is_boolean(own))
			json_object_set_new(sum, name,
			                    json_boolean(json_is_true(own) || json_is_true(value)));
		else
			run_page_add(own, value);
	}
}

/* Return whether a field is the same in every launch. */
static bool is_constant(const char *name)
{
	static const char *const names[] = {"warps", "distance", "line_bytes", "l1_lines"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Copy constant fields from the last launch that has them; of lists of bins, keep the longest. */
static void keep_constants(json_t *sum, const json_t *look)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)look, name, value)
	{
		const json_t *known = json_object_get(sum, name);
		if (is_constant(name) &&
		    !(json_is_array(value) && json_array_size(value) < json_array_size(known)))
			json_object_set_new(sum, name, json_deep_copy(value));
	}
}

/* Add up a look over the launches, without ratios; null if no observer was attached. */
static json_t *sum_look(const json_t *launches, const char *kind)
{
	json_t *sum = json_object();
	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *look =
		    json_object_get(json_object_get(json_array_get(launches, i), "look"), kind);
		json_t *counts = json_object(), *value;
		const char *name;
		json_object_foreach((json_t *)(uintptr_t)look, name, value)
		{
			if (!json_is_real(value) && !json_is_null(value) && !is_constant(name))
				json_object_set(counts, name, value);
		}
		run_page_add(sum, counts);
		json_decref(counts);
		keep_constants(sum, look);
	}
	if (json_object_size(sum))
		return sum;
	json_decref(sum);
	return json_null();
}

static json_t *sum_policy_counters(const json_t *launches)
{
	json_t *sum = json_object();
	for (size_t i = 0; i < json_array_size(launches); i++)
		run_page_add(sum, json_object_get(json_array_get(launches, i), "policy_counters"));
	return sum;
}

/* ---- launches and kernels ---------------------------------------------------------------------------------- */

static json_t *counter_of(const json_t *launch, const char *name)
{
	return json_object_get(json_object_get(launch, "counters"), name);
}

static bool is_breakdown(const char *name)
{
	return !strcmp(name, "issue_cycles") || !strncmp(name, "stall_", 6);
}

/* Return the SM-cycle breakdown of each kernel, in the order of the first launches. */
static json_t *kernels_json(const json_t *launches)
{
	json_t *array = json_array();
	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		json_t *name = json_object_get(json_object_get(launch, "kernel"), "name"), *kernel = NULL;
		for (size_t k = 0; k < json_array_size(array) && !kernel; k++)
			if (json_equal(json_object_get(json_array_get(array, k), "name"), name))
				kernel = json_array_get(array, k);
		if (!kernel)
			json_array_append_new(array,
			                      kernel = json_pack("{s:O, s:{}}", "name", name, "counters"));
		json_t *own =
		    json_pack("{s:i, s:{s:O, s:O, s:O}}", "launches", 1, "counters", "cycles",
		              counter_of(launch, "cycles"), "sm_cycles", counter_of(launch, "sm_cycles"),
		              "warp_insns", counter_of(launch, "warp_insns"));
		for (int c = 0; c < COUNTER_COUNT; c++)
			if (is_breakdown(counter_infos[c].name))
				json_object_set(json_object_get(own, "counters"), counter_infos[c].name,
				                counter_of(launch, counter_infos[c].name));
		run_page_add(kernel, own);
		json_decref(own);
	}
	return array;
}

static json_t *launch_json(const json_t *launch)
{
	static const char *const counters[] = {"cycles",           "warp_insns",      "dram_read_bytes",
	                                       "dram_write_bytes", "l1_load_sectors", "l1_store_sectors",
	                                       "l2_read_sectors",  "l2_write_sectors"},
	                         *const metrics[] = {"ipc", "occupancy", "l1_load_hit_rate",
	                                             "l2_read_hit_rate"};
	const json_t *kernel = json_object_get(launch, "kernel");
	json_t *row =
	    json_pack("{s:O, s:O, s:O, s:O, s:O}", "launch", json_object_get(launch, "launch"), "status",
	              json_object_get(launch, "status"), "kernel", json_object_get(kernel, "name"), "grid",
	              json_object_get(kernel, "grid"), "block", json_object_get(kernel, "block"));
	json_object_update_new(row, json_deep_copy(json_object_get(launch, "occupancy_limit")));
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
		json_object_set(row, counters[i], counter_of(launch, counters[i]));
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		json_object_set(row, metrics[i],
		                json_object_get(json_object_get(launch, "metrics"), metrics[i]));
	return row;
}

/* Return the first launches; sums include all of them. */
static json_t *launches_json(const json_t *launches)
{
	json_t *array = json_array();
	for (size_t i = 0; i < json_array_size(launches) && i < LAUNCHES; i++)
		json_array_append_new(array, launch_json(json_array_get(launches, i)));
	return array;
}

/* ---- the page ---------------------------------------------------------------------------------------------- */

static json_t *run_json(const struct run_page *page, const struct run_page_run *run, json_t *files)
{
	static const char *const looks[] = {"matrix",   "locality", "reuse",   "failures",
	                                    "distance", "sms",      "channels"};
	const json_t *launches = json_object_get(run->result, "launches");
	json_t *object = json_object(), *look = json_object();
	json_object_set_new(object, "policy", json_text(run->label));
	json_object_set_new(object, "chain", json_text(run->chain));
	json_object_set_new(object, "values", run->values ? run->values : json_null());
	json_object_set(object, "status", json_object_get(run->result, "status"));
	json_object_set(object, "total", json_object_get(run->result, "total"));
	json_object_set_new(object, "policy_counters", sum_policy_counters(launches));
	json_object_set_new(object, "kernels", kernels_json(launches));
	json_object_set_new(object, "launch_count", json_integer((json_int_t)json_array_size(launches)));
	json_object_set_new(object, "launches", launches_json(launches));
	json_object_set_new(object, "lines", run_page_lines(launches, page->sources, files));
	json_object_set_new(look, "series", run_page_series(launches));
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		json_object_set_new(look, looks[i], sum_look(launches, looks[i]));
	json_object_set_new(object, "look", look);
	return object;
}

static json_t *machine_json(const struct machine *m)
{
	struct peaks peaks = machine_peaks(m);
	return json_pack("{s:o, s:o, s:i, s:i, s:i, s:f, s:i, s:i, s:{s:f, s:f, s:f, s:f}}", "name",
	                 json_text(m->name), "title", json_text(m->title), "sms", (int)m->sm_count, "warps",
	                 (int)m->sm_warps, "schedulers", (int)m->sm_schedulers, "core_mhz", m->clock_core_mhz,
	                 "l1_sector_bytes", (int)m->l1d_sector_bytes, "l2_sector_bytes",
	                 (int)m->l2_sector_bytes, "peaks", "issue", peaks.issue, "l1", peaks.l1, "l2",
	                 peaks.l2, "dram", peaks.dram);
}

static char *data_text(const struct run_page *page)
{
	json_t *root = json_object(), *runs = json_array(), *files = json_array();
	for (size_t i = 0; i < page->count; i++)
		json_array_append_new(runs, run_json(page, &page->run[i], files));
	json_object_set_new(root, "format", json_string(page->format));
	json_object_set_new(root, "run", page->facts);
	json_object_set_new(root, "machine", machine_json(page->machine));
	json_object_set_new(root, "observers", json_string(RUN_PAGE_OBSERVERS));
	json_object_set_new(root, "definitions", page->definitions);
	json_object_set_new(root, "runs", runs);
	json_object_set_new(root, "sources", run_page_excerpts(runs, files, page->program));
	char *text = json_dumps(root, JSON_REAL_PRECISION(DIGITS));
	if (!text)
		BUG("a page whose data JSON cannot hold");
	json_decref(files);
	json_decref(root);
	return text;
}

char *run_page_write(const struct run_page *page)
{
	char *data = data_text(page), *text = page_write(PAGE_RUN, data);
	free(data);
	return text;
}
