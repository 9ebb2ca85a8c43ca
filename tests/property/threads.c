/* --threads decides who does the work, not what comes out: all counters are the same for any number. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* Short traces: several threads on few cores meet slowly. */
TEST(the_number_of_threads_changes_nothing)
{
	static const char *const traces[] = {"vector_add", "barriers_uneven", "fences"};
	static const uint32_t threads[] = {2, 3, 8};
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++) {
		struct bench one = bench_open((struct bench_setup){.machine = *machine});
		for (int t = 0; t < 3; t++) {
			struct bench b =
			    bench_open((struct bench_setup){.machine = *machine, .threads = threads[t]});
			for (int i = 0; i < 3; i++) {
				char where[256];
				struct trace *trace = synth_make(traces[i], b.machine->sm_warp_size);
				snprintf(where, sizeof where, "%s, %s, %u threads", *machine, traces[i],
				         threads[t]);
				struct counters alone = bench_run(&one, trace, 0, true);
				struct counters together = bench_run(&b, trace, 0, true);
				ok &= bench_same(where, &together, &alone);
				trace_close(trace);
			}
			bench_close(&b);
		}
		bench_close(&one);
	}
	CHECK(ok);
}

/* Small launches are one worker's, large ones shared: caches and queues are handed over between them. */
TEST(launches_change_hands)
{
	static const char *const traces[] = {"random_gather", "atomics_few", "random_gather",
	                                     "scattered_stores"};
	struct bench one = bench_open((struct bench_setup){.machine = "h200"});
	struct bench three = bench_open((struct bench_setup){.machine = "h200", .threads = 3});
	bool ok = true;
	for (int i = 0; i < 8; i++) {
		struct trace *trace = synth_make(traces[i % 4], 32);
		three.few_alone = i % 2;
		struct counters alone = bench_run(&one, trace, 0, false);
		struct counters together = bench_run(&three, trace, 0, false);
		CHECK_EQ(three.gpu->workers, i % 2 ? 1u : 3u);
		ok &= bench_same(traces[i % 4], &together, &alone);
		trace_close(trace);
	}
	bench_close(&one);
	bench_close(&three);
	CHECK(ok);
}

TEST_RUN_ALL(true)
