/* The data of a page: series merged exactly, looks added up, lines with their source, names that stay text. */
#include "report/run_page.h"

#include <stdlib.h>

#include "base/error.h"
#include "scratch.h"
#include "test.h"

/* A launch of `periods` periods of 100 cycles whose values follow from `first`. */
static json_t *make_launch(int number, int periods, int first)
{
	json_t *series = json_object(), *launch = json_object();
	static const char *const names[] = {"cycle", "ipc", "l1_misses", "l1_accesses"};
	for (int n = 0; n < 4; n++) {
		json_t *values = json_array();
		for (int k = 0; k < periods; k++) {
			int value[] = {(k + 1) * 100, first + k, k, 2 * k + first};
			json_array_append_new(values, n == 1 ? json_real(value[n]) : json_integer(value[n]));
		}
		json_object_set_new(series, names[n], values);
	}
	json_object_set_new(series, "sampled_cycles", json_integer(100));
	json_object_set_new(series, "truncated", json_false());
	json_object_set_new(launch, "launch", json_integer(number));
	json_object_set_new(launch, "counters", json_pack("{s:i}", "cycles", periods * 100 + 7));
	json_object_set_new(launch, "look", json_pack("{s:o}", "series", series));
	return launch;
}

static double number_at(const json_t *series, const char *name, size_t k)
{
	return json_number_value(json_array_get(json_object_get(series, name), k));
}

TEST(short_series_are_shown_as_they_are_and_launches_follow_one_another)
{
	json_t *launches = json_pack("[o, o]", make_launch(1, 3, 5), make_launch(2, 2, 1));
	json_t *series = run_page_series(launches);
	CHECK_EQ(json_array_size(json_object_get(series, "end")), 5);
	CHECK_EQ(number_at(series, "end", 2), 300);
	CHECK_EQ(number_at(series, "start", 3), 307); /* the first launch took 307 cycles */
	CHECK_EQ(number_at(series, "end", 4), 507);
	CHECK_EQ(number_at(series, "ipc", 1), 6);
	CHECK_EQ(number_at(series, "l1_miss_rate", 1), 100.0 * 1 / 7);
	CHECK_EQ(json_integer_value(json_object_get(series, "cycles")), 514);
	json_decref(series);
	json_decref(launches);
}

/* Sum of value x weight. */
static double sum_of(const json_t *series, const char *name, const char *weight)
{
	double sum = 0;
	for (size_t k = 0; k < json_array_size(json_object_get(series, "end")); k++)
		sum += number_at(series, name, k) *
		       (weight ? number_at(series, weight, k)
		               : number_at(series, "end", k) - number_at(series, "start", k));
	return sum;
}

TEST(long_series_are_merged_without_losing_anything)
{
	enum { PERIODS = 7000 };
	json_t *launches = json_pack("[o]", make_launch(1, PERIODS, 2)), *series = run_page_series(launches);
	size_t points = json_array_size(json_object_get(series, "end"));
	CHECK(points > 500 && points <= 1001);
	double instructions = 0, misses = 0;
	for (int k = 0; k < PERIODS; k++) {
		instructions += 100.0 * (2 + k);
		misses += k;
	}
	CHECK_EQ((uint64_t)sum_of(series, "ipc", NULL), (uint64_t)instructions);
	CHECK_EQ((uint64_t)(sum_of(series, "l1_miss_rate", "l1_accesses") / 100 + 0.5), (uint64_t)misses);
	json_decref(series);
	json_decref(launches);
}

TEST(launches_too_short_to_be_seen_share_a_point)
{
	json_t *launches = json_array();
	for (int i = 0; i < 5000; i++)
		json_array_append_new(launches, make_launch(i, 1, 3));
	json_t *series = run_page_series(launches);
	CHECK(json_array_size(json_object_get(series, "end")) <= 1001);
	CHECK_EQ(number_at(series, "ipc", 3), 3);
	json_decref(series);
	json_decref(launches);
}

TEST(reasons_and_ctas_of_launches_follow_one_another)
{
	json_t *launches = json_array();
	for (int i = 0; i < 2; i++) {
		json_t *launch = make_launch(i, 2, 3),
		       *series = json_object_get(json_object_get(launch, "look"), "series");
		json_object_set_new(
		    series, "sms_by_reason",
		    json_pack("{s:[f, f], s:[f, f]}", "issue_cycles", 1.0 + i, 3.0, "stall_idle", 0.0, 0.0));
		json_object_set_new(series, "period_cycles", json_integer(100));
		json_object_set_new(series, "ctas_by_sm",
		                    json_pack("{s:i, s:[[i, i], []]}", "periods", 1, "resident", 4 + i, 2));
		json_object_set_new(json_object_get(launch, "counters"), "issue_cycles", json_integer(9));
		json_array_append_new(launches, launch);
	}
	json_t *series = run_page_series(launches), *reasons = json_object_get(series, "sms_by_reason");
	CHECK_EQ(json_object_size(reasons), 1); /* what no SM did is left out */
	CHECK_EQ(number_at(reasons, "issue_cycles", 0), 1);
	CHECK_EQ(number_at(reasons, "issue_cycles", 1), 3);
	CHECK_EQ(number_at(reasons, "issue_cycles", 2), 2);
	const json_t *ctas = json_object_get(series, "ctas_by_sm"), *sms = json_object_get(ctas, "sms"),
	             *first = json_array_get(sms, 0);
	size_t columns = (size_t)json_integer_value(json_object_get(ctas, "columns"));
	CHECK_EQ(json_array_size(sms), 2);
	CHECK_EQ(json_array_size(first), columns);
	CHECK_EQ(json_integer_value(json_array_get(first, 0)), 4);
	CHECK_EQ(json_integer_value(json_array_get(first, columns / 2 - 10)), 2);
	CHECK_EQ(json_integer_value(json_array_get(first, columns / 2 + 2)), 5);
	json_decref(series);
	json_decref(launches);
}

TEST(a_run_without_observers_has_no_series)
{
	json_t *launches = json_pack("[{s:{s:i}}]", "counters", "cycles", 5),
	       *series = run_page_series(launches);
	CHECK(json_is_null(series));
	json_decref(series);
	json_decref(launches);
}

TEST(numbers_of_launches_are_added_up)
{
	json_t *sum = json_object();
	json_t *one = json_pack("{s:i, s:[[i, i], [i]], s:b}", "a", 2, "m", 1, 2, 3, "t", 0),
	       *two = json_pack("{s:i, s:[[i, i], [i, i]], s:b}", "a", 5, "m", 10, 20, 30, 40, "t", 1);
	run_page_add(sum, one);
	run_page_add(sum, two);
	char *text = json_dumps(sum, JSON_COMPACT);
	CHECK(!strcmp(text, "{\"a\":7,\"m\":[[11,22],[33,40]],\"t\":true}"));
	CHECK_EQ(json_integer_value(json_object_get(one, "a")), 2);
	free(text);
	json_decref(sum);
	json_decref(one);
	json_decref(two);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

static json_t *launch_with_misses(void)
{
	return json_pack("{s:{s:s}, s:[{s:s, s:s, s:i, s:i}, {s:s, s:s, s:i, s:i}, {s:s, s:s, s:i}]}",
	                 "kernel", "name", "k", "top_pcs", "pc", "0x0010", "opcode", "LDG",
	                 "l1_missed_sectors", 5, "source_line", 2, "pc", "0x0030", "opcode", "LDG.64",
	                 "l1_missed_sectors", 4, "source_line", 2, "pc", "0x0050", "opcode", "LD",
	                 "l1_missed_sectors", 9);
}

/* Two instructions of line 2 and one without a line. */
static json_t *launch_with_instructions(void)
{
	json_t *look =
	    json_pack("{s:[s, s, s], s:[s, s, s], s:[i, i, i], s:[i, i, i], s:[i, i, i], s:[i, i, i]}", "pc",
	              "0x0010", "0x0020", "0x0030", "opcode", "LDG", "FADD", "EXIT", "source_line", 2, 2, 0,
	              "issued", 5, 5, 5, "not_selected", 1, 0, 2, "l1_missed_sectors", 7, 0, 0);
	json_object_set_new(look, "waited",
	                    json_pack("{s:[i, i, i], s:[i, i, i]}", "stall_barrier", 0, 0, 0,
	                              "stall_long_scoreboard", 0, 90, 0));
	return json_pack("{s:{s:s}, s:{s:o}}", "kernel", "name", "k", "look", "instructions", look);
}

TEST(costs_of_instructions_are_summed_by_line_and_launch)
{
	struct sources *sources =
	    sources_open(scratch_write("report", "launches=1\nsource=0\tk\t/nowhere/a.cu\n"));
	json_t *launches = json_pack("[o, o]", launch_with_instructions(), launch_with_instructions()),
	       *files = json_array(), *lines = run_page_lines(launches, sources, files);
	const json_t *rows = json_object_get(lines, "rows"), *hot = json_array_get(rows, 0),
	             *insns = json_object_get(lines, "instructions"), *add = json_array_get(insns, 1);
	CHECK_EQ(json_array_size(rows), 2);
	CHECK_EQ(json_integer_value(json_object_get(hot, "line")), 2);
	CHECK_EQ(json_integer_value(json_object_get(hot, "issued")), 20);
	CHECK_EQ(json_integer_value(json_object_get(hot, "stalls")), 182);
	CHECK_EQ(json_integer_value(json_object_get(hot, "misses")), 14);
	CHECK_EQ(json_object_size(json_object_get(hot, "reasons")), 2);
	CHECK_EQ(json_integer_value(json_object_get(lines, "stalls")), 186);
	CHECK_EQ(json_array_size(insns), 3);
	CHECK(!strcmp(json_string_value(json_object_get(add, "opcode")), "FADD"));
	CHECK_EQ(json_integer_value(json_object_get(add, "stalls")), 180);
	CHECK_EQ(json_integer_value(json_object_get(add, "place")), 0);
	CHECK_EQ(json_integer_value(json_object_get(json_array_get(insns, 2), "place")), 1);
	json_decref(lines);
	json_decref(files);
	json_decref(launches);
	sources_free(sources);
}

TEST(misses_belong_to_lines_of_files_and_come_with_their_source)
{
	char text[1024];
	const char *code = scratch_write("a.cu", "first\nhot </script>\nthird\n4\n5\n6\nfar\n");
	/* From PC 0x30 on, the code belongs to a header that is missing. */
	snprintf(text, sizeof text,
	         "launches=1\nsource=0\tk\t%s\nsource=48\tk\t/nowhere/h.h\nsource=80\tk\t\nsource=junk\n",
	         code);
	struct sources *sources = sources_open(scratch_write("report", text));
	CHECK(!strcmp(sources_find(sources, "k", 0x10), code));
	CHECK(!strcmp(sources_find(sources, "k", 0x40), "/nowhere/h.h"));
	CHECK(!sources_find(sources, "k", 80));
	CHECK(!sources_find(sources, "other", 0));
	json_t *launches = json_pack("[o, o]", launch_with_misses(), launch_with_misses()),
	       *files = json_array();
	json_t *lines = run_page_lines(launches, sources, files), *rows = json_object_get(lines, "rows");
	CHECK_EQ(json_integer_value(json_object_get(lines, "total")), 36);
	CHECK_EQ(json_array_size(rows), 3);
	CHECK(json_is_null(json_object_get(json_array_get(rows, 0), "file"))); /* no line: by its PC */
	CHECK_EQ(json_integer_value(json_object_get(json_array_get(rows, 1), "misses")), 10);
	CHECK_EQ(json_integer_value(json_object_get(json_array_get(rows, 2), "misses")), 8);
	json_t *runs = json_pack("[{s:o}]", "lines", lines), *excerpts = run_page_excerpts(runs, files, NULL);
	const json_t *own = json_array_get(excerpts, 0), *missing = json_array_get(excerpts, 1);
	CHECK(!strcmp(json_string_value(json_object_get(own, "name")), "a.cu"));
	CHECK_EQ(json_array_size(json_object_get(own, "lines")), 6); /* 1 to 2 + 4 */
	CHECK(json_is_false(json_object_get(missing, "readable")));
	CHECK_EQ(json_array_size(json_object_get(missing, "lines")), 0);
	json_decref(excerpts);
	json_decref(runs);
	json_decref(files);
	json_decref(launches);
	sources_free(sources);
}

TEST(nothing_in_the_data_can_end_the_script_and_bytes_repeat)
{
	struct error err;
	struct machine *machine = machine_load("gtx480-ciao", &err);
	json_t *launches = json_pack("[o]", launch_with_misses());
	json_object_set_new(json_object_get(json_array_get(launches, 0), "kernel"), "name",
	                    json_string("</script><script>hacked=1</script><!--"));
	json_t *result = json_pack("{s:s, s:{s:{s:i}}, s:o}", "status", "done", "total", "counters", "cycles",
	                           1, "launches", launches);
	char *text[2];
	for (int i = 0; i < 2; i++) {
		struct run_page_run run = {.label = "@run.js@</script>", .chain = "gto", .result = result};
		struct run_page page = {.format = "sluice run",
		                        .machine = machine,
		                        .facts = json_object(),
		                        .definitions = json_object(),
		                        .run = &run,
		                        .count = 1};
		text[i] = run_page_write(&page);
	}
	CHECK(!strcmp(text[0], text[1]));
	int ends = 0;
	for (const char *at = text[0]; (at = strstr(at, "</script>")); at++)
		ends++;
	CHECK_EQ(ends, 2);
	CHECK(!strstr(text[0], "<script>hacked") && strstr(text[0], "hacked=1"));
	CHECK(strstr(text[0], "@run.js@\\u003c/script")); /* a marker in the data is data */
	CHECK(!strstr(text[0], "@base.css@") && !strstr(text[0], "@data@"));
	free(text[0]);
	free(text[1]);
	json_decref(result);
	machine_free(machine);
}

TEST_RUN_ALL(true)
