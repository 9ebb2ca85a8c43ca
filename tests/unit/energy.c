/* Energy: events times coefficients, static power times time, and Tian's relative energy of L1. */
#include "stats/energy.h"

#include <math.h>

#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static bool near(double got, double want, double tolerance)
{
	if (fabs(got - want) <= tolerance)
		return true;
	printf("# %.6g, expected %.6g\n", got, want);
	return false;
}

TEST(bypassing_saves_l1_energy_as_in_tian_fig_7)
{
	CHECK(near(energy_tian_relative(0.5, 0.586) - 1, -0.191, 0.0005));
	CHECK(near(energy_tian_relative(0.764, 0.586) - 1, -0.250, 0.0005));
	CHECK(near(energy_tian_relative(1.0, 0.586) - 1, -0.289, 0.0005));
	CHECK(near(energy_tian_relative(1.0, 1.0) - 1, -0.497, 0.0005));
	CHECK(near(energy_tian_relative(1.0, 0.95) - 1, -0.472, 0.0005));
}

static const struct machine *shipped(const char *name)
{
	struct error err;
	const struct machine *machine = machine_load(name, &err);
	if (!machine) {
		printf("# %s\n", err.text);
		exit(1);
	}
	return machine;
}

static struct energy energy_with(const char *machine, enum counter counter, uint64_t value)
{
	struct counters counters = {{0}};
	counters.value[counter] = value;
	const struct machine *m = shipped(machine);
	struct energy energy = energy_of(&counters, m);
	machine_free((struct machine *)m);
	return energy;
}

TEST(an_l1_access_costs_tians_tag_and_data)
{
	struct energy one = energy_with("gcn-tian", COUNT_l1_accesses, 1000);
	CHECK(near(one.joules[ENERGY_l1] * 1e9, 0.00134096 * 1000 + 0.106434 * 1000, 1e-9));
	CHECK(near(one.total, one.joules[ENERGY_l1], 1e-18));
	/* A fill costs as much again; a bypass the tag alone. */
	struct energy fill = energy_with("gcn-tian", COUNT_l1_fills, 1000);
	CHECK(near(fill.joules[ENERGY_l1], one.joules[ENERGY_l1], 1e-18));
	struct counters counters = {{0}};
	counters.value[COUNT_l1_accesses] = counters.value[COUNT_l1_bypasses] = 1000;
	struct machine *m = (struct machine *)shipped("gcn-tian");
	CHECK(near(energy_of(&counters, m).joules[ENERGY_l1] * 1e9, 1.34096, 1e-9));
	machine_free(m);
}

TEST(static_power_grows_with_time_alone)
{
	struct energy energy = energy_with("gcn-tian", COUNT_cycles, 1000000); /* 1 ms at 1 GHz */
	/* 8 SMs of 3.3 W, and of 7.538627 mW for each 16 KB L1. */
	CHECK(near(energy.joules[ENERGY_static], 8 * (3.3 + 0.007538627) * 1e-3, 1e-9));
	CHECK(near(energy.total, energy.joules[ENERGY_static], 1e-12));
	CHECK(near(energy.seconds, 1e-3, 1e-12));
	/* 80 SMs would be 264 W: a card takes no more than 50 W when idle. */
	struct energy large = energy_with("v100-osm", COUNT_cycles, 1132000);
	CHECK(near(large.joules[ENERGY_static], (50 + 80 * 8 * 0.007538627) * 1e-3, 1e-6));
}

TEST(stacked_memory_takes_less_than_planar)
{
	double planar = energy_with("gtx480-ciao", COUNT_dram_read_bytes, 1000000).joules[ENERGY_dram];
	double stacked = energy_with("v100-osm", COUNT_dram_write_bytes, 1000000).joules[ENERGY_dram];
	CHECK(near(planar * 1e6, 112, 1e-6));
	CHECK(near(stacked * 1e6, 31.4, 1e-6));
}

TEST(lanes_by_class_sum_to_thread_instructions)
{
	struct trace *trace = synth_vector_add(4, 2, 32, 4, 3);
	struct counters c = bench_once((struct bench_setup){.machine = "gtx480-ciao"}, trace);
	uint64_t sum = 0;
	for (int i = COUNT_lanes_int; i <= COUNT_lanes_tensor; i++)
		sum += c.value[i];
	CHECK(c.value[COUNT_thread_insns] > 0);
	CHECK_EQ(sum, c.value[COUNT_thread_insns]);
	CHECK(c.value[COUNT_lanes_fp32] > 0);
	trace_close(trace);
}

TEST(the_parts_make_the_whole_and_launches_add_up)
{
	struct trace *trace = synth_vector_add(4, 2, 32, 4, 3);
	struct bench b = bench_open((struct bench_setup){.machine = "gtx480-ciao"});
	struct counters one = bench_run(&b, trace, 0, true), two = bench_run(&b, trace, 0, false), both = one;
	counters_add(&both, &two);
	struct energy sum = energy_of(&both, b.machine);
	double parts = 0;
	for (int i = 0; i < ENERGY_COUNT; i++)
		parts += sum.joules[i];
	CHECK(near(parts / sum.total, 1, 1e-12));
	CHECK(
	    near((energy_of(&one, b.machine).total + energy_of(&two, b.machine).total) / sum.total, 1, 1e-9));
	bench_close(&b);
	trace_close(trace);
}

TEST(every_coefficient_has_a_source)
{
	for (const struct energy_coefficient *k = energy_coefficients; k->name; k++) {
		CHECK(k->value > 0);
		CHECK(strlen(k->source) > 20 && *k->unit);
	}
}

TEST_MAIN(TEST_ENTRY(bypassing_saves_l1_energy_as_in_tian_fig_7)
              TEST_ENTRY(an_l1_access_costs_tians_tag_and_data) TEST_ENTRY(static_power_grows_with_time_alone)
                  TEST_ENTRY(stacked_memory_takes_less_than_planar)
                      TEST_ENTRY(lanes_by_class_sum_to_thread_instructions)
                          TEST_ENTRY(the_parts_make_the_whole_and_launches_add_up)
                              TEST_ENTRY(every_coefficient_has_a_source))
