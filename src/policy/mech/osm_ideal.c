/*
 * OSM with an oracle: a line of shared memory stays as long as somebody will
 * read it. Of lines that live, the one that is read last goes; a line that
 * nobody reads before it is written whole goes first, and unwritten.
 *
 * Darabi et al., TPDS 2022, section 6.4 (Figure 15, Ideal). The paper says no
 * more than that an address is kept for its liveness range. The first of two
 * passes records every access with its time since the CTA's start; the second
 * reads the future from it. Left out: what the oracle cannot know, a CTA that
 * another SM gets in the second pass (the n-th CTA of an SM is taken for the
 * n-th of the first pass).
 */
#include <stdlib.h>
#include <string.h>

#include "policy/lib/osm.h"

static const struct policy_param params[] = {OSM_PARAM_TABLE};

enum kind { READ, WRITE_PART, WRITE_WHOLE };

/* An access of the first pass; after sorting, those to one line of one CTA follow one another. */
struct access {
	uint64_t line; /* number of the CTA, line in its memory */
	uint64_t time; /* since the CTA's start */
	uint32_t order;
	uint32_t kind;
};

struct cta_of_slot {
	uint32_t number, live;
	uint64_t start;
};

struct ideal {
	struct side_cache shape;
	uint32_t pass, ctas;
	uint32_t count, capacity;
	struct access *access;
	uint32_t *done; /* at the first access of each line: how many the second pass has seen */
	uint32_t lines;
	uint64_t dead_evictions, live_evictions;
	struct cta_of_slot *slot; /* per CTA slot: no more than warps */
	uint32_t *slot_of_warp;
	uint64_t *line_of_frame; /* + 1; 0: none */
	uint32_t *cta_of_frame;  /* slot */
};

static size_t ideal_bytes(const struct policy_env *env)
{
	(void)env;
	return sizeof(struct ideal);
}

static int by_line(const void *a, const void *b)
{
	const struct access *x = a, *y = b;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void *zeroed(void *old, size_t count, size_t size)
{
	free(old);
	return calloc(count ? count : 1, size);
}

static void ideal_init(void *sm, const struct policy_env *env)
{
	struct ideal *ideal = sm;
	ideal->shape = osm_shape(env);
	ideal->pass = env->pass;
	ideal->ctas = 0;
	ideal->lines = osm_lines(env);
	ideal->dead_evictions = ideal->live_evictions = 0;
	if (!env->pass)
		ideal->count = 0;
	else if (ideal->count)
		qsort(ideal->access, ideal->count, sizeof *ideal->access, by_line);
	ideal->done = zeroed(ideal->done, ideal->count, sizeof *ideal->done);
	ideal->slot = zeroed(ideal->slot, env->warps, sizeof *ideal->slot);
	ideal->slot_of_warp = zeroed(ideal->slot_of_warp, env->warps, sizeof *ideal->slot_of_warp);
	ideal->line_of_frame = zeroed(ideal->line_of_frame, ideal->lines, sizeof *ideal->line_of_frame);
	ideal->cta_of_frame = zeroed(ideal->cta_of_frame, ideal->lines, sizeof *ideal->cta_of_frame);
}

static void ideal_free(void *sm)
{
	struct ideal *ideal = sm;
	free(ideal->access);
	free(ideal->done);
	free(ideal->slot);
	free(ideal->slot_of_warp);
	free(ideal->line_of_frame);
	free(ideal->cta_of_frame);
}

static struct side_cache ideal_side_cache(void *sm, const struct sm_view *view)
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

static uint64_t line_name(const struct ideal *ideal, uint32_t cta, uint32_t cta_line)
{
	return (uint64_t)ideal->slot[cta].number << 32 | cta_line;
}

static void record(struct ideal *ideal, const struct l1_event *event)
{
	if (ideal->count == ideal->capacity) {
		ideal->capacity = ideal->capacity ? 2 * ideal->capacity : 1024;
		struct access *grown = realloc(ideal->access, ideal->capacity * sizeof *grown);
		if (!grown)
			abort();
		ideal->access = grown;
	}
	ideal->access[ideal->count] = (struct access){.line = line_name(ideal, event->cta, event->cta_line),
	                                              .time = event->cycle - ideal->slot[event->cta].start,
	                                              .order = ideal->count,
	                                              .kind = !event->is_store ? READ
	                                                      : event->whole   ? WRITE_WHOLE
	                                                                       : WRITE_PART};
	ideal->count++;
}

/* The first recorded access to a line; count: there is none. */
static uint32_t first_access(const struct ideal *ideal, uint64_t line)
{
	uint32_t low = 0, high = ideal->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (ideal->access[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ideal->count && ideal->access[low].line == line ? low : ideal->count;
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
	uint32_t first = first_access(ideal, line_name(ideal, event->cta, event->cta_line));
	if (first < ideal->count)
		ideal->done[first]++;
	if (event->is_store && event->frame < ideal->lines) {
		ideal->line_of_frame[event->frame] = (uint64_t)event->cta_line + 1;
		ideal->cta_of_frame[event->frame] = event->cta;
	}
}

static void ideal_fill(void *sm, const struct l1_event *event)
{
	struct ideal *ideal = sm;
	if (!event->shared || event->frame >= ideal->lines)
		return;
	ideal->line_of_frame[event->frame] = (uint64_t)event->cta_line + 1;
	ideal->cta_of_frame[event->frame] = event->cta;
}

/* When the frame's line is read next, by the clock of the first pass; UINT64_MAX: not before it is written whole. */
static uint64_t next_read(const struct ideal *ideal, uint32_t frame)
{
	if (frame >= ideal->lines || !ideal->line_of_frame[frame])
		return UINT64_MAX;
	uint32_t cta = ideal->cta_of_frame[frame];
	uint64_t line = line_name(ideal, cta, (uint32_t)(ideal->line_of_frame[frame] - 1));
	uint32_t first = first_access(ideal, line);
	for (uint32_t i = first + (first < ideal->count ? ideal->done[first] : 0);
	     i < ideal->count && ideal->access[i].line == line && ideal->access[i].kind != WRITE_WHOLE; i++)
		if (ideal->access[i].kind == READ)
			return ideal->slot[cta].start + ideal->access[i].time;
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

extern const struct policy policy_osm_ideal;
const struct policy policy_osm_ideal = {
    .abi = POLICY_ABI,
    .name = "osm-ideal",
    .title = "off-chip shared memory behind a small cache that knows the future",
    .citation = "S. Darabi et al.: OSM: Off-Chip Shared Memory for GPUs, TPDS 2022",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .refuses = osm_refuses,
    .sm_bytes = ideal_bytes,
    .sm_init = ideal_init,
    .sm_free = ideal_free,
    .passes = 2,
    .stat_names = stat_names,
    .stat_count = sizeof stat_names / sizeof *stat_names,
    .stats = ideal_stats,
    .smem_capacity = osm_smem_capacity,
    .side_cache = ideal_side_cache,
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
