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

static uint64_t sum_stalls(const uint64_t *value)
{
	uint64_t sum = 0;
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!strncmp(counter_infos[i].name, "stall_", 6))
			sum += value[i];
	return sum;
}

static bool holds(const char *where, const struct machine *m, const uint64_t *v, const struct recount *r)
{
	bool ok = bench_equal(where, "warp_insns", v[COUNT_warp_insns], r->warp_insns);
	ok &= bench_equal(where, "thread_insns", v[COUNT_thread_insns], r->thread_insns);
	ok &= bench_equal(where, "ctas", v[COUNT_ctas], r->ctas);
	ok &= bench_equal(where, "warps", v[COUNT_warps], r->warps);
	ok &= bench_equal(where, "l1_accesses", v[COUNT_l1_accesses], r->load_lines);
	ok &= bench_equal(where, "l1_stores", v[COUNT_l1_stores], r->store_lines);
	ok &= bench_equal(where, "hits + pending hits + misses + bypasses",
			  v[COUNT_l1_hits] + v[COUNT_l1_pending_hits] + v[COUNT_l1_misses] + v[COUNT_l1_bypasses],
			  v[COUNT_l1_accesses]);
	ok &= bench_equal(where, "l1_replies", v[COUNT_l1_replies], v[COUNT_l1_accesses]);
	ok &= bench_equal(where, "sm_cycles", v[COUNT_sm_cycles], v[COUNT_cycles] * m->sm_count);
	ok &= bench_equal(where, "issue and stall cycles", v[COUNT_issue_cycles] + sum_stalls(v), v[COUNT_sm_cycles]);
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
			struct bench b = bench_open((struct bench_setup){.machine = *machine, .policy = schedulers[p]});
			for (unsigned i = 0; synth_cases[i].name; i++)
				ok &= launch_holds(&b, i);
			bench_close(&b);
		}
	CHECK(ok);
}

/* One gpu runs them all, twice and in both directions: what ran before must not show. */
TEST(nothing_leaks_from_one_launch_into_the_next)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++) {
		struct bench used = bench_open((struct bench_setup){.machine = *machine});
		unsigned n = 0;
		while (synth_cases[n].name)
			bench_run(&used, synth_kept(n++, used.machine->sm_warp_size), 0, true);
		for (unsigned i = n; i--;) {
			char where[256];
			const struct trace *trace = synth_kept(i, used.machine->sm_warp_size);
			snprintf(where, sizeof where, "%s, %s", *machine, synth_cases[i].name);
			struct counters fresh = bench_once((struct bench_setup){.machine = *machine}, trace);
			struct counters later = bench_run(&used, trace, 0, true);
			ok &= bench_same(where, &later, &fresh);
		}
		bench_close(&used);
	}
	CHECK(ok);
}

/*
 * How far cycles are from those of a quantum of 1, as a part of them. What is
 * left is chance: packets of one cycle come in another order.
 */
static double distance(const char *machine, const char *changes, const char *name, uint32_t quantum)
{
	struct bench exact = bench_open((struct bench_setup){.machine = machine, .changes = changes, .quantum = 1});
	const struct trace *trace = synth_kept(case_named(name), exact.machine->sm_warp_size);
	if (quantum > exact.machine->sim_quantum)
		quantum = exact.machine->sim_quantum; /* never longer than the machine allows */
	struct counters want = bench_run(&exact, trace, 0, true);
	bench_close(&exact);
	struct counters got = bench_once(
		(struct bench_setup){.machine = machine, .changes = changes, .quantum = quantum}, trace);
	double off = (double)got.value[COUNT_cycles] / (double)want.value[COUNT_cycles] - 1;
	bool same = got.value[COUNT_l1_accesses] == want.value[COUNT_l1_accesses] &&
		    got.value[COUNT_warp_insns] == want.value[COUNT_warp_insns];
	return !same ? 1 : off < 0 ? -off : off;
}

/* 0.5 % on average and 3 % at worst, over traces of a few thousand cycles. */
static bool quantum_is_harmless(const char *machine, const char *changes)
{
	static const char *const traces[] = {"vector_add", "row_walk", "random_gather", "atomics_many", "huge_cta"};
	double sum = 0, worst = 0;
	for (int i = 0; i < 5; i++)
		for (uint32_t quantum = 16; quantum <= 64; quantum *= 4) {
			double off = distance(machine, changes, traces[i], quantum);
			sum += off / 10;
			worst = off > worst ? off : worst;
		}
	bool ok = sum <= 0.005 && worst <= 0.03;
	if (!ok)
		printf("# %s, %s: %.2f %% on average, %.2f %% at worst\n", machine, changes ? changes : "-", 100 * sum,
		       100 * worst);
	return ok;
}

TEST(the_quantum_hardly_changes_the_cycles)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= quantum_is_harmless(*machine, NULL);
	CHECK(ok);
}

TEST(the_quantum_hardly_changes_the_cycles_under_back_pressure)
{
	static const char *const few[] = {"icnt.credits=2", "l1d.mshr_entries=2", "l2.mshr_entries=2"};
	bool ok = true;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 2; k++)
			ok &= quantum_is_harmless(k ? "h200" : "gtx480-khairy", few[i]);
	CHECK(ok);
}

TEST_MAIN(TEST_ENTRY(every_launch_ends_and_its_counters_add_up)
	  TEST_ENTRY(nothing_leaks_from_one_launch_into_the_next)
	  TEST_ENTRY(the_quantum_hardly_changes_the_cycles)
	  TEST_ENTRY(the_quantum_hardly_changes_the_cycles_under_back_pressure))
