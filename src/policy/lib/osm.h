/*
 * What the members of the OSM family share: shared memory lies in DRAM, behind a small cache of its own
 * (Darabi et al., TPDS 2022, sections 3 and 4). Their parameter tables begin with OSM_PARAM_ROWS.
 */
#ifndef SLUICE_POLICY_LIB_OSM_H
#define SLUICE_POLICY_LIB_OSM_H

#include "base/bits.h"
#include "policy/lib/smem_lock.h"

struct osm_params {
	uint32_t size, ways, space, hit_cycles;
	uint32_t reads_to_unlock, relock; /* of policies with locks */
};
/* clang-format off */
#define OSM_PARAM_ROWS                                                                                       \
	PARAM_U32(struct osm_params, size, 8, 1, 256, "KiB", "the cache before off-chip shared memory"),     \
	PARAM_U32(struct osm_params, ways, 64, 1, 256, "", "of the cache; fewer if it has fewer lines (A6)"), \
	PARAM_U32(struct osm_params, space, 0, 0, 1024, "KiB",                                               \
		  "off-chip shared memory of an SM; 0: what the machine has on chip"),                       \
	PARAM_U32(struct osm_params, hit_cycles, 0, 0, 1000, "cycles", "a hit; 0: as shared memory on chip")
/* clang-format on */

static inline const struct osm_params *osm_given(const struct policy_env *env)
{
	return env->params;
}

static inline uint32_t osm_lines(const struct policy_env *env)
{
	return osm_given(env)->size * 1024 / env->l1_line_bytes;
}

static inline struct aux_shape osm_shape(const struct policy_env *env)
{
	uint32_t lines = osm_lines(env), ways = bits_min32(osm_given(env)->ways, lines);
	uint32_t cycles = osm_given(env)->hit_cycles;
	return (struct aux_shape){.sets = lines / ways,
	                          .ways = ways,
	                          .hit_cycles = cycles ? cycles : env->smem_cycles,
	                          .write_back = 1,
	                          .drop_at_cta_end = 1,
	                          .past_l2 = 1};
}

static inline const char *osm_refuses(const struct policy_env *env)
{
	uint32_t lines = osm_lines(env), ways = osm_given(env)->ways;
	return ways < lines && lines % ways ? "size must be a whole number of sets" : NULL;
}

static inline uint32_t osm_smem_capacity(const struct policy_env *env)
{
	return osm_given(env)->space * 1024;
}

static inline enum smem_route osm_smem_route(void *sm, const struct l1_request *request)
{
	(void)sm, (void)request;
	return SMEM_ROUTE_CACHED;
}

#endif
