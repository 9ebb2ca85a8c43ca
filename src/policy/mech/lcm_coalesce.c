/*
 * LCM's inter-warp coalescing (Fang et al. 2021, section 4.2): requests of loads whose lines other warps use,
 * too, wait between coalescer and L1 in queues of two lines, chosen by address. A request for a line that
 * waits is joined to it, and one access to L1 serves both.
 *
 * Lines go to L1 in order of arrival. Requests of other loads, and stores, wait in no queue: they keep the
 * LSU's order, and go to L1 when what arrived before them has gone. A queue that is full sends its older line
 * first, and the coalescer waits. A request is not joined across a store to its line. Left out: the MSHR
 * metadata table's own limits; its storage is counted.
 */
#include "policy/define.h"
#include "policy/lib/classifier.h"

struct lcm_coalesce_params {
	uint32_t threshold;
	uint32_t queues;
	uint32_t tags;
	uint32_t merge;
	bool own;
};

POLICY_GIVEN(struct lcm_coalesce_params)

static const struct policy_param params[] = {
    PARAM_U32(struct lcm_coalesce_params, threshold, 8, 1, CLASSIFIER_COUNT_MAX - 1, "requests",
              "to a watched line, beyond which its load is classified"),
    PARAM_U32(struct lcm_coalesce_params, queues, 32, 1, 1024, "", "chosen by line address"),
    PARAM_U32(struct lcm_coalesce_params, tags, 2, 1, 64, "lines", "that a queue holds"),
    PARAM_U32(struct lcm_coalesce_params, merge, 4, 1, 255, "requests",
              "that a line of a queue may stand for"),
    PARAM_BOOL(struct lcm_coalesce_params, own, 1, 0, 1, "",
               "the storage of the classifier counts here, not at lcm-bypass"),
};

enum { STAT_QUEUED, STAT_JOINED, STAT_OTHERS, STAT_FULL, STATS };
static const char *const stat_names[STATS] = {
    [STAT_QUEUED] = "queued",       /* line requests of inter-warp loads */
    [STAT_JOINED] = "joined",       /* of those, to one that waited */
    [STAT_OTHERS] = "joined_other", /* of those, to one of another warp */
    [STAT_FULL] = "full",           /* lines that had to go for want of room in their queue */
};

#define NO_QUEUE UINT32_MAX
#define NO_ITEM UINT32_MAX

struct lcm_coalesce {
	uint32_t queues, tags, merge;
	uint64_t
	    queue_mask; /* queues - 1 if they are a power of two, so that no division is needed; else 0 */
	uint32_t urgent, urgent_order; /* line that has to go, as its queue is full; NO_ITEM: none */
	uint32_t full_count;           /* items in the window when that was found, and for which request */
	uint64_t full_line;
	uint64_t stat[STATS];
	struct classifier classifier;
};

static size_t coalesce_bytes(const struct policy_env *env)
{
	return offsetof(struct lcm_coalesce, classifier) + classifier_bytes(env);
}

static uint64_t coalesce_bits(const struct policy_env *env)
{
	enum {
		LINE_BITS = 124,
		MSHR_BITS = 23,
		MSHRS_PER_ENTRY = 2
	}; /* Table 4: 128 for the machine's 64 MSHRs */
	uint64_t queues = (uint64_t)given(env)->queues * (uint64_t)given(env)->tags * LINE_BITS;
	uint64_t metadata = (uint64_t)env->l1_mshrs * MSHRS_PER_ENTRY * MSHR_BITS;
	return queues + metadata + (given(env)->own ? classifier_bits(env) : 0);
}

static void coalesce_configure(struct policy *self, const struct policy_env *env)
{
	self->prel1_items = (uint32_t)(given(env)->queues * given(env)->tags);
}

static void coalesce_init(void *block, const struct policy_env *env)
{
	struct lcm_coalesce *c = block;
	bool power = !(given(env)->queues & (given(env)->queues - 1));
	*c = (struct lcm_coalesce){.queues = given(env)->queues,
	                           .tags = given(env)->tags,
	                           .merge = given(env)->merge,
	                           .queue_mask = power ? (uint64_t)given(env)->queues - 1 : 0,
	                           .urgent = NO_ITEM};
	classifier_init(&c->classifier, env, given(env)->threshold);
}

static uint32_t line_queue(const struct lcm_coalesce *c, uint64_t line)
{
	return (uint32_t)(c->queue_mask ? line & c->queue_mask : line % c->queues);
}

/* The queue of a request; NO_QUEUE: it goes straight to L1. */
static uint32_t queue_of(const struct lcm_coalesce *c, const struct prel1_item *item)
{
	enum locality type = item->is_store ? LOCALITY_UNKNOWN : classifier_type(&c->classifier, item->pc);
	return type & LOCALITY_INTER ? line_queue(c, item->line) : NO_QUEUE;
}

/* The youngest line in the queue that can take the request, PREL1_APPEND, or PREL1_STALL: the queue is full. */
static int find_place(struct lcm_coalesce *c, const struct prel1_item *window, uint32_t count,
                      const struct prel1_item *request, uint32_t queue)
{
	uint32_t taken = 0;
	bool may_join = true;
	for (uint32_t i = count; i-- > 0;) {
		const struct prel1_item *item = &window[i];
		may_join &= !(item->is_store && item->line == request->line);
		if (line_queue(c, item->line) != queue || queue_of(c, item) != queue)
			continue;
		if (may_join && item->line == request->line && item->merged + 1u < c->merge)
			return (int)i;
		taken++;
		c->urgent = i;
		c->urgent_order = item->order;
	}
	return taken < c->tags ? PREL1_APPEND : PREL1_STALL;
}

/* Nothing has left the window since the request found its queue full. */
static bool still_full(const struct lcm_coalesce *c, uint32_t count, const struct prel1_item *request)
{
	return c->urgent != NO_ITEM && c->full_count == count && c->full_line == request->line;
}

static int coalesce_insert(void *block, const struct prel1_item *window, uint32_t count,
                           const struct prel1_item *request)
{
	struct lcm_coalesce *c = block;
	classifier_request(&c->classifier, request);
	if (still_full(c, count, request))
		return PREL1_STALL;
	c->urgent = NO_ITEM;
	uint32_t queue = queue_of(c, request);
	if (queue == NO_QUEUE)
		return PREL1_PASS;
	int place = find_place(c, window, count, request, queue);
	if (place == PREL1_STALL) {
		c->full_count = count;
		c->full_line = request->line;
		c->stat[STAT_FULL]++;
		return PREL1_STALL;
	}
	c->urgent = NO_ITEM;
	c->stat[STAT_QUEUED]++;
	if (place >= 0) {
		c->stat[STAT_JOINED]++;
		c->stat[STAT_OTHERS] += window[place].warp != request->warp;
	}
	return place;
}

static int coalesce_pick(void *block, const struct prel1_item *window, uint32_t count)
{
	const struct lcm_coalesce *c = block;
	bool urgent = c->urgent < count && window[c->urgent].order == c->urgent_order;
	return urgent ? (int)c->urgent : 0;
}

static void coalesce_l1(void *block, const struct l1_event *event)
{
	classifier_l1(&((struct lcm_coalesce *)block)->classifier, event);
}

POLICY_STATS(coalesce_stats, struct lcm_coalesce)

const struct policy policy_lcm_coalesce = {
    .abi = POLICY_ABI,
    .name = "lcm-coalesce",
    .title = "one access to L1 for requests of several warps to one line",
    .citation =
        "J. Fang, Z. Wei, H. Yang: Locality-Based Cache Management and Warp Scheduling for Reducing Cache "
        "Contention in GPU, Micromachines 12, 2021, section 4.2",
    POLICY_PARAMS(params, struct lcm_coalesce_params),
    .sm_bits = coalesce_bits,
    .sm_bytes = coalesce_bytes,
    .sm_init = coalesce_init,
    .configure = coalesce_configure,
    POLICY_STAT_NAMES(stat_names),
    .stats = coalesce_stats,
    .prel1_insert = coalesce_insert,
    .prel1_pick = coalesce_pick,
    .on_l1_hit = coalesce_l1,
    .on_l1_pending = coalesce_l1,
    .on_l1_miss = coalesce_l1,
};
