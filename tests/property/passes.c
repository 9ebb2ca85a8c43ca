/* A launch that is simulated several times starts each time from the same state, and only the last time counts. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static uint32_t begun[8];

static size_t block_bytes(const struct policy_env *env)
{
	(void)env;
	return 8;
}

static void note_pass(void *sm, const struct policy_env *env)
{
	(void)sm;
	begun[env->pass]++;
}

static const struct policy three_passes = {
    .abi = POLICY_ABI,
    .name = "three-passes",
    .title = "does nothing, three times",
    .sm_bytes = block_bytes,
    .sm_init = note_pass,
    .passes = 3,
};

TEST(passes_that_learn_nothing_change_nothing)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++) {
		struct bench once = bench_open((struct bench_setup){.machine = *machine});
		struct bench thrice =
		    bench_open((struct bench_setup){.machine = *machine, .extra = &three_passes});
		for (unsigned i = 0; i < 4; i++) {
			const struct trace *trace = synth_kept(i, once.machine->sm_warp_size);
			struct counters want = bench_run(&once, trace, 0, false);
			struct counters got = bench_run(&thrice, trace, 0, false);
			ok &= bench_same(*machine, &got, &want);
		}
		bench_close(&once);
		bench_close(&thrice);
	}
	CHECK(ok);
	CHECK(begun[0] && begun[0] == begun[1] && begun[1] == begun[2] && !begun[3]);
}

TEST_RUN_ALL(true)
