/*
 * All observers at once change no counter, on any machine, and see the same
 * whatever the number of threads.
 */
#include <jansson.h>

#include "lab/look.h"
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

struct seen {
	struct counters counters;
	char *text; /* of the last launch */
};

static struct seen run(const char *machine, const char *policy, const char *looks, uint32_t threads,
                       const struct trace *trace)
{
	struct error err;
	struct machine *m = machine_load(machine, &err);
	struct chain *chain = m ? chain_new(policy, m, &err) : NULL;
	struct look *look = chain && looks ? look_new(looks, chain, &err) : NULL;
	struct gpu *gpu = chain && (look || !looks) ? gpu_new(m, chain, threads, 0, &err) : NULL;
	struct launch_result result;
	struct seen seen = {{{0}}, NULL};
	if (!gpu || !gpu_run(gpu, trace, 0, &(struct launch_options){.flush_l2 = true}, &result, &err)) {
		printf("# %s, %s: %s\n", machine, policy, err.text);
		exit(1);
	}
	seen.counters = result.counters;
	if (look) {
		json_t *report = look_report(look, gpu, &result);
		seen.text = json_dumps(report, JSON_COMPACT);
		json_decref(report);
	}
	free(result.pc_misses);
	free(result.stats);
	free(result.report);
	gpu_free(gpu);
	chain_free(chain);
	look_free(look);
	machine_free(m);
	return seen;
}

static bool changes_nothing(const char *machine, const char *policy)
{
	bool ok = true;
	for (unsigned i = 0; synth_cases[i].name; i++) {
		const struct trace *trace = synth_kept(i, strcmp(machine, "gcn-tian") ? 32 : 64);
		struct seen none = run(machine, policy, NULL, 1, trace);
		struct seen one = run(machine, policy, "all,series:period=100", 1, trace);
		struct seen three = run(machine, policy, "all,series:period=100", 3, trace);
		char where[256];
		snprintf(where, sizeof where, "%s, %s, %s", machine, policy, synth_cases[i].name);
		ok &= bench_same(where, &one.counters, &none.counters);
		if (strcmp(one.text, three.text)) {
			printf("# %s: three threads see something else\n", where);
			ok = false;
		}
		free(one.text);
		free(three.text);
	}
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
	double insns = 0, before = 0;
	for (size_t i = 0; i < json_array_size(ipc); i++) {
		double end = (double)json_integer_value(json_array_get(cycle, i));
		insns += json_real_value(json_array_get(ipc, i)) * (end - before);
		before = end;
	}
	CHECK(json_array_size(ipc) > 3);
	CHECK_EQ((int64_t)(insns + 0.5), seen.counters.value[COUNT_warp_insns]);
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
	CHECK_EQ(json_object_size(root), 7);
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

TEST_MAIN(TEST_ENTRY(observers_change_nothing_and_threads_do_not_matter)
              TEST_ENTRY(nor_beside_policies_that_bypass_and_reorder)
                  TEST_ENTRY(classes_failures_and_evictions_agree_with_the_counters)
                      TEST_ENTRY(the_series_adds_up_to_the_launch) TEST_ENTRY(every_field_has_a_definition)
                          TEST_ENTRY(nonsense_is_refused_by_name))
