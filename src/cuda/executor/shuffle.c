/*
 * Exchanges between the lanes of a warp: shuffles, votes, matches,
 * reductions. Member masks and ballots have 32 bits, so in a warp of 64 lanes
 * each half of 32 is a group of its own.
 */
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

enum { GROUP = 32 };

/* ---- shuffle ------------------------------------------------------------------------------------------ */

/* The lane that `lane` reads from, and whether it is inside of the segment. */
static unsigned shuffle_source(enum ptx_mode mode, unsigned lane, unsigned b, unsigned c, bool *inside)
{
	unsigned segment = c >> 8 & 31, clamp = c & 31, by = b & 31;
	unsigned high = (lane & segment) | (clamp & ~segment & 31), from;
	if (mode == PTX_MODE_up) {
		from = lane - by;
		*inside = (int)from >= (int)high;
	} else {
		from = mode == PTX_MODE_down   ? lane + by
		       : mode == PTX_MODE_bfly ? lane ^ by
		                               : (lane & segment) | (by & ~segment);
		*inside = from <= high;
	}
	return *inside ? from : lane;
}

bool handle_shfl(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const mask_u32 *a = (const mask_u32 *)place(w, op->a), *b = (const mask_u32 *)place(w, op->b),
	               *c = (const mask_u32 *)place(w, op->c);
	mask_u32 *value = (mask_u32 *)run->scratch[0], *valid = (mask_u32 *)run->scratch[1];
	for (unsigned i = 0; i < run->lanes; i++) {
		bool inside;
		unsigned group = i & ~(GROUP - 1u);
		value[i] = a[group + shuffle_source(op->mode, i % GROUP, b[i], c[i], &inside)];
		valid[i] = inside ? ~0u : 0;
	}
	lanes_write(run, w, op->dst, value, 4, mask);
	if (op->target != PTX_NONE)
		lanes_write(run, w, op->target, valid, 4, mask);
	return true;
}

/* ---- groups of lanes ---------------------------------------------------------------------------------- */

/* Lanes that run the instruction with one member mask, in one half of the warp. */
struct group {
	unsigned first;          /* lane of the warp that bit 0 of the masks stands for */
	uint32_t lanes, members; /* that receive the result; whose values make it */
};

/* Takes the next group out of `left`; false: none is left. */
static bool next_group(const struct warp *w, const struct code *op, uint64_t mask, uint64_t *left,
                       struct group *g)
{
	if (!*left)
		return false;
	unsigned lane = bits_lowest(*left);
	g->first = lane & ~(GROUP - 1u);
	g->lanes = (uint32_t)(*left >> g->first);
	g->members = (uint32_t)(mask >> g->first);
	if (op->plain == CODE_SYNC) {
		const mask_u32 *named = (const mask_u32 *)place(w, op->d);
		for (uint32_t others = g->lanes; others; others &= others - 1)
			if (named[g->first + bits_lowest(others)] != named[lane])
				g->lanes &= ~(others & -others);
		g->members &= named[lane];
	}
	*left &= ~((uint64_t)g->lanes << g->first);
	return true;
}

static void give_group(struct run *run, unsigned slot, const struct group *g, uint32_t value)
{
	mask_u32 *result = (mask_u32 *)run->scratch[slot];
	for (uint32_t lanes = g->lanes; lanes; lanes &= lanes - 1)
		result[g->first + bits_lowest(lanes)] = value;
}

/* ---- vote and match ----------------------------------------------------------------------------------- */

static uint32_t vote_result(enum ptx_mode mode, uint32_t yes, uint32_t voters)
{
	switch (mode) {
	case PTX_MODE_all:
		return yes == voters ? ~0u : 0;
	case PTX_MODE_any:
		return yes ? ~0u : 0;
	case PTX_MODE_uni:
		return yes == voters || !yes ? ~0u : 0;
	default:
		return yes;
	}
}

bool handle_vote(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	uint64_t yes = mask_of_predicate(place(w, op->a), run->lanes), left = mask;
	struct group g;
	yes = op->negated & 1 ? ~yes : yes;
	while (next_group(w, op, mask, &left, &g))
		give_group(run, 0, &g,
		           vote_result(op->mode, (uint32_t)(yes >> g.first) & g.members, g.members));
	lanes_write(run, w, op->dst, run->scratch[0], 4, mask);
	return true;
}

/* Lanes of the group that hold the same value as `lane`. */
static uint32_t lanes_like(const uint8_t *values, unsigned bytes, const struct group *g, unsigned lane)
{
	uint32_t same = 0;
	for (uint32_t others = g->members; others; others &= others - 1)
		if (lane_get(values, bytes, g->first + bits_lowest(others)) == lane_get(values, bytes, lane))
			same |= others & -others;
	return same;
}

bool handle_match(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_insn *insn = insn_of(run, op);
	unsigned bytes = ptx_type_bits(insn->type) == 64 ? 8 : 4;
	mask_u32 *result = (mask_u32 *)run->scratch[0], *all = (mask_u32 *)run->scratch[1];
	uint64_t left = mask;
	struct group g;
	while (next_group(w, op, mask, &left, &g)) {
		for (uint32_t lanes = g.lanes; lanes; lanes &= lanes - 1) {
			unsigned lane = g.first + bits_lowest(lanes);
			uint32_t same = lanes_like(place(w, op->a), bytes, &g, lane);
			all[lane] = same == g.members ? ~0u : 0;
			result[lane] = op->mode == PTX_MODE_all ? same & all[lane] : same;
		}
	}
	/* clang 14 names a 64-bit register for the lanes of a 64-bit match. */
	if (op->bytes == 8)
		for (unsigned i = run->lanes; i-- > 0;)
			((mask_u64 *)result)[i] = result[i];
	lanes_write(run, w, op->dst, result, op->bytes, mask);
	if (op->target != PTX_NONE)
		lanes_write(run, w, op->target, all, 4, mask);
	return true;
}

/* ---- election --------------------------------------------------------------------------------------------- */

/* The lowest lane of each group; its number, and a predicate for itself. */
bool handle_elect(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	mask_u32 *leader = (mask_u32 *)run->scratch[0], *is_leader = (mask_u32 *)run->scratch[1];
	uint64_t left = mask;
	struct group g;
	while (next_group(w, op, mask, &left, &g)) {
		uint32_t first = g.members ? bits_lowest(g.members) : 0;
		give_group(run, 0, &g, first);
		for (uint32_t lanes = g.lanes; lanes; lanes &= lanes - 1)
			is_leader[g.first + bits_lowest(lanes)] = bits_lowest(lanes) == first ? ~0u : 0;
	}
	lanes_write(run, w, op->dst, leader, 4, mask);
	if (op->target != PTX_NONE)
		lanes_write(run, w, op->target, is_leader, 4, mask);
	return true;
}

/* ---- reductions --------------------------------------------------------------------------------------- */

static uint32_t reduce(enum ptx_mode mode, bool is_signed, uint32_t x, uint32_t y)
{
	bool less = is_signed ? (int32_t)x < (int32_t)y : x < y;
	switch (mode) {
	case PTX_MODE_add:
		return x + y;
	case PTX_MODE_min:
		return less ? x : y;
	case PTX_MODE_max:
		return less ? y : x;
	case PTX_MODE_and:
		return x & y;
	case PTX_MODE_or:
		return x | y;
	default:
		return x ^ y;
	}
}

bool handle_redux(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_insn *insn = insn_of(run, op);
	const mask_u32 *a = (const mask_u32 *)place(w, op->a);
	uint64_t left = mask;
	struct group g;
	while (next_group(w, op, mask, &left, &g)) {
		uint32_t value = g.members ? a[g.first + bits_lowest(g.members)] : 0;
		for (uint32_t others = g.members & (g.members - 1); others; others &= others - 1)
			value = reduce(op->mode, insn->type == PTX_TYPE_s32, value,
			               a[g.first + bits_lowest(others)]);
		give_group(run, 0, &g, value);
	}
	lanes_write(run, w, op->dst, run->scratch[0], 4, mask);
	return true;
}
