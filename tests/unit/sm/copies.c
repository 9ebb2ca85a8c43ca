/* Asynchronous copies: groups, commits and waits; and how long products of matrices take, by shape. */
#include "gpu/decode.h"
#include "lib/bench.h"
#include "lib/synth.h"
#include "machine/machine.h"
#include "sm/copies.h"
#include "test.h"

static struct decoded wait_for(unsigned groups_left)
{
	return (struct decoded){.flags = INSN_ASYNC_COPY, .width = (uint8_t)(groups_left + 1)};
}

static cycle_t ready_of(const struct copies *c, unsigned groups_left)
{
	struct decoded insn = wait_for(groups_left);
	return ready_cycle(copies_ready(c, &insn));
}

TEST(a_wait_is_for_the_groups_before_the_last_so_many)
{
	struct copies c = {.group = 0};
	uint8_t first = copies_begin(&c);
	copies_commit(&c, 100);
	uint8_t second = copies_begin(&c);
	copies_commit(&c, 110);
	CHECK_EQ(ready_of(&c, 2), 0);
	CHECK_EQ(ready_of(&c, 1), CYCLE_NEVER);
	copies_end(&c, first, 400);
	CHECK_EQ(ready_of(&c, 1), 400 + COPY_WRITE_CYCLES);
	CHECK_EQ(ready_of(&c, 0), CYCLE_NEVER);
	copies_end(&c, second, 300);
	CHECK_EQ(ready_of(&c, 0), 400 + COPY_WRITE_CYCLES);
}

TEST(a_commit_without_copies_takes_its_time)
{
	struct copies c = {.group = 0};
	CHECK_EQ(ready_of(&c, 0), 0);
	copies_commit(&c, 1000);
	CHECK_EQ(ready_of(&c, 0), 1000 + COPY_COMMIT_CYCLES);
	CHECK_EQ(ready_of(&c, 1), 0);
}

TEST(copies_without_a_commit_are_waited_for_by_a_wait_for_all)
{
	struct copies c = {.group = 0};
	struct decoded all = {.flags = INSN_ASYNC_COPY, .width = COPY_ALL};
	uint8_t group = copies_begin(&c);
	CHECK_EQ(ready_of(&c, 0), 0);
	CHECK(ready_is_never(copies_ready(&c, &all)));
	copies_end(&c, group, 50);
	CHECK_EQ(ready_cycle(copies_ready(&c, &all)), 50 + COPY_WRITE_CYCLES);
}

TEST(groups_that_may_be_under_way_are_not_waited_for)
{
	struct copies c = {.group = 0};
	for (unsigned i = 0; i < 2 * COPY_GROUPS; i++) {
		uint8_t group = copies_begin(&c);
		copies_commit(&c, 0);
		if (i + 2 < 2 * COPY_GROUPS)
			copies_end(&c, group, 100 + i);
	}
	CHECK_EQ(ready_of(&c, 2), 100 + 2 * COPY_GROUPS - 3 + COPY_WRITE_CYCLES);
	CHECK_EQ(ready_of(&c, 1), CYCLE_NEVER);
}

TEST(groups_far_behind_are_still_waited_for)
{
	struct copies c = {.group = 0};
	uint8_t oldest = copies_begin(&c);
	for (unsigned i = 0; i < 3 * COPY_GROUPS + 1; i++)
		copies_commit(&c, i);
	CHECK_EQ(ready_of(&c, 0), CYCLE_NEVER);
	copies_end(&c, oldest, 900);
	CHECK_EQ(ready_of(&c, 0), 900 + COPY_WRITE_CYCLES);
}

TEST(what_is_an_access_is_neither_commit_nor_wait)
{
	struct decoded copy = {.flags = INSN_ASYNC_COPY | INSN_MEMORY, .width = 16};
	struct decoded commit = {.flags = INSN_ASYNC_COPY}, load = {.flags = INSN_MEMORY, .width = 4};
	struct decoded bulk = {.flags = INSN_ASYNC_COPY | INSN_MEMORY | INSN_BULK, .width = 16};
	CHECK(is_copy(&copy) && !is_copy_commit(&copy) && !is_group_wait(&copy));
	CHECK(is_copy_commit(&commit) && !is_copy(&commit) && !is_group_wait(&commit));
	CHECK(!is_copy(&load) && !is_copy_commit(&load) && !is_group_wait(&load));
	CHECK(!is_copy(&bulk) && !is_group_wait(&bulk));
}

/* Cycles of one product on the machine h200: latency and interval. */
static void check_product(const struct machine *m, const char *mnemonic, enum op_class op, unsigned latency,
                          unsigned interval)
{
	const struct trace_insn insn = {.op = (uint8_t)op, .dst = TRACE_REG_NONE};
	const struct trace_kernel kernel = {
	    .name = "k", .insn_count = 1, .insns = &insn, .strings = mnemonic};
	struct launch launch = {.kernel = &kernel};
	struct error err;
	CHECK(decode_kernel(&launch, m, &err));
	CHECK_EQ(insn_latency(&launch.insn[0]), latency);
	CHECK_EQ(launch.insn[0].interval, interval);
	free(launch.insn);
}

TEST(products_take_what_an_h200_takes_for_their_shape)
{
	struct error err;
	struct machine *m = machine_load("h200", &err);
	if (!m)
		printf("# %s\n", err.text);
	CHECK(m);
	check_product(m, "HMMA.16816.F32", OP_TENSOR, 24, 6);
	check_product(m, "HMMA.1688.F32", OP_TENSOR, 17, 4);
	check_product(m, "HMMA.1688.F32.BF16", OP_TENSOR, 17, 4);
	check_product(m, "HMMA.1688.F32.TF32", OP_TENSOR, 24, 6);
	check_product(m, "HMMA.1684.F32.TF32", OP_TENSOR, 17, 4);
	check_product(m, "IMMA.16816.S8.S8", OP_TENSOR, 17, 4);
	check_product(m, "IMMA.16832.S8.S8", OP_TENSOR, 24, 6);
	check_product(m, "DMMA.884", OP_TENSOR64, 26, 16);
	check_product(m, "DMMA.1684", OP_TENSOR64, 34, 16);
	check_product(m, "DMMA.1688", OP_TENSOR64, 50, 32);
	check_product(m, "DMMA.16816", OP_TENSOR64, 82, 64);
	machine_free(m);
}

/* All CTAs read the same lines at once, past L1. */
static uint64_t merged(bool copies)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "same", .ctas = 132, .warps = 1});
	for (uint32_t cta = 0; cta < 132; cta++) {
		synth_warp(s, cta, 0);
		for (uint32_t i = 0; i < 32; i++) {
			struct trace_insn insn = synth_load(i, 4, 2);
			insn.width_bytes = 16;
			insn.flags |= INSN_BYPASS_L1 | (copies ? INSN_ASYNC_COPY : 0);
			insn.dst = copies ? TRACE_REG_NONE : insn.dst;
			insn.dst_span = copies ? 0 : insn.dst_span;
			synth_stride(s, insn, UINT32_MAX, 0x100000 + 512 * i, 16);
		}
	}
	struct trace *trace = synth_finish(s);
	struct counters counters = bench_once((struct bench_setup){.machine = "h200"}, trace);
	trace_close(trace);
	return counters.value[COUNT_icnt_merged];
}

TEST(copies_past_l1_are_not_merged_with_those_of_other_sms)
{
	CHECK(merged(false) > 0);
	CHECK_EQ(merged(true), 0);
}

TEST_RUN_ALL(true)
