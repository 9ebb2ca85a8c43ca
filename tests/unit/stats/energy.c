/* Energy: events times coefficients, static power times time, and Tian's relative energy of L1. */
#include "stats/energy.h"

#include <math.h>

#include "lib/bench.h"
#include "lib/synth.h"
#include "policy/chain.h"
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
	struct energy energy = energy_of(&counters, m, (struct energy_extra){0});
	machine_free((struct machine *)m);
	return energy;
}

/* Nanojoules of L1 for a thousand events, two counters at once. */
static double l1_nj(const char *machine, enum counter one, enum counter other, struct energy_extra extra)
{
	struct counters counters = {{0}};
	counters.value[one] = counters.value[other] = 1000;
	const struct machine *m = shipped(machine);
	double joules = energy_of(&counters, m, extra).joules[ENERGY_l1];
	machine_free((struct machine *)m);
	return joules * 1e9;
}

TEST(an_l1_access_costs_tians_tag_and_data)
{
	const double both = 1.34096 + 106.434;
	struct energy one = energy_with("gcn-tian", COUNT_l1_accesses, 1000);
	CHECK(near(one.joules[ENERGY_l1] * 1e9, both, 1e-9));
	CHECK(near(one.total, one.joules[ENERGY_l1], 1e-18));
	CHECK(near(energy_with("gcn-tian", COUNT_l1_stores, 1000).joules[ENERGY_l1] * 1e9, both, 1e-9));
	/* 5.1: in parallel at each access, so a load that bypasses has paid; unless no tag was looked up. */
	struct energy_extra none = {0};
	CHECK(near(l1_nj("gcn-tian", COUNT_l1_accesses, COUNT_l1_bypasses, none), both, 1e-9));
	CHECK(near(l1_nj("gcn-tian", COUNT_l1_accesses, COUNT_l1_blind_bypasses, none), 0, 1e-9));
	/* What is written back is read first. */
	CHECK(near(energy_with("gcn-tian", COUNT_l1_writebacks, 1000).joules[ENERGY_l1] * 1e9, both, 1e-9));
}

TEST(a_fill_costs_tag_and_data_again_and_a_sector_its_share)
{
	struct energy_extra none = {0};
	/* Lines of one sector on Tian's machine, of four on Volta. */
	CHECK(near(l1_nj("gcn-tian", COUNT_l1_fills, COUNT_l1_fill_sectors, none), 1.34096 + 106.434, 1e-9));
	CHECK(near(l1_nj("v100-osm", COUNT_l1_fills, COUNT_l1_fill_sectors, none), 1.34096 + 106.434 / 4,
	           1e-9));
}

/* The formula of Figure 7, by counters: m misses per access, of which c bypass. */
TEST(the_predictor_pays_for_wider_tags_its_table_and_leakage)
{
	const struct policy *tian = policy_find("tian");
	struct energy_extra extra = {tian->l1_access_pj, tian->l1_fill_pj, tian->l1_static_mw}, none = {0};
	struct counters plain = {{0}}, with = {{0}};
	plain.value[COUNT_l1_accesses] = with.value[COUNT_l1_accesses] = 1000000;
	plain.value[COUNT_l1_fills] = plain.value[COUNT_l1_fill_sectors] = 764000;
	with.value[COUNT_l1_fills] = with.value[COUNT_l1_fill_sectors] = (uint64_t)(764000 * (1 - 0.586));
	const struct machine *m = shipped("gcn-tian");
	double relative =
	    energy_of(&with, m, extra).joules[ENERGY_l1] / energy_of(&plain, m, none).joules[ENERGY_l1];
	CHECK(near(relative, energy_tian_relative(0.764, 0.586), 1e-6));
	struct counters time = {{0}};
	time.value[COUNT_cycles] = 1000000;
	/* Table 3: 7.72904 instead of 7.538627 mW for each of 8 L1s, for 1 ms. */
	CHECK(near(energy_of(&time, m, extra).total - energy_of(&time, m, none).total,
	           8 * (7.72904 - 7.538627) * 1e-6, 1e-12));
	machine_free((struct machine *)m);
}

TEST(bytes_that_bypass_l2_are_on_the_wires)
{
	struct energy read = energy_with("v100-osm", COUNT_l2_bypass_read_sectors, 1000);
	CHECK(near(read.joules[ENERGY_interconnect] * 1e12, 1000 * 32 * 9.7, 1e-6));
	CHECK(near(read.joules[ENERGY_l2], 0, 1e-18));
	struct energy write = energy_with("v100-osm", COUNT_l2_bypass_write_sectors, 1000);
	CHECK(near(write.joules[ENERGY_interconnect], read.joules[ENERGY_interconnect], 1e-18));
}

TEST(shared_memory_behind_a_cache_pays_for_fills_and_what_it_writes_back)
{
	CHECK(near(energy_with("v100-osm", COUNT_aux_fill_sectors, 4000).joules[ENERGY_shared] * 1e9, 106.434,
	           1e-9));
	CHECK(near(energy_with("v100-osm", COUNT_aux_writebacks, 1000).joules[ENERGY_shared] * 1e9,
	           1.34096 + 106.434, 1e-9));
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

/* By the machine's own word, not by its number of channels. */
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
	struct energy_extra none = {0};
	struct energy sum = energy_of(&both, b.machine, none);
	double parts = 0;
	for (int i = 0; i < ENERGY_COUNT; i++)
		parts += sum.joules[i];
	CHECK(near(parts / sum.total, 1, 1e-12));
	CHECK(near((energy_of(&one, b.machine, none).total + energy_of(&two, b.machine, none).total) /
	               sum.total,
	           1, 1e-9));
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

TEST_RUN_ALL(true)
