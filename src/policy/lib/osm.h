/*
 * What the members of the OSM family share: shared memory lies in DRAM, behind
 * a small cache of its own (Darabi et al., TPDS 2022, sections 3 and 4).
 *
 * Their parameter tables begin with OSM_PARAM_ROWS.
 */
#ifndef SLUICE_POLICY_LIB_OSM_H
#define SLUICE_POLICY_LIB_OSM_H

#include "policy/lib/smem_lock.h"

struct osm_params {
	uint32_t size, ways, space, hit_cycles;
	uint32_t reads_to_unlock, relock; /* of those with locks */
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

struct osm {
	struct aux_shape shape;
	struct smem_lock lock; /* the last: it grows */
};

uint32_t osm_lines(const struct policy_env *env);
struct aux_shape osm_shape(const struct policy_env *env);
const char *osm_refuses(const struct policy_env *env);
uint32_t osm_smem_capacity(const struct policy_env *env);
enum smem_route osm_smem_route(void *sm, const struct l1_request *request);

/* Of those with locks: a block is a struct osm. */
size_t osm_bytes(const struct policy_env *env);
struct aux_shape osm_aux_cache(void *sm, const struct sm_view *view);
uint32_t osm_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                    uint32_t count);
void osm_hit(void *sm, const struct l1_event *event);
void osm_miss(void *sm, const struct l1_event *event);
void osm_evict(void *sm, const struct l1_event *event);
enum { OSM_STATS = 3 };
extern const char *const osm_stat_names[OSM_STATS];
void osm_stats(const void *sm, uint64_t *sum);

#endif
