/*
 * OSM: shared memory lies in DRAM, behind a cache of 8 KiB. A line that a write
 * inserts is locked: it is not replaced before its first read, unless its whole
 * set is locked. Misses and write-backs pass L2 by; the lines of a CTA leave
 * with it.
 *
 * Darabi et al., TPDS 2022, sections 3, 4 and 6.4. Left out: what L1 could do with
 * the array that shared memory frees (see ucm).
 */
#include "policy/lib/osm.h"

static const struct policy_param params[] = {
    OSM_PARAM_ROWS,
    PARAM_U32(struct osm_params, reads_to_unlock, 1, 1, 255, "reads", "of a line until it may be replaced"),
    PARAM_U32(struct osm_params, relock, 0, 0, 1, "",
              "1: every write locks a line, not only that which inserts it"),
};

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

const struct policy policy_osm = {
    .abi = POLICY_ABI,
    .name = "osm",
    .title = "off-chip shared memory behind a small cache with locks",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022",
    POLICY_PARAMS(params, struct osm_params),
    .refuses = osm_refuses,
    .sm_bits = osm_bits,
    .sm_bytes = osm_bytes,
    .sm_init = osm_init,
    .stat_names = osm_stat_names,
    .stat_count = OSM_STATS,
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
