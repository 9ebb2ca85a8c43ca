/*
 * Random programs whose CTAs wait for what CTAs before them write: they end, whatever the order of things in between, and
 * count the same on any number of threads and with any quantum.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

enum { PROGRAMS = 12, WORDS = 24, CTAS = 90, STEPS = 4 };

static uint64_t word_at(uint32_t i)
{
	return UINT64_C(0x40000000) + i * UINT64_C(4) + i / 5 * 4096;
}

/* A CTA waits for words as they are when those before it have ended, works, and writes some. */
static void write_cta(struct synth *s, uint32_t cta, uint32_t *written, uint64_t *random)
{
	synth_warp(s, cta, 0);
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t word = (uint32_t)(synth_random(random) % WORDS);
		if (written[word])
			synth_poll(s, 2 * step, 1, word_at(word), 0,
			           1 + (uint32_t)(synth_random(random) % written[word]));
		for (uint64_t work = synth_random(random) % 40; work; work--)
			synth_plain(s, synth_op(20, OP_FP64, 6, 6), UINT32_MAX);
	}
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t word = (uint32_t)(synth_random(random) % WORDS);
		enum op_class op = step == 0 ? OP_ATOMIC : step == 1 ? OP_REDUCE : OP_STORE;
		uint32_t lanes = 1 + (uint32_t)(synth_random(random) % 32);
		synth_stride(s, synth_memory(40 + step, op, SPACE_GLOBAL, 4, op == OP_ATOMIC ? 7 : 0, 2),
		             UINT32_MAX >> (32 - lanes), word_at(word), 0);
		written[word] += lanes;
	}
}

static struct trace *random_program(uint64_t seed)
{
	uint64_t random = seed, watched[WORDS];
	uint32_t written[WORDS] = {0};
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "waits", .ctas = CTAS, .warps = 1});
	for (uint32_t cta = 0; cta < CTAS; cta++)
		write_cta(s, cta, written, &random);
	for (uint32_t i = 0; i < WORDS; i++)
		watched[i] = word_at(i);
	synth_watch(s, watched, WORDS);
	return synth_finish(s);
}

TEST(waits_for_what_comes_always_end_and_always_in_the_same_cycle)
{
	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct trace *trace = random_program(seed * 0x9e3779b97f4a7c15u);
		struct counters one = bench_once((struct bench_setup){.machine = "h200"}, trace);
		struct counters eight =
		    bench_once((struct bench_setup){.machine = "h200", .threads = 8}, trace);
		struct counters steps = bench_once(
		    (struct bench_setup){.machine = "h200", .quantum = (uint32_t)(1 + seed % 7 * 9)}, trace);
		CHECK_EQ(one.value[COUNT_ctas], CTAS);
		CHECK(bench_same("threads", &eight, &one));
		CHECK(bench_same("quantum", &steps, &one));
		trace_close(trace);
	}
}

TEST(other_machines_end_them_too)
{
	static const char *const machines[] = {"gtx480-khairy", "v100-osm", "gcn-tian", "a100"};
	for (uint32_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		struct trace *trace = random_program(77 + i);
		CHECK_EQ(bench_once((struct bench_setup){.machine = machines[i]}, trace).value[COUNT_ctas],
		         CTAS);
		trace_close(trace);
	}
}

TEST_RUN_ALL(true)
