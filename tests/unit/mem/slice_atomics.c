/* An L2 slice's pipe: what the busiest word and the result of an atomic cost, and what a read does. */
#include "lib/core_fixture.h"
#include "test.h"

enum { TOKENS = 4 };

/* Atomics of one sector and one lane reach a warm line at once; when each is answered, 0: never. */
static void answer_atomics(const char *changes, const enum packet_op *op, uint32_t count, cycle_t *when)
{
	CORE core = core_open((struct bench_setup){.machine = "gtx480-khairy", .changes = changes},
	                      core_memory_trace(32, 0));
	const struct address_map *map = &core->bench.gpu->crossbar.map;
	for (uint32_t i = 0; i <= count; i++) {
		struct packet p = {.when = i ? 10000 : 0,
		                   .token = i,
		                   .op = (uint8_t)(i ? op[i - 1] : PACKET_READ),
		                   .sectors = 0x1,
		                   .passes = 1,
		                   .lanes = 1,
		                   .slice = (uint16_t)map_slice(map, 0, 0)};
		memory_worker_accept(core->worker, &p);
	}
	memory_worker_run(core->worker, 20000);
	for (uint32_t i = 0; i < count; i++)
		when[i] = 0;
	const struct reply_box *box = &core->memory->slice[map_slice(map, 0, 0)].partition->replies[0];
	for (uint32_t i = 0; i < box->count; i++)
		if (box->item[i].token)
			when[box->item[i].token - 1] = box->item[i].when;
}

TEST(the_busiest_word_bounds_an_atomic_and_a_result_costs_extra)
{
	static const enum packet_op ops[] = {PACKET_REDUCE, PACKET_ATOMIC, PACKET_READ};
	cycle_t plain[TOKENS], bound[TOKENS];
	/* As GPGPU-Sim's L2 is without what it does beyond the simplest; a sector and a lane: two cycles. */
#define PLAIN "icnt.reply_bytes_per_cycle=0 l2.allocate=on-fill l2.write_miss=allocate-mask"
	answer_atomics(PLAIN, ops, 3, plain);
	answer_atomics(PLAIN " l2.atomic_pass_cycles=10 l2.atomic_return_cycles=3", ops, 3, bound);
	CHECK_EQ(plain[0], 0);
	CHECK_EQ(bound[0], 0);
	CHECK_EQ(bound[1] - plain[1], 8 + 11); /* the reduction before it, and its own */
	CHECK_EQ(bound[2] - plain[2], 8 + 11);
}

TEST(a_read_takes_the_pipe_for_a_request_at_least)
{
	static const enum packet_op reads[] = {PACKET_READ, PACKET_READ};
	cycle_t plain[TOKENS], slow[TOKENS], wide[TOKENS];
	answer_atomics(PLAIN, reads, 2, plain);
	answer_atomics(PLAIN " l2.read_request_cycles=6", reads, 2, slow);
	/* A sector takes longer than a request: nothing changes. */
	answer_atomics(PLAIN " l2.read_request_cycles=0.25", reads, 2, wide);
	CHECK_EQ(slow[0], plain[0]);
	CHECK_EQ(slow[1] - slow[0], 6);
	CHECK(plain[1] - plain[0] < 6);
	CHECK_EQ(wide[1], plain[1]);
}

TEST_RUN_ALL(true)
