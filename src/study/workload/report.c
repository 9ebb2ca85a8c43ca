/* Rows, text and JSON of a check. */
#include "study/workload/report.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/table.h"

enum { JSON_VERSION = 1, DIGITS = 12 };

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static void format_value(char text[REPORT_TEXT], enum workload_fact fact, double value)
{
	if (isnan(value))
		snprintf(text, REPORT_TEXT, "-");
	else if (fact == FACT_BARRIERS)
		snprintf(text, REPORT_TEXT, "%s", value > 0 ? "yes" : "no");
	else if (value == floor(value) || value >= 1000)
		snprintf(text, REPORT_TEXT, "%.0f", value);
	else
		snprintf(text, REPORT_TEXT, "%.1f", value);
}

static struct report_row make_row(const struct measure_task *task, const struct measure_result *result,
                                  enum workload_fact fact)
{
	const struct workload_published *published = task->published;
	struct report_row row = {
	    .task = task, .result = result, .fact = fact, .ratio = NAN, .verdict = VERDICT_OFF};
	if (fact == FACT_COUNT)
		return row;
	row.class = rule_class(published->paper, &result->measured);
	row.verdict = rule_judge(published, fact, &result->measured, row.class);
	if (fact == FACT_CLASS) {
		snprintf(row.published, sizeof row.published, "%s", published->class);
		snprintf(row.measured, sizeof row.measured, "%s", row.class ? row.class : "-");
		return row;
	}
	format_value(row.published, fact, published->value[fact]);
	format_value(row.measured, fact, result->measured.value[fact]);
	if (fact != FACT_BARRIERS && published->value[fact] > 0)
		row.ratio = result->measured.value[fact] / published->value[fact];
	return row;
}

static void add_row(struct report *report, struct report_row row)
{
	report->row = memory_grow(report->row, report->count + 1, sizeof *report->row);
	report->row[report->count++] = row;
	report->verdicts[row.verdict]++;
}

static bool is_truncated(const struct workload_measured *m)
{
	return m->simulated_insns < m->insns; /* false for a NaN: not simulated */
}

struct report report_make(const struct measure_task *tasks, const struct measure_result *results,
                          size_t count, const struct measure_options *options)
{
	struct report report = {.count = 0};
	for (size_t i = 0; i < count; i++) {
		uint32_t wanted = measure_wanted(&tasks[i], options);
		report.failed += results[i].failed;
		report.truncated += !results[i].failed && is_truncated(&results[i].measured);
		if (results[i].failed)
			add_row(&report, make_row(&tasks[i], &results[i], FACT_COUNT));
		for (int fact = 0; !results[i].failed && fact < FACT_COUNT; fact++)
			if (wanted >> fact & 1)
				add_row(&report, make_row(&tasks[i], &results[i], (enum workload_fact)fact));
	}
	return report;
}

void report_free(struct report *report)
{
	free(report->row);
}

/* ---- text ---------------------------------------------------------------------------------------------------- */

static void print_table(FILE *out, const struct report *report)
{
	static const struct table_column columns[] = {
	    {"workload", TABLE_LEFT, 0},   {"paper", TABLE_LEFT, 0},     {"metric", TABLE_LEFT, 0},
	    {"published", TABLE_RIGHT, 0}, {"measured", TABLE_RIGHT, 0}, {"ratio", TABLE_RIGHT, 0},
	    {"verdict", TABLE_LEFT, 0},
	};
	struct table *table = table_new(columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < report->count; i++) {
		const struct report_row *row = &report->row[i];
		bool failed = row->fact == FACT_COUNT;
		table_add(table, "%s", row->task->workload->name);
		table_add(table, "%s", workload_papers[row->task->published->paper].name);
		table_add(table, "%s", failed ? "-" : workload_facts[row->fact].name);
		table_add(table, "%s", failed ? "-" : row->published);
		table_add(table, "%s", failed ? "-" : row->measured);
		table_add_real(table, row->ratio, 2);
		table_add(table, "%s", failed ? "failed" : verdict_names[row->verdict]);
	}
	table_print(table, out, "");
	table_free(table);
}

/* What a failed task, or a row that is explained, has to say. */
static void print_notes(FILE *out, const struct report *report)
{
	bool any = false;
	for (size_t i = 0; i < report->count; i++) {
		const struct report_row *row = &report->row[i];
		bool failed = row->fact == FACT_COUNT;
		if (!failed && row->verdict != VERDICT_EXPLAINED)
			continue;
		fprintf(out, "%s%s, %s%s%s: %s\n", any ? "" : "\n", row->task->workload->name,
		        workload_papers[row->task->published->paper].name, failed ? "" : ", ",
		        failed ? "" : workload_facts[row->fact].name,
		        failed ? row->result->error.text : row->task->published->reason[row->fact]);
		any = true;
	}
}

void report_print(FILE *out, const struct report *report, const struct measure_options *options)
{
	char limit[COUNT_TEXT_SIZE];
	print_table(out, report);
	print_notes(out, report);
	fprintf(out,
	        "\n%zu characteristics at --size %s: %zu ok, %zu off, %zu explained, %zu for information",
	        report->count - report->failed, workload_sizes[options->size], report->verdicts[VERDICT_OK],
	        report->verdicts[VERDICT_OFF] - report->failed, report->verdicts[VERDICT_EXPLAINED],
	        report->verdicts[VERDICT_INFO]);
	fprintf(out, report->failed ? "; %zu rows of papers failed\n" : "\n", report->failed);
	if (report->truncated)
		fprintf(
		    out,
		    "%zu were simulated up to their first %s warp instructions (--max-insns), or as far as the paper went\n",
		    report->truncated, table_format_count(limit, options->max_insns));
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

/* null for a NaN, which JSON lacks. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const struct report_row *row)
{
	const struct workload_published *published = row->task->published;
	json_t *object = json_object();
	json_object_set_new(object, "metric", json_string(workload_facts[row->fact].name));
	if (row->fact == FACT_CLASS) {
		json_object_set_new(object, "published", json_string(published->class));
		json_object_set_new(object, "measured", row->class ? json_string(row->class) : json_null());
	} else {
		json_object_set_new(object, "published", number(published->value[row->fact]));
		json_object_set_new(object, "measured", number(row->result->measured.value[row->fact]));
	}
	json_object_set_new(object, "ratio", number(row->ratio));
	json_object_set_new(object, "verdict", json_string(verdict_names[row->verdict]));
	if (published->reason[row->fact])
		json_object_set_new(object, "reason", json_string(published->reason[row->fact]));
	return object;
}

static json_t *runs_json(const struct workload_measured *m)
{
	json_t *runs = json_object();
	for (int i = 0; i < RULE_RUNS; i++) {
		const struct rule_numbers *run = &m->run[i];
		if (isnan(run->ipc))
			continue;
		json_object_set_new(runs, rule_run_names[i],
		                    json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "ipc", number(run->ipc),
		                              "l1_miss_rate", number(run->l1_miss_rate), "l2_hit_rate",
		                              number(run->l2_hit_rate), "mpki", number(run->mpki),
		                              "line_fails_per_kcycle", number(run->line_fails),
		                              "mshr_fails_per_kcycle", number(run->mshr_fails)));
	}
	return runs;
}

static json_t *measured_json(const struct workload_measured *m)
{
	json_t *object = json_object(), *curve = json_object();
	for (int i = 0; i < FACT_COUNT; i++)
		if (!isnan(m->value[i]))
			json_object_set_new(object, workload_facts[i].name, number(m->value[i]));
	json_object_set_new(object, "launches", number(m->launches));
	json_object_set_new(object, "warp_insns", number(m->insns));
	json_object_set_new(object, "simulated_warp_insns", number(m->simulated_insns));
	json_object_set_new(object, "smem_cta_bytes", number(m->smem_cta_bytes));
	json_object_set_new(object, "ctas_per_sm", number(m->ctas_per_sm));
	json_object_set_new(object, "ctas_per_sm_without_smem", number(m->ctas_without_smem));
	json_object_set_new(object, "ctas_per_sm_of_grid", number(m->ctas_given));
	json_object_set_new(object, "resident_warps", number(m->resident_warps));
	json_object_set_new(object, "misses_recovered_by_large_l1", number(rule_recovered(m)));
	json_object_set_new(object, "runs", runs_json(m));
	for (int n = 1; n <= RULE_LIMITS; n++) {
		char name[16];
		snprintf(name, sizeof name, "%d", n);
		if (!isnan(m->swl_ipc[n]))
			json_object_set_new(curve, name, number(m->swl_ipc[n]));
	}
	json_object_set_new(object, "swl_ipc", curve);
	return object;
}

static json_t *task_json(const struct report *report, size_t first, size_t *next)
{
	const struct report_row *row = &report->row[first];
	const struct workload_published *published = row->task->published;
	json_t *object = json_object(), *rows = json_array();
	json_object_set_new(object, "workload", json_string(row->task->workload->name));
	json_object_set_new(object, "paper", json_string(workload_papers[published->paper].name));
	json_object_set_new(object, "machine", json_string(workload_papers[published->paper].machine));
	json_object_set_new(object, "as", json_string(published->as));
	json_object_set_new(object, "arguments",
	                    published->arguments ? json_string(published->arguments) : json_null());
	json_object_set_new(object, "stops_after_m", number(published->stops_after_m));
	for (*next = first; *next < report->count && report->row[*next].task == row->task; ++*next)
		if (row->fact != FACT_COUNT)
			json_array_append_new(rows, row_json(&report->row[*next]));
	json_object_set_new(object, "rows", rows);
	json_object_set_new(object, "measured", measured_json(&row->result->measured));
	json_object_set_new(object, "error",
	                    row->result->failed ? json_string(row->result->error.text) : json_null());
	return object;
}

char *report_write_json(const struct report *report, const struct measure_options *options)
{
	json_t *root = json_object(), *tasks = json_array(), *summary = json_object();
	for (size_t i = 0; i < report->count;)
		json_array_append_new(tasks, task_json(report, i, &i));
	for (int i = 0; i < VERDICT_COUNT; i++)
		json_object_set_new(summary, verdict_names[i],
		                    json_integer((json_int_t)(report->verdicts[i] -
		                                              (i == VERDICT_OFF ? report->failed : 0))));
	json_object_set_new(summary, "failed", json_integer((json_int_t)report->failed));
	json_object_set_new(root, "format", json_string("sluice workload check"));
	json_object_set_new(root, "version", json_integer(JSON_VERSION));
	json_object_set_new(root, "size", json_string(workload_sizes[options->size]));
	json_object_set_new(root, "max_insns", json_integer((json_int_t)options->max_insns));
	json_object_set_new(root, "summary", summary);
	json_object_set_new(root, "checks", tasks);
	char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
	json_decref(root);
	if (!text)
		BUG("a report that JSON cannot hold");
	size_t length = strlen(text);
	text = memory_grow(text, length + 2, 1);
	memcpy(text + length, "\n", 2);
	return text;
}
