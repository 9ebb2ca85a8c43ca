/*
 * Bounds: L1 caches that cannot be built.
 *
 * perfect-l1: every load finds its lines at hit latency and sends nothing: the bound of what a mechanism in L1 can gain. Stores
 * and atomics take their usual path, and a load still takes its turns in the LSU, one per line.
 *
 * unbounded (scenario 3 of Khairy 2015, section 4.2): fully associative and infinite, so that only the first use of a line
 * misses. MSHRs, their merge lists and the miss queue stay as they are. A miss takes an MSHR but no line of the modelled L1.
 * When its data arrive the line is remembered, and every later load of it is served at hit latency. Stores leave remembered
 * lines alone. On machines with sectors a line counts as whole once any of its sectors has arrived, because policies do not see
 * sectors. A machine key makes L2 as large: --set l2.sets=65536.
 *
 * interference-free: every warp has an L1 of its own, of the size, associativity and index of the machine's, so that no warp
 * evicts another's line. CIAO's introduction compares with such a cache and does not define it. The private tags are kept here;
 * the modelled L1 stays empty. A load that its warp's tags hold is served at hit latency. Any other takes an MSHR, which warps
 * still share: misses of two warps to a line in flight are one request. Where all ways of a private set wait for data, a further
 * line is not kept; a cache would stall. Stores do not invalidate, and a line counts as whole, as for unbounded.
 */
#include <stddef.h>

#include "policy/define.h"
#include "policy/lib/line_map.h"

static enum l1_route perfect_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	(void)sm, (void)fail;
	return request->is_store || request->is_atomic ? L1_ROUTE_NONE : L1_ROUTE_HIT;
}

const struct policy policy_perfect_l1 = {
    .abi = POLICY_ABI,
    .name = "perfect-l1",
    .title = "every load hits in L1",
    .citation = "a limit, of no paper",
    .l1_route = perfect_l1_route,
};

/* ---- unbounded ---------------------------------------------------------------------------------------------- */

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

/* The data of an MSHR have arrived: remember the line. */
static enum answer unbounded_alloc(void *sm, const struct l1_event *fill)
{
	struct unbounded *l1 = sm;
	line_map_at(&l1->here, fill->line);
	return ANSWER_NO;
}

POLICY_BYTES(unbounded_sm_bytes, struct unbounded)

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
    POLICY_STAT_NAMES(stat_names),
    .stats = unbounded_stats,
    .l1_route = unbounded_route,
    .l1_alloc = unbounded_alloc,
};

/* ---- interference-free -------------------------------------------------------------------------------------- */

struct private_line {
	uint64_t line;
	uint64_t stamp; /* of the last use; not above `flushed`: invalid */
	bool waits;     /* for its data */
};

struct private_l1 {
	uint32_t sets, ways, warps;
	uint32_t set; /* of the request that is being served */
	uint64_t request;
	uint64_t clock, flushed;
	struct line_map set_of; /* of lines that were asked for */
	struct private_line line[];
};

static struct private_line *set_of_warp(struct private_l1 *l1, uint32_t warp, uint32_t set)
{
	return &l1->line[((size_t)warp * l1->sets + set) * l1->ways];
}

static bool holds(const struct private_l1 *l1, const struct private_line *line, uint64_t number)
{
	return line->stamp > l1->flushed && line->line == number;
}

static struct private_line *find(struct private_l1 *l1, struct private_line *set, uint64_t number)
{
	for (uint32_t i = 0; i < l1->ways; i++)
		if (holds(l1, &set[i], number))
			return &set[i];
	return NULL;
}

/* An invalid way, else the least recently used that does not wait, else NULL. */
static struct private_line *victim_of(struct private_l1 *l1, struct private_line *set)
{
	struct private_line *victim = NULL;
	for (uint32_t i = 0; i < l1->ways; i++) {
		bool valid = set[i].stamp > l1->flushed;
		if (!(valid && set[i].waits) && (!victim || set[i].stamp < victim->stamp))
			victim = &set[i];
	}
	return victim;
}

static enum l1_route alone_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	struct private_l1 *l1 = sm;
	(void)fail;
	if (request->is_store || request->is_atomic)
		return L1_ROUTE_NONE;
	l1->set = request->set;
	l1->request = request->line;
	struct private_line *line = find(l1, set_of_warp(l1, request->warp, request->set), request->line);
	if (!line || line->waits)
		return L1_ROUTE_LATE;
	line->stamp = ++l1->clock;
	return L1_ROUTE_HIT;
}

/* The miss was accepted, or merged with another warp's: reserve a way. */
static void alone_on_miss(void *sm, const struct l1_event *event)
{
	struct private_l1 *l1 = sm;
	struct private_line *set = set_of_warp(l1, event->warp, l1->set);
	/* Ignore requests that an earlier policy of the chain has routed. */
	if (event->aux || event->line != l1->request || find(l1, set, event->line))
		return;
	struct private_line *line = victim_of(l1, set);
	if (line)
		*line = (struct private_line){event->line, ++l1->clock, true};
	*line_map_at(&l1->set_of, event->line) = l1->set;
}

/* The data have arrived, for all warps that wait for them. */
static enum answer alone_alloc(void *sm, const struct l1_event *fill)
{
	struct private_l1 *l1 = sm;
	const uint32_t *set = line_map_find(&l1->set_of, fill->line);
	for (uint32_t warp = 0; set && warp < l1->warps; warp++) {
		struct private_line *line = find(l1, set_of_warp(l1, warp, *set), fill->line);
		if (line)
			line->waits = false;
	}
	return ANSWER_NO;
}

static size_t alone_sm_bytes(const struct policy_env *env)
{
	return offsetof(struct private_l1, line) +
	       (size_t)env->warps * env->l1_sets * env->l1_ways * sizeof(struct private_line);
}

static void alone_sm_init(void *sm, const struct policy_env *env)
{
	struct private_l1 *l1 = sm;
	l1->sets = env->l1_sets;
	l1->ways = env->l1_ways;
	l1->warps = env->warps;
	l1->flushed = l1->clock;
	line_map_clear(&l1->set_of);
}

static void alone_sm_free(void *sm)
{
	line_map_free(&((struct private_l1 *)sm)->set_of);
}

const struct policy policy_interference_free = {
    .abi = POLICY_ABI,
    .name = "interference-free",
    .title = "every warp has an L1 of its own",
    .citation =
        "J. Zhang et al.: CIAO: Cache Interference-Aware Throughput-Oriented Architecture and Scheduling for "
        "GPUs, IPDPS 2018, section I",
    .sm_bytes = alone_sm_bytes,
    .sm_init = alone_sm_init,
    .sm_free = alone_sm_free,
    .l1_route = alone_route,
    .l1_alloc = alone_alloc,
    .on_l1_miss = alone_on_miss,
    .on_l1_pending = alone_on_miss,
};
