/* The machines that come with Sluice are complete, and say what their papers say. */
#include <math.h>

#include "lib/unloaded.h"
#include "machine/catalog.h"
#include "machine/machine.h"
#include "test.h"

static struct machine *load(const char *name)
{
	struct error err;
	struct machine *m = machine_load(name, &err);
	if (!m)
		printf("# %s\n", err.text);
	return m;
}

static bool near(double got, double want, double tolerance)
{
	if (fabs(got - want) <= tolerance)
		return true;
	printf("# got %g, expected %g\n", got, want);
	return false;
}

static uint64_t l1d_bytes(const struct machine *m)
{
	return (uint64_t)m->l1d_sets * m->l1d_ways * m->l1d_line_bytes;
}

static uint64_t l2_bytes(const struct machine *m)
{
	return (uint64_t)m->dram_channels * m->l2_slices_per_channel * m->l2_sets * m->l2_ways *
	       m->l2_line_bytes;
}

static double dram_gb_per_second(const struct machine *m)
{
	return m->dram_bus_bytes_per_clock * m->clock_dram_mhz * m->dram_channels / 1000;
}

TEST(every_machine_loads_and_is_named_like_its_file)
{
	struct machine_summary *list;
	struct error err;
	size_t count;
	CHECK(machine_list(&list, &count, &err));
	CHECK(count >= 5);
	for (size_t i = 0; i < count; i++) {
		struct machine *m = load(list[i].name);
		if (!m || strcmp(m->name, list[i].name) || !list[i].title) {
			printf("# %s\n", list[i].name);
			test_failures++;
		}
		machine_free(m);
	}
	machine_list_free(list, count);
}

TEST(machines_from_publications_give_no_warnings)
{
	static const char *const names[] = {"gtx480-khairy", "gtx480-ciao", "gtx780-lcm", "v100-osm",
	                                    "gcn-tian",      "v100",        "a100",       "h100",
	                                    "rtx3070",       "rtx4090"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct machine *m = load(names[i]);
		CHECK(m);
		CHECK_EQ(machine_warn(m, NULL, 0), 0);
		machine_free(m);
	}
}

TEST(khairys_gtx480_is_that_of_table_4_1)
{
	struct machine *m = load("gtx480-khairy");
	CHECK(m);
	CHECK_EQ(m->sm_count, 15);
	CHECK_EQ(m->sm_warps, 48);
	CHECK_EQ(m->sm_schedulers, 2);
	CHECK_EQ(l1d_bytes(m), 16 << 10);
	CHECK_EQ(m->l1d_mshr_entries, 32);
	CHECK_EQ(m->l1d_index, SET_INDEX_SEQ);
	CHECK_EQ(m->l1d_write_hit, WRITE_HIT_EVICT);
	CHECK_EQ(m->l1d_local_write, WRITE_HIT_BACK);
	CHECK_EQ(l2_bytes(m), 768 << 10);
	CHECK_EQ(m->l2_ways, 16);
	CHECK(near(dram_gb_per_second(m), 179.2, 0.05));
	machine_free(m);
}

TEST(ciaos_gtx480_is_that_of_table_i)
{
	struct machine *m = load("gtx480-ciao");
	CHECK(m);
	CHECK_EQ(m->sm_count, 15);
	CHECK_EQ(m->sm_threads, 1536);
	CHECK_EQ(l1d_bytes(m), 16 << 10);
	CHECK_EQ(m->l1d_ways, 4);
	CHECK_EQ(m->l1d_hit_cycles, 1);
	CHECK_EQ(m->l1d_index, SET_INDEX_FERMI);
	/* "write-through" there: of a line that is present, GPGPU-Sim's evicts it. */
	CHECK_EQ(m->l1d_write_hit, WRITE_HIT_EVICT);
	CHECK_EQ(m->l1d_write_miss, WRITE_MISS_NO_ALLOCATE);
	CHECK_EQ(m->smem_bytes, 48 << 10);
	CHECK_EQ(l2_bytes(m), 768 << 10);
	CHECK_EQ(m->l2_ways, 8);
	CHECK(near(dram_gb_per_second(m), 177, 0.5));
	machine_free(m);
}

TEST(lcms_gtx780_is_that_of_table_2)
{
	struct machine *m = load("gtx780-lcm");
	CHECK(m);
	CHECK_EQ(m->sm_count, 16);
	CHECK_EQ(m->sm_warps, 64);
	CHECK_EQ(m->sm_ctas, 16);
	CHECK_EQ(m->sm_registers * 4, 256 << 10);
	CHECK_EQ(l1d_bytes(m), 16 << 10);
	CHECK_EQ(m->l1d_mshr_entries, 64);
	CHECK_EQ(l2_bytes(m), 1536 << 10);
	CHECK_EQ(m->l2_ways, 16);
	CHECK_EQ(m->dram_banks, 8);
	CHECK(near(dram_gb_per_second(m), 288.4, 0.05));
	machine_free(m);
}

TEST(osms_v100_has_the_latencies_of_table_1)
{
	struct machine *m = load("v100-osm");
	CHECK(m);
	CHECK_EQ(m->l1d_hit_cycles, 28);
	CHECK_EQ(m->smem_latency_cycles, 28);
	CHECK(near(l2_hit_cycles(m), 193, 0));
	CHECK(near(l2_hit_cycles(m) + dram_cycles(m), 470, 1));
	CHECK(near(l2_hit_cycles(m) - m->l2_latency_cycles + dram_cycles(m), 310, 1));
	machine_free(m);
}

TEST(osms_v100_is_that_of_table_2)
{
	struct machine *m = load("v100-osm");
	CHECK(m);
	CHECK_EQ(m->sm_count, 80);
	CHECK_EQ(m->sm_schedulers, 4);
	CHECK_EQ(m->sm_registers * 4, 256 << 10);
	CHECK_EQ(l1d_bytes(m), 128 << 10);
	CHECK_EQ(m->l1d_sets * 64 * m->l1d_line_bytes, 32 << 10); /* 64-way at its least */
	CHECK_EQ(l2_bytes(m), 6 << 20);
	CHECK_EQ(m->l2_ways, 24);
	CHECK(near(dram_gb_per_second(m), 870.4, 0.05));
	machine_free(m);
}

TEST(tians_gcn_is_that_of_table_1)
{
	struct machine *m = load("gcn-tian");
	CHECK(m);
	CHECK_EQ(m->sm_count, 8);
	CHECK_EQ(m->sm_schedulers, 4);
	CHECK_EQ(m->sm_warp_size, 64);
	CHECK_EQ(l1d_bytes(m), 16 << 10);
	CHECK_EQ(m->l1d_ways, 8);
	CHECK_EQ(m->l1d_hit_cycles, 1 + 4);
	CHECK_EQ(l2_bytes(m), 256 << 10);
	CHECK_EQ(m->l2_latency_cycles, 4 + 16);
	CHECK_EQ((uint64_t)m->l3_bytes_per_channel * m->dram_channels, 4 << 20);
	CHECK_EQ(m->l3_latency_cycles, 15 + 30);
	machine_free(m);
}

/* Data sheets and whitepapers: SMs, resident threads, L2, peak bandwidth, and what a kernel may take of L1's array. */
TEST(gpus_are_those_of_their_data_sheets)
{
	static const struct {
		const char *name;
		uint32_t sms, threads, capability, l2_mib, unified_kib, shared_kib;
		double gb_per_second;
	} sheets[] = {
	    {"v100", 80, 2048, 70, 6, 128, 96, 897.8},      {"a100", 108, 2048, 80, 40, 192, 164, 1555.2},
	    {"h100", 132, 2048, 90, 50, 256, 228, 3352.3},  {"rtx3070", 46, 1536, 86, 4, 128, 100, 448},
	    {"rtx4090", 128, 1536, 89, 72, 128, 100, 1008},
	};
	for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
		struct machine *m = load(sheets[i].name);
		CHECK(m);
		CHECK_EQ(m->sm_count, sheets[i].sms);
		CHECK_EQ(m->sm_threads, sheets[i].threads);
		CHECK_EQ(m->sm_compute_capability, sheets[i].capability);
		CHECK_EQ(l2_bytes(m), (uint64_t)sheets[i].l2_mib << 20);
		CHECK_EQ(l1d_bytes(m), sheets[i].unified_kib << 10);
		CHECK_EQ(m->l1d_unified_bytes, sheets[i].unified_kib << 10);
		CHECK_EQ(m->smem_bytes, sheets[i].shared_kib << 10);
		CHECK(near(dram_gb_per_second(m), sheets[i].gb_per_second, 0.5));
		machine_free(m);
	}
}

/* Every value line of machines from publications says where it comes from. */
TEST(every_value_from_a_publication_has_a_comment)
{
	static const char *const names[] = {"gtx480-khairy", "gtx480-ciao", "gtx780-lcm", "v100-osm",
	                                    "gcn-tian",      "v100",        "a100",       "h100",
	                                    "rtx3070",       "rtx4090"};
	char directory[3000], path[3100], line[400];
	CHECK(machine_directory(directory, sizeof directory, NULL));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s.yaml", directory, names[i]);
		FILE *in = fopen(path, "r");
		CHECK(in);
		bool values = false;
		while (fgets(line, sizeof line, in)) {
			if (line[0] != ' ' && line[0] != '\n')
				values = strncmp(line, "source:", 7) && strncmp(line, "ops:", 4) &&
				         strncmp(line, "sim:", 4);
			if (line[0] == ' ' && values && !strchr(line, '#')) {
				printf("# %s: %s", names[i], line);
				test_failures++;
			}
		}
		fclose(in);
	}
}

TEST(the_reference_of_keys_is_current)
{
	char directory[3000], path[3100];
	CHECK(machine_directory(directory, sizeof directory, NULL));
	snprintf(path, sizeof path, "%s/../docs/machine-keys.md", directory);
	FILE *in = fopen(path, "r");
	char *want = machine_describe_keys();
	CHECK(in && want);
	size_t size = strlen(want) + 2;
	char *got = calloc(size, 1);
	CHECK(got);
	bool same = fread(got, 1, size, in) == size - 2 && !strcmp(got, want);
	fclose(in);
	free(got);
	free(want);
	if (!same)
		printf("# renew it: sluice machine keys > docs/machine-keys.md\n");
	CHECK(same);
}

TEST_RUN_ALL(!unsetenv("SLUICE_MACHINES"))
