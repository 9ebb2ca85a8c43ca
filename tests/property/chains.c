/*
 * Policies combine freely: random chains on random machines, each on a random
 * small trace, are refused before anything runs, or end with counters that add
 * up, the same with one thread and with two.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

enum { COMBINATIONS = 2000, CHANGES = 3, RUN_TWICE = 4 };

static uint64_t seed = 20181;

static uint32_t choose(uint32_t n)
{
	return (uint32_t)(synth_random(&seed) % n);
}

/* Fewer SMs make a machine quicker; the rest makes it tight, or strange. */
static void random_changes(struct machine *m)
{
	static const char *const changes[][2] = {
	    {"l1d.mshr_entries", "2"},
	    {"l1d.mshr_entries", "8"},
	    {"icnt.credits", "3"},
	    {"l1d.miss_queue", "2"},
	    {"l1d.ways", "1"},
	    {"l1d.ways", "2"},
	    {"l2.mshr_entries", "4"},
	    {"l1d.mshr_merge", "1"},
	    {"l1d.write_hit", "write-evict"},
	    {"l1d.write_hit", "write-through"},
	    {"sm.ctas", "2"},
	    {"l1d.allocate", "on-fill"},
	    {"l1d.allocate", "on-miss"},
	    {"l1d.index", "seq"},
	    {"smem.bytes", "49152"},
	};
	struct error err;
	char sms[16];
	snprintf(sms, sizeof sms, "%u",
	         m->sm_gpcs * (1 + choose(2)) > m->sm_count ? m->sm_count : m->sm_gpcs * (1 + choose(2)));
	machine_set(m, "sm.count", sms, "test", &err);
	for (uint32_t i = choose(CHANGES + 1); i; i--) {
		const char *const *change = changes[choose(sizeof changes / sizeof *changes)];
		machine_set(m, change[0], change[1], "test", &err);
	}
}

static uint32_t registered(void)
{
	uint32_t n = 0;
	while (policy_registry[n])
		n++;
	return n;
}

static void random_chain(char *text, size_t size)
{
	text[0] = 0;
	for (uint32_t i = 1 + choose(4); i; i--) {
		size_t n = strlen(text);
		snprintf(text + n, size - n, "%s%s", n ? "," : "",
		         policy_registry[choose(registered())]->name);
	}
}

static bool run_once(struct machine *m, struct chain *chain, const struct trace *trace, uint32_t threads,
                     struct launch_result *result, const char *where)
{
	struct error err;
	struct gpu *gpu = gpu_new(m, chain, threads, 0, &err);
	struct launch_options options = {.flush_l2 = true, .always_share = true};
	bool ok = gpu && gpu_run(gpu, trace, 0, &options, result, &err) && result->status == LAUNCH_DONE;
	if (!ok)
		printf("# %s: %s\n", where, gpu && result->report ? result->report : err.text);
	if (gpu) {
		free(result->pc_misses);
		free(result->stats);
		free(result->report);
	}
	gpu_free(gpu);
	return ok;
}

/* Whether the kernel fits on the machine at all is not what is asked here. */
static bool fits(const struct machine *m, const struct trace_kernel *k)
{
	return k->shared_bytes + m->smem_reserved_per_cta <= m->smem_bytes;
}

/* Where races are looked for, one thread has none. */
static bool threads_alone(void)
{
	return getenv("SLUICE_TEST_THREADS");
}

enum outcome { RAN, REFUSED, BROKEN };

static enum outcome try(const char *machine, const char *text, bool twice)
{
	struct error err = {{0}};
	struct machine *m = machine_load(machine, &err);
	random_changes(m);
	unsigned cases = 0;
	while (synth_cases[cases].name)
		cases++;
	unsigned which = choose(cases);
	const struct trace *trace = synth_kept(which, m->sm_warp_size);
	struct chain *chain =
	    machine_check(m, &err) && fits(m, trace_kernel_at(trace, 0)) ? chain_new(text, m, &err) : NULL;
	enum outcome outcome = chain ? RAN : REFUSED;
	if (chain && (twice || !threads_alone())) {
		char where[1024];
		struct launch_result result = {0}, again = {0};
		snprintf(where, sizeof where, "%s with %s, %s", machine, chain->text,
		         synth_cases[which].name);
		struct recount r = bench_recount(trace, 0, m);
		bool ok = run_once(m, chain, trace, 1, &result, where) &&
		          bench_adds_up(where, m, result.counters.value, &r);
		if (ok && twice) {
			chain_free(chain);
			chain = chain_new(text, m, &err);
			ok = run_once(m, chain, trace, 2, &again, where) &&
			     bench_same(where, &again.counters, &result.counters);
		}
		outcome = ok ? RAN : BROKEN;
	}
	chain_free(chain);
	machine_free(m);
	return outcome;
}

/* Sanitizers take ten times as long: they get a share of the work. */
static uint32_t combinations(void)
{
	const char *share = getenv("SLUICE_TEST_SHARE");
	uint32_t divisor = share ? (uint32_t)atoi(share) : 1;
	return COMBINATIONS / (divisor ? divisor : 1);
}

TEST(random_chains_are_refused_or_run_to_the_end_and_add_up)
{
	uint32_t count[3] = {0}, machines = 0;
	const char *const *names = bench_machines();
	while (names[machines])
		machines++;
	for (uint32_t i = 0; count[RAN] + count[BROKEN] < combinations(); i++) {
		char text[256];
		random_chain(text, sizeof text);
		count[try(names[choose(machines)], text, i % RUN_TWICE == 0)]++;
	}
	printf("# %u ran, %u were refused, %u broke\n", count[RAN], count[REFUSED], count[BROKEN]);
	CHECK_EQ(count[BROKEN], 0);
}

TEST_MAIN(TEST_ENTRY(random_chains_are_refused_or_run_to_the_end_and_add_up))
