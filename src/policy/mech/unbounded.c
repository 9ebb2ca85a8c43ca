/*
 * An L1 without end (scenario 3 of Khairy 2015, section 4.2): fully associative
 * and infinite, so that only the first use of a line misses. MSHRs, their merge
 * lists and the miss queue stay as they are.
 *
 * A miss takes an MSHR but no line of the modelled L1; when its data come, the
 * line is remembered, and every later load of it is served at hit latency.
 * Stores leave remembered lines alone. On machines with sectors a line counts
 * as whole once any of its sectors has come, because policies are not told of
 * sectors. L2 is made as large by the machine: --set l2.sets=65536.
 */
#include "policy/lib/line_map.h"
#include "policy/policy.h"

struct unbounded {
	struct line_map here;
};

static enum l1_route unbounded_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	const struct unbounded *l1 = sm;
	(void)fail;
	if (request->is_store || request->is_atomic)
		return L1_ROUTE_NONE;
	return line_map_find(&l1->here, request->line) ? L1_ROUTE_HIT : L1_ROUTE_LATE;
}

/* Data came for an MSHR: ours now. */
static enum answer unbounded_alloc(void *sm, const struct l1_event *fill)
{
	struct unbounded *l1 = sm;
	line_map_at(&l1->here, fill->line);
	return ANSWER_NO;
}

static size_t unbounded_sm_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct unbounded);
}

/* L1 is empty when a kernel begins. */
static void unbounded_sm_init(void *sm, const struct policy_env *env)
{
	(void)env;
	line_map_clear(&((struct unbounded *)sm)->here);
}

static void unbounded_sm_free(void *sm)
{
	line_map_free(&((struct unbounded *)sm)->here);
}

static const char *const stat_names[] = {"lines"};

static void unbounded_stats(const void *sm, uint64_t *sum)
{
	sum[0] += ((const struct unbounded *)sm)->here.count;
}

const struct policy policy_unbounded = {
    .abi = POLICY_ABI,
    .name = "unbounded",
    .title = "an infinite, fully associative L1: only first uses miss",
    .citation =
        "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "
        "section 4.2",
    .sm_bytes = unbounded_sm_bytes,
    .sm_init = unbounded_sm_init,
    .sm_free = unbounded_sm_free,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = unbounded_stats,
    .l1_route = unbounded_route,
    .l1_alloc = unbounded_alloc,
};
