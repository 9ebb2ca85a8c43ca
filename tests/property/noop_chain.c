/*
 * A policy that has every hook and no opinion changes nothing, on any machine:
 * asking costs no simulated cycle, and the way through the hooks is the same
 * as bypassing them. Left out: `order`, which has an owner. The auxiliary cache
 * has no sets.
 */
#include <stdlib.h>

#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static struct index machine_index; /* what the machine does without a policy */
static uint64_t heard[32];         /* calls per hook: they must have been asked */

enum asked {
	GATE,
	CTA_LIMIT,
	MEMQ_INSERT,
	MEMQ_PICK,
	L1_ROUTE,
	L1_FEEDBACK,
	SET_INDEX,
	L1_ALLOC,
	L1_VICTIM,
	SMEM_CAPACITY,
	L1_CAPACITY,
	SIDE_CACHE,
	SMEM_ROUTE,
	L2_ROUTE,
	L2_REPLY,
	ON_L2_FILL,
	ON_L2_EVICT,
	ON_ISSUE,
	ON_WARP_START,
	ON_WARP_EXIT,
	ON_BARRIER,
	ON_L1_HIT,
	ON_L1_PENDING,
	ON_L1_MISS,
	ON_L1_EVICT,
	ON_L1_FILL,
	ON_REPLY,
	ON_EPOCH,
	ON_KERNEL_BEGIN,
	ON_KERNEL_END,
	ON_GPU_EPOCH
};

static struct throttle noop_throttle(void *sm, const struct sched_view *view)
{
	(void)sm, (void)view;
	heard[GATE]++;
	return (struct throttle){.issue = UINT64_MAX, .load = UINT64_MAX, .until = POLICY_CYCLE_NEVER};
}

static uint32_t noop_cta_limit(void *sm, const struct sm_view *view)
{
	(void)sm, (void)view;
	heard[CTA_LIMIT]++;
	return UINT32_MAX;
}

static int noop_prel1_insert(void *sm, const struct prel1_item *window, uint32_t count,
                             const struct prel1_item *request)
{
	(void)sm, (void)window, (void)count, (void)request;
	heard[MEMQ_INSERT]++;
	return PREL1_APPEND;
}

/* First in, first out. */
static int noop_prel1_pick(void *sm, const struct prel1_item *window, uint32_t count)
{
	(void)sm;
	heard[MEMQ_PICK]++;
	uint32_t first = 0;
	for (uint32_t i = 1; i < count; i++)
		if (window[i].order < window[first].order)
			first = i;
	return count ? (int)first : PREL1_NONE;
}

static enum l1_route noop_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)sm, (void)request, (void)fail;
	heard[L1_ROUTE]++;
	return L1_ROUTE_NONE;
}

static uint8_t noop_l1_feedback(void *sm, const struct l1_request *request)
{
	(void)sm, (void)request;
	heard[L1_FEEDBACK]++;
	return 0;
}

static uint32_t noop_set_index(const void *params, uint64_t line, uint32_t sets, uint32_t warp)
{
	(void)params, (void)sets, (void)warp;
	heard[SET_INDEX]++;
	return index_of(&machine_index, line);
}

static enum answer noop_l1_alloc(void *sm, const struct l1_event *fill)
{
	(void)sm, (void)fill;
	heard[L1_ALLOC]++;
	return ANSWER_NONE;
}

static bool goes_before(const struct frame_view *a, const struct frame_view *b)
{
	return a->kept != b->kept ? b->kept : a->recency < b->recency;
}

/* The first empty way, else the one that the machine would choose of those that are not reserved. */
static uint32_t noop_l1_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                               uint32_t count)
{
	(void)sm, (void)request;
	heard[L1_VICTIM]++;
	uint32_t oldest = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		if (!ways[i].valid)
			return i;
		if (!ways[i].reserved && (oldest == UINT32_MAX || goes_before(&ways[i], &ways[oldest])))
			oldest = i;
	}
	return oldest;
}

static uint32_t noop_smem_capacity(const struct policy_env *env)
{
	(void)env;
	heard[SMEM_CAPACITY]++;
	return 0;
}

static uint32_t noop_l1_capacity(const struct policy_env *env, const struct smem_use *use)
{
	(void)env, (void)use;
	heard[L1_CAPACITY]++;
	return UINT32_MAX;
}

static struct aux_shape noop_aux_cache(void *sm, const struct sm_view *view)
{
	(void)sm, (void)view;
	heard[SIDE_CACHE]++;
	return (struct aux_shape){0};
}

/* Never called: there is no set to choose. */
static uint32_t noop_aux_index(const void *params, uint64_t line, uint32_t sets)
{
	(void)params, (void)line, (void)sets;
	return UINT32_MAX;
}

static enum smem_route noop_smem_route(void *sm, const struct l1_request *request)
{
	(void)sm, (void)request;
	heard[SMEM_ROUTE]++;
	return SMEM_ROUTE_NONE;
}

/* Nor this: no line of shared memory lies in a cache. */
static bool noop_smem_dead(void *sm, const struct l1_event *evict)
{
	(void)sm, (void)evict;
	abort();
}

static enum l2_route noop_l2_route(void *gpu, const struct l2_request *request)
{
	(void)gpu, (void)request;
	heard[L2_ROUTE]++;
	return L2_ROUTE_NONE;
}

static uint8_t noop_l2_reply(void *gpu, const struct l2_request *request)
{
	(void)gpu, (void)request;
	heard[L2_REPLY]++;
	return 0;
}

static void noop_on_l2_fill(void *gpu, const struct l2_request *request)
{
	(void)gpu, (void)request;
	heard[ON_L2_FILL]++;
}

static void noop_on_l2_evict(void *gpu, const struct l2_request *request)
{
	(void)gpu, (void)request;
	heard[ON_L2_EVICT]++;
}

static void noop_on_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle)
{
	(void)sm, (void)warp, (void)pc, (void)lanes, (void)cycle;
	heard[ON_ISSUE]++;
}

static void noop_on_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	(void)sm, (void)warp, (void)cta, (void)cycle;
	heard[ON_WARP_START]++;
}

static void noop_on_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	(void)sm, (void)warp, (void)cycle;
	heard[ON_WARP_EXIT]++;
}

static void noop_on_barrier(void *sm, uint32_t warp, bool waits, uint64_t cycle)
{
	(void)sm, (void)warp, (void)waits, (void)cycle;
	heard[ON_BARRIER]++;
}

#define LISTENER(name, HOOK)                                                                                 \
	static void noop_##name(void *sm, const struct l1_event *event)                                      \
	{                                                                                                    \
		(void)sm, (void)event;                                                                       \
		heard[HOOK]++;                                                                               \
	}
LISTENER(on_l1_hit, ON_L1_HIT)
LISTENER(on_l1_pending, ON_L1_PENDING)
LISTENER(on_l1_miss, ON_L1_MISS)
LISTENER(on_l1_evict, ON_L1_EVICT)
LISTENER(on_l1_fill, ON_L1_FILL)
LISTENER(on_reply, ON_REPLY)

static void noop_on_epoch(void *sm, const struct sm_view *view)
{
	(void)sm, (void)view;
	heard[ON_EPOCH]++;
}

static void noop_on_kernel_begin(void *gpu, const char *kernel, uint64_t ctas)
{
	(void)gpu, (void)kernel, (void)ctas;
	heard[ON_KERNEL_BEGIN]++;
}

static void noop_on_kernel_end(void *gpu, uint64_t cycle)
{
	(void)gpu, (void)cycle;
	heard[ON_KERNEL_END]++;
}

static void noop_on_gpu_epoch(void *gpu, void *const *sm, const struct sm_view *view, uint32_t count)
{
	(void)gpu, (void)sm, (void)view, (void)count;
	heard[ON_GPU_EPOCH]++;
}

static const struct policy noop = {
    .abi = POLICY_ABI,
    .name = "noop",
    .epoch_insns = 100,
    .epoch_cycles = 1000,
    .throttle = noop_throttle,
    .cta_limit = noop_cta_limit,
    .prel1_insert = noop_prel1_insert,
    .prel1_pick = noop_prel1_pick,
    .l1_route = noop_l1_route,
    .l1_feedback = noop_l1_feedback,
    .set_index = noop_set_index,
    .l1_alloc = noop_l1_alloc,
    .l1_victim = noop_l1_victim,
    .smem_capacity = noop_smem_capacity,
    .l1_capacity = noop_l1_capacity,
    .aux_cache = noop_aux_cache,
    .aux_index = noop_aux_index,
    .smem_route = noop_smem_route,
    .smem_dead = noop_smem_dead,
    .l2_route = noop_l2_route,
    .l2_reply = noop_l2_reply,
    .on_l2_fill = noop_on_l2_fill,
    .on_l2_evict = noop_on_l2_evict,
    .on_issue = noop_on_issue,
    .on_warp_start = noop_on_warp_start,
    .on_warp_exit = noop_on_warp_exit,
    .on_barrier = noop_on_barrier,
    .on_l1_hit = noop_on_l1_hit,
    .on_l1_pending = noop_on_l1_pending,
    .on_l1_miss = noop_on_l1_miss,
    .on_l1_evict = noop_on_l1_evict,
    .on_l1_fill = noop_on_l1_fill,
    .on_reply = noop_on_reply,
    .on_epoch = noop_on_epoch,
    .on_kernel_begin = noop_on_kernel_begin,
    .on_kernel_end = noop_on_kernel_end,
    .on_gpu_epoch = noop_on_gpu_epoch,
};

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
		struct policy one = {.abi = POLICY_ABI, .name = "noop " #hook, .hook = noop.hook};           \
		ok &= changes_nothing("gtx480-ciao", NULL, &one);                                            \
	} while (0)
	ALONE(throttle);
	ALONE(prel1_insert);
	ALONE(prel1_pick);
	ALONE(l1_route);
	ALONE(l1_feedback);
	ALONE(set_index);
	ALONE(l1_victim);
	ALONE(aux_cache);
	ALONE(smem_route);
	ALONE(l2_route);
	ALONE(l2_reply);
	ALONE(on_l1_hit);
	CHECK(ok);
}

TEST(every_hook_was_asked)
{
	for (int hook = GATE; hook <= ON_GPU_EPOCH; hook++) {
		if (!heard[hook])
			printf("# hook %d was never called\n", hook);
		CHECK(heard[hook]);
	}
}

TEST_RUN_ALL(true)
