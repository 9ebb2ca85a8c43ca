/*
 * OSM without locks: the cache before off-chip shared memory replaces the least
 * recently used line.
 *
 * Darabi et al., TPDS 2022, Figures 10, 11 and 16 (OSM-no-lock).
 */
#include "policy/lib/osm.h"

static const struct policy_param params[] = {OSM_PARAM_ROWS};

static size_t nolock_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct aux_shape);
}

static void nolock_init(void *sm, const struct policy_env *env)
{
	*(struct aux_shape *)sm = osm_shape(env);
}

static struct aux_shape nolock_aux_cache(void *sm, const struct sm_view *view)
{
	(void)view;
	return *(const struct aux_shape *)sm;
}

const struct policy policy_osm_nolock = {
    .abi = POLICY_ABI,
    .name = "osm-nolock",
    .title = "off-chip shared memory behind a small cache, without locks",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022",
    POLICY_PARAMS(params, struct osm_params),
    .refuses = osm_refuses,
    .sm_bytes = nolock_bytes,
    .sm_init = nolock_init,
    .smem_capacity = osm_smem_capacity,
    .aux_cache = nolock_aux_cache,
    .smem_route = osm_smem_route,
};
