/*
 * Ways to use the array that L1 and shared memory divide, compared by Darabi et al. (OSM, TPDS 2022).
 *
 * ucm (section 4): one array holds lines of L1 and of shared memory, which lies in DRAM. They compete for ways in one order of
 * recency; only lines of shared memory can be locked, as in osm. Shared memory no longer limits the CTAs of an SM, and L1 has
 * the whole array. Left out: the wider port of the unified array; an access to shared memory takes the pipe as on chip.
 * gebhart (section 6.2, after Gebhart et al., MICRO 2012): shared memory may fill the array to the last byte; L1 gets exactly
 * the rest, for the whole launch. With nothing left, global loads bypass L1. Left out: the register file, which the original
 * unifies with the rest.
 * osm-96+128 (section 4, Figure 9): shared memory as on Volta, and still an L1 that has the whole array.
 */
#include "policy/define.h"
#include "policy/lib/smem_lock.h"

static const char *needs_unified(const struct policy_env *env)
{
	return env->unified_bytes ? NULL : "L1 and shared memory are arrays of their own there";
}

static uint32_t whole_array(const struct policy_env *env, const struct smem_use *use)
{
	(void)use;
	return env->unified_bytes;
}

/* ---- ucm -------------------------------------------------------------------------------------------------- */

struct ucm_params {
	uint32_t space;
	uint32_t reads_to_unlock, relock;
};

POLICY_GIVEN(struct ucm_params)

static const struct policy_param params[] = {
    PARAM_U32(struct ucm_params, space, 192, 1, 1024, "KiB", "off-chip shared memory of an SM"),
    PARAM_U32(struct ucm_params, reads_to_unlock, 1, 1, 255, "reads", "of a line until it may be replaced"),
    PARAM_U32(struct ucm_params, relock, 0, 0, 1, "",
              "1: every write locks a line, not only that which inserts it"),
};

static uint32_t frames(const struct policy_env *env)
{
	return env->l1_sets * env->l1_ways;
}

static size_t ucm_bytes(const struct policy_env *env)
{
	return smem_lock_bytes(frames(env));
}

static uint64_t ucm_bits(const struct policy_env *env)
{
	return smem_lock_bits(frames(env), given(env)->reads_to_unlock);
}

static void ucm_init(void *sm, const struct policy_env *env)
{
	smem_lock_init(sm, frames(env), given(env)->reads_to_unlock, given(env)->relock);
}

static uint32_t ucm_smem_capacity(const struct policy_env *env)
{
	return given(env)->space * 1024;
}

static enum smem_route ucm_smem_route(void *sm, const struct l1_request *request)
{
	(void)sm, (void)request;
	return SMEM_ROUTE_CACHED;
}

static uint32_t ucm_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                           uint32_t count)
{
	(void)request;
	return smem_lock_victim(sm, ways, count);
}

static void ucm_hit(void *sm, const struct l1_event *event)
{
	smem_lock_hit(sm, event);
}

static void ucm_miss(void *sm, const struct l1_event *event)
{
	smem_lock_miss(sm, event);
}

static void ucm_evict(void *sm, const struct l1_event *event)
{
	smem_lock_evict(sm, event);
}

static void ucm_stats(const void *sm, uint64_t *sum)
{
	smem_lock_stats(sm, sum);
}

const struct policy policy_ucm = {
    .abi = POLICY_ABI,
    .name = "ucm",
    .title = "one cache for global and off-chip shared memory",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022",
    POLICY_PARAMS(params, struct ucm_params),
    .refuses = needs_unified,
    .sm_bits = ucm_bits,
    .sm_bytes = ucm_bytes,
    .sm_init = ucm_init,
    .stat_names = smem_lock_stat_names,
    .stat_count = SMEM_LOCK_STATS,
    .stats = ucm_stats,
    .smem_capacity = ucm_smem_capacity,
    .l1_capacity = whole_array,
    .smem_route = ucm_smem_route,
    .smem_only = true,
    .l1_victim = ucm_victim,
    .on_l1_hit = ucm_hit,
    .on_l1_miss = ucm_miss,
    .on_l1_evict = ucm_evict,
};

/* ---- gebhart ---------------------------------------------------------------------------------------------- */

static uint32_t gebhart_smem_capacity(const struct policy_env *env)
{
	return env->unified_bytes;
}

static uint32_t gebhart_l1_capacity(const struct policy_env *env, const struct smem_use *use)
{
	uint64_t taken = (uint64_t)use->ctas * use->cta_bytes;
	return taken < env->unified_bytes ? env->unified_bytes - (uint32_t)taken : 0;
}

const struct policy policy_gebhart = {
    .abi = POLICY_ABI,
    .name = "gebhart",
    .title = "shared memory takes what it needs of a unified array, L1 the exact rest",
    .citation =
        "M. Gebhart et al.: Unifying Primary Cache, Scratch, and Register File Memories in a Throughput "
        "Processor, MICRO 2012",
    .refuses = needs_unified,
    .smem_capacity = gebhart_smem_capacity,
    .l1_capacity = gebhart_l1_capacity,
};

/* ---- osm-96+128 ------------------------------------------------------------------------------------------- */

const struct policy policy_osm_96_128 = {
    .abi = POLICY_ABI,
    .name = "osm-96+128",
    .title = "the ideal of 96 KB of shared memory next to 128 KB of L1",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022, section 4",
    .refuses = needs_unified,
    .l1_capacity = whole_array,
};
