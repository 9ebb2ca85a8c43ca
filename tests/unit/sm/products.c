/* Products of warp groups: groups, waits, and the queue before the matrix pipe. */
#include <stdlib.h>

#include "gpu/decode.h"
#include "machine/machine.h"
#include "sm/products.h"
#include "test.h"

static struct decoded product(bool closes)
{
	return (struct decoded){.op = OP_TENSOR,
	                        .flags = INSN_ASYNC_COPY,
	                        .width = closes,
	                        .hit_wait = 64,
	                        .result = (uint32_t)ready_at(140, STALL_FIXED_LATENCY)};
}

static cycle_t ready_of(const struct products *p, unsigned groups_left)
{
	struct decoded insn = {
	    .op = OP_RECONVERGE, .flags = INSN_ASYNC_COPY, .width = (uint8_t)(groups_left + 1)};
	return ready_cycle(products_ready(p, &insn));
}

TEST(products_queue_before_the_pipe_and_a_wait_is_for_groups)
{
	struct products p = {.group = 0};
	struct decoded inner = product(false), last = product(true);
	cycle_t free = 0;
	CHECK(is_group_product(&inner));
	products_add(&p, &free, &inner, 1000);
	products_add(&p, &free, &last, 1002);
	CHECK_EQ(free, 1128);
	CHECK_EQ(ready_of(&p, 1), 0);
	CHECK_EQ(ready_of(&p, 0), 1000 + 64 + 140);
	products_add(&p, &free, &last, 1010);
	CHECK_EQ(ready_of(&p, 1), 1000 + 64 + 140);
	CHECK_EQ(ready_of(&p, 0), 1128 + 140);
	/* A pipe that has nothing to do begins at once. */
	products_add(&p, &free, &last, 5000);
	CHECK_EQ(ready_of(&p, 0), 5140);
}

TEST(groups_that_may_be_under_way_are_not_waited_for)
{
	struct products p = {.group = 0};
	struct decoded last = product(true);
	cycle_t free = 0;
	for (unsigned i = 0; i < 2 * PRODUCT_GROUPS; i++)
		products_add(&p, &free, &last, 0);
	CHECK_EQ(ready_of(&p, 0), free - 64 + 140);
	CHECK_EQ(ready_of(&p, 3), free - 4 * 64 + 140);
}

TEST(a_product_that_no_commit_has_closed_is_not_waited_for)
{
	struct products p = {.group = 0};
	struct decoded inner = product(false);
	cycle_t free = 0;
	products_add(&p, &free, &inner, 100);
	CHECK_EQ(ready_of(&p, 0), 0);
}

/* A kernel of one product with that mnemonic. */
static void check_times(const struct machine *m, const char *mnemonic, uint32_t alone, uint32_t next)
{
	struct error err;
	const struct trace_insn insn = {.op = OP_TENSOR, .flags = INSN_ASYNC_COPY, .dst = TRACE_REG_NONE};
	const struct trace_kernel kernel = {
	    .name = "k", .insns = &insn, .insn_count = 1, .strings = mnemonic};
	struct launch launch = {.kernel = &kernel};
	CHECK(decode_kernel(&launch, m, &err));
	CHECK_EQ(insn_latency(&launch.insn[0]), alone);
	CHECK_EQ(launch.insn[0].hit_wait, next);
	free(launch.insn);
}

TEST(times_are_those_of_an_h200)
{
	struct error err;
	struct machine *m = machine_load("h200", &err);
	CHECK(m != NULL);
	check_times(m, "HGMMA.64x8x16.F32", 80, 18);
	check_times(m, "HGMMA.64x64x16.F32.BF16", 108, 32);
	check_times(m, "QGMMA.64x128x32.F32.E4M3.E4M3", 140, 64);
	check_times(m, "IGMMA.64x256x32.S8.S8", 204, 128);
	check_times(m, "HGMMA.64x256x16.F32.RA", 197, 128);
	machine_free(m);
}

TEST_RUN_ALL(true)
