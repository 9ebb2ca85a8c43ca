/*
 * A policy that has every hook and no opinion changes nothing, on any machine:
 * asking costs no simulated cycle, and the way through the hooks is the same
 * as bypassing them. Left out: `order`, which has an owner. The auxiliary cache
 * has no sets.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static struct index machine_index; /* what the machine does without a policy */
static uint64_t heard[HOOK_COUNT]; /* calls per hook: they must have been asked */

/* A function for every hook: it counts the call and answers as if it were not there. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define HOOK(scope, combine, type, name, params, args, otherwise, ...)                                       \
	static type any_##name(POLICY_SELF_##scope POLICY_LIST params)                                       \
	{                                                                                                    \
		heard[HOOK_##name]++;                                                                        \
		return otherwise;                                                                            \
	}
#define EVENT(scope, combine, name, params, ...)                                                             \
	static void any_##name(POLICY_SELF_##scope POLICY_LIST params)                                       \
	{                                                                                                    \
		heard[HOOK_##name]++;                                                                        \
	}
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
#pragma GCC diagnostic pop

/* ---- hooks whose neutral answer is another ---------------------------------------------------------------- */

static struct throttle noop_throttle(void *sm, const struct sched_view *view)
{
	any_throttle(sm, view);
	return (struct throttle){.issue = UINT64_MAX, .load = UINT64_MAX, .until = POLICY_CYCLE_NEVER};
}

/* First in, first out. */
static int noop_prel1_pick(void *sm, const struct prel1_item *window, uint32_t count)
{
	uint32_t first = (uint32_t)any_prel1_pick(sm, window, count);
	for (uint32_t i = 1; i < count; i++)
		if (window[i].order < window[first].order)
			first = i;
	return count ? (int)first : PREL1_NONE;
}

static uint32_t noop_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	any_set_index(params, line, sets, warp);
	return index_of(&machine_index, line);
}

static bool goes_before(const struct frame_view *a, const struct frame_view *b)
{
	return a->kept != b->kept ? b->kept : a->recency < b->recency;
}

/* The first empty way, else the one that the machine would choose of those that are not reserved. */
static uint32_t noop_l1_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                               uint32_t count)
{
	uint32_t oldest = any_l1_victim(sm, request, ways, count);
	for (uint32_t i = 0; i < count; i++) {
		if (!ways[i].valid)
			return i;
		if (!ways[i].reserved && (oldest == UINT32_MAX || goes_before(&ways[i], &ways[oldest])))
			oldest = i;
	}
	return oldest;
}

static uint64_t noop_cta_pick(void *gpu, const struct cta_place *place)
{
	any_cta_pick(gpu, place);
	return place->given;
}

static struct policy noop = {.abi = POLICY_ABI,
                             .name = "noop",
                             .epoch_insns = 100,
                             .epoch_cycles = 1000,
                             .prefetch_on = UINT32_MAX,
                             .frame_history = true};

static bool fill_in(void)
{
#define HOOK(scope, combine, type, name, ...) noop.name = any_##name;
#define EVENT(scope, combine, name, ...) noop.name = any_##name;
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
	noop.order = NULL;
	noop.throttle = noop_throttle;
	noop.l2_origin = true;
	noop.cta_pick = noop_cta_pick;
	noop.prel1_pick = noop_prel1_pick;
	noop.set_index = noop_set_index;
	noop.l1_victim = noop_l1_victim;
	return true;
}

static bool changes_nothing(const char *machine, const char *changes, const struct policy *policy)
{
	struct error err;
	struct bench plain = bench_open((struct bench_setup){.machine = machine, .changes = changes});
	struct bench asked =
	    bench_open((struct bench_setup){.machine = machine, .changes = changes, .extra = policy});
	const struct machine *m = plain.machine;
	bool ok =
	    index_build(&machine_index, (enum set_index)m->l1d_index, m->l1d_sets, m->l1d_line_bytes, &err);
	for (unsigned i = 0; synth_cases[i].name; i++) {
		char where[256];
		const struct trace *trace = synth_kept(i, m->sm_warp_size);
		snprintf(where, sizeof where, "%s, %s, %s, %s", policy->name, machine,
		         changes ? changes : "-", synth_cases[i].name);
		struct counters want = bench_run(&plain, trace, 0, true),
		                got = bench_run(&asked, trace, 0, true);
		ok &= bench_same(where, &got, &want);
	}
	bench_close(&plain);
	bench_close(&asked);
	return ok;
}

TEST(a_policy_without_opinion_changes_nothing)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++)
		ok &= changes_nothing(*machine, NULL, &noop);
	CHECK(ok);
}

TEST(nor_does_it_under_back_pressure)
{
	bool ok =
	    changes_nothing("gtx480-khairy", "l1d.mshr_entries=2 l1d.mshr_merge=1 l1d.miss_queue=1", &noop);
	ok &= changes_nothing("v100-osm", "icnt.credits=2 l1d.miss_queue=2 l2.mshr_entries=2 lsu.queue_sm=2",
	                      &noop);
	ok &= changes_nothing("gtx480-khairy", "l1d.enabled=no", &noop);
	CHECK(ok);
}

/* Some hooks change which code runs when they are there alone: each by itself must be as neutral as all. */
TEST(nor_does_any_of_its_hooks_alone)
{
	bool ok = true;
#define ALONE(hook)                                                                                          \
	do {                                                                                                 \
		struct policy one = {                                                                        \
		    .abi = POLICY_ABI, .name = "noop " #hook, .prefetch_on = UINT32_MAX, .hook = noop.hook}; \
		ok &= changes_nothing("gtx480-ciao", NULL, &one);                                            \
	} while (0)
	ALONE(throttle);
	ALONE(prel1_insert);
	ALONE(prel1_pick);
	ALONE(l1_route);
	ALONE(l1_feedback);
	ALONE(set_index);
	ALONE(l1_victim);
	ALONE(prefetch);
	ALONE(l2_victim);
	ALONE(on_l2_access);
	ALONE(cta_pick);
	ALONE(aux_cache);
	ALONE(smem_route);
	ALONE(l2_route);
	ALONE(l2_reply);
	ALONE(on_l1_hit);
	CHECK(ok);
}

/* All but order, which is left out, two that only a cache next to L1 with lines has, and one of prefetches. */
TEST(every_hook_was_asked)
{
	for (int hook = 0; hook < HOOK_COUNT; hook++) {
		bool is_never = hook == HOOK_order || hook == HOOK_aux_index || hook == HOOK_smem_dead ||
		                hook == HOOK_on_prefetch;
		if (!heard[hook] != is_never)
			printf("# %s was called %llu times\n", hook_facts[hook].name,
			       (unsigned long long)heard[hook]);
		CHECK_EQ(!heard[hook], is_never);
	}
}

TEST_RUN_ALL(fill_in())
