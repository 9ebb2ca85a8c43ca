/* The papers' baselines: what stands behind each name, on the machine that it is for. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

/* "a,b": the policies of a chain on a machine. */
static const char *parts_of(const char *text, const char *on)
{
	static char parts[1024];
	struct error err = {{0}};
	struct machine *machine = machine_load(on, &err);
	struct chain *chain = machine ? chain_new(text, machine, &err) : NULL;
	parts[0] = '\0';
	for (uint32_t i = 0; chain && i < chain->count; i++)
		snprintf(parts + strlen(parts), sizeof parts - strlen(parts), "%s%s", i ? "," : "",
		         chain->link[i].policy.name);
	if (!chain)
		snprintf(parts, sizeof parts, "%s", err.text);
	chain_free(chain);
	machine_free(machine);
	return parts;
}

TEST(every_paper_has_a_baseline_of_its_own)
{
	static const char *const row[][3] = {{"baseline-ciao", "gtx480-ciao", "gto"},
	                                     {"baseline-khairy", "gtx480-khairy", "gto"},
	                                     {"baseline-lcm", "gtx780-lcm", "gto"},
	                                     {"baseline-osm", "v100-osm", "gto"},
	                                     {"baseline-tian", "gcn-tian", "oldest,plru"},
	                                     {"baseline-tian,tian", "gcn-tian", "oldest,plru,tian"}};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		CHECK(!strcmp(parts_of(row[i][0], row[i][1]), row[i][2]));
}

/* Section 4.1: all caches. */
TEST(tians_machine_has_pseudo_lru_beyond_l1)
{
	struct bench b = bench_open((struct bench_setup){.machine = "gcn-tian", .policy = "baseline-tian"});
	CHECK(b.gpu->memory.slice[0].tags.plru);
	CHECK(b.gpu->memory.partition[0].l3.plru);
	bench_close(&b);
	b = bench_open((struct bench_setup){.machine = "v100-osm"});
	CHECK(!b.gpu->memory.slice[0].tags.plru);
	bench_close(&b);
}

/* 5.2: "the cache walk required when kernels complete"; a line of a cycle's tag access, all L1s at once. */
TEST(a_launch_ends_with_a_walk_through_l1)
{
	struct trace *trace = synth_vector_add(2, 2, 64, 4, 1);
	uint64_t cycles[3];
	static const char *const changes[] = {"launch.walk_line_cycles=0", NULL, "l1d.sets=64"};
	for (int i = 0; i < 3; i++)
		cycles[i] =
		    bench_once((struct bench_setup){.machine = "gcn-tian", .changes = changes[i]}, trace)
		        .value[COUNT_cycles];
	CHECK_EQ(cycles[1], cycles[0] + 256); /* 16 KB of 64 B */
	CHECK_EQ(cycles[2], cycles[0] + 512);
	trace_close(trace);
}

/* 4.3: as many CTAs as on Volta, and all of the array for L1. */
TEST(the_ideal_of_figure_9_has_96_and_128_kilobytes)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"ideal", 1, 16, 32, 40 * 1024, 0});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_load(0, 2, 3), synth_lanes(32), 1 << 20, 4);
	struct trace *trace = synth_finish(s);
	static const struct {
		const char *policy;
		uint32_t ctas, l1_lines;
	} row[] = {{"baseline-osm", 2, 32 * 8}, {"osm-96+128", 2, 128 * 8}};
	for (int i = 0; i < 2; i++) {
		struct bench b =
		    bench_open((struct bench_setup){.machine = "v100-osm", .policy = row[i].policy});
		bench_run(&b, trace, 0, true);
		CHECK_EQ(b.gpu->launch.cta_slots, row[i].ctas);
		CHECK_EQ(b.gpu->launch.l1_lines, row[i].l1_lines);
		bench_close(&b);
	}
	trace_close(trace);
	struct probe h = probe_open("osm-96+128");
	CHECK(h.policy->refuses(&h.env));
}

TEST_RUN_ALL(true)
