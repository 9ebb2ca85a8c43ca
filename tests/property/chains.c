/*
 * Policies combine freely: chains that have every two of them somewhere, on
 * random machines and each on a random small trace, are refused before anything
 * runs, or end with counters that add up, the same with one thread and with two.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

enum { POLICIES_MAX = 128, LENGTH_MAX = 4, TRIES = 4, CHANGES = 3, RUN_TWICE = 4 };

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

/* A chain's policies, by their numbers in the registry. */
struct picked {
	uint32_t count, policy[LENGTH_MAX];
};

/* Both in either order, with others around and between them as long as `alone` is false. */
static struct picked pick_around(uint32_t a, uint32_t b, bool alone)
{
	struct picked p = {.count = 2 + (alone ? 0 : choose(LENGTH_MAX - 1))};
	uint32_t at_a = choose(p.count), at_b = (at_a + 1 + choose(p.count - 1)) % p.count;
	for (uint32_t i = 0; i < p.count; i++)
		p.policy[i] = i == at_a ? a : i == at_b ? b : choose(registered());
	return p;
}

static void name_chain(const struct picked *p, char *text, size_t size)
{
	text[0] = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		size_t n = strlen(text);
		snprintf(text + n, size - n, "%s%s", n ? "," : "", policy_registry[p->policy[i]]->name);
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

/* Sanitizers take ten times as long: they get a share of the pairs. */
static uint32_t pairs_for_one(void)
{
	const char *share = getenv("SLUICE_TEST_SHARE");
	uint32_t divisor = share ? (uint32_t)atoi(share) : 1;
	return divisor ? divisor : 1;
}

static bool together[POLICIES_MAX][POLICIES_MAX]; /* both ways: what ran in one chain */
static uint32_t outcomes[3];

static void note_pairs(const struct picked *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		for (uint32_t k = 0; k < p->count; k++)
			together[p->policy[i]][p->policy[k]] = true;
}

/* Until they have run together, or were refused with others and at last without. */
static void try_pair(uint32_t a, uint32_t b)
{
	const char *const *names = bench_machines();
	uint32_t machines = 0;
	while (names[machines])
		machines++;
	for (uint32_t tries = 0; tries < TRIES && !together[a][b]; tries++) {
		char text[256];
		struct picked p = pick_around(a, b, tries >= TRIES / 2);
		name_chain(&p, text, sizeof text);
		bool twice = (outcomes[RAN] + outcomes[BROKEN]) % RUN_TWICE == 0;
		enum outcome outcome = try(names[choose(machines)], text, twice);
		outcomes[outcome]++;
		if (outcome != REFUSED)
			note_pairs(&p);
	}
}

TEST(chains_of_every_two_policies_are_refused_or_run_to_the_end_and_add_up)
{
	uint32_t n = registered(), pairs = 0, ran = 0;
	CHECK(n <= POLICIES_MAX);
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = a + 1; b < n; b++) {
			if (pairs++ % pairs_for_one() == 0)
				try_pair(a, b);
			ran += together[a][b];
		}
	printf("# %u ran, %u were refused, %u broke; %u of %u pairs ran\n", outcomes[RAN], outcomes[REFUSED],
	       outcomes[BROKEN], ran, pairs);
	CHECK_EQ(outcomes[BROKEN], 0);
	CHECK(ran > pairs / 2 / pairs_for_one());
}

TEST_RUN_ALL(true)
