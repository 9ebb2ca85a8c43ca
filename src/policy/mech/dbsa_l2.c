/*
 * DBSA at L2: the method of dbsa-l1 for the L2 of each memory partition (Khairy's
 * thesis, section 5.1). In a period after one in which more than the threshold of
 * the requests missed, they all go to DRAM, writes too.
 *
 * While L2 is enabled the miss rate is its own; requests that meet a line on its
 * way are hits. While it is disabled, it is that of tags without data, which take
 * a line in when it is asked for; their sets are chosen by a hash of the line, as
 * L2's own function is not at hand. Lines that are still in L2 when it comes back
 * are valid, as every request to them in between would have dropped them.
 */
#include "policy/lib/shadow_tags.h"
#include "policy/policy.h"

struct dbsa_l2_params {
	uint32_t period;
	double threshold;
};

static const struct dbsa_l2_params *given(const struct policy_env *env)
{
	return env->params;
}

static const struct policy_param params[] = {
    PARAM_U32(struct dbsa_l2_params, period, 10000, 1, 1e9, "cycles", "between two decisions"),
    PARAM_REAL(struct dbsa_l2_params, threshold, 0.9, 0, 1, "", "a miss rate above it disables the cache"),
};

enum { STAT_PERIODS, STAT_DISABLED, STAT_REENABLED, STAT_BYPASSED, STATS };
static const char *const stat_names[STATS] = {
    [STAT_PERIODS] = "periods",     /* that ended, summed over partitions */
    [STAT_DISABLED] = "disabled",   /* of those, without L2 */
    [STAT_REENABLED] = "reenabled", /* how often L2 came back */
    [STAT_BYPASSED] = "bypassed",   /* requests that went past L2 */
};

struct partition {
	uint64_t end; /* of the period */
	uint64_t accesses, misses;
	uint64_t stat[STATS];
	bool disabled;
	struct shadow_tags tags;
};

struct dbsa {
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

static size_t dbsa_bytes(const struct policy_env *env)
{
	return sizeof(struct dbsa) + partitions_of(env) * stride_of(env);
}

/* Two counters per partition, and whether its cache is off; the tags are L2's own. */
static uint64_t dbsa_bits(const struct policy_env *env)
{
	uint64_t bits = 0;
	while ((uint64_t)given(env)->period >> bits)
		bits++;
	return partitions_of(env) * (2 * bits + 1);
}

static struct partition *partition_of(struct dbsa *d, uint32_t index)
{
	return (struct partition *)((char *)d->partition + index * d->stride);
}

static void dbsa_init(void *block, const struct policy_env *env)
{
	struct dbsa *d = block;
	*d = (struct dbsa){.threshold = given(env)->threshold,
	                   .period = (uint64_t)given(env)->period,
	                   .partitions = partitions_of(env),
	                   .slices = env->slices_per_partition,
	                   .sets = env->l2_sets * env->slices_per_partition,
	                   .ways = env->l2_ways,
	                   .stride = stride_of(env)};
}

/* Every launch begins with L2 enabled; time begins at 0. */
static void dbsa_begin(void *block, const char *kernel, uint64_t ctas)
{
	(void)kernel, (void)ctas;
	struct dbsa *d = block;
	for (uint32_t i = 0; i < d->partitions; i++) {
		struct partition *p = partition_of(d, i);
		*p = (struct partition){.end = d->period};
		shadow_tags_init(&p->tags, d->sets, d->ways);
	}
}

static void end_period(const struct dbsa *d, struct partition *p)
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
static void measure(struct partition *p, const struct l2_request *request)
{
	uint32_t set = (uint32_t)(request->line * UINT64_C(0x9e3779b97f4a7c15) >> 32);
	bool hit = shadow_tags_access(&p->tags, set, request->line);
	if (!p->disabled)
		hit = request->hit || request->pending;
	p->accesses++;
	p->misses += !hit;
}

static enum l2_route dbsa_route(void *block, const struct l2_request *request)
{
	struct dbsa *d = block;
	struct partition *p = partition_of(d, request->slice / d->slices);
	while (request->cycle >= p->end)
		end_period(d, p);
	measure(p, request);
	p->stat[STAT_BYPASSED] += p->disabled;
	return p->disabled ? L2_ROUTE_FORCE_BYPASS : L2_ROUTE_NONE;
}

static void dbsa_stats(const void *block, uint64_t *sum)
{
	struct dbsa *d = (struct dbsa *)(uintptr_t)block;
	for (uint32_t i = 0; i < d->partitions; i++)
		for (uint32_t k = 0; k < STATS; k++)
			sum[k] += partition_of(d, i)->stat[k];
}

const struct policy policy_dbsa_l2 = {
    .abi = POLICY_ABI,
    .name = "dbsa-l2",
    .title = "a partition's L2 is off while nearly all requests miss",
    .citation = "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University "
                "2015, section 5.1",
    POLICY_PARAMS(params, struct dbsa_l2_params),
    .gpu_bits = dbsa_bits,
    .gpu_bytes = dbsa_bytes,
    .gpu_init = dbsa_init,
    .stat_names = stat_names,
    .stat_count = STATS,
    .gpu_stats = dbsa_stats,
    .l2_route = dbsa_route,
    .on_kernel_begin = dbsa_begin,
};
