/*
 * A cache next to L1, and shared memory behind a cache, on every machine: launches end, requests are answered once,
 * lines are counted once, and neither the quantum nor the number of threads shows.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* Warps of odd slots go to shared memory that CTAs leave free, direct mapped: the shape changes with the CTAs. */
static enum l1_route odd_warps(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)sm, (void)fail;
	return request->warp % 2 ? L1_ROUTE_AUX : L1_ROUTE_NONE;
}

static struct aux_shape free_smem(void *sm, const struct sm_view *view)
{
	(void)sm;
	uint32_t lines = (view->smem_bytes - view->smem_bytes_used) / 128;
	return (struct aux_shape){.sets = lines > 40 ? 40 : lines, .ways = 1, .hit_cycles = 1};
}

static uint32_t folded(const void *params, uint64_t line, uint32_t sets)
{
	(void)params;
	return (uint32_t)((line ^ line >> 8) % sets);
}

static const struct policy sidecar = {
    .abi = POLICY_ABI, .name = "sidecar", .l1_route = odd_warps, .aux_cache = free_smem, .aux_index = folded};

static enum smem_route always(void *sm, const struct l1_request *request)
{
	(void)sm, (void)request;
	return SMEM_ROUTE_CACHED;
}

static struct aux_shape two_sets(void *sm, const struct sm_view *view)
{
	(void)sm, (void)view;
	return (struct aux_shape){
	    .sets = 2, .ways = 2, .hit_cycles = 20, .write_back = 1, .drop_at_cta_end = 1, .past_l2 = 1};
}

static struct aux_shape written_through(void *sm, const struct sm_view *view)
{
	(void)sm, (void)view;
	return (struct aux_shape){.sets = 1, .ways = 8, .hit_cycles = 20, .fetch_on_store_miss = 1};
}

static const struct policy off_chip = {
    .abi = POLICY_ABI, .name = "off-chip", .smem_route = always, .aux_cache = two_sets};
static const struct policy through = {
    .abi = POLICY_ABI, .name = "through", .smem_route = always, .aux_cache = written_through};
static const struct policy in_l1 = {.abi = POLICY_ABI, .name = "in L1", .smem_route = always};
/* Both kinds of lines in one auxiliary cache. */
static const struct policy both = {
    .abi = POLICY_ABI, .name = "both", .smem_route = always, .aux_cache = two_sets, .l1_route = odd_warps};

static const struct policy *const policies[] = {&sidecar, &off_chip, &through, &in_l1, &both};
enum { POLICIES = sizeof policies / sizeof *policies };

static uint64_t used_side, used_migrations, used_stores, used_past_l2;

static bool holds(const char *where, const struct machine *m, const uint64_t *v, const struct recount *r)
{
	bool ok = bench_adds_up(where, m, v, r);
	ok &= bench_equal(where, "l1_accesses", v[COUNT_l1_accesses], r->load_lines);
	ok &= bench_equal(where, "l1_stores", v[COUNT_l1_stores], r->store_lines);
	ok &= bench_equal(where, "side hits + pending hits + misses",
	                  v[COUNT_aux_hits] + v[COUNT_aux_pending_hits] + v[COUNT_aux_misses],
	                  v[COUNT_aux_accesses]);
	used_side += v[COUNT_aux_accesses];
	used_migrations += v[COUNT_aux_migrations];
	used_stores += v[COUNT_aux_stores];
	used_past_l2 += v[COUNT_l2_bypass_read_sectors] + v[COUNT_l2_bypass_write_sectors];
	return ok;
}

static bool machine_holds(const char *machine, const char *changes, const struct policy *policy)
{
	bool ok = true;
	struct bench b =
	    bench_open((struct bench_setup){.machine = machine, .changes = changes, .extra = policy});
	for (unsigned i = 0; synth_cases[i].name; i++) {
		char where[256];
		const struct trace *trace = synth_kept(i, b.machine->sm_warp_size);
		snprintf(where, sizeof where, "%s, %s, %s, %s", machine, changes ? changes : "-",
		         policy->name, synth_cases[i].name);
		struct recount r = bench_recount(trace, 0, b.machine);
		struct counters c = bench_run(&b, trace, 0, true);
		ok &= holds(where, b.machine, c.value, &r);
	}
	bench_close(&b);
	return ok;
}

TEST(counters_add_up_on_every_machine)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		for (int p = 0; p < POLICIES; p++)
			ok &= machine_holds(*machine, NULL, policies[p]);
	CHECK(ok);
	CHECK(used_side);
	CHECK(used_migrations);
	CHECK(used_stores);
	CHECK(used_past_l2);
}

TEST(little_of_everything_is_enough)
{
	static const char few[] =
	    "l1d.mshr_entries=1 l1d.mshr_merge=1 l1d.miss_queue=1 icnt.credits=1 l2.mshr_entries=4 "
	    "l2.mshr_merge=1 lsu.queue_sm=2";
	bool ok = true;
	for (int p = 0; p < POLICIES; p++) {
		ok &= machine_holds("gtx480-ciao", few, policies[p]);
		ok &= machine_holds("v100-osm", few, policies[p]);
		ok &= machine_holds("gtx480-ciao", "l1d.enabled=no", policies[p]);
	}
	CHECK(ok);
}

static struct bench open_with(const char *machine, const struct policy *policy, uint32_t threads,
                              uint32_t quantum)
{
	return bench_open((struct bench_setup){.machine = machine,
	                                       .changes = "launch.replace_cycles=64",
	                                       .extra = policy,
	                                       .threads = threads,
	                                       .quantum = quantum});
}

/* On every `step`th case from `first` on. */
static bool same_however_run(const char *machine, const struct policy *policy, unsigned first, unsigned step)
{
	struct bench exact = open_with(machine, policy, 1, 1), long_quanta = open_with(machine, policy, 1, 0);
	struct bench threads = open_with(machine, policy, 2, 0);
	bool ok = true;
	for (unsigned i = first; i < synth_case_count(); i += step) {
		char where[256];
		const struct trace *trace = synth_kept(i, exact.machine->sm_warp_size);
		struct counters want = bench_run(&exact, trace, 0, true);
		struct counters by_quanta = bench_run(&long_quanta, trace, 0, true);
		struct counters by_threads = bench_run(&threads, trace, 0, true);
		snprintf(where, sizeof where, "%s, %s, %s", machine, policy->name, synth_cases[i].name);
		ok &= bench_same(where, &by_quanta, &want);
		ok &= bench_same(where, &by_threads, &want);
	}
	bench_close(&exact);
	bench_close(&long_quanta);
	bench_close(&threads);
	return ok;
}

TEST(threads_and_quantum_change_no_counter)
{
	static const char *const machines[] = {"gtx480-ciao", "v100-osm", "h200"};
	enum { MACHINES = sizeof machines / sizeof *machines };
	bool ok = true, few = getenv("SLUICE_TEST_SHARE");
	/* Under every policy the machines share all cases; sanitizers, which get less, have one machine. */
	for (unsigned p = 0; p < POLICIES; p++)
		for (unsigned m = 0; m < (few ? 1 : MACHINES); m++)
			ok &= same_however_run(machines[m], policies[p], (m + p) % MACHINES, MACHINES);
	CHECK(ok);
}

TEST_RUN_ALL(true)
