/* How many CTAs fit on an SM, what is left of L1 next to them, and how lines are spread over sets. */
#include "gpu/occupancy.h"

#include "cache/index.h"
#include "lib/synth.h"
#include "machine/machine.h"
#include "test.h"

static struct machine *load(const char *name)
{
	struct error err = {""};
	struct machine *m = machine_load(name, &err);
	if (!m)
		printf("# %s\n", err.text);
	return m;
}

static struct trace_kernel kernel_of(uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
	return (struct trace_kernel){.name = "k",
	                             .block = {threads, 1, 1},
	                             .warp_size = 32,
	                             .warps_per_cta = (threads + 31) / 32,
	                             .registers_per_thread = registers,
	                             .shared_bytes = shared_bytes};
}

/* gtx480: 48 warps, 1536 threads, 8 CTAs, 32768 registers in units of 64, 48 KiB of shared memory. */
TEST(what_runs_out_first_bounds_the_ctas)
{
	static const struct {
		uint32_t threads, registers, shared_bytes, ctas;
		const char *words; /* of ctas 0 */
	} rows[] = {
	    {32, 0, 0, 8, ""},         /* slots of CTAs */
	    {512, 0, 0, 3, ""},        /* warps */
	    {256, 63, 0, 2, ""},       /* registers: 2016 of a warp become 2048 */
	    {64, 16, 12 << 10, 4, ""}, /* shared memory */
	    {1536, 0, 0, 1, ""},       /* all of it */
	    {1568, 0, 0, 0, "a CTA of 1568 threads (49 warps) does not fit on an SM of gtx480-khairy"},
	    {1024, 63, 0, 0, "a CTA needs 65536 registers, an SM of gtx480-khairy has 32768"},
	    {32, 16, 64 << 10, 0, "B of shared memory, an SM of gtx480-khairy has 49152"},
	};
	struct error err = {""};
	struct machine *m = load("gtx480-khairy");
	struct chain *chain = m ? chain_new("gto", m, &err) : NULL;
	CHECK(chain);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct trace_kernel k = kernel_of(rows[i].threads, rows[i].registers, rows[i].shared_bytes);
		err.text[0] = 0;
		CHECK_EQ(occupancy_ctas(m, chain, &k, &err), rows[i].ctas);
		CHECK(strstr(err.text, rows[i].words));
	}
	struct trace_kernel none = kernel_of(32, 0, 0), many = kernel_of(32, 0, 0);
	none.warps_per_cta = 0;
	many.warps_per_cta = 65;
	CHECK(!occupancy_ctas(m, chain, &none, &err) && !occupancy_ctas(m, chain, &many, &err));
	chain_free(chain);
	machine_free(m);
}

/* What shared memory takes comes out of the array that L1 is in, in the steps that the machine has. */
TEST(shared_memory_takes_its_part_of_a_unified_l1)
{
	struct error err = {""};
	struct machine *m = load("h200");
	struct chain *chain = m ? chain_new("gto", m, &err) : NULL;
	CHECK(chain);
	struct hooks hooks;
	bool failed = false;
	hooks_init_gpu(&hooks, chain, &err, &failed);
	uint32_t before = UINT32_MAX;
	static const uint32_t kib[] = {0, 8, 15, 31, 63, 99, 131, 163, 195, 226};
	for (size_t i = 0; i < sizeof kib / sizeof *kib; i++) {
		struct trace_kernel k = kernel_of(1024, 16, kib[i] << 10);
		uint32_t lines = occupancy_l1_lines(m, &hooks, &k, 1);
		CHECK(lines && lines <= before);
		before = lines;
	}
	/* More than the machine has leaves one line, not none. */
	struct trace_kernel huge = kernel_of(1024, 16, 227 << 10);
	CHECK(occupancy_l1_lines(m, &hooks, &huge, 1) >= 1);
	CHECK(occupancy_smem_window(m, &hooks, &huge, 3) >= UINT64_C(3) * (227 << 10));
	chain_free(chain);
	machine_free(m);
	/* Machines that have a memory for each have all of L1 always. */
	m = load("gtx480-khairy");
	chain = chain_new("gto", m, &err);
	hooks_init_gpu(&hooks, chain, &err, &failed);
	struct trace_kernel k = kernel_of(64, 16, 16 << 10);
	CHECK_EQ(occupancy_l1_lines(m, &hooks, &k, 3), UINT32_MAX);
	chain_free(chain);
	machine_free(m);
}

TEST(an_index_is_built_for_what_it_can_tell_apart)
{
	struct index index;
	struct error err = {""};
	CHECK(index_build(&index, SET_INDEX_SEQ, 48, 128, &err));
	CHECK(!index_build(&index, SET_INDEX_XOR, 48, 128, &err));
	CHECK(strstr(err.text, "48 sets are no power of two: only the set index 'seq' takes them"));
	CHECK(!index_build(&index, SET_INDEX_SEQ, 1 << 17, 128, &err));
	CHECK(strstr(err.text, "131072 sets are more than the 65536 that a set index can tell apart"));
	CHECK(!index_build(&index, SET_INDEX_HOPPER, 256, 128, &err) && strstr(err.text, "not 256 of 128 B"));
	CHECK(!index_build(&index, SET_INDEX_HOPPER, 512, 64, &err) && strstr(err.text, "not 512 of 64 B"));
	CHECK(index_build(&index, SET_INDEX_HOPPER, 512, 128, &err));
	CHECK(index_build(&index, SET_INDEX_IPOLY, 1, 128, &err) && !index_of(&index, 77));
}

TEST_RUN_ALL(true)
