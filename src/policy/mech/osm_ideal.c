/*
 * OSM with an oracle: a line of shared memory stays as long as it will be read. Of live lines, the one that
 * is read last goes. A line that is not read before it is written whole goes first, and is not written back.
 *
 * Darabi et al., TPDS 2022, section 6.4 (Figure 15, Ideal). The paper says only that an address is kept for
 * its liveness range. The first of two passes records every access with its time since the CTA's start; the
 * second reads the future from it. Left out: what the oracle cannot know, a CTA that another SM gets in the
 * second pass (the n-th CTA of an SM is taken for the n-th of the first pass).
 */
#include <stdlib.h>

#include "base/memory.h"
#include "policy/define.h"
#include "policy/lib/line_map.h"
#include "policy/lib/osm.h"

static const struct policy_param params[] = {OSM_PARAM_ROWS};

enum kind { READ, WRITE_PART, WRITE_WHOLE };

/* An access of the first pass. Places are counted from 1; 0: none. */
struct access {
	uint64_t time; /* since the CTA's start */
	uint32_t next; /* place of the next to the same line */
	uint32_t kind;
};

/* A line of a CTA's memory. */
struct ideal_line {
	uint32_t next; /* place of its first access that the second pass has not seen */
	uint32_t last;
};

struct cta_of_slot {
	uint32_t number, live;
	uint64_t start;
};

/* What is in a frame of the cache. */
struct ideal_frame {
	uint32_t line; /* its place; 0: none that the first pass knew */
	uint32_t cta;  /* slot */
};

struct ideal {
	struct aux_shape shape;
	uint32_t pass, ctas;
	struct access *access;
	uint32_t count, capacity;
	struct line_map id; /* of a CTA's line: its place in `line` */
	struct ideal_line *line;
	uint32_t line_capacity;
	uint32_t frames;
	uint64_t dead_evictions, live_evictions;
	struct cta_of_slot *slot; /* per CTA slot: no more than warps */
	uint32_t *slot_of_warp;
	struct ideal_frame *frame;
};

POLICY_BYTES(ideal_bytes, struct ideal)

static void *zeroed(void *old, size_t count, size_t size)
{
	free(old);
	return memory_zeroed(count ? count : 1, size);
}

static void ideal_init(void *sm, const struct policy_env *env)
{
	struct ideal *ideal = sm;
	ideal->shape = osm_shape(env);
	ideal->pass = env->pass;
	ideal->ctas = 0;
	ideal->frames = osm_lines(env);
	ideal->dead_evictions = ideal->live_evictions = 0;
	if (!env->pass) {
		ideal->count = 0;
		line_map_clear(&ideal->id);
	}
	ideal->slot = zeroed(ideal->slot, env->warps, sizeof *ideal->slot);
	ideal->slot_of_warp = zeroed(ideal->slot_of_warp, env->warps, sizeof *ideal->slot_of_warp);
	ideal->frame = zeroed(ideal->frame, ideal->frames, sizeof *ideal->frame);
}

static void ideal_free(void *sm)
{
	struct ideal *ideal = sm;
	free(ideal->access);
	line_map_free(&ideal->id);
	free(ideal->line);
	free(ideal->slot);
	free(ideal->slot_of_warp);
	free(ideal->frame);
}

static struct aux_shape ideal_aux_cache(void *sm, const struct sm_view *view)
{
	(void)view;
	return ((const struct ideal *)sm)->shape;
}

static void ideal_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct ideal *ideal = sm;
	struct cta_of_slot *slot = &ideal->slot[cta];
	if (!slot->live++) {
		slot->number = ideal->ctas++;
		slot->start = cycle;
	}
	ideal->slot_of_warp[warp] = cta;
}

static void ideal_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	(void)cycle;
	struct ideal *ideal = sm;
	ideal->slot[ideal->slot_of_warp[warp]].live--;
}

/* ---- the record ------------------------------------------------------------------------------------------- */

static uint64_t line_name(const struct ideal *ideal, const struct l1_event *event)
{
	return (uint64_t)ideal->slot[event->cta].number << 32 | event->cta_line;
}

/* Place of the event's line; 0: the first pass did not touch it. */
static uint32_t known_line(const struct ideal *ideal, const struct l1_event *event)
{
	const uint32_t *id = line_map_find(&ideal->id, line_name(ideal, event));
	return id ? *id : 0;
}

static uint32_t add_line(struct ideal *ideal, const struct l1_event *event)
{
	uint32_t *id = line_map_at(&ideal->id, line_name(ideal, event));
	if (*id)
		return *id;
	*id = ideal->id.count;
	if (*id > ideal->line_capacity) {
		ideal->line_capacity = 2 * *id + 64;
		ideal->line = memory_grow(ideal->line, ideal->line_capacity, sizeof *ideal->line);
	}
	ideal->line[*id - 1] = (struct ideal_line){0, 0};
	return *id;
}

static void record(struct ideal *ideal, const struct l1_event *event)
{
	if (ideal->count == ideal->capacity) {
		ideal->capacity = 2 * ideal->capacity + 1024;
		ideal->access = memory_grow(ideal->access, ideal->capacity, sizeof *ideal->access);
	}
	uint32_t id = add_line(ideal, event);
	struct ideal_line *line = &ideal->line[id - 1];
	ideal->access[ideal->count++] = (struct access){.time = event->cycle - ideal->slot[event->cta].start,
	                                                .kind = !event->is_store ? READ
	                                                        : event->whole   ? WRITE_WHOLE
	                                                                         : WRITE_PART};
	if (line->last)
		ideal->access[line->last - 1].next = ideal->count;
	else
		line->next = ideal->count;
	line->last = ideal->count;
}

static void ideal_access(void *sm, const struct l1_event *event)
{
	struct ideal *ideal = sm;
	if (!event->shared)
		return;
	if (!ideal->pass) {
		record(ideal, event);
		return;
	}
	uint32_t id = known_line(ideal, event);
	struct ideal_line *line = id ? &ideal->line[id - 1] : NULL;
	if (line && line->next)
		line->next = ideal->access[line->next - 1].next;
	if (event->is_store && event->frame < ideal->frames)
		ideal->frame[event->frame] = (struct ideal_frame){id, event->cta};
}

static void ideal_fill(void *sm, const struct l1_event *event)
{
	struct ideal *ideal = sm;
	if (ideal->pass && event->shared && event->frame < ideal->frames)
		ideal->frame[event->frame] = (struct ideal_frame){known_line(ideal, event), event->cta};
}

/* ---- replacement ------------------------------------------------------------------------------------------ */

/* When the frame's line is read next, by the clock of the first pass; UINT64_MAX: not before it is written whole. */
static uint64_t next_read(const struct ideal *ideal, uint32_t frame)
{
	if (frame >= ideal->frames || !ideal->frame[frame].line)
		return UINT64_MAX;
	uint32_t place = ideal->line[ideal->frame[frame].line - 1].next;
	for (const struct access *access; place; place = access->next) {
		access = &ideal->access[place - 1];
		if (access->kind == READ)
			return ideal->slot[ideal->frame[frame].cta].start + access->time;
		if (access->kind == WRITE_WHOLE)
			break;
	}
	return UINT64_MAX;
}

static uint32_t ideal_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                             uint32_t count)
{
	(void)request;
	const struct ideal *ideal = sm;
	uint32_t best = UINT32_MAX;
	uint64_t best_read = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (!ways[i].valid)
			return i;
		if (ways[i].reserved)
			continue;
		uint64_t read = ideal->pass ? next_read(ideal, ways[i].frame) : 0;
		if (best == UINT32_MAX || read > best_read ||
		    (read == best_read && ways[i].recency < ways[best].recency)) {
			best = i;
			best_read = read;
		}
	}
	return best;
}

static bool ideal_dead(void *sm, const struct l1_event *evict)
{
	const struct ideal *ideal = sm;
	return ideal->pass && next_read(ideal, evict->frame) == UINT64_MAX;
}

static void ideal_evict(void *sm, const struct l1_event *event)
{
	struct ideal *ideal = sm;
	if (!event->shared || event->cta_ended)
		return;
	if (ideal_dead(sm, event))
		ideal->dead_evictions++;
	else
		ideal->live_evictions++;
}

static const char *const stat_names[] = {"dead_lines_evicted", "live_lines_evicted"};

static void ideal_stats(const void *sm, uint64_t *sum)
{
	const struct ideal *ideal = sm;
	sum[0] += ideal->dead_evictions;
	sum[1] += ideal->live_evictions;
}

const struct policy policy_osm_ideal = {
    .abi = POLICY_ABI,
    .name = "osm-ideal",
    .title = "off-chip shared memory behind a small cache that knows the future",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022",
    POLICY_PARAMS(params, struct osm_params),
    .refuses = osm_refuses,
    .sm_bytes = ideal_bytes,
    .sm_init = ideal_init,
    .sm_free = ideal_free,
    .passes = 2,
    POLICY_STAT_NAMES(stat_names),
    .stats = ideal_stats,
    .smem_capacity = osm_smem_capacity,
    .aux_cache = ideal_aux_cache,
    .smem_route = osm_smem_route,
    .smem_only = true,
    .l1_victim = ideal_victim,
    .smem_dead = ideal_dead,
    .on_warp_start = ideal_warp_start,
    .on_warp_exit = ideal_warp_exit,
    .on_l1_hit = ideal_access,
    .on_l1_pending = ideal_access,
    .on_l1_miss = ideal_access,
    .on_l1_fill = ideal_fill,
    .on_l1_evict = ideal_evict,
};
