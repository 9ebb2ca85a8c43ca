/*
 * Keeps the LRU stack of an SM's lines, and for each line the bin of its depth.
 *
 * Bins are powers of two, so a touch at depth d moves one line from each bin above to the next: log2(d)
 * steps, whatever the number of lines (Kim, Hill and Wood, SIGMETRICS 1991). Seen are the line requests of
 * loads that L1 serves, as by the observer of lines.
 */
#include "policy/look/distance.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "policy/define.h"

struct look_distance_params {
	uint32_t lines;
};

POLICY_GIVEN(struct look_distance_params)

static const struct policy_param distance_params[] = {
    PARAM_U32(struct look_distance_params, lines, 1 << 20, 16, 1 << 24, "lines",
              "distinct lines remembered per SM and launch; more are counted as untracked"),
};

POLICY_BYTES(distance_bytes, struct look_distance)

static void distance_init(void *sm, const struct policy_env *env)
{
	struct look_distance *b = sm;
	struct look_distance kept = {.table = b->table, .node = b->node, .capacity = b->capacity};
	*b = kept;
	line_table_clear(&b->table, given(env)->lines);
}

static void distance_free(void *sm)
{
	struct look_distance *b = sm;
	line_table_free(&b->table);
	free(b->node);
}

/* The line becomes the newest. */
static void push(struct look_distance *b, uint32_t number)
{
	b->node[number].older = b->newest;
	b->node[b->newest].newer = number;
	b->newest = number;
	b->node[number].bin = 0;
}

/* The lines of bins [0, end) are one deeper than before: of each full bin one goes to the next. */
static void sink(struct look_distance *b, uint32_t end)
{
	for (uint32_t k = 0; k < end; k++) {
		struct distance_node *farthest = &b->node[b->last[k]];
		farthest->bin = k + 1;
		b->last[k] = farthest->newer;
	}
}

static void touch_again(struct look_distance *b, uint32_t number)
{
	struct distance_node node = b->node[number];
	b->bin[node.bin]++;
	if (!node.bin)
		return;
	b->node[node.newer].older = node.older;
	if (number == b->oldest)
		b->oldest = node.newer;
	else
		b->node[node.older].newer = node.newer;
	bool was_last = b->table.count >> node.bin && b->last[node.bin] == number;
	push(b, number);
	sink(b, node.bin);
	if (was_last)
		b->last[node.bin] = node.newer;
}

static void touch_first(struct look_distance *b, uint32_t number)
{
	uint32_t lines = b->table.count; /* with the new one */
	if (number >= b->capacity) {
		b->capacity = b->capacity ? 2 * b->capacity : 1024;
		b->node = memory_grow(b->node, b->capacity, sizeof *b->node);
	}
	b->cold++;
	if (lines == 1)
		b->newest = b->oldest = number;
	push(b, number);
	uint32_t full = 0; /* bins that were, before it came */
	while (full < DISTANCE_BINS && (lines - 1) >> full)
		full++;
	sink(b, full);
	if (!(lines & (lines - 1))) /* the last bin is full now */
		b->last[full] = b->oldest;
}

static void distance_touch(void *sm, const struct l1_event *event)
{
	struct look_distance *b = sm;
	if (event->aux)
		return;
	uint32_t before = b->table.count, number = line_table_add(&b->table, event->line);
	if (number == LINE_TABLE_NONE)
		b->untracked++;
	else if (b->table.count > before)
		touch_first(b, number);
	else
		touch_again(b, number);
}

const struct policy look_distance = {
    .abi = POLICY_ABI,
    .name = "look-distance",
    .title = "observer: how many lines are touched between two touches of a line",
    POLICY_PARAMS(distance_params, struct look_distance_params),
    .sm_bytes = distance_bytes,
    .sm_init = distance_init,
    .sm_free = distance_free,
    .on_l1_hit = distance_touch,
    .on_l1_pending = distance_touch,
    .on_l1_miss = distance_touch,
};
