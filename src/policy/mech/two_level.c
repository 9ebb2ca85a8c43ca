/*
 * Two-level scheduling: a scheduler's warps form fetch groups; one group runs, round robin, until all its
 * warps wait for memory or at a barrier, then the next one that can run. Groups so reach their long waits at
 * different times.
 *
 * Narasiman et al., MICRO 2011 (fixed groups, the default); `pool` is the active and pending set of Gebhart
 * et al., ISCA 2011: a warp that waits leaves the active set, and the next that does not comes in. CIAO,
 * section VI, and Khairy, chapter 3, name the scheduler only. Left out: large warps.
 */
#include "policy/define.h"
#include "policy/lib/order.h"

struct two_level_params {
	uint32_t size;
	bool pool;
};

POLICY_GIVEN(struct two_level_params)

struct two_level {
	uint32_t size;
	bool pool;
	uint64_t switches;
	uint64_t active[]; /* per scheduler: the group or set that runs */
};

static size_t two_level_bytes(const struct policy_env *env)
{
	return sizeof(struct two_level) + env->schedulers * sizeof(uint64_t);
}

static void two_level_init(void *sm, const struct policy_env *env)
{
	struct two_level *t = sm;
	*t = (struct two_level){.size = given(env)->size, .pool = given(env)->pool};
	for (uint32_t i = 0; i < env->schedulers; i++)
		t->active[i] = 0;
}

static uint64_t group_mask(uint32_t first, uint32_t size)
{
	return (size >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << size) - 1) << first;
}

/* From the group after the one that ran, the first with a warp that can run; else the one that ran. */
static uint64_t next_group(uint64_t group, uint64_t running, uint32_t size)
{
	uint32_t groups = (64 + size - 1) / size;
	uint32_t now = group ? (uint32_t)__builtin_ctzll(group) / size : groups - 1;
	for (uint32_t i = 1; i <= groups; i++) {
		uint64_t mask = group_mask((now + i) % groups * size, size);
		if (mask & running)
			return mask;
	}
	return group;
}

/* Warps that wait leave, the oldest that do not come in. */
static uint64_t refill(uint64_t set, uint64_t running, const struct sched_view *view, uint32_t size)
{
	set &= running;
	uint32_t count = (uint32_t)__builtin_popcountll(set);
	for (uint32_t i = 0; i < view->by_age_count && count < size; i++) {
		uint64_t bit = (uint64_t)1 << view->by_age[i];
		count += (running & ~set & bit) != 0;
		set |= running & bit;
	}
	return set;
}

static struct throttle two_level_throttle(void *sm, const struct sched_view *view)
{
	struct two_level *t = sm;
	uint64_t before = t->active[view->scheduler], after = before;
	uint64_t running = view->resident & ~view->waiting_barrier & ~view->waiting_memory;
	if (t->pool)
		after = refill(before, running, view, t->size);
	else if (!(before & running))
		after = next_group(before, running, t->size);
	t->switches += after != before;
	t->active[view->scheduler] = after;
	return (struct throttle){after, after, POLICY_CYCLE_NEVER};
}

static uint32_t two_level_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm;
	return order_next(view, eligible);
}

static void two_level_stats(const void *sm, uint64_t *sum)
{
	sum[0] += ((const struct two_level *)sm)->switches;
}

/* The set that runs, as a mask per scheduler. */
static uint64_t two_level_bits(const struct policy_env *env)
{
	return env->warps;
}

static const struct policy_param params[] = {
    PARAM_U32(struct two_level_params, size, 8, 1, 64, "warps",
              "warps of a group, or of the active set, per scheduler"),
    PARAM_BOOL(struct two_level_params, pool, 0, 0, 1, "",
               "an active set that waiting warps leave, instead of fixed groups"),
};
static const char *const stat_names[] = {"switches"};

const struct policy policy_two_level = {
    .abi = POLICY_ABI,
    .name = "two-level",
    .title = "two-level warp scheduling: groups that run until they wait",
    .citation =
        "V. Narasiman et al.: Improving GPU Performance via Large Warps and Two-Level Warp Scheduling, "
        "MICRO 2011",
    POLICY_PARAMS(params, struct two_level_params),
    .sm_bits = two_level_bits,
    .sm_bytes = two_level_bytes,
    .sm_init = two_level_init,
    POLICY_STAT_NAMES(stat_names),
    .stats = two_level_stats,
    .order = two_level_order,
    .throttle = two_level_throttle,
};
