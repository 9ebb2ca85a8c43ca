/* The JSON of a run and of a validation: shape, definitions, values. */
#include "report/run_json.h"

#include <math.h>

#include "base/memory.h"
#include "report/page.h"
#include "study/validate/report.h"
#include "test.h"

static struct config config;
static struct error err;

/* A run of one launch whose counters are their own positions. */
static struct trace_insn insns[] = {{.pc = 0x10, .opcode = 0}, {.pc = 0x20, .opcode = 4, .source_line = 7}};
static struct trace_kernel kernel = {.name = "bad \xff name </script>",
                                     .id = 5,
                                     .grid = {4, 2, 1},
                                     .block = {64, 1, 1},
                                     .cta_count = 8,
                                     .insn_count = 2,
                                     .insns = insns,
                                     .strings = "LDG\0LDG.E.64"};

static struct run_result make_result(struct run_launch *launch)
{
	*launch = (struct run_launch){.index = 2, .number = 3, .kernel = &kernel};
	launch->result.pc_misses = memory_zeroed(2, sizeof(uint64_t));
	launch->result.pc_misses[0] = 3;
	launch->result.pc_misses[1] = 9;
	for (int i = 0; i < COUNTER_COUNT; i++)
		launch->result.counters.value[i] = (uint64_t)i;
	struct run_result result = {.launch = launch, .count = 1, .status = LAUNCH_DONE};
	counters_add(&result.total, &launch->result.counters);
	return result;
}

static json_t *write_and_read(const struct run_result *result)
{
	struct run_options options = {.cold_l2 = true, .threads = 3};
	const char *changes[] = {"l1d.ways=2"};
	struct run_facts facts = {
	    .trace_name = "t", .config = &config, .options = &options, .changes = changes, .change_count = 1};
	char *text = json_write_run(&facts, result);
	json_t *root =
	    text[strlen(text) - 1] == '\n' && !strstr(text, "threads\"") ? json_loads(text, 0, NULL) : NULL;
	free(text);
	return root;
}

static long long integer_at(json_t *root, const char *group, const char *name)
{
	return json_integer_value(json_object_get(json_object_get(root, group), name));
}

TEST(every_counter_has_value_unit_definition_and_nsight_compute_name)
{
	struct run_launch launch;
	struct run_result result = make_result(&launch);
	json_t *root = write_and_read(&result), *total = json_object_get(root, "total");
	json_t *first = json_array_get(json_object_get(root, "launches"), 0);
	json_t *definitions = json_object_get(json_object_get(root, "definitions"), "counters");
	CHECK(root);
	for (int i = 0; i < COUNTER_COUNT; i++) {
		const struct counter_info *info = &counter_infos[i];
		json_t *definition = json_object_get(definitions, info->name);
		const char *ncu = json_string_value(json_object_get(definition, "nsight_compute"));
		CHECK_EQ(integer_at(first, "counters", info->name), i);
		CHECK_EQ(integer_at(total, "counters", info->name), i);
		CHECK(!strcmp(json_string_value(json_object_get(definition, "unit")), info->unit));
		CHECK(!strcmp(json_string_value(json_object_get(definition, "definition")), info->doc));
		CHECK(*info->ncu ? ncu && !strcmp(ncu, info->ncu) : !ncu);
	}
	json_decref(root);
	free(launch.result.pc_misses);
}

TEST(a_launch_tells_its_kernel_status_metrics_and_top_pcs)
{
	struct run_launch launch;
	struct run_result result = make_result(&launch);
	json_t *root = write_and_read(&result), *first = json_array_get(json_object_get(root, "launches"), 0);
	json_t *facts = json_object_get(first, "kernel"), *top = json_object_get(first, "top_pcs");
	CHECK_EQ(json_integer_value(json_object_get(first, "launch")), 3);
	CHECK(!strcmp(json_string_value(json_object_get(first, "status")), "done"));
	CHECK(!strcmp(json_string_value(json_object_get(facts, "name")), "bad ? name </script>"));
	CHECK_EQ(json_integer_value(json_array_get(json_object_get(facts, "grid"), 1)), 2);
	CHECK_EQ(json_array_size(top), 2);
	CHECK(!strcmp(json_string_value(json_object_get(json_array_get(top, 0), "pc")), "0x0020"));
	CHECK_EQ(json_integer_value(json_object_get(json_array_get(top, 0), "source_line")), 7);
	CHECK(json_is_real(json_object_get(json_object_get(first, "metrics"), "ipc")) ||
	      json_is_null(json_object_get(json_object_get(first, "metrics"), "ipc")));
	json_decref(root);
	free(launch.result.pc_misses);
}

TEST(a_run_tells_machine_policy_and_changes_but_not_the_host)
{
	struct run_launch launch;
	struct run_result result = make_result(&launch);
	json_t *root = write_and_read(&result), *run = json_object_get(root, "run");
	CHECK(!strcmp(json_string_value(json_object_get(run, "machine")), "h200"));
	CHECK(!strcmp(json_string_value(json_object_get(run, "policy")), config.chain->text));
	CHECK(!strcmp(json_string_value(json_array_get(json_object_get(run, "machine_changes"), 0)),
	              "l1d.ways=2"));
	CHECK(json_is_true(json_object_get(run, "cold_l2")));
	CHECK(json_is_null(json_object_get(run, "max_insns")));
	json_decref(root);
	free(launch.result.pc_misses);
}

TEST(a_rate_of_nothing_is_null)
{
	struct counters none = {{0}};
	json_t *metrics = json_metrics(&none, config.machine);
	CHECK(json_is_null(json_object_get(metrics, "l1_load_hit_rate")));
	CHECK_EQ(json_object_size(metrics), METRIC_COUNT);
	json_decref(metrics);
}

TEST(a_deadlocked_launch_keeps_its_report)
{
	struct run_launch launch;
	struct run_result result = make_result(&launch);
	launch.result.status = result.status = LAUNCH_DEADLOCKED;
	launch.result.report = memory_text("no progress");
	json_t *root = write_and_read(&result), *first = json_array_get(json_object_get(root, "launches"), 0);
	CHECK(!strcmp(json_string_value(json_object_get(root, "status")), "deadlocked"));
	CHECK(!strcmp(json_string_value(json_object_get(first, "report")), "no progress"));
	json_decref(root);
	free(launch.result.report);
	free(launch.result.pc_misses);
}

/* One launch, one counter, one row. */
static char *write_validation(void)
{
	static struct program program = {.name = "p"};
	struct validate_launch launch = {
	    .kernel = "k</script>", .compared = true, .status = LAUNCH_DONE, .sim = {90}, .hw = {100}};
	struct validation v = {
	    .programs = {&program, 1}, .measures = 1, .launch = &launch, .launches = 1, .compared = 1};
	v.measure[0] = (struct measure){.info = &counter_infos[COUNT_cycles],
	                                .kind = MEASURE_PERCENT,
	                                .counter = COUNT_cycles,
	                                .metric = -1};
	struct validate_facts facts = {.config = &config};
	return json_write_validation(&facts, &v);
}

TEST(a_validation_holds_both_sides_and_the_error)
{
	char *text = write_validation();
	json_t *root = json_loads(text, 0, NULL),
	       *launch = json_array_get(json_object_get(root, "launches"), 0);
	json_t *cycles = json_object_get(json_object_get(launch, "comparison"), "cycles");
	json_t *row = json_array_get(json_object_get(json_object_get(root, "summary"), "applications"), 0);
	CHECK_EQ(json_integer_value(json_object_get(cycles, "simulated")), 90);
	CHECK_EQ(json_integer_value(json_object_get(cycles, "hardware")), 100);
	CHECK(fabs(json_real_value(json_object_get(cycles, "error")) + 10) < 1e-9);
	CHECK_EQ(json_integer_value(json_object_get(row, "launches")), 1);
	CHECK(fabs(json_real_value(json_object_get(row, "mean_absolute_error")) - 10) < 1e-9);
	CHECK(json_is_null(json_object_get(row, "pearson")));
	json_decref(root);
	free(text);
}

TEST(data_cannot_end_the_pages_script)
{
	char *json = write_validation(), *page = page_write(PAGE_VALIDATE, json);
	CHECK(!strstr(page, "k</script>") && strstr(page, "k\\u003c/script>"));
	free(page);
	free(json);
}

int main(void)
{
	static const struct test_case cases[] = {
	    TEST_ENTRY(every_counter_has_value_unit_definition_and_nsight_compute_name)
	        TEST_ENTRY(a_launch_tells_its_kernel_status_metrics_and_top_pcs)
	            TEST_ENTRY(a_run_tells_machine_policy_and_changes_but_not_the_host)
	                TEST_ENTRY(a_rate_of_nothing_is_null) TEST_ENTRY(a_deadlocked_launch_keeps_its_report)
	                    TEST_ENTRY(a_validation_holds_both_sides_and_the_error)
	                        TEST_ENTRY(data_cannot_end_the_pages_script)};
	if (!config_load(&config, "h200", "gto", NULL, 0, &err)) {
		printf("not ok - %s\n", err.text);
		return 1;
	}
	int rc = test_run(cases, sizeof cases / sizeof *cases, NULL);
	config_free(&config);
	return rc;
}
