/*
 * All observers at once change no counter, on any machine, and see the same
 * whatever the number of threads.
 */
#include <jansson.h>

#include "lib/bench.h"
#include "lib/synth.h"
#include "run/look.h"
#include "test.h"

struct seen {
	struct counters counters;
	char *text; /* of the last launch */
};

/* A gpu with observers in its chain, or without. */
struct watched {
	struct machine *machine;
	struct chain *chain;
	struct look *look;
	struct gpu *gpu;
};

static struct watched watched_open(const char *machine, const char *policy, const char *looks,
                                   uint32_t threads)
{
	struct error err;
	struct watched w = {.machine = machine_load(machine, &err)};
	w.chain = w.machine ? chain_new(policy, w.machine, &err) : NULL;
	w.look = w.chain && looks ? look_new(looks, w.chain, &err) : NULL;
	w.gpu = w.chain && (w.look || !looks) ? gpu_new(w.machine, w.chain, threads, 0, &err) : NULL;
	if (!w.gpu) {
		printf("# %s, %s: %s\n", machine, policy, err.text);
		exit(1);
	}
	return w;
}

static void watched_close(struct watched *w)
{
	gpu_free(w->gpu);
	chain_free(w->chain);
	look_free(w->look);
	machine_free(w->machine);
}

static struct seen watched_run(struct watched *w, const struct trace *trace)
{
	struct error err;
	struct launch_result result;
	struct seen seen = {{{0}}, NULL};
	if (!gpu_run(w->gpu, trace, 0, &(struct launch_options){.flush_l2 = true}, &result, &err)) {
		printf("# %s, %s: %s\n", w->machine->name, w->chain->text, err.text);
		exit(1);
	}
	seen.counters = result.counters;
	if (w->look) {
		json_t *report = look_report(w->look, w->gpu, trace_kernel_at(trace, 0), &result);
		seen.text = json_dumps(report, JSON_COMPACT);
		json_decref(report);
	}
	free(result.pc_misses);
	free(result.profile);
	free(result.stats);
	free(result.report);
	return seen;
}

static struct seen run(const char *machine, const char *policy, const char *looks, uint32_t threads,
                       const struct trace *trace)
{
	struct watched w = watched_open(machine, policy, looks, threads);
	struct seen seen = watched_run(&w, trace);
	watched_close(&w);
	return seen;
}

/* All traces one after the other: what observers keep from launch to launch is the same, too. */
static bool changes_nothing(const char *machine, const char *policy)
{
	static const char looks[] = "all,series:period=100";
	struct watched none = watched_open(machine, policy, NULL, 1);
	struct watched one = watched_open(machine, policy, looks, 1),
	               three = watched_open(machine, policy, looks, 3);
	bool ok = true;
	for (unsigned i = 0; synth_cases[i].name; i++) {
		const struct trace *trace = synth_kept(i, none.machine->sm_warp_size);
		struct seen without = watched_run(&none, trace), by_one = watched_run(&one, trace);
		struct seen by_three = watched_run(&three, trace);
		char where[256];
		snprintf(where, sizeof where, "%s, %s, %s", machine, policy, synth_cases[i].name);
		ok &= bench_same(where, &by_one.counters, &without.counters);
		if (strcmp(by_one.text, by_three.text)) {
			printf("# %s: three threads see something else\n", where);
			ok = false;
		}
		free(by_one.text);
		free(by_three.text);
	}
	watched_close(&none);
	watched_close(&one);
	watched_close(&three);
	return ok;
}

TEST(observers_change_nothing_and_threads_do_not_matter)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= changes_nothing(*machine, "gto");
	CHECK(ok);
}

TEST(nor_beside_policies_that_bypass_and_reorder)
{
	CHECK(changes_nothing("gtx480-ciao", "gto,mrpb"));
	CHECK(changes_nothing("gtx480-khairy", "gto,bypass-all"));
	CHECK(changes_nothing("h200", "lrr,dbsa-l1"));
	CHECK(changes_nothing("gcn-tian", "tian"));
	CHECK(changes_nothing("gtx480-ciao", "ciao-c"));
	CHECK(changes_nothing("v100-osm", "osm"));
	CHECK(changes_nothing("v100-osm", "ucm"));
}

static uint64_t at(const json_t *object, const char *a, const char *b)
{
	const json_t *value = json_object_get(object, a);
	return (uint64_t)json_integer_value(b ? json_object_get(value, b) : value);
}

TEST(classes_failures_and_evictions_agree_with_the_counters)
{
	struct trace *trace = synth_row_walk(8, 4, 32, 4096, 8);
	struct seen seen = run("gtx480-ciao", "gto", "all", 1, trace);
	const uint64_t *c = seen.counters.value;
	json_t *root = json_loads(seen.text, 0, NULL);
	const json_t *locality = json_object_get(root, "locality"), *reuse = json_object_get(root, "reuse");
	const json_t *matrix = json_object_get(root, "matrix"), *failures = json_object_get(root, "failures");
	CHECK(c[COUNT_l1_evictions] > 0);
	CHECK_EQ(at(locality, "accesses", NULL), c[COUNT_l1_accesses]);
	CHECK_EQ(at(locality, "bounded", "miss"), c[COUNT_l1_misses]);
	CHECK_EQ(at(locality, "bounded", "intra_warp") + at(locality, "bounded", "intra_block") +
	             at(locality, "bounded", "intra_core"),
	         c[COUNT_l1_hits] + c[COUNT_l1_pending_hits]);
	CHECK_EQ(at(locality, "unbounded", "intra_warp") + at(locality, "unbounded", "intra_block") +
	             at(locality, "unbounded", "intra_core") + at(locality, "unbounded", "inter_core") +
	             at(locality, "unbounded", "inter_kernel") + at(locality, "unbounded", "cold"),
	         c[COUNT_l1_accesses]);
	CHECK_EQ(at(reuse, "evictions", NULL), c[COUNT_l1_evictions]);
	CHECK_EQ(at(matrix, "self_evictions", NULL) + at(matrix, "other_evictions", NULL),
	         c[COUNT_l1_evictions]);
	CHECK_EQ(at(failures, "cycles", "line_alloc"), c[COUNT_l1_fail_line_alloc]);
	json_decref(root);
	free(seen.text);
	trace_close(trace);
}

TEST(the_series_adds_up_to_the_launch)
{
	struct trace *trace = synth_vector_add(60, 4, 32, 4, 8);
	struct seen seen = run("gtx480-ciao", "gto", "series:period=100", 1, trace);
	json_t *root = json_loads(seen.text, 0, NULL);
	const json_t *series = json_object_get(root, "series"), *ipc = json_object_get(series, "ipc");
	const json_t *cycle = json_object_get(series, "cycle");
	const json_t *active = json_object_get(series, "active_warps");
	const json_t *reasons = json_object_get(series, "sms_by_reason"), *of_reason;
	const char *reason;
	double insns = 0, before = 0, issuing = 0, stalled = 0, all = 0, by_reason;
	for (size_t i = 0; i < json_array_size(ipc); i++) {
		double end = (double)json_integer_value(json_array_get(cycle, i));
		insns += json_real_value(json_array_get(ipc, i)) * (end - before);
		by_reason = 0;
		json_object_foreach((json_t *)(uintptr_t)reasons, reason, of_reason)
		{
			double sms = json_number_value(json_array_get(of_reason, i));
			by_reason += sms;
			if (strcmp(reason, "issue_cycles") && strcmp(reason, "stall_idle"))
				stalled += sms * (end - before);
			all += sms * (end - before);
		}
		CHECK(by_reason > 14.999 && by_reason < 15.001);
		before = end;
		issuing += json_real_value(json_array_get(active, i));
	}
	CHECK(json_array_size(ipc) > 3 && issuing > 0);
	CHECK_EQ((int64_t)(insns + 0.5), seen.counters.value[COUNT_warp_insns]);
	double waited = 0;
	for (int c = COUNT_stall_idle + 1; c <= COUNT_stall_policy_throttle; c++)
		waited += (double)seen.counters.value[c];
	CHECK(stalled > 0.97 * waited && stalled < 1.03 * waited && all > waited);
	json_decref(root);
	free(seen.text);
	trace_close(trace);
}

static uint64_t sum_of(const json_t *array)
{
	uint64_t sum = 0;
	const json_t *value;
	size_t i;
	json_array_foreach(array, i, value) sum += (uint64_t)json_integer_value(value);
	return sum;
}

/* Waits and issues of all instructions are the warps' residence, here to the cycle after their last instruction. */
TEST(instructions_channels_and_ctas_add_up_to_the_counters)
{
	struct trace *trace = synth_row_walk(8, 4, 32, 4096, 8);
	struct seen seen = run("gtx480-ciao", "gto", "all", 1, trace);
	const uint64_t *c = seen.counters.value;
	json_t *root = json_loads(seen.text, 0, NULL), *values;
	const json_t *insns = json_object_get(root, "instructions"),
	             *channels = json_object_get(json_object_get(root, "channels"), "counters"),
	             *ctas = json_object_get(root, "ctas");
	const char *name;
	uint64_t cycles =
	    sum_of(json_object_get(insns, "issued")) + sum_of(json_object_get(insns, "not_selected"));
	json_object_foreach(json_object_get(insns, "waited"), name, values) cycles += sum_of(values);
	CHECK(cycles <= c[COUNT_warp_cycles] + c[COUNT_warps] &&
	      cycles + 8 * c[COUNT_warps] >= c[COUNT_warp_cycles]);
	CHECK(sum_of(json_object_get(json_object_get(insns, "waited"), "stall_long_scoreboard")) >
	      cycles / 2);
	CHECK_EQ(sum_of(json_object_get(insns, "issued")), c[COUNT_warp_insns]);
	CHECK_EQ(sum_of(json_object_get(insns, "lanes")), c[COUNT_thread_insns]);
	CHECK_EQ(sum_of(json_object_get(insns, "sectors")),
	         c[COUNT_l1_load_sectors] + c[COUNT_l1_store_sectors]);
	CHECK_EQ(sum_of(json_object_get(insns, "requests")),
	         c[COUNT_l1_load_requests] + c[COUNT_l1_store_requests]);
	CHECK_EQ(sum_of(json_object_get(channels, "dram_read_bytes")), c[COUNT_dram_read_bytes]);
	CHECK_EQ(sum_of(json_object_get(channels, "l2_read_sectors")), c[COUNT_l2_read_sectors]);
	CHECK_EQ(json_array_size(json_object_get(ctas, "start")), c[COUNT_ctas]);
	uint64_t spans = (sum_of(json_object_get(ctas, "end")) - sum_of(json_object_get(ctas, "start"))) * 4;
	CHECK(spans >= c[COUNT_warp_cycles] && spans < c[COUNT_warp_cycles] / 10 * 11);
	json_decref(root);
	free(seen.text);
	trace_close(trace);
}

TEST(every_field_has_a_definition)
{
	struct error err;
	struct machine *m = machine_load("gtx480-ciao", &err);
	struct chain *chain = chain_new("gto", m, &err);
	struct look *look = look_new("all", chain, &err);
	struct trace *trace = synth_vector_add(2, 2, 32, 4, 2);
	struct seen seen = run("gtx480-ciao", "gto", "all", 1, trace);
	json_t *root = json_loads(seen.text, 0, NULL), *definitions = look_definitions(look), *fields, *value;
	const char *name, *field;
	CHECK_EQ(json_object_size(root), 12);
	json_object_foreach(root, name, fields) json_object_foreach(
	    fields, field, value) if (!json_object_get(json_object_get(definitions, name), field))
	{
		printf("# %s.%s\n", name, field);
		CHECK(false);
	}
	json_decref(root);
	json_decref(definitions);
	free(seen.text);
	trace_close(trace);
	chain_free(chain);
	look_free(look);
	machine_free(m);
}

TEST(nonsense_is_refused_by_name)
{
	static const char *const wrong[] = {
	    "",           "serie",        "series:period", "series:period=0", "series:period=x",
	    "matrix,zzz", "series:len=3", "failures:a=1",  "all,,bogus"};
	struct error err;
	struct machine *m = machine_load("gtx480-ciao", &err);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct chain *chain = chain_new("gto", m, &err);
		err.text[0] = 0;
		CHECK(!look_new(wrong[i], chain, &err));
		CHECK(strstr(err.text, "--look"));
		chain_free(chain);
	}
	machine_free(m);
}

TEST_RUN_ALL(true)
