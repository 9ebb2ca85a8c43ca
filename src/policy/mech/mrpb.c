/*
 * MRPB, the memory request prioritisation buffer (Jia et al., HPCA 2014), as configured in Khairy's thesis,
 * Table 6.1: a queue of requests per warp between coalescer and L1, drained in the fixed order of warps, so
 * that a warp's requests come to the cache together; and a bypass of L1 for a request that finds every way of
 * its set reserved.
 *
 * Stores wait in the same queues. Left out: the other signatures and drain policies that Jia et al. try.
 */
#include <string.h>

#include "policy/define.h"

struct mrpb_params {
	uint32_t queue;
	bool total;
	bool greedy;
	bool bypass;
};

POLICY_GIVEN(struct mrpb_params)

static const struct policy_param params[] = {
    PARAM_U32(struct mrpb_params, queue, 32, 1, 1024, "requests", "that a warp's queue holds"),
    PARAM_BOOL(struct mrpb_params, total, 0, 0, 1, "", "`queue` is what all queues hold together"),
    PARAM_BOOL(struct mrpb_params, greedy, 0, 0, 1, "", "empty a queue before the next is looked at"),
    PARAM_BOOL(struct mrpb_params, bypass, 1, 0, 1, "", "bypass L1 on an associativity stall"),
};

enum { STAT_BYPASSED, STAT_STALLS, STATS };
static const char *const stat_names[STATS] = {
    [STAT_BYPASSED] = "bypassed", /* requests that met an associativity stall */
    [STAT_STALLS] = "full",       /* requests that found their queue full */
};

/*
 * What is known of the window without going through it: nothing leaves but what was picked, and what comes is
 * appended. So a change since the last look is the pick that has left, and new items at the end.
 */
struct mrpb {
	uint32_t queue;
	bool total, greedy, bypass;
	bool picked; /* pick, pick_order and pick_warp name an item of the window */
	uint32_t pick, pick_order, pick_warp;
	uint32_t seen;        /* items of the window that are counted in `waiting` */
	uint64_t last_bypass; /* a request that has no room behind L1 is asked about again */
	uint64_t stat[STATS];
	uint32_t waiting[]; /* per warp */
};

static size_t mrpb_bytes(const struct policy_env *env)
{
	return sizeof(struct mrpb) + env->warps * sizeof(uint32_t);
}

static void mrpb_configure(struct policy *self, const struct policy_env *env)
{
	uint32_t queues = given(env)->total ? 1 : env->warps;
	self->prel1_items = given(env)->queue * queues;
}

/* A request: line address, PC and a mask of lanes, as Jia et al. store it. */
static uint64_t mrpb_bits(const struct policy_env *env)
{
	enum { LINE_BITS = 25, PC_BITS = 32 };
	uint32_t queues = given(env)->total ? 1 : env->warps;
	return (uint64_t)given(env)->queue * queues * (LINE_BITS + PC_BITS + env->warp_size);
}

static void mrpb_init(void *block, const struct policy_env *env)
{
	struct mrpb *m = block;
	memset(m, 0, mrpb_bytes(env));
	m->queue = given(env)->queue;
	m->total = given(env)->total;
	m->greedy = given(env)->greedy;
	m->bypass = given(env)->bypass;
	m->last_bypass = UINT64_MAX;
}

static void take(struct mrpb *m, const struct prel1_item *window, uint32_t index)
{
	m->picked = true;
	m->pick = index;
	m->pick_order = window[index].order;
	m->pick_warp = window[index].warp;
}

/* The pick that has left makes room for the next of its warp; a lower warp that has come takes its turn. */
static void catch_up(struct mrpb *m, const struct prel1_item *window, uint32_t count)
{
	if (m->picked && (m->pick >= count || window[m->pick].order != m->pick_order)) {
		m->picked = false;
		m->waiting[m->pick_warp]--;
		m->seen--;
		for (uint32_t i = m->pick; i < m->seen && !m->picked && m->waiting[m->pick_warp]; i++)
			if (window[i].warp == m->pick_warp)
				take(m, window, i);
	}
	for (; m->seen < count; m->seen++) {
		uint32_t warp = window[m->seen].warp;
		m->waiting[warp]++;
		if (m->picked && !m->greedy && warp < m->pick_warp)
			take(m, window, m->seen);
	}
}

static int mrpb_insert(void *block, const struct prel1_item *window, uint32_t count,
                       const struct prel1_item *request)
{
	struct mrpb *m = block;
	catch_up(m, window, count);
	if ((m->total ? count : m->waiting[request->warp]) < m->queue)
		return PREL1_APPEND;
	m->stat[STAT_STALLS] += !request->again;
	return PREL1_STALL;
}

/* The oldest of the lowest warp; greedy: of the warp that was last, while it has one. */
static int mrpb_pick(void *block, const struct prel1_item *window, uint32_t count)
{
	struct mrpb *m = block;
	catch_up(m, window, count);
	if (m->picked)
		return (int)m->pick;
	uint32_t best = 0;
	for (uint32_t i = 1; i < count; i++)
		if (window[i].warp < window[best].warp)
			best = i;
	take(m, window, best);
	return (int)best;
}

static enum l1_route mrpb_route(void *block, const struct l1_request *request, enum l1_fail fail)
{
	struct mrpb *m = block;
	if (fail != L1_FAIL_LINE_ALLOC || !m->bypass || request->is_store)
		return L1_ROUTE_NONE;
	m->stat[STAT_BYPASSED] += m->last_bypass != request->line;
	m->last_bypass = request->line;
	return L1_ROUTE_BYPASS;
}

POLICY_STATS(mrpb_stats, struct mrpb)

const struct policy policy_mrpb = {
    .abi = POLICY_ABI,
    .name = "mrpb",
    .title = "requests of a warp together, bypass on associativity stalls",
    .citation = "W. Jia, K. A. Shaw, M. Martonosi: MRPB: Memory Request Prioritization for Massively "
                "Parallel Processors, "
                "HPCA 2014; as configured by M. Khairy, 2015, Table 6.1",
    POLICY_PARAMS(params, struct mrpb_params),
    .sm_bits = mrpb_bits,
    .sm_bytes = mrpb_bytes,
    .sm_init = mrpb_init,
    .configure = mrpb_configure,
    POLICY_STAT_NAMES(stat_names),
    .stats = mrpb_stats,
    .prel1_insert = mrpb_insert,
    .prel1_pick = mrpb_pick,
    .l1_route = mrpb_route,
};
