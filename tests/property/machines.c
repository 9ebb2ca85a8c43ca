/*
 * Probes: what each machine's table says must come out of a simulated
 * microbenchmark. Latencies are slopes over the number of dependent loads of
 * one lane, so that starts and ends do not count.
 */
#include <math.h>

#include "lib/bench.h"
#include "lib/synth.h"
#include "lib/unloaded.h"
#include "test.h"

enum { CHASE_MAX = 320 };
#define BASE UINT64_C(0x40000000)

static bool near(const char *machine, const char *what, double got, double want, double tolerance)
{
	bool ok = fabs(got - want) <= tolerance * want;
	printf("# %-14s %-22s %8.2f  table %8.2f%s\n", machine, what, got, want, ok ? "" : "  <-- off");
	return ok;
}

/* ---- latencies ---------------------------------------------------------------------------------------------- */

/* Launches 0 and 2 touch `warm` lines from BASE on; 1 and 3 chase the first and all of the addresses. */
static struct trace *chase(enum mem_space space, const uint64_t *address, uint32_t first, uint32_t all,
                           uint32_t warm, const struct machine *m)
{
	struct synth *s = synth_new();
	for (int run = 0; run < 2; run++) {
		synth_kernel(s, &(struct synth_shape){"warm", 1, 1, m->sm_warp_size, 4096, 0});
		synth_warp(s, 0, 0);
		for (uint64_t i = 0; i < warm; i++)
			synth_stride(s, synth_load(1, 3, 2), 1, BASE + i * m->l2_line_bytes, 0);
		synth_plain(s, synth_op(2, OP_INT, 3, 3), 1);
		synth_kernel(s, &(struct synth_shape){"chase", 1, 1, m->sm_warp_size, 4096, 0});
		synth_warp(s, 0, 0);
		for (uint32_t i = 0; i < (run ? all : first); i++)
			synth_stride(s, synth_memory(1, OP_LOAD, space, 4, 2, 2), 1, address[i], 0);
		synth_plain(s, synth_op(2, OP_INT, 3, 2), 1);
	}
	return synth_finish(s);
}

static double latency(struct bench *b, enum mem_space space, const uint64_t *address, uint32_t count,
                      uint32_t warm)
{
	uint64_t cycles[2];
	uint32_t first = count / 4;
	struct trace *trace = chase(space, address, first, count, warm, b->machine);
	for (unsigned run = 0; run < 2; run++) {
		bench_run(b, trace, 2 * run, true);
		cycles[run] = bench_run(b, trace, 2 * run + 1, false).value[COUNT_cycles];
	}
	trace_close(trace);
	return (double)(cycles[1] - cycles[0]) / (count - first);
}

static double same_address(struct bench *b, enum mem_space space)
{
	uint64_t address[CHASE_MAX];
	for (int i = 0; i < CHASE_MAX; i++)
		address[i] = space == SPACE_SHARED ? 64 : BASE;
	return latency(b, space, address, CHASE_MAX, 0);
}

/* Lines that another launch brought into L2; or, past twice L2's size, into L3 alone. */
static double cached(struct bench *b, bool in_l3)
{
	const struct machine *m = b->machine;
	uint64_t address[CHASE_MAX];
	uint32_t l2_lines = m->l2_sets * m->l2_ways * m->l2_slices_per_channel * m->dram_channels;
	for (uint64_t i = 0; i < CHASE_MAX; i++)
		address[i] = BASE + i * m->l2_line_bytes;
	return latency(b, SPACE_GLOBAL, address, CHASE_MAX, in_l3 ? 2 * l2_lines : CHASE_MAX);
}

/* Lines in DRAM banks that have not been used yet. */
static double closed_rows(struct bench *b)
{
	const struct address_map *map = &b->gpu->crossbar.map;
	static bool used[128][256];
	uint64_t address[CHASE_MAX];
	uint32_t n = 0;
	memset(used, 0, sizeof used);
	for (uint64_t line = BASE / b->machine->l2_line_bytes, i = 0; i < 1 << 20 && n < CHASE_MAX;
	     i++, line++) {
		uint32_t channel = map_slice(map, line, map_home(map, line)) / map->slices_per_channel;
		bool *bank = &used[channel][map_bank_row(map, line).bank];
		if (!*bank)
			address[n++] = line * b->machine->l2_line_bytes;
		*bank = true;
	}
	return latency(b, SPACE_GLOBAL, address, n, 0);
}

/* The machines without spread: all lines are equally far. */
TEST(a_chase_takes_what_the_tables_say)
{
	bool ok = true;
	for (const char *const *name = bench_machines(); *name; name++) {
		struct bench b = bench_open((struct bench_setup){.machine = *name});
		const struct machine *m = b.machine;
		double l3 = m->l3_bytes_per_channel ? m->l3_latency_cycles : 0;
		ok &= near(*name, "L1 hit", same_address(&b, SPACE_GLOBAL), m->l1d_hit_cycles, 0);
		ok &= near(*name, "shared memory", same_address(&b, SPACE_SHARED), m->smem_latency_cycles, 0);
		if (!m->icnt_spread_cycles && !m->dram_spread_cycles) {
			ok &= near(*name, "L2 hit", cached(&b, false), l2_hit_cycles(m), 0.01);
			ok &= near(*name, "DRAM, closed row", closed_rows(&b),
			           l2_hit_cycles(m) + l3 + dram_cycles(m), 0.01);
		}
		if (m->l3_bytes_per_channel)
			ok &= near(*name, "L3 hit", cached(&b, true), l2_hit_cycles(m) + l3, 0.01);
		bench_close(&b);
	}
	CHECK(ok);
}

/* The same against the papers themselves, and against what was measured on an H200. */
TEST(a_chase_takes_what_the_papers_say)
{
	struct bench osm = bench_open((struct bench_setup){.machine = "v100-osm"});
	struct bench tian = bench_open((struct bench_setup){.machine = "gcn-tian"});
	struct bench h200 = bench_open((struct bench_setup){.machine = "h200"});
	bool ok = near("v100-osm", "L1 hit", same_address(&osm, SPACE_GLOBAL), 28, 0.05);
	ok &= near("v100-osm", "L2 hit", cached(&osm, false), 193, 0.05);
	ok &= near("v100-osm", "DRAM", closed_rows(&osm), 470, 0.05);
	ok &= near("gcn-tian", "L1 hit: tag and data", same_address(&tian, SPACE_GLOBAL), 1 + 4, 0.05);
	ok &= near("h200", "L2 hit, mean", cached(&h200, false), 270, 0.05);
	bench_close(&osm);
	bench_close(&tian);
	bench_close(&h200);
	CHECK(ok);
}

/* ---- bandwidth -------------------------------------------------------------------------------------------------- */

/* Part of the peak of DRAM's pins that vector add uses: one element per thread, as it is written everywhere. */
static double vector_add_bandwidth(const char *machine, uint32_t ctas)
{
	struct bench b = bench_open((struct bench_setup){.machine = machine});
	const struct machine *m = b.machine;
	struct trace *trace = synth_vector_add(ctas, 8, m->sm_warp_size, 4, 1);
	struct counters c = bench_run(&b, trace, 0, true);
	double clocks = (double)c.value[COUNT_cycles] * m->clock_dram_mhz / m->clock_core_mhz;
	double peak = clocks * m->dram_bus_bytes_per_clock * m->dram_channels;
	trace_close(trace);
	bench_close(&b);
	return (double)(c.value[COUNT_dram_read_bytes] + c.value[COUNT_dram_write_bytes]) / peak;
}

TEST(vector_add_reaches_drams_bandwidth)
{
	static const struct {
		const char *machine;
		double least;
	} want[] = {{"gtx480-ciao", 0.85},
	            {"gtx480-khairy", 0.85},
	            {"gcn-tian", 0.85},
	            {"gtx780-lcm", 0.60},
	            {"v100-osm", 0.85}};
	bool ok = true, few = getenv("SLUICE_TEST_SHARE");
	for (size_t i = 0; i < (few ? 1 : sizeof want / sizeof *want); i++) {
		double part = vector_add_bandwidth(want[i].machine, i < 4 ? 4000 : 20000);
		printf("# %-14s vector add uses %.1f %% of DRAM's peak\n", want[i].machine, 100 * part);
		ok &= part >= want[i].least;
	}
	CHECK(ok);
}

/* ---- capacity ----------------------------------------------------------------------------------------------- */

/* Three quarters of L2, read in order by one launch and again by the next: what hits then. */
static double second_time(const char *machine)
{
	struct bench b = bench_open((struct bench_setup){.machine = machine});
	const struct machine *m = b.machine;
	uint32_t lines =
	    m->l2_sets * m->l2_ways * m->l2_slices_per_channel * m->dram_channels / m->l2_partitions * 3 / 4;
	struct trace *trace = chase(SPACE_GLOBAL, NULL, 0, 0, lines, m);
	bench_run(&b, trace, 0, true);
	const struct counters c = bench_run(&b, trace, 2, false);
	trace_close(trace);
	bench_close(&b);
	return (double)c.value[COUNT_l2_read_hit_sectors] / (double)c.value[COUNT_l2_read_sectors];
}

/* Slices that are chosen by a hash are not filled evenly; the others keep all. */
TEST(l2_keeps_what_it_has_room_for)
{
	bool ok = true;
	for (const char *const *name = bench_machines(); *name; name++) {
		struct machine *m = machine_load(*name, &(struct error){{0}});
		double hits = second_time(*name);
		printf("# %-14s %.3f of 3/4 of L2 is still there\n", *name, hits);
		ok &= hits >= (m->l2_hash ? 0.8 : 1);
		machine_free(m);
	}
	CHECK(ok);
}

/* ---- thrashing --------------------------------------------------------------------------------------------------- */

/* ATAX: rows of 4096 floats, 48 warps per SM; hits on lines under way count as hits. */
static double row_walk_miss_rate(const char *machine, uint32_t warps_per_sm)
{
	struct bench b = bench_open((struct bench_setup){.machine = machine});
	struct trace *trace = synth_row_walk(b.machine->sm_count * warps_per_sm / 8, 8, 32, 16384, 40);
	struct counters c = bench_run(&b, trace, 0, true);
	trace_close(trace);
	bench_close(&b);
	return (double)c.value[COUNT_l1_misses] / (double)c.value[COUNT_l1_accesses];
}

TEST(a_row_walk_with_all_warps_thrashes_l1)
{
	double ciao = row_walk_miss_rate("gtx480-ciao", 48);
	CHECK(ciao > 0.8);
	if (getenv("SLUICE_TEST_SHARE")) /* one of them for sanitizers, as in bench_machines() */
		return;
	double khairy = row_walk_miss_rate("gtx480-khairy", 48), lcm = row_walk_miss_rate("gtx780-lcm", 64);
	printf("# miss rates: gtx480-ciao %.3f, gtx480-khairy %.3f, gtx780-lcm %.3f\n", ciao, khairy, lcm);
	CHECK(khairy > 0.8);
	CHECK(lcm > 0.8);
}

TEST_RUN_ALL(true)
