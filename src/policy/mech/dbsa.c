/*
 * DBSA, dynamic bypassing of streaming applications (Khairy's thesis, section 5.1). After every period in which more than the
 * threshold of the accesses missed, a cache is disabled for one period. Its tags are still looked up and updated, without data,
 * so that the miss rate stays known and the cache can be enabled again.
 *
 * dbsa-l1: the thesis disables "the cache"; here every SM decides for itself. L1 comes back empty. Stores are not counted. A
 * period whose loads were mostly routed by a policy that answers before this one decides nothing.
 *
 * dbsa-l2: each memory partition decides for its L2. A disabled L2 sends all requests to DRAM, writes too. While it is enabled,
 * the miss rate is its own; requests to a line in flight are hits. While it is disabled, the miss rate is that of the tags,
 * which take a line in when it is requested; their sets are chosen by a hash of the line, as L2's own function is not known
 * here. Lines still in L2 when it is enabled again are valid: every request to them in between would have dropped them.
 */
#include <string.h>

#include "base/bits.h"
#include "policy/define.h"

struct dbsa_params {
	uint32_t period;
	double threshold;
};

POLICY_GIVEN(struct dbsa_params)

static const struct policy_param params[] = {
    PARAM_U32(struct dbsa_params, period, 10000, 1, 1e9, "cycles", "between two decisions"),
    PARAM_REAL(struct dbsa_params, threshold, 0.9, 0, 1, "", "a miss rate above it disables the cache"),
};

enum { STAT_PERIODS, STAT_DISABLED, STAT_REENABLED, STATS_L1, STAT_BYPASSED = STATS_L1, STATS_L2 };
static const char *const stat_names[STATS_L2] = {
    [STAT_PERIODS] = "periods",     /* that ended, summed over SMs or partitions */
    [STAT_DISABLED] = "disabled",   /* of those, without the cache */
    [STAT_REENABLED] = "reenabled", /* how often the cache came back */
    [STAT_BYPASSED] = "bypassed",   /* requests that bypassed L2 */
};

/* Two counters that hold the accesses of a period, and whether the cache is off; the tags are the cache's own. */
static uint64_t bits_of_decision(const struct policy_env *env)
{
	return 2 * bits_log2_up((uint64_t)given(env)->period + 1) + 1;
}

/* ---- tags without data ------------------------------------------------------------------------------------- */

struct shadow_tags {
	uint32_t sets, ways;
	uint64_t line[]; /* per set, most recent first; line number + 1, 0: empty */
};

static size_t shadow_tags_bytes(uint32_t sets, uint32_t ways)
{
	return sizeof(struct shadow_tags) + (size_t)sets * ways * sizeof(uint64_t);
}

static void shadow_tags_init(struct shadow_tags *tags, uint32_t sets, uint32_t ways)
{
	tags->sets = sets;
	tags->ways = ways;
	memset(tags->line, 0, (size_t)sets * ways * sizeof *tags->line);
}

/* Return whether the line was present. It becomes its set's most recent. */
static bool shadow_tags_access(struct shadow_tags *tags, uint32_t set, uint64_t line)
{
	uint64_t *way = &tags->line[(size_t)(set % tags->sets) * tags->ways];
	uint32_t at = 0;
	while (at < tags->ways - 1 && way[at] != line + 1)
		at++;
	bool hit = way[at] == line + 1;
	memmove(way + 1, way, at * sizeof *way);
	way[0] = line + 1;
	return hit;
}

/* ---- L1 ---------------------------------------------------------------------------------------------------- */

struct dbsa_l1 {
	double threshold;
	uint64_t accesses, misses;
	uint64_t served; /* loads that used L1, whichever policy routed them */
	bool disabled, flush;
	uint64_t stat[STATS_L1];
	struct shadow_tags tags;
};

static size_t l1_bytes(const struct policy_env *env)
{
	return offsetof(struct dbsa_l1, tags) + shadow_tags_bytes(env->l1_sets, env->l1_ways);
}

static void l1_configure(struct policy *self, const struct policy_env *env)
{
	self->epoch_cycles = given(env)->period;
}

static void l1_init(void *block, const struct policy_env *env)
{
	struct dbsa_l1 *d = block;
	*d = (struct dbsa_l1){.threshold = given(env)->threshold};
	shadow_tags_init(&d->tags, env->l1_sets, env->l1_ways);
}

/* The tags are kept in enabled periods, too: a disabled one begins with what L1 holds. */
static void l1_measure(struct dbsa_l1 *d, const struct l1_request *request)
{
	bool hit = shadow_tags_access(&d->tags, request->set, request->line);
	if (!d->disabled)
		hit = request->presence == L1_WHOLE || request->presence == L1_PENDING;
	d->accesses++;
	d->misses += !hit;
}

static enum l1_route l1_route(void *block, const struct l1_request *request, enum l1_fail fail)
{
	struct dbsa_l1 *d = block;
	if (fail == L1_FAIL_NONE && !request->is_store)
		l1_measure(d, request);
	return d->disabled ? L1_ROUTE_FORCE_BYPASS : L1_ROUTE_NONE;
}

static void l1_served(void *block, const struct l1_event *event)
{
	(void)event;
	((struct dbsa_l1 *)block)->served++;
}

static void l1_period(void *block, const struct sm_view *view)
{
	(void)view;
	struct dbsa_l1 *d = block;
	bool before = d->disabled;
	d->stat[STAT_PERIODS]++;
	d->stat[STAT_DISABLED] += before;
	if (d->accesses && 2 * d->accesses > d->served)
		d->disabled = (double)d->misses > d->threshold * (double)d->accesses;
	d->flush = before && !d->disabled;
	d->stat[STAT_REENABLED] += d->flush;
	d->accesses = d->misses = d->served = 0;
}

static bool l1_flush(void *block)
{
	return ((const struct dbsa_l1 *)block)->flush;
}

POLICY_STATS(l1_stats, struct dbsa_l1)

#define CITATION                                                                                             \
	"M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "     \
	"section 5.1"

const struct policy policy_dbsa_l1 = {
    .abi = POLICY_ABI,
    .name = "dbsa-l1",
    .title = "L1 is off while nearly all loads miss",
    .citation = CITATION,
    POLICY_PARAMS(params, struct dbsa_params),
    .sm_bits = bits_of_decision,
    .sm_bytes = l1_bytes,
    .sm_init = l1_init,
    .configure = l1_configure,
    .stat_names = stat_names,
    .stat_count = STATS_L1,
    .stats = l1_stats,
    .l1_route = l1_route,
    .l1_flush = l1_flush,
    .on_l1_hit = l1_served,
    .on_l1_pending = l1_served,
    .on_l1_miss = l1_served,
    .on_epoch = l1_period,
};

/* ---- L2 ---------------------------------------------------------------------------------------------------- */

struct partition {
	uint64_t end; /* of the period */
	uint64_t accesses, misses;
	uint64_t stat[STATS_L2];
	bool disabled;
	struct shadow_tags tags;
};

struct dbsa_l2 {
	double threshold;
	uint64_t period;
	uint32_t partitions, slices, sets, ways; /* sets of a partition */
	size_t stride;
	uint64_t partition[]; /* stride bytes each */
};

static uint32_t partitions_of(const struct policy_env *env)
{
	return env->l2_slices / env->slices_per_partition;
}

static size_t stride_of(const struct policy_env *env)
{
	return offsetof(struct partition, tags) +
	       shadow_tags_bytes(env->l2_sets * env->slices_per_partition, env->l2_ways);
}

static size_t l2_bytes(const struct policy_env *env)
{
	return sizeof(struct dbsa_l2) + partitions_of(env) * stride_of(env);
}

static uint64_t l2_bits(const struct policy_env *env)
{
	return partitions_of(env) * bits_of_decision(env);
}

static struct partition *partition_of(struct dbsa_l2 *d, uint32_t index)
{
	return (struct partition *)((char *)d->partition + index * d->stride);
}

static void l2_init(void *block, const struct policy_env *env)
{
	struct dbsa_l2 *d = block;
	*d = (struct dbsa_l2){.threshold = given(env)->threshold,
	                      .period = given(env)->period,
	                      .partitions = partitions_of(env),
	                      .slices = env->slices_per_partition,
	                      .sets = env->l2_sets * env->slices_per_partition,
	                      .ways = env->l2_ways,
	                      .stride = stride_of(env)};
}

/* Every launch begins with L2 enabled; time begins at 0. */
static void l2_begin(void *block, const char *kernel, uint64_t ctas)
{
	(void)kernel, (void)ctas;
	struct dbsa_l2 *d = block;
	for (uint32_t i = 0; i < d->partitions; i++) {
		struct partition *p = partition_of(d, i);
		*p = (struct partition){.end = d->period};
		shadow_tags_init(&p->tags, d->sets, d->ways);
	}
}

static void end_period(const struct dbsa_l2 *d, struct partition *p)
{
	bool before = p->disabled;
	p->stat[STAT_PERIODS]++;
	p->stat[STAT_DISABLED] += before;
	if (p->accesses)
		p->disabled = (double)p->misses > d->threshold * (double)p->accesses;
	p->stat[STAT_REENABLED] += before && !p->disabled;
	p->accesses = p->misses = 0;
	p->end += d->period;
}

/* The tags are kept in enabled periods, too: a disabled one begins with what L2 holds. */
static void l2_measure(struct partition *p, const struct l2_request *request)
{
	uint32_t set = (uint32_t)(request->line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
	bool hit = shadow_tags_access(&p->tags, set, request->line);
	if (!p->disabled)
		hit = request->hit || request->pending;
	p->accesses++;
	p->misses += !hit;
}

static enum l2_route l2_route(void *block, const struct l2_request *request)
{
	struct dbsa_l2 *d = block;
	struct partition *p = partition_of(d, request->slice / d->slices);
	while (request->cycle >= p->end)
		end_period(d, p);
	l2_measure(p, request);
	p->stat[STAT_BYPASSED] += p->disabled;
	return p->disabled ? L2_ROUTE_FORCE_BYPASS : L2_ROUTE_NONE;
}

static void l2_stats(const void *block, uint64_t *sum)
{
	struct dbsa_l2 *d = (struct dbsa_l2 *)(uintptr_t)block;
	for (uint32_t i = 0; i < d->partitions; i++)
		for (uint32_t k = 0; k < STATS_L2; k++)
			sum[k] += partition_of(d, i)->stat[k];
}

const struct policy policy_dbsa_l2 = {
    .abi = POLICY_ABI,
    .name = "dbsa-l2",
    .title = "a partition's L2 is off while nearly all requests miss",
    .citation = CITATION,
    POLICY_PARAMS(params, struct dbsa_params),
    .gpu_bits = l2_bits,
    .gpu_bytes = l2_bytes,
    .gpu_init = l2_init,
    .stat_names = stat_names,
    .stat_count = STATS_L2,
    .gpu_stats = l2_stats,
    .l2_route = l2_route,
    .on_kernel_begin = l2_begin,
};

const struct policy policy_dbsa = {
    .abi = POLICY_ABI,
    .name = "dbsa",
    .title = "dynamic bypassing of streaming applications, at L1 and L2",
    .citation = CITATION,
    .bundle = "dbsa-l1,dbsa-l2",
    POLICY_PARAMS(params, struct dbsa_params),
};
