/*
 * CIAO's shared memory as a cache (section IV-B): how many lines fit beside the
 * CTAs' data, where a line and its tag lie, and who goes there.
 *
 * A row of shared memory is 32 banks of 8 B: two groups, each as wide as a line
 * of 128 B. A tag (25 bits of address, 6 of the warp) takes half a bank, so that
 * a row of a group holds 32 of them; it lies in the group that the data does not
 * lie in, and both are read at once.
 */
#include "policy/lib/ciao.h"

enum { ROW_BYTES = 256, GROUPS = 2, TAGS_PER_ROW = 32, MAX_DATA_ROWS = 256 };

uint32_t ciao_aux_lines(uint32_t unused_bytes)
{
	uint32_t rows = unused_bytes / ROW_BYTES, data = MAX_DATA_ROWS;
	while (data && data + (data + TAGS_PER_ROW - 1) / TAGS_PER_ROW > rows)
		data /= 2;
	return data * GROUPS;
}

struct ciao_place ciao_place_of(uint32_t index)
{
	uint32_t row = index / GROUPS, group = index % GROUPS;
	return (struct ciao_place){.index = index,
	                           .data_row = row,
	                           .data_group = group,
	                           .tag_row = row / TAGS_PER_ROW,
	                           .tag_group = !group,
	                           .tag_slot = row % TAGS_PER_ROW};
}

/* `sets` is a power of two. Folded, all address bits count; literally, rows 16 KB apart share two lines (A15). */
uint32_t ciao_aux_index(const void *params, uint64_t line, uint32_t sets)
{
	uint32_t bits = (uint32_t)__builtin_ctz(sets);
	if (!((const struct ciao_params *)params)->literal_index)
		line ^= line >> bits ^ line >> 2 * bits;
	return (uint32_t)line & (sets - 1);
}

struct aux_shape ciao_aux_cache(void *sm, const struct sm_view *view)
{
	struct ciao *c = sm;
	uint32_t used = view->smem_bytes_used < view->smem_bytes ? view->smem_bytes_used : view->smem_bytes;
	c->aux_sets = ciao_aux_lines(view->smem_bytes - used);
	return (struct aux_shape){.sets = c->aux_sets, .ways = 1, .hit_cycles = c->aux_hit_cycles};
}

enum l1_route ciao_l1_route(void *sm, const struct l1_request *request, enum l1_fail fail)
{
	struct ciao *c = sm;
	if (!c->warp[request->warp].isolated || !c->aux_sets || request->is_store || request->is_atomic ||
	    request->space != POLICY_GLOBAL)
		return L1_ROUTE_NONE;
	c->stats.isolated_loads += fail == L1_FAIL_NONE;
	return L1_ROUTE_AUX;
}
