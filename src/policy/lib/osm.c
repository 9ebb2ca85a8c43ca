#include "policy/lib/osm.h"

uint32_t osm_lines(const struct policy_env *env)
{
	return osm_given(env)->size * 1024 / env->l1_line_bytes;
}

struct aux_shape osm_shape(const struct policy_env *env)
{
	uint32_t lines = osm_lines(env), ways = osm_given(env)->ways;
	uint32_t cycles = osm_given(env)->hit_cycles;
	ways = ways < lines ? ways : lines;
	return (struct aux_shape){.sets = lines / ways,
	                          .ways = ways,
	                          .hit_cycles = cycles ? cycles : env->smem_cycles,
	                          .write_back = 1,
	                          .drop_at_cta_end = 1,
	                          .past_l2 = 1};
}

const char *osm_refuses(const struct policy_env *env)
{
	uint32_t lines = osm_lines(env), ways = osm_given(env)->ways;
	return ways < lines && lines % ways ? "size must be a whole number of sets" : NULL;
}

uint32_t osm_smem_capacity(const struct policy_env *env)
{
	return osm_given(env)->space * 1024;
}

enum smem_route osm_smem_route(void *sm, const struct l1_request *request)
{
	(void)sm, (void)request;
	return SMEM_ROUTE_CACHED;
}

size_t osm_bytes(const struct policy_env *env)
{
	return sizeof(struct osm) + smem_lock_bytes(osm_lines(env));
}

struct aux_shape osm_aux_cache(void *sm, const struct sm_view *view)
{
	(void)view;
	return ((const struct osm *)sm)->shape;
}

/* Lines of other memory in the same cache, if another policy sends any there, have no lock. */
uint32_t osm_victim(void *sm, const struct l1_request *request, const struct frame_view *ways, uint32_t count)
{
	(void)request;
	return smem_lock_victim(&((struct osm *)sm)->lock, ways, count);
}

void osm_hit(void *sm, const struct l1_event *event)
{
	smem_lock_hit(&((struct osm *)sm)->lock, event);
}

void osm_miss(void *sm, const struct l1_event *event)
{
	smem_lock_miss(&((struct osm *)sm)->lock, event);
}

void osm_evict(void *sm, const struct l1_event *event)
{
	smem_lock_evict(&((struct osm *)sm)->lock, event);
}

const char *const osm_stat_names[OSM_STATS] = {"locks", "unlocks", "locked_lines_evicted"};

void osm_stats(const void *sm, uint64_t *sum)
{
	const struct smem_lock *lock = &((const struct osm *)sm)->lock;
	sum[0] += lock->locks;
	sum[1] += lock->unlocks;
	sum[2] += lock->locked_evictions;
}
