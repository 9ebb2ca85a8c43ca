/* What a check of workloads reports: a row per published characteristic, notes, sums, JSON. */
#include <jansson.h>
#include <math.h>

#include "study/workload/report.h"
#include "test.h"

/* A workload of two papers; CIAO publishes a class and numbers, OSM a class that no trace was measured for. */
static struct workload_published rows[2];
static struct workload workload = {.name = (char[]){"one"}, .published = rows, .published_count = 2};
static struct workloads all = {.list = &workload, .count = 1};
static struct measure_task tasks[2];
static struct measure_result results[2];
static char class[] = "CI", osm_class[] = "3", why[] = "it is so", as[] = "ONE", arguments[] = "--n 3";
static const struct measure_options options = {
    .size = WORKLOAD_TINY, .max_insns = 2000000, .facts = UINT32_MAX};

static void make(void)
{
	for (int i = 0; i < 2; i++) {
		rows[i] = (struct workload_published){.as = as, .stops_after_m = NAN};
		for (int k = 0; k < FACT_COUNT; k++)
			rows[i].value[k] = NAN;
		tasks[i] =
		    (struct measure_task){.workloads = &all, .workload = &workload, .published = &rows[i]};
		results[i] = (struct measure_result){0};
		measured_clear(&results[i].measured);
	}
	rows[0].paper = PAPER_CIAO;
	rows[0].class = class;
	rows[0].arguments = arguments;
	rows[0].value[FACT_APKI] = 10;
	rows[0].value[FACT_N_WARP] = 8;
	rows[0].reason[FACT_N_WARP] = why;
	rows[0].value[FACT_BARRIERS] = 1;
	rows[0].value[FACT_F_SMEM_PERCENT] = 0;
	rows[1].paper = PAPER_OSM;
	rows[1].class = osm_class;
	rows[1].value[FACT_FOOTPRINT_KB] = 1200;
	struct workload_measured *m = &results[0].measured;
	m->value[FACT_APKI] = 10.5;
	m->value[FACT_N_WARP] = 48;
	m->value[FACT_BARRIERS] = 0;
	m->value[FACT_F_SMEM_PERCENT] = 0;
	m->insns = 100;
	m->simulated_insns = 60;
	m->run[RULE_GTO].ipc = 1;
	m->swl_ipc[4] = 0.5;
	results[1].failed = true;
	error_set(&results[1].error, "it does not compile");
}

static char *print(const struct report *report, const struct measure_options *how)
{
	char *text = NULL;
	size_t bytes;
	FILE *file = open_memstream(&text, &bytes);
	report_print(file, report, how);
	fclose(file);
	return text;
}

static bool has(const char *text, const char *words)
{
	bool ok = strstr(text, words);
	if (!ok)
		printf("# '%s' is not in:\n%s", words, text);
	return ok;
}

TEST(every_characteristic_has_a_row_and_what_is_explained_a_note)
{
	make();
	struct report report = report_make(tasks, results, 2, &options);
	CHECK_EQ(report.count, 6);
	CHECK_EQ(report.failed, 1);
	CHECK_EQ(report.truncated, 1);
	CHECK(!strcmp(report.row[0].published, "CI") && report.row[0].fact == FACT_CLASS &&
	      isnan(report.row[0].ratio));
	CHECK(!strcmp(report.row[1].measured, "10.5") && report.row[1].ratio == 1.05);
	char *text = print(&report, &options);
	CHECK(has(text, "one       ciao   apki") && has(text, "yes") && has(text, "failed"));
	CHECK(has(text, "\none, ciao, n_warp: it is so\n") && has(text, "\none, osm: it does not compile\n"));
	CHECK(has(text, "5 characteristics at --size tiny: ") && has(text, "; 1 rows of papers failed\n"));
	CHECK(has(text, "1 were simulated up to their first 2"));
	free(text);
	report_free(&report);
}

TEST(without_failures_and_limits_the_report_says_less)
{
	make();
	results[1].failed = false;
	results[1].measured.value[FACT_FOOTPRINT_KB] = 1300.4;
	results[0].measured.simulated_insns = NAN;
	const struct measure_options fewer = {
	    .size = WORKLOAD_PAPER, .max_insns = 5, .facts = 1u << FACT_FOOTPRINT_KB | 1u << FACT_CLASS};
	struct report report = report_make(tasks, results, 2, &fewer);
	CHECK_EQ(report.count, 3);
	char *text = print(&report, &fewer);
	CHECK(has(text, "1300") && has(text, "3 characteristics at --size paper: "));
	CHECK(!strstr(text, "failed") && !strstr(text, "simulated up to"));
	free(text);
	report_free(&report);
}

TEST(json_has_what_was_measured_and_null_for_the_rest)
{
	make();
	struct report report = report_make(tasks, results, 2, &options);
	char *text = report_write_json(&report, &options);
	json_t *root = json_loads(text, 0, NULL);
	CHECK(root && text[strlen(text) - 1] == '\n');
	json_t *checks = json_object_get(root, "checks"), *ciao = json_array_get(checks, 0),
	       *osm = json_array_get(checks, 1);
	CHECK_EQ(json_array_size(checks), 2);
	CHECK_EQ(json_array_size(json_object_get(ciao, "rows")), 5);
	CHECK_EQ(json_array_size(json_object_get(osm, "rows")), 0);
	CHECK(json_is_null(json_object_get(ciao, "error")) &&
	      !strcmp(json_string_value(json_object_get(osm, "error")), "it does not compile"));
	CHECK(!strcmp(json_string_value(json_object_get(ciao, "arguments")), "--n 3") &&
	      json_is_null(json_object_get(osm, "arguments")) &&
	      json_is_null(json_object_get(osm, "stops_after_m")));
	json_t *curve = json_object_get(json_object_get(ciao, "measured"), "swl_ipc");
	CHECK(json_object_size(curve) == 1 && json_real_value(json_object_get(curve, "4")) == 0.5);
	CHECK_EQ(json_integer_value(json_object_get(json_object_get(root, "summary"), "failed")), 1);
	json_decref(root);
	free(text);
	report_free(&report);
}

TEST_RUN_ALL(true)
