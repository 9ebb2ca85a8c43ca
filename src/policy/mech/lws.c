/*
 * LWS, locality-based warp scheduling (Fang et al. 2021, section 5): greedy then oldest, but warps whose next
 * instruction is a streaming load come first while the cache is busy, and last while it is idle. Which of the
 * two it is, the cache utilisation score of the last window says:
 *
 *	CUS = hits * L2 latency / (misses * cycles that a miss waits)
 *
 * Below `low` the cache is busy, above `high` idle (the first of the paper's two versions; the second
 * contradicts it). The wait of a miss is its mean latency. A load that finds its line in flight is no hit:
 * the numerator "represents the speedup brought by cache hits", and it waits as long as the miss before it.
 */
#include "policy/define.h"
#include "policy/lib/classifier.h"
#include "policy/lib/order.h"

struct lws_params {
	double high;
	double low;
	uint32_t window;
	uint32_t least;
	uint32_t latency;
	uint32_t threshold;
	bool own;
};

POLICY_GIVEN(struct lws_params)

static const struct policy_param params[] = {
    PARAM_REAL(struct lws_params, high, 1, 0, 1e6, "", "a score above it means that the cache is idle"),
    PARAM_REAL(struct lws_params, low, 0.2, 0, 1e6, "", "a score below it means that the cache is busy"),
    PARAM_U32(struct lws_params, window, 1024, 1, 1e9, "cycles", "of which the score is taken"),
    PARAM_U32(struct lws_params, least, 16, 1, 1e9, "accesses", "in a window, or there is no score"),
    PARAM_U32(struct lws_params, latency, 0, 0, 1e6, "cycles", "of an L2 hit without load; 0: the machine's"),
    PARAM_U32(struct lws_params, threshold, 8, 1, CLASSIFIER_COUNT_MAX - 1, "requests",
              "to a watched line, beyond which its load is classified"),
    PARAM_BOOL(struct lws_params, own, 1, 0, 1, "",
               "the storage of the classifier counts here, not at lcm-bypass"),
};

enum { STAT_WINDOWS, STAT_BUSY, STAT_IDLE, STATS };
static const char *const stat_names[STATS] = {
    [STAT_WINDOWS] = "windows", /* that ended, summed over SMs */
    [STAT_BUSY] = "busy",       /* of those, with streaming warps first in the next */
    [STAT_IDLE] = "idle",       /* of those, with streaming warps last in the next */
};

enum first { FIRST_OLDEST, FIRST_STREAMING, FIRST_CACHED };

struct lws {
	double high, low, latency;
	uint64_t least;
	uint64_t hits, misses;               /* of this window */
	uint64_t waited_before, done_before; /* what the SM had counted when it began */
	enum first first;
	uint64_t stat[STATS];
	struct classifier classifier;
};

static size_t lws_bytes(const struct policy_env *env)
{
	return offsetof(struct lws, classifier) + classifier_bytes(env);
}

static uint64_t lws_bits(const struct policy_env *env)
{
	enum { SCORE_BITS = 16 }; /* Table 4 */
	return SCORE_BITS + (given(env)->own ? classifier_bits(env) : 0);
}

static void lws_configure(struct policy *self, const struct policy_env *env)
{
	self->epoch_cycles = given(env)->window;
}

static void lws_init(void *block, const struct policy_env *env)
{
	struct lws *l = block;
	double latency = given(env)->latency;
	*l = (struct lws){.high = given(env)->high,
	                  .low = given(env)->low,
	                  .latency = latency > 0 ? latency : env->l2_round_trip_cycles,
	                  .least = (uint64_t)given(env)->least};
	classifier_init(&l->classifier, env, given(env)->threshold);
}

static int lws_listen(void *block, const struct prel1_item *window, uint32_t count,
                      const struct prel1_item *request)
{
	(void)window, (void)count;
	classifier_request(&((struct lws *)block)->classifier, request);
	return PREL1_APPEND;
}

static void lws_hit(void *block, const struct l1_event *event)
{
	struct lws *l = block;
	l->hits += !event->aux;
	classifier_l1(&l->classifier, event);
}

static void lws_pending(void *block, const struct l1_event *event)
{
	classifier_l1(&((struct lws *)block)->classifier, event);
}

static void lws_miss(void *block, const struct l1_event *event)
{
	struct lws *l = block;
	l->misses += !event->aux;
	classifier_l1(&l->classifier, event);
}

/* A miss waits at least as long as it would without load. */
static enum first judge(const struct lws *l, const struct sm_view *view)
{
	uint64_t done = view->l1_miss_done - l->done_before;
	if (!l->misses || l->hits + l->misses < l->least)
		return FIRST_OLDEST;
	double wait = done ? (double)(view->l1_miss_cycles - l->waited_before) / (double)done : 0;
	double score =
	    (double)l->hits * l->latency / ((double)l->misses * (wait > l->latency ? wait : l->latency));
	return score < l->low ? FIRST_STREAMING : score > l->high ? FIRST_CACHED : FIRST_OLDEST;
}

static void lws_window(void *block, const struct sm_view *view)
{
	struct lws *l = block;
	l->first = judge(l, view);
	l->hits = l->misses = 0;
	l->waited_before = view->l1_miss_cycles;
	l->done_before = view->l1_miss_done;
	l->stat[STAT_WINDOWS]++;
	l->stat[STAT_BUSY] += l->first == FIRST_STREAMING;
	l->stat[STAT_IDLE] += l->first == FIRST_CACHED;
}

static uint64_t streaming_warps(const struct lws *l, const struct sched_view *view, uint64_t among)
{
	uint64_t streaming = 0;
	for (uint64_t rest = among & view->next_is_load; rest; rest &= rest - 1) {
		uint32_t bit = (uint32_t)__builtin_ctzll(rest);
		if (classifier_type(&l->classifier, view->next_pc[bit]) == LOCALITY_STREAMING)
			streaming |= UINT64_C(1) << bit;
	}
	return streaming;
}

static uint32_t lws_order(void *block, const struct sched_view *view, uint64_t eligible)
{
	const struct lws *l = block;
	if (l->first == FIRST_OLDEST)
		return order_greedy(view, eligible);
	uint64_t streaming = streaming_warps(l, view, eligible);
	uint64_t group = l->first == FIRST_STREAMING ? streaming : eligible & ~streaming;
	return order_greedy(view, group ? group : eligible);
}

POLICY_STATS(lws_stats, struct lws)

const struct policy policy_lws = {
    .abi = POLICY_ABI,
    .name = "lws",
    .title = "locality-based warp scheduling: streaming loads first or last, by cache utilisation",
    .citation =
        "J. Fang, Z. Wei, H. Yang: Locality-Based Cache Management and Warp Scheduling for Reducing Cache "
        "Contention in GPU, Micromachines 12, 2021, section 5",
    POLICY_PARAMS(params, struct lws_params),
    .sm_bits = lws_bits,
    .sm_bytes = lws_bytes,
    .sm_init = lws_init,
    .configure = lws_configure,
    POLICY_STAT_NAMES(stat_names),
    .stats = lws_stats,
    .order = lws_order,
    .prel1_insert = lws_listen,
    .on_l1_hit = lws_hit,
    .on_l1_pending = lws_pending,
    .on_l1_miss = lws_miss,
    .on_epoch = lws_window,
};
