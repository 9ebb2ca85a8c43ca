/*
 * The time series of a page: the periods of all launches in a row, merged to as many points as a screen can show. Merged
 * values are exact means: rates are computed from sums, the rest is weighted by cycles.
 */
#include "report/run_json.h"
#include "report/run_page.h"

enum { POINTS = 1000, COLUMNS = 160 };

/* The fields of a look that are shown; `by`: the field of which a rate is a share, in percent. */
static const struct shown {
	const char *name, *field,
	    *by; /* by NULL: a mean over cycles; else the document has `by`, the weight, too */
} shown[] = {
    {"ipc", "ipc", NULL},
    {"thread_ipc", "thread_ipc", NULL},
    {"resident_warps", "resident_warps", NULL},
    {"active_warps", "active_warps", NULL},
    {"l1_miss_rate", "l1_misses", "l1_accesses"},
    {"l2_hit_rate", "l2_read_hit_sectors", "l2_read_sectors"},
    {"dram_bandwidth", "dram_bandwidth", NULL},
    {"resident_ctas", "resident_ctas", NULL},
};
enum { SHOWN = sizeof shown / sizeof *shown };

static uint64_t cycles_of(const json_t *launch)
{
	return (uint64_t)json_integer_value(json_object_get(json_object_get(launch, "counters"), "cycles"));
}

struct point {
	uint64_t start, end;
	double sum[SHOWN], weight[SHOWN];
	double reason[COUNTER_COUNT]; /* SMs x cycles */
};

static void put_point(json_t *object, struct point *p)
{
	if (p->end == p->start)
		return;
	json_array_append_new(json_object_get(object, "start"), json_integer((json_int_t)p->start));
	json_array_append_new(json_object_get(object, "end"), json_integer((json_int_t)p->end));
	for (int i = 0; i < SHOWN; i++) {
		json_array_append_new(json_object_get(object, shown[i].name),
		                      p->weight[i] > 0 ? json_number(p->sum[i] / p->weight[i]) : json_null());
		if (shown[i].by)
			json_array_append_new(json_object_get(object, shown[i].by),
			                      json_integer((json_int_t)p->weight[i]));
	}
	for (int c = COUNT_issue_cycles; c <= COUNT_stall_policy_throttle; c++) {
		json_t *values =
		    json_object_get(json_object_get(object, "sms_by_reason"), counter_infos[c].name);
		if (values)
			json_array_append_new(values,
			                      json_number(p->reason[c] / (double)(p->end - p->start)));
	}
	*p = (struct point){.start = p->end, .end = p->end};
}

/* Period k of a launch. */
static void add_period(struct point *p, const json_t *series, size_t k, uint64_t cycles)
{
	for (int i = 0; i < SHOWN; i++) {
		const json_t *value = json_array_get(json_object_get(series, shown[i].field), k);
		const json_t *by =
		    shown[i].by ? json_array_get(json_object_get(series, shown[i].by), k) : NULL;
		if (!json_is_number(value))
			continue;
		p->sum[i] += json_number_value(value) * (shown[i].by ? 100 : (double)cycles);
		p->weight[i] += shown[i].by ? json_number_value(by) : (double)cycles;
	}
	const json_t *reasons = json_object_get(series, "sms_by_reason");
	for (int c = COUNT_issue_cycles; reasons && c <= COUNT_stall_policy_throttle; c++)
		p->reason[c] +=
		    (double)cycles *
		    json_number_value(json_array_get(json_object_get(reasons, counter_infos[c].name), k));
}

/* Add the periods of a launch, which begins at cycle `offset`. */
static void add_launch(json_t *object, struct point *p, const json_t *series, uint64_t offset, uint64_t span)
{
	const json_t *ends = json_object_get(series, "cycle");
	uint64_t before = 0;
	for (size_t k = 0; k < json_array_size(ends); k++) {
		uint64_t end = (uint64_t)json_integer_value(json_array_get(ends, k));
		if (end <= before)
			continue;
		if (p->end == p->start)
			p->start = offset + before;
		add_period(p, series, k, end - before);
		p->end = offset + end;
		before = end;
		if (p->end - p->start >= span)
			put_point(object, p);
	}
	/* Only launches too short to be visible share a point. */
	if (before >= span)
		put_point(object, p);
}

static void note_periods(json_t *object, const json_t *series, bool truncated)
{
	static const char *const keys[] = {"sampled_cycles", "sms"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		json_object_set(object, keys[i], json_object_get(series, keys[i]));
	json_object_set_new(object, "truncated", json_boolean(truncated));
}

/* An array for every state that an SM was in. */
static json_t *reason_arrays(const json_t *launches)
{
	json_t *reasons = json_object();
	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		json_t *seen = json_object_get(json_object_get(json_object_get(launch, "look"), "series"),
		                               "sms_by_reason"),
		       *values;
		const char *name;
		json_object_foreach(seen, name, values) if (json_integer_value(json_object_get(
		                                                json_object_get(launch, "counters"), name)) &&
		                                            !json_object_get(reasons, name))
		    json_object_set_new(reasons, name, json_array());
	}
	return reasons;
}

/* Resident CTAs of every SM in each of so many equal parts of the run, as of the part's middle. */
static json_t *ctas_by_sm(const json_t *launches, uint64_t total)
{
	json_t *sms = json_array();
	uint64_t offset = 0;
	size_t launch = 0, count = json_array_size(launches);
	for (uint64_t column = 0; column < COLUMNS && total; column++) {
		uint64_t cycle = (2 * column + 1) * total / (2 * COLUMNS);
		while (launch + 1 < count && cycle >= offset + cycles_of(json_array_get(launches, launch)))
			offset += cycles_of(json_array_get(launches, launch++));
		const json_t *series = json_object_get(
		                 json_object_get(json_array_get(launches, launch), "look"), "series"),
		             *seen = json_object_get(series, "ctas_by_sm"),
		             *resident = json_object_get(seen, "resident");
		uint64_t step = (uint64_t)json_integer_value(json_object_get(seen, "periods")) *
		                (uint64_t)json_integer_value(json_object_get(series, "period_cycles"));
		for (size_t sm = 0; step && sm < json_array_size(resident); sm++) {
			while (json_array_size(sms) <= sm)
				json_array_append_new(sms, json_array());
			json_t *own = json_array_get(sms, sm),
			       *value = json_array_get(json_array_get(resident, sm),
			                               (size_t)((cycle - offset) / step));
			while (json_array_size(own) < column)
				json_array_append_new(own, json_integer(0));
			json_array_append_new(own, json_integer(json_integer_value(value)));
		}
	}
	return json_pack("{s:i, s:o}", "columns", COLUMNS, "sms", sms);
}

json_t *run_page_series(const json_t *launches)
{
	uint64_t total = 0, offset = 0;
	size_t count = json_array_size(launches);
	for (size_t i = 0; i < count; i++)
		total += cycles_of(json_array_get(launches, i));
	json_t *object = json_object(), *series = NULL;
	json_object_set_new(object, "start", json_array());
	json_object_set_new(object, "end", json_array());
	json_object_set_new(object, "sms_by_reason", reason_arrays(launches));
	for (int i = 0; i < SHOWN; i++) {
		json_object_set_new(object, shown[i].name, json_array());
		if (shown[i].by)
			json_object_set_new(object, shown[i].by, json_array());
	}
	struct point point = {0};
	bool truncated = false;
	for (size_t i = 0; i < count; i++) {
		const json_t *launch = json_array_get(launches, i);
		json_t *own = json_object_get(json_object_get(launch, "look"), "series");
		series = own ? own : series;
		truncated |= json_is_true(json_object_get(own, "truncated"));
		add_launch(object, &point, own, offset, total / POINTS + 1);
		offset += cycles_of(launch);
	}
	put_point(object, &point);
	json_object_set_new(object, "cycles", json_integer((json_int_t)total));
	json_object_set_new(object, "merged_cycles", json_integer((json_int_t)(total / POINTS + 1)));
	json_object_set_new(object, "ctas_by_sm", ctas_by_sm(launches, total));
	note_periods(object, series, truncated);
	if (series)
		return object;
	json_decref(object);
	return json_null();
}
