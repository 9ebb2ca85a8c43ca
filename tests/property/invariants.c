/*
 * What holds for every machine, scheduler and trace: launches end, requests
 * are answered once, every SM-cycle has one reason, and the same input gives
 * the same counters whatever ran before.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static const char *const schedulers[] = {"lrr", "gto", "oldest"};

static unsigned case_named(const char *name)
{
	unsigned i = 0;
	while (strcmp(synth_cases[i].name, name))
		i++;
	return i;
}

static bool holds(const char *where, const struct machine *m, const uint64_t *v, const struct recount *r)
{
	bool ok = bench_adds_up(where, m, v, r);
	ok &= bench_equal(where, "thread_insns", v[COUNT_thread_insns], r->thread_insns);
	ok &= bench_equal(where, "warps", v[COUNT_warps], r->warps);
	ok &= bench_equal(where, "l1_accesses", v[COUNT_l1_accesses], r->load_lines);
	ok &= bench_equal(where, "l1_stores", v[COUNT_l1_stores], r->store_lines);
	ok &= bench_equal(where, "sm_cycles", v[COUNT_sm_cycles], v[COUNT_cycles] * m->sm_count);
	return ok;
}

static bool launch_holds(struct bench *b, unsigned i)
{
	char where[1024];
	const struct trace *trace = synth_kept(i, b->machine->sm_warp_size);
	snprintf(where, sizeof where, "%s, %s, %s", b->machine->name, b->chain->text, synth_cases[i].name);
	struct recount r = bench_recount(trace, 0, b->machine);
	struct counters c = bench_run(b, trace, 0, true);
	return holds(where, b->machine, c.value, &r);
}

TEST(every_launch_ends_and_its_counters_add_up)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		for (int p = 0; p < 3; p++) {
			struct bench b =
			    bench_open((struct bench_setup){.machine = *machine, .policy = schedulers[p]});
			for (unsigned i = 0; synth_cases[i].name; i++)
				ok &= launch_holds(&b, i);
			bench_close(&b);
		}
	CHECK(ok);
}

/* One gpu runs them all, twice and in both directions: what ran before must not show. */
static bool launches_are_alone(const char *machine)
{
	bool ok = true;
	struct bench used = bench_open((struct bench_setup){.machine = machine});
	unsigned n = 0;
	while (synth_cases[n].name)
		bench_run(&used, synth_kept(n++, used.machine->sm_warp_size), 0, true);
	for (unsigned i = n; i--;) {
		char where[256];
		const struct trace *trace = synth_kept(i, used.machine->sm_warp_size);
		snprintf(where, sizeof where, "%s, %s", machine, synth_cases[i].name);
		struct counters fresh = bench_once((struct bench_setup){.machine = machine}, trace);
		struct counters later = bench_run(&used, trace, 0, true);
		ok &= bench_same(where, &later, &fresh);
	}
	bench_close(&used);
	return ok;
}

TEST(nothing_leaks_from_one_launch_into_the_next)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= launches_are_alone(*machine);
	ok &= launches_are_alone("rtx3070"); /* its L1 is small enough to be full */
	CHECK(ok);
}

/* All counters of a quantum of 1, and of others up to the machine's; one gpu each runs all traces. */
static bool quantum_changes_nothing(const char *machine, const char *changes)
{
	static const char *const traces[] = {"vector_add", "row_walk", "random_gather", "atomics_many",
	                                     "huge_cta"};
	enum { QUANTA = 3, EXACT = 0 };
	uint32_t quanta[QUANTA] = {1, 5, 0}; /* 0: the machine's */
	struct bench by[QUANTA];
	bool ok = true;
	for (int k = 0; k < QUANTA; k++) {
		quanta[k] = k == EXACT || quanta[k] < by[EXACT].machine->sim_quantum ? quanta[k] : 0;
		by[k] = bench_open(
		    (struct bench_setup){.machine = machine, .changes = changes, .quantum = quanta[k]});
	}
	for (int i = 0; i < 5; i++) {
		const struct trace *trace =
		    synth_kept(case_named(traces[i]), by[EXACT].machine->sm_warp_size);
		struct counters want = bench_run(&by[EXACT], trace, 0, true);
		for (int k = EXACT + 1; k < QUANTA; k++) {
			char where[256];
			struct counters got = bench_run(&by[k], trace, 0, true);
			snprintf(where, sizeof where, "%s, %s, %s, quantum %u", machine, changes, traces[i],
			         quanta[k]);
			ok &= bench_same(where, &got, &want);
		}
	}
	for (int k = 0; k < QUANTA; k++)
		bench_close(&by[k]);
	return ok;
}

/* The dispatcher works at exchanges: where a CTA's successor may start at once, it starts at the next of them. */
#define LATE_SUCCESSORS "launch.replace_cycles=128"

TEST(the_quantum_changes_no_counter)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= quantum_changes_nothing(*machine, LATE_SUCCESSORS);
	CHECK(ok);
}

/* SMs that are near memory, or replace CTAs soon, cannot run two quanta before memory does. */
TEST(two_quanta_at_once_change_no_counter_where_they_would_be_too_long)
{
	CHECK(quantum_changes_nothing("h200", "icnt.request_cycles=20 " LATE_SUCCESSORS));
	CHECK(quantum_changes_nothing("h200", "launch.replace_cycles=64"));
}

/* By the machine's quantum, which lets it run two of them at once, and by the same one by one. */
TEST(a_launch_is_cut_off_in_the_quantum_that_reaches_its_limit)
{
	const struct trace *trace = synth_kept(case_named("row_walk"), 32);
	struct bench by[] = {bench_open((struct bench_setup){.machine = "h200"}),
	                     bench_open((struct bench_setup){.machine = "h200", .quantum = 64})};
	bool ok = by[0].machine->sim_quantum == 64;
	for (uint64_t most = 1; most < 3000; most += most / 2 + 1) {
		struct launch_options options = {.flush_l2 = true, .max_insns = most};
		struct launch_result result[2];
		struct error err;
		char where[64];
		snprintf(where, sizeof where, "%llu instructions", (unsigned long long)most);
		for (int k = 0; k < 2; k++) {
			ok &= gpu_run(by[k].gpu, trace, 0, &options, &result[k], &err);
			free(result[k].pc_misses);
			free(result[k].stats);
		}
		ok &= bench_same(where, &result[0].counters, &result[1].counters);
	}
	bench_close(&by[0]);
	bench_close(&by[1]);
	CHECK(ok);
}

TEST(the_quantum_changes_no_counter_under_back_pressure)
{
	static const char *const few[] = {"icnt.credits=2 " LATE_SUCCESSORS,
	                                  "l1d.mshr_entries=2 " LATE_SUCCESSORS,
	                                  "l2.mshr_entries=2 " LATE_SUCCESSORS};
	bool ok = true;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 2; k++)
			ok &= quantum_changes_nothing(k ? "h200" : "gtx480-khairy", few[i]);
	CHECK(ok);
}

TEST_RUN_ALL(true)
