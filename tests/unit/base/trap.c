/* Traps: what ends a process elsewhere ends the work alone, in every thread of a simulation. */
#include "base/trap.h"

#include <pthread.h>
#include <stdint.h>

#include "base/memory.h"
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static void make_mistake(void *argument)
{
	(void)argument;
	BUG("seven is not %d", 8);
}

static void want_memory(void *argument)
{
	(void)argument;
	memory_grow(NULL, SIZE_MAX, 2);
}

static void return_at_once(void *argument)
{
	*(int *)argument += 1;
}

static void trap_inside(void *argument)
{
	struct error err;
	if (trap_run(make_mistake, NULL, &err) == TRAP_BUG)
		*(int *)argument += 1;
	want_memory(NULL);
}

TEST(a_mistake_and_want_of_memory_end_the_work_alone)
{
	struct error err = {{0}};
	int calls = 0;
	CHECK(!trap_is_set());
	CHECK_EQ(trap_run(make_mistake, NULL, &err), TRAP_BUG);
	CHECK(strstr(err.text, "internal error at") && strstr(err.text, "seven is not 8"));
	CHECK_EQ(trap_run(want_memory, NULL, &err), TRAP_MEMORY);
	CHECK(strstr(err.text, "out of memory"));
	CHECK_EQ(trap_run(return_at_once, &calls, &err), TRAP_NONE);
	CHECK_EQ(calls, 1);
	CHECK(!trap_is_set());
}

TEST(the_inner_trap_catches)
{
	struct error err = {{0}};
	int calls = 0;
	CHECK_EQ(trap_run(trap_inside, &calls, &err), TRAP_MEMORY);
	CHECK_EQ(calls, 1);
}

/* ---- worker threads ---- */

static pthread_t main_thread;

static struct throttle ask_elsewhere(void *sm, const struct sched_view *view)
{
	(void)sm, (void)view;
	if (!pthread_equal(pthread_self(), main_thread))
		BUG("an SM of another thread");
	return (struct throttle){.issue = UINT64_MAX, .load = UINT64_MAX, .until = POLICY_CYCLE_NEVER};
}

static const struct policy unwilling = {.abi = POLICY_ABI, .name = "unwilling", .throttle = ask_elsewhere};

static void simulate(void *argument)
{
	struct bench bench =
	    bench_open((struct bench_setup){.machine = "gtx480-ciao", .extra = &unwilling, .threads = 2});
	bench_run(&bench, argument, 0, true);
	bench_close(&bench);
}

/* What such an end leaves behind is lost, as trap.h says: LeakSanitizer is not asked. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

TEST(a_mistake_of_a_worker_thread_ends_the_simulation_alone)
{
	struct error err = {{0}};
	struct trace *trace = synth_row_walk(30, 8, 32, 4096, 4);
	main_thread = pthread_self();
	CHECK_EQ(trap_run(simulate, trace, &err), TRAP_BUG);
	CHECK(strstr(err.text, "an SM of another thread"));
	/* The others wait for ever; a new GPU works. */
	CHECK(bench_once((struct bench_setup){.machine = "gtx480-ciao", .threads = 2}, trace)
	          .value[COUNT_cycles] > 0);
	trace_close(trace);
}

TEST_RUN_ALL(true)
