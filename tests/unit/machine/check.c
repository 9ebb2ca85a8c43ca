/* Rules between keys: each is broken once, from a machine that is right. */
#include "machine/catalog.h"
#include "machine/machine.h"
#include "test.h"

struct broken {
	const char *sets[10]; /* key, value, key, value, ... */
	const char *message;
};

static struct machine *changed_machine(const char *name, const char *const *sets)
{
	struct error err;
	struct machine *m = machine_load(name, &err);
	for (; m && *sets; sets += 2)
		if (!machine_set(m, sets[0], sets[1], "x", &err))
			printf("# %s\n", err.text);
	return m;
}

static void check_broken(const char *name, const struct broken *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct error err = {"(no error)"};
		struct machine *m = changed_machine(name, list[i].sets);
		CHECK(m);
		machine_check(m, &err);
		machine_free(m);
		if (strcmp(err.text, list[i].message)) {
			printf("# got      %s\n# expected %s\n", err.text, list[i].message);
			test_failures++;
		}
	}
}
#define CHECK_BROKEN(name, list) check_broken(name, list, sizeof(list) / sizeof *(list))

TEST(warps_schedulers_and_sms_must_fit_together)
{
	static const struct broken list[] = {
	    {{"sm.warp_size", "48"}, "x: sm.warp_size is 48; a warp has 32 or 64 lanes"},
	    {{"sm.warps", "47"}, "x: sm.warps is 47, which 2 schedulers cannot share evenly"},
	    {{"sm.warps", "130"}, "x: sm.warps is 130; 2 schedulers hold at most 128"},
	    {{"sm.threads", "1600"}, "x: sm.threads is 1600; 48 warps of 32 lanes hold at most 1536"},
	    {{"sm.registers", "32684"},
	     "x: sm.registers is 32684, which is not a multiple of register_unit (64)"},
	    {{"sm.gpcs", "16"}, "x: sm.gpcs is 16, but there are only 15 SMs"},
	    {{"sm.count", "15", "sm.sms_per_tpc", "2"},
	     "x: sm.count is 15, which is not a multiple of sms_per_tpc (2)"},
	};
	CHECK_BROKEN("gtx480-khairy", list);
}

/* Their queue is full at times, which the pipes of other units do not know. */
TEST(what_accesses_memory_takes_the_load_store_unit)
{
	static const struct broken list[] = {
	    {{"ops.load.unit", "alu"}, "x: ops.load.unit must be lsu: it accesses memory"},
	    {{"ops.store.unit", "xu"}, "x: ops.store.unit must be lsu: it accesses memory"},
	    {{"ops.atomic.unit", "branch"}, "x: ops.atomic.unit must be lsu: it accesses memory"},
	    {{"ops.reduce.unit", "const"}, "x: ops.reduce.unit must be lsu: it accesses memory"},
	    {{"ops.texture.unit", "alu"}, "x: ops.texture.unit must be lsu: it accesses memory"},
	};
	CHECK_BROKEN("gtx780-lcm", list);
}

TEST(addresses_divide_by_powers_of_two)
{
	static const struct broken list[] = {
	    {{"smem.banks", "31"}, "x: smem.banks is 31; it must be a power of two"},
	    {{"l1d.line_bytes", "96"}, "x: l1d.line_bytes is 96; it must be a power of two"},
	    {{"l2.interleave_bytes", "384"}, "x: l2.interleave_bytes is 384; it must be a power of two"},
	    {{"dram.banks", "12"}, "x: dram.banks is 12; it must be a power of two"},
	};
	CHECK_BROKEN("gtx480-khairy", list);
}

TEST(index_functions_say_how_many_sets_they_take)
{
	static const struct broken list[] = {
	    {{"l1d.sets", "48"}, "(no error)"}, /* seq takes a remainder */
	    {{"l1d.sets", "48", "l1d.index", "xor"},
	     "x: l1d.sets is 48, no power of two: only the index seq takes it"},
	    {{"l1d.index", "hopper"},
	     "x: l1d.index is hopper, measured for 512 sets of 128 B lines, not 32 of 128 B"},
	    {{"l2.sets", "96", "l2.index", "ipoly"},
	     "x: l2.sets is 96, no power of two: only the index seq takes it"},
	};
	CHECK_BROKEN("gtx480-khairy", list);
}

TEST(lines_sectors_and_fetches_must_nest)
{
	static const struct broken list[] = {
	    {{"l1d.sector_bytes", "256"}, "x: l1d.sector_bytes is 256, more than the line (128)"},
	    {{"l1d.sector_bytes", "128", "l2.sector_bytes", "128", "l1d.fetch_bytes", "64"},
	     "x: l1d.fetch_bytes is 64; it must lie between the sector (128) and the line (128)"},
	    {{"l2.sector_bytes", "256"}, "x: l2.sector_bytes is 256, more than the line (128)"},
	    {{"l1d.sector_bytes", "128", "l2.sector_bytes", "128", "l2.fetch_bytes", "64"},
	     "x: l2.fetch_bytes is 64; it must lie between the sector (128) and the line (128)"},
	    {{"l2.line_bytes", "64", "l2.sector_bytes", "64", "l2.fetch_bytes", "64"},
	     "x: l2.line_bytes is 64; it must be that of L1 (l1d.line_bytes 128)"},
	    {{"l2.sector_bytes", "64"},
	     "x: l2.sector_bytes is 64; it must be that of L1 (l1d.sector_bytes 32)"},
	    {{"l1d.line_bytes", "256"},
	     "x: l1d.line_bytes is 256; L1 keeps track of at most 128 bytes per line"},
	    {{"l2.interleave_bytes", "64"},
	     "x: l2.interleave_bytes is 64; a line (128) must lie in one slice"},
	};
	CHECK_BROKEN("gtx480-khairy", list);
}

TEST(a_unified_array_holds_what_is_cut_from_it)
{
	static const struct broken volta[] = {
	    {{"l1d.unified_bytes", "96K"},
	     "x: l1d.unified_bytes is 98304, less than sets x ways x line (131072)"},
	    {{"l1d.unified_bytes", "64K", "l1d.ways", "8"},
	     "x: l1d.unified_bytes is 65536, less than smem.bytes + unified_overhead (98304)"},
	    {{"smem.carveout", "none"}, "x: smem.carveout is none, but l1d.unified_bytes is 131072"},
	    {{"l1d.carved", "sets", "l1d.index", "xor"},
	     "x: l1d.carved is sets, of which any number may be left: index must be seq"},
	};
	static const struct broken fermi[] = {
	    {{"smem.carveout", "volta"}, "x: smem.carveout is not none, but l1d.unified_bytes is 0"},
	    {{"smem.bytes", "1K", "smem.reserved_per_cta", "2K"},
	     "x: smem.reserved_per_cta is 2048 B of 1024 B"},
	};
	CHECK_BROKEN("v100-osm", volta);
	CHECK_BROKEN("gtx480-khairy", fermi);
}

TEST(a_store_miss_may_not_allocate_what_a_store_hit_evicts)
{
	static const struct broken list[] = {
	    {{"l1d.write_miss", "allocate-mask"},
	     "x: l1d.write_miss allocates a line that write_hit: write-evict would drop"},
	};
	CHECK_BROKEN("gtx480-khairy", list);
}

TEST(memory_behind_l2_must_make_sense)
{
	static const struct broken list[] = {
	    {{"l3.ways", "16", "l3.bytes_per_channel", "5000"},
	     "x: l3.bytes_per_channel is 5000, no multiple of a set of 16 ways of 128 B"},
	    {{"dram.channels", "1", "l2.partitions", "2", "l2.allocate", "on-fill", "l2.hash", "yes"},
	     "x: l2.partitions is 2, but there are only 1 channels"},
	    {{"l3.ways", "1", "l3.bytes_per_channel", "16M"},
	     "x: l3.bytes_per_channel is 16777216: 131072 sets of 1 ways of 128 B, more than the 65536 that an index can "
	     "tell apart"},
	    {{"l2.partitions", "2", "l2.mshr_entries", "1"},
	     "x: l2.mshr_entries is 1; with two partitions, one is reserved for the other partition"},
	    {{"l2.partitions", "2", "l2.allocate", "on-miss"},
	     "x: l2.allocate is on-miss; with two partitions, lines reserved in both would wait for each other"},
	    {{"l2.partitions", "2", "l2.allocate", "on-fill", "l2.hash", "no"},
	     "x: l2.hash is no; with two partitions, a line has a slice in each, chosen by the hash"},
	    {{"dram.banks_in_turn", "3"}, "x: dram.banks_in_turn is 3, which does not divide the banks (16)"},
	    {{"l1d.fetch_bytes", "256"},
	     "x: l1d.fetch_bytes is 256; it must lie between the sector (32) and the line (128)"},
	    {{"l2.fetch_bytes", "256"},
	     "x: l2.fetch_bytes is 256; it must lie between the sector (32) and the line (128)"},
	    {{"dram.tRC", "20"}, "x: dram.tRC is 20, less than tRAS (28)"},
	    {{"dram.tRAS", "10"}, "x: dram.tRAS is 10, less than tRCD (12)"},
	};
	CHECK_BROKEN("gtx480-khairy", list);
}

TEST(a_quantum_must_not_outlast_what_memory_sends)
{
	static const struct broken list[] = {
	    {{"sim.quantum", "12"}, "(no error)"},
	    {{"sim.quantum", "13"},
	     "x: sim.quantum is 13, more than icnt.reply_cycles (12 cycles): results would depend on it"},
	    {{"icnt.credit_cycles", "5"},
	     "gtx480-khairy.yaml:229: sim.quantum is 12, more than icnt.credit_cycles (5 cycles): results would depend on it"},
	    {{"icnt.credit_cycles", "0", "sim.quantum", "1"}, "(no error)"},
	    {{"l2.partitions", "2", "l2.partition_cycles", "3", "l2.allocate", "on-fill", "l2.hash", "yes"},
	     "gtx480-khairy.yaml:229: sim.quantum is 12, more than l2.partition_cycles (3 cycles): results would depend "
	     "on it"},
	};
	CHECK_BROKEN("gtx480-khairy", list);
}

TEST(a_doubtful_value_is_a_warning_only)
{
	struct error texts[2];
	struct machine *m = changed_machine("gtx480-khairy", (const char *const[]){"dram.tRC", "39", NULL});
	CHECK(m);
	CHECK(machine_check(m, NULL));
	CHECK_EQ(machine_warn(m, texts, 2), 1);
	CHECK(!strcmp(texts[0].text, "x: dram.tRC is 39, less than tRAS + tRP (40)"));
	CHECK_EQ(machine_warn(m, NULL, 0), 1);
	machine_free(m);
	m = changed_machine("gtx480-khairy", (const char *const[]){"sm.threads", "1024", "lsu.issue_cycles",
	                                                           "20", "l1d.hit_cycles", "20", NULL});
	CHECK(m);
	CHECK_EQ(machine_warn(m, texts, 2), 2);
	CHECK(!strcmp(texts[0].text, "x: sm.threads is 1024, so 48 warps of 32 lanes are never all in use"));
	CHECK(strstr(texts[1].text, "x: lsu.issue_cycles is 20, but l1d.hit_cycles (20) is"));
	machine_free(m);
}

TEST(the_place_of_a_broken_rule_is_the_line_of_its_value)
{
	static const char text[] = "name: t\ntitle: t\nextends: gtx480-khairy\nsm:\n  warps: 47\n";
	struct error err;
	CHECK(!machine_load_text("t.yaml", text, strlen(text), &err));
	CHECK(!strcmp(err.text, "t.yaml:5: sm.warps is 47, which 2 schedulers cannot share evenly"));
}

TEST_RUN_ALL(!unsetenv("SLUICE_MACHINES"))
