/*
 * LCM's bypass (Fang et al. 2021, sections 4.1 and 4.3): global loads that the locality classifier calls
 * streaming go to L2 without a line or an MSHR.
 *
 * L1 is looked up all the same: a line that is there is used, and one that is on its way to L1 is waited for,
 * as a second request costs more and brings the same; figure 4 of the paper does not show that, and `probe`
 * says otherwise. Two requests that bypass do not merge: nothing that they take remembers their line. A load
 * of unknown type is cached. Types are forgotten between launches.
 */
#include "policy/define.h"
#include "policy/lib/classifier.h"

struct lcm_bypass_params {
	uint32_t threshold;
	bool probe;
};

POLICY_GIVEN(struct lcm_bypass_params)

static const struct policy_param params[] = {
    PARAM_U32(struct lcm_bypass_params, threshold, 8, 1, CLASSIFIER_COUNT_MAX - 1, "requests",
              "to a watched line, beyond which its load is classified"),
    PARAM_BOOL(struct lcm_bypass_params, probe, 1, 0, 1, "", "use a line that L1 holds nevertheless"),
};

enum { STAT_LOADS, STAT_BYPASSED, STATS };
static const char *const stat_names[STATS] = {
    [STAT_LOADS] = "loads",       /* line requests of global loads at L1 */
    [STAT_BYPASSED] = "bypassed", /* of those, streaming and not used from L1 */
};

struct lcm_bypass {
	bool probe;
	uint64_t stat[STATS];
	struct classifier classifier;
};

static size_t bypass_bytes(const struct policy_env *env)
{
	return offsetof(struct lcm_bypass, classifier) + classifier_bytes(env);
}

static void bypass_init(void *block, const struct policy_env *env)
{
	struct lcm_bypass *b = block;
	*b = (struct lcm_bypass){.probe = given(env)->probe};
	classifier_init(&b->classifier, env, given(env)->threshold);
}

static int bypass_listen(void *block, const struct prel1_item *window, uint32_t count,
                         const struct prel1_item *request)
{
	(void)window, (void)count;
	classifier_request(&((struct lcm_bypass *)block)->classifier, request);
	return PREL1_APPEND;
}

static void bypass_l1(void *block, const struct l1_event *event)
{
	classifier_l1(&((struct lcm_bypass *)block)->classifier, event);
}

static enum l1_route bypass_route(void *block, const struct l1_request *request, enum l1_fail fail)
{
	struct lcm_bypass *b = block;
	if (request->is_store || request->is_atomic || request->space != POLICY_GLOBAL)
		return L1_ROUTE_NONE;
	bool streaming = classifier_type(&b->classifier, request->pc) == LOCALITY_STREAMING;
	b->stat[STAT_LOADS] += fail == L1_FAIL_NONE;
	bool found =
	    request->presence == L1_WHOLE || (request->presence == L1_PENDING && fail == L1_FAIL_NONE);
	if (!streaming || (b->probe && found))
		return L1_ROUTE_NONE;
	b->stat[STAT_BYPASSED] += fail == L1_FAIL_NONE;
	return b->probe ? L1_ROUTE_BYPASS : L1_ROUTE_FORCE_BYPASS;
}

POLICY_STATS(bypass_stats, struct lcm_bypass)

#define CITATION                                                                                             \
	"J. Fang, Z. Wei, H. Yang: Locality-Based Cache Management and Warp Scheduling for Reducing Cache "  \
	"Contention in GPU, Micromachines 12, 2021"

extern const struct policy policy_lcm_bypass, policy_lcm, policy_lcm_lws;
const struct policy policy_lcm_bypass = {
    .abi = POLICY_ABI,
    .name = "lcm-bypass",
    .title = "streaming loads go past L1",
    .citation = CITATION,
    POLICY_PARAMS(params, struct lcm_bypass_params),
    .sm_bits = classifier_bits,
    .sm_bytes = bypass_bytes,
    .sm_init = bypass_init,
    POLICY_STAT_NAMES(stat_names),
    .stats = bypass_stats,
    .prel1_insert = bypass_listen,
    .l1_route = bypass_route,
    .on_l1_hit = bypass_l1,
    .on_l1_pending = bypass_l1,
    .on_l1_miss = bypass_l1,
};

/*
 * ---- bundles -------------------------------------------------------------------------------------------
 * There is one classifier in hardware, so its storage counts once. Policies that only listen come before
 * lcm-coalesce, behind which a request that was joined is not heard.
 */

const struct policy policy_lcm = {
    .abi = POLICY_ABI,
    .name = "lcm",
    .title = "locality-based cache management: bypass and inter-warp coalescing",
    .citation = CITATION,
    .bundle = "lcm-bypass,lcm-coalesce:own=no",
    POLICY_PARAMS(params, struct lcm_bypass_params),
};

const struct policy policy_lcm_lws = {
    .abi = POLICY_ABI,
    .name = "lcm+lws",
    .title = "locality-based cache management and warp scheduling",
    .citation = CITATION,
    .bundle = "lcm-bypass,lws:own=no,lcm-coalesce:own=no",
    POLICY_PARAMS(params, struct lcm_bypass_params),
};
