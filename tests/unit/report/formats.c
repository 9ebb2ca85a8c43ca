/* Formats of other tools: their columns, events and lines, from a run of two launches. */
#include "report/formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "test.h"

static struct trace_kernel kernel = {.name = "walk<int, 3>", .grid = {4, 2, 1}, .block = {64, 1, 1}};

static struct run_launch make_launch(unsigned index)
{
	struct run_launch launch = {.index = index, .kernel = &kernel};
	uint64_t *c = launch.result.counters.value;
	c[COUNT_cycles] = 1000;
	c[COUNT_warp_insns] = 50;
	c[COUNT_thread_insns] = 1600;
	c[COUNT_l1_accesses] = 30;
	c[COUNT_l1_stores] = 10;
	c[COUNT_l1_misses] = 20;
	launch.look = json_pack("{s:{s:[i], s:[i], s:[i], s:[i]}, s:{s:[i, i], s:[f, f], s:{s:[f, f]}}}",
	                        "ctas", "sm", 3, "slot", 1, "start", 200, "end", 700, "series", "cycle", 500,
	                        1000, "ipc", 0.5, 0.25, "sms_by_reason", "issue_cycles", 2.0, 1.0);
	return launch;
}

static struct machine *machine;
static struct run_launch launches[2];

static struct run_result make_result(void)
{
	struct error err;
	machine = machine_load("h200", &err);
	for (unsigned i = 0; i < 2; i++)
		launches[i] = make_launch(i);
	return (struct run_result){.launch = launches, .count = 2};
}

static void free_result(char *text)
{
	free(text);
	for (int i = 0; i < 2; i++)
		json_decref(launches[i].look);
	machine_free(machine);
}

static size_t count_of(const char *text, char wanted)
{
	size_t count = 0;
	for (; *text; text++)
		count += *text == wanted;
	return count;
}

TEST(csv_has_a_row_per_launch_and_nsight_computes_names_if_asked)
{
	struct run_result result = make_result();
	char *plain = format_csv(machine, &result, false), *nsight = format_csv(machine, &result, true);
	CHECK(!strncmp(plain, "launch,kernel,status,grid,block,cycles,", 39));
	CHECK(strstr(plain, "\n2,\"walk<int, 3>\",done,4x2x1,64x1x1,1000,"));
	CHECK_EQ(count_of(plain, '\n'), 3);
	CHECK(!strncmp(nsight, "ID,Kernel Name,Block Size,Grid Size,sm__cycles_elapsed.max,", 59));
	CHECK(strstr(nsight, "\n1,\"walk<int, 3>\",\"(64, 1, 1)\",\"(4, 2, 1)\",1000,"));
	CHECK(!strstr(nsight, "l1_fail") && strstr(nsight, "smsp__inst_executed.sum"));
	free(nsight);
	free_result(plain);
}

TEST(trace_events_are_json_and_launches_follow_one_another)
{
	struct run_result result = make_result();
	char *text = format_perfetto(machine, &result);
	json_t *root = json_loads(text, 0, NULL), *event;
	double last = 0, ctas = 0, counters = 0;
	size_t i;
	json_array_foreach(json_object_get(root, "traceEvents"), i, event)
	{
		const char *phase = json_string_value(json_object_get(event, "ph")),
		           *name = json_string_value(json_object_get(event, "name"));
		CHECK(json_is_number(json_object_get(event, "ts")) &&
		      json_is_integer(json_object_get(event, "pid")));
		if (!strcmp(name, "CTA")) {
			last = json_number_value(json_object_get(event, "ts"));
			ctas++;
			CHECK_EQ(json_integer_value(json_object_get(event, "pid")), 5);
		}
		counters += !strcmp(phase, "C") && !strcmp(name, "ipc");
	}
	CHECK_EQ(ctas, 2);
	CHECK_EQ(counters, 4);
	CHECK(last > 1200 / 1980.0 - 0.001 && last < 1200 / 1980.0 + 0.001);
	json_decref(root);
	free_result(text);
}

TEST(statistics_have_the_lines_of_gpgpu_sim)
{
	struct run_result result = make_result();
	char *text = format_stats(machine, &result);
	static const char *const lines[] = {"kernel_name = walk<int, 3> \n",
	                                    "kernel_launch_uid = 2 \n",
	                                    "gpu_sim_cycle = 1000\n",
	                                    "gpu_sim_insn = 1600\n",
	                                    "gpu_ipc =       1.6000\n",
	                                    "gpu_tot_sim_cycle = 2000\n",
	                                    "\tL1D_total_cache_accesses = 80\n",
	                                    "\tL1D_total_cache_miss_rate = 0.5000\n"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		CHECK(strstr(text, lines[i]));
	free_result(text);
}

TEST_RUN_ALL(true)
