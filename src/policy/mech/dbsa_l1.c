/*
 * DBSA at L1: dynamic bypassing of streaming applications (Khairy's thesis,
 * section 5.1). After every period in which more than the threshold of the
 * loads missed, an SM does without its L1 for one period; its tags go on being
 * looked up and updated, without data, so that the miss rate is known and the
 * cache can come back. It comes back empty.
 *
 * The thesis disables "the cache"; here every SM decides for itself. Stores are
 * not counted. A period whose loads were mostly routed by another policy, which
 * then answers before this one is asked, decides nothing.
 */
#include "policy/lib/shadow_tags.h"
#include "policy/policy.h"

struct dbsa_l1_params {
	uint32_t period;
	double threshold;
};

static const struct dbsa_l1_params *given(const struct policy_env *env)
{
	return env->params;
}

static const struct policy_param params[] = {
    PARAM_U32(struct dbsa_l1_params, period, 10000, 1, 1e9, "cycles", "between two decisions"),
    PARAM_REAL(struct dbsa_l1_params, threshold, 0.9, 0, 1, "", "a miss rate above it disables the cache"),
};

enum { STAT_PERIODS, STAT_DISABLED, STAT_REENABLED, STATS };
static const char *const stat_names[STATS] = {
    [STAT_PERIODS] = "periods",     /* that ended, summed over SMs */
    [STAT_DISABLED] = "disabled",   /* of those, without L1 */
    [STAT_REENABLED] = "reenabled", /* how often L1 came back */
};

struct dbsa {
	double threshold;
	uint64_t accesses, misses;
	uint64_t served; /* loads that used L1, whoever routed them */
	bool disabled, flush;
	uint64_t stat[STATS];
	struct shadow_tags tags;
};

static size_t dbsa_bytes(const struct policy_env *env)
{
	return offsetof(struct dbsa, tags) + shadow_tags_bytes(env->l1_sets, env->l1_ways);
}

/* Two counters that hold the accesses of a period, and whether the cache is off; the tags are L1's own. */
static uint64_t dbsa_bits(const struct policy_env *env)
{
	uint64_t bits = 0;
	while ((uint64_t)given(env)->period >> bits)
		bits++;
	return 2 * bits + 1;
}

static void dbsa_configure(struct policy *self, const struct policy_env *env)
{
	self->epoch_cycles = given(env)->period;
}

static void dbsa_init(void *block, const struct policy_env *env)
{
	struct dbsa *d = block;
	*d = (struct dbsa){.threshold = given(env)->threshold};
	shadow_tags_init(&d->tags, env->l1_sets, env->l1_ways);
}

/* The tags are kept in enabled periods, too: a disabled one begins with what L1 holds. */
static void measure(struct dbsa *d, const struct l1_request *request)
{
	bool hit = shadow_tags_access(&d->tags, request->set, request->line);
	if (!d->disabled)
		hit = request->presence == L1_WHOLE || request->presence == L1_PENDING;
	d->accesses++;
	d->misses += !hit;
}

static enum l1_route dbsa_route(void *block, const struct l1_request *request, enum l1_fail fail)
{
	struct dbsa *d = block;
	if (fail == L1_FAIL_NONE && !request->is_store)
		measure(d, request);
	return d->disabled ? L1_ROUTE_FORCE_BYPASS : L1_ROUTE_NONE;
}

static void dbsa_served(void *block, const struct l1_event *event)
{
	(void)event;
	((struct dbsa *)block)->served++;
}

static void dbsa_period(void *block, const struct sm_view *view)
{
	(void)view;
	struct dbsa *d = block;
	bool before = d->disabled;
	d->stat[STAT_PERIODS]++;
	d->stat[STAT_DISABLED] += before;
	if (d->accesses && 2 * d->accesses > d->served)
		d->disabled = (double)d->misses > d->threshold * (double)d->accesses;
	d->flush = before && !d->disabled;
	d->stat[STAT_REENABLED] += d->flush;
	d->accesses = d->misses = d->served = 0;
}

static bool dbsa_flush(void *block)
{
	return ((const struct dbsa *)block)->flush;
}

static void dbsa_stats(const void *block, uint64_t *sum)
{
	const struct dbsa *d = block;
	for (uint32_t i = 0; i < STATS; i++)
		sum[i] += d->stat[i];
}

#define CITATION                                                                                             \
	"M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "     \
	"section 5.1"

extern const struct policy policy_dbsa_l1, policy_dbsa;
const struct policy policy_dbsa_l1 = {
    .abi = POLICY_ABI,
    .name = "dbsa-l1",
    .title = "L1 is off while nearly all loads miss",
    .citation = CITATION,
    POLICY_PARAMS(params, struct dbsa_l1_params),
    .sm_bits = dbsa_bits,
    .sm_bytes = dbsa_bytes,
    .sm_init = dbsa_init,
    .configure = dbsa_configure,
    .stat_names = stat_names,
    .stat_count = STATS,
    .stats = dbsa_stats,
    .l1_route = dbsa_route,
    .l1_flush = dbsa_flush,
    .on_l1_hit = dbsa_served,
    .on_l1_pending = dbsa_served,
    .on_l1_miss = dbsa_served,
    .on_epoch = dbsa_period,
};

const struct policy policy_dbsa = {
    .abi = POLICY_ABI,
    .name = "dbsa",
    .title = "dynamic bypassing of streaming applications, at L1 and L2",
    .citation = CITATION,
    .bundle = "dbsa-l1,dbsa-l2",
    POLICY_PARAMS(params, struct dbsa_l1_params),
};
