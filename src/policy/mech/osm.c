/*
 * OSM (Darabi et al., TPDS 2022): shared memory lies in DRAM, behind a cache of 8 KiB. Misses and write-backs bypass L2; the
 * lines of a CTA leave with it. Left out: what L1 could do with the array that shared memory frees (see ucm).
 *
 * osm (sections 3, 4 and 6.4): a line that a write inserts is locked: it is not replaced before its first read, unless its
 * whole set is locked.
 * osm-nolock (Figures 10, 11 and 16, OSM-no-lock): the cache replaces the least recently used line.
 */
#include "policy/define.h"
#include "policy/lib/osm.h"

#define CITATION "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022"

/* The block of osm; osm-nolock has only the shape. */
struct osm {
	struct aux_shape shape;
	struct smem_lock lock; /* the last member: it ends in an array */
};

static struct aux_shape osm_aux_cache(void *sm, const struct sm_view *view)
{
	(void)view;
	return *(const struct aux_shape *)sm;
}

/* ---- with locks ------------------------------------------------------------------------------------------- */

static const struct policy_param lock_params[] = {
    OSM_PARAM_ROWS,
    PARAM_U32(struct osm_params, reads_to_unlock, 1, 1, 255, "reads", "of a line until it may be replaced"),
    PARAM_U32(struct osm_params, relock, 0, 0, 1, "",
              "1: every write locks a line, not only that which inserts it"),
};

static size_t osm_bytes(const struct policy_env *env)
{
	return sizeof(struct osm) + smem_lock_bytes(osm_lines(env));
}

static void osm_init(void *sm, const struct policy_env *env)
{
	struct osm *osm = sm;
	osm->shape = osm_shape(env);
	smem_lock_init(&osm->lock, osm_lines(env), osm_given(env)->reads_to_unlock, osm_given(env)->relock);
}

static uint64_t osm_bits(const struct policy_env *env)
{
	return smem_lock_bits(osm_lines(env), osm_given(env)->reads_to_unlock);
}

/* Lines of other memory in the same cache, if another policy sends any there, have no lock. */
static uint32_t osm_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                           uint32_t count)
{
	(void)request;
	return smem_lock_victim(&((struct osm *)sm)->lock, ways, count);
}

static void osm_hit(void *sm, const struct l1_event *event)
{
	smem_lock_hit(&((struct osm *)sm)->lock, event);
}

static void osm_miss(void *sm, const struct l1_event *event)
{
	smem_lock_miss(&((struct osm *)sm)->lock, event);
}

static void osm_evict(void *sm, const struct l1_event *event)
{
	smem_lock_evict(&((struct osm *)sm)->lock, event);
}

static void osm_stats(const void *sm, uint64_t *sum)
{
	smem_lock_stats(&((const struct osm *)sm)->lock, sum);
}

const struct policy policy_osm = {
    .abi = POLICY_ABI,
    .name = "osm",
    .title = "off-chip shared memory behind a small cache with locks",
    .citation = CITATION,
    POLICY_PARAMS(lock_params, struct osm_params),
    .refuses = osm_refuses,
    .sm_bits = osm_bits,
    .sm_bytes = osm_bytes,
    .sm_init = osm_init,
    .stat_names = smem_lock_stat_names,
    .stat_count = SMEM_LOCK_STATS,
    .stats = osm_stats,
    .smem_capacity = osm_smem_capacity,
    .aux_cache = osm_aux_cache,
    .smem_route = osm_smem_route,
    .smem_only = true,
    .l1_victim = osm_victim,
    .on_l1_hit = osm_hit,
    .on_l1_miss = osm_miss,
    .on_l1_evict = osm_evict,
};

/* ---- without ---------------------------------------------------------------------------------------------- */

static const struct policy_param params[] = {OSM_PARAM_ROWS};

POLICY_BYTES(nolock_bytes, struct aux_shape)

static void nolock_init(void *sm, const struct policy_env *env)
{
	*(struct aux_shape *)sm = osm_shape(env);
}

const struct policy policy_osm_nolock = {
    .abi = POLICY_ABI,
    .name = "osm-nolock",
    .title = "off-chip shared memory behind a small cache, without locks",
    .citation = CITATION,
    POLICY_PARAMS(params, struct osm_params),
    .refuses = osm_refuses,
    .sm_bytes = nolock_bytes,
    .sm_init = nolock_init,
    .smem_capacity = osm_smem_capacity,
    .aux_cache = osm_aux_cache,
    .smem_route = osm_smem_route,
};
