/*
 * Nothing is lost and nothing is made: with few credits, few MSHRs and short
 * queues every launch still ends, and then every packet, credit, MSHR and
 * queue slot is back where it was.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* ---- what must be back in place ------------------------------------------------------------------------------ */

/* No entry is taken, and every waiter ever used has been given back. */
static bool mshrs_are_clean(const char *where, const struct mshr_table *mshrs)
{
	uint32_t given_back = 0;
	for (uint32_t node = mshrs->free_waiter; node != MSHR_NONE; node = mshrs->waiter[node].next)
		given_back++;
	bool free = bench_equal(where, "MSHRs free", mshrs->free_entries, mshrs->entries);
	return bench_equal(where, "places to wait in MSHRs", given_back, mshrs->used_waiters) && free;
}

static bool sm_is_clean(const char *where, const struct bench *b, const struct sm *sm)
{
	uint32_t credits = sm->port.credits;
	for (uint32_t w = 0; w < b->gpu->workers; w++)
		credits += crossbar_credits(&b->gpu->crossbar, sm->id, w)->coming;
	bool ok = bench_equal(where, "credits at the end", credits, b->machine->icnt_credits);
	ok &= mshrs_are_clean(where, &sm->l1.mshrs);
	ok &= bench_equal(where, "loads in flight", !loads_idle(&sm->loads), 0);
	ok &= bench_equal(where, "packets without a credit", port_waits(&sm->port), 0);
	ok &= bench_equal(where, "LSU queue", sm->lsu.count, 0);
	ok &= bench_equal(where, "resident warps", sm->warps.resident, 0);
	ok &= bench_equal(where, "resident CTAs", sm->warps.resident_ctas, 0);
	ok &= bench_equal(where, "idle", sm_idle(sm), true);
	for (uint32_t w = 0; w < b->gpu->workers; w++)
		ok &= bench_equal(where, "packets in the SM's boxes", sm->port.out[w].count, 0);
	const struct tags *tags = &sm->l1.tags;
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++)
		if (tag_present(tags, &tags->entries[i]) && tags->entries[i].state & TAG_RESERVED)
			return bench_equal(where, "reserved lines", 1, 0);
	return ok;
}

static bool memory_is_clean(const char *where, const struct bench *b)
{
	const struct memory *memory = &b->gpu->memory;
	const struct address_map *map = &b->gpu->crossbar.map;
	bool ok = true;
	for (uint32_t i = 0; i < map->slices; i++) {
		const struct slice *slice = &memory->slice[i];
		ok &= mshrs_are_clean(where, &slice->mshrs);
		ok &= bench_equal(where, "requests before a slice",
		                  slice->waiting.count + slice->fabric_waiting.count, 0);
		ok &= bench_equal(where, "blocked slices", slice->blocked, 0);
	}
	for (uint32_t i = 0; i < map->channels; i++) {
		const struct partition *partition = &memory->partition[i];
		ok &= bench_equal(where, "DRAM queue", partition->dram.count, 0);
		for (uint32_t w = 0; w < b->gpu->threads; w++)
			ok &= bench_equal(where, "replies in boxes", partition->replies[w].count, 0);
		for (uint32_t w = 0; w < 2 * b->gpu->threads; w++)
			ok &= bench_equal(where, "packets in boxes", partition->fabric[w].count, 0);
	}
	return ok;
}

/*
 * Packets out: one per miss, bypass and atomic line, one per store line but
 * those that write-back kept or that joined another, one per line written back.
 */
static bool packets_add_up(const char *where, const struct machine *m, const uint64_t *v,
                           const struct recount *r)
{
	uint64_t sent = v[COUNT_l1_misses] + v[COUNT_l1_bypasses] + r->atomic_lines + r->store_lines +
	                v[COUNT_l1_writebacks] - v[COUNT_l1_store_merges];
	if (m->l1d_local_write != WRITE_HIT_BACK || !r->local_store_lines)
		return bench_equal(where, "icnt_requests", v[COUNT_icnt_requests], sent);
	uint64_t kept = sent - v[COUNT_icnt_requests];
	bool ok = kept <= r->local_store_lines && kept <= v[COUNT_l1_store_hits];
	if (!ok)
		printf("# %s: %llu stores were not sent\n", where, (unsigned long long)kept);
	return ok;
}

static bool conserves(const char *machine, const char *changes)
{
	bool ok = true;
	struct bench b = bench_open((struct bench_setup){.machine = machine, .changes = changes});
	for (unsigned i = 0; synth_cases[i].name; i++) {
		char where[512];
		const struct trace *trace = synth_kept(i, b.machine->sm_warp_size);
		struct recount r = bench_recount(trace, 0, b.machine);
		snprintf(where, sizeof where, "%s, %s, %s", machine, changes, synth_cases[i].name);
		struct counters c = bench_run(&b, trace, 0, true);
		ok &= bench_equal(where, "warp_insns", c.value[COUNT_warp_insns], r.warp_insns);
		ok &= bench_equal(where, "l1_accesses", c.value[COUNT_l1_accesses], r.load_lines);
		ok &= bench_equal(where, "l1_replies", c.value[COUNT_l1_replies], r.load_lines);
		ok &= packets_add_up(where, b.machine, c.value, &r);
		ok &= memory_is_clean(where, &b);
		for (uint32_t s = 0; s < b.gpu->active_count; s++)
			ok &= sm_is_clean(where, &b, &b.gpu->sm[b.gpu->active[s]]);
	}
	bench_close(&b);
	return ok;
}

static bool all_conserve(const char *changes)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= conserves(*machine, changes);
	return ok;
}

TEST(everything_is_back_in_place_after_a_launch)
{
	CHECK(all_conserve("sim.watchdog_cycles=1000000"));
}

TEST(few_credits_are_enough)
{
	bool ok = all_conserve("icnt.credits=1");
	ok &= conserves("gtx480-khairy", "icnt.credits=2");
	ok &= conserves("h200", "icnt.credits=2");
	ok &= conserves("gtx480-khairy", "icnt.credits=8");
	ok &= conserves("v100-osm", "icnt.credits=8 icnt.credit_cycles=500");
	CHECK(ok);
}

TEST(few_mshrs_are_enough)
{
	bool ok = all_conserve("l1d.mshr_entries=1 l1d.mshr_merge=1");
	ok &= all_conserve("l2.mshr_entries=2 l2.mshr_merge=1");
	ok &= conserves("gtx480-ciao", "l1d.mshr_entries=2 l1d.mshr_merge=4");
	ok &= conserves("h200", "l1d.mshr_entries=4");
	ok &= conserves("gtx480-ciao", "l2.mshr_entries=1");
	ok &= conserves("h200", "l2.mshr_entries=4 l2.mshr_merge=2");
	CHECK(ok);
}

TEST(short_queues_are_enough)
{
	bool ok = all_conserve("l1d.miss_queue=1 lsu.queue_sm=1 lsu.queue_scheduler=1 dram.queue=1");
	ok &= conserves("gtx480-khairy", "l1d.ways=1 l1d.sets=2");
	ok &= conserves("v100-osm", "l1d.ways=1 l1d.miss_queue=2");
	ok &= conserves("gtx480-ciao", "l1d.enabled=no");
	ok &= conserves("h200", "l1d.allocate=on-miss l1d.ways=1");
	CHECK(ok);
}

TEST(few_of_everything_is_enough)
{
	CHECK(
	    all_conserve("icnt.credits=1 l1d.mshr_entries=1 l1d.mshr_merge=1 l1d.miss_queue=1 lsu.queue_sm=1 "
	                 "l2.mshr_entries=2 l2.mshr_merge=1 dram.queue=1"));
}

/* ---- a witness to every issue --------------------------------------------------------------------------------- */

static uint64_t last_issue[1024][8];
static uint32_t schedulers;
static bool crowded;

static uint32_t *witness_sm(void *sm)
{
	return sm;
}

static size_t witness_bytes(const struct policy_env *env)
{
	schedulers = env->schedulers;
	return sizeof(uint32_t);
}

static void witness_init(void *sm, const struct policy_env *env)
{
	*witness_sm(sm) = env->sm;
	memset(last_issue[env->sm], 0xff, sizeof last_issue[env->sm]);
}

static void witness_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle)
{
	(void)pc, (void)lanes;
	uint64_t *last = &last_issue[*witness_sm(sm)][warp % schedulers];
	crowded |= *last != UINT64_MAX && cycle <= *last;
	*last = cycle;
}

static const struct policy witness = {.abi = POLICY_ABI,
                                      .name = "witness",
                                      .sm_bytes = witness_bytes,
                                      .sm_init = witness_init,
                                      .on_issue = witness_issue};

static bool issues_in_turn(const char *machine, const char *changes)
{
	struct bench b =
	    bench_open((struct bench_setup){.machine = machine, .changes = changes, .extra = &witness});
	for (unsigned i = 0; synth_cases[i].name; i++) {
		const struct trace *trace = synth_kept(i, b.machine->sm_warp_size);
		crowded = false;
		bench_run(&b, trace, 0, true);
		if (crowded)
			printf("# %s, %s, %s: two instructions of one scheduler in one cycle\n", machine,
			       changes ? changes : "-", synth_cases[i].name);
		if (crowded)
			break;
	}
	bench_close(&b);
	return !crowded;
}

TEST(a_scheduler_issues_once_per_cycle)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++) {
		ok &= issues_in_turn(*machine, NULL);
		ok &= issues_in_turn(*machine, "lsu.queue_sm=1");
		ok &= issues_in_turn(*machine, "sm.barrier_cycles=0 sm.barrier_warp_cycles=0");
	}
	CHECK(ok);
}

TEST_RUN_ALL(true)
