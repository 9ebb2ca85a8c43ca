/*
 * Linear scan (Poletto and Sarkar): physical registers for a function's virtual
 * ones, in the order in which they come into use. Nothing is spilled: there are
 * as many physical registers as it takes.
 *
 * A value that is written where another is read for the last time may take its
 * place: reads come before writes. But registers are taken in turn, so that one
 * is not used again soon: a machine instruction that stands for two of the text
 * reads what the first of them reads where the second stands, when the text may
 * have given the register to another value.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "ptx/graph.h"

enum { PHYSICAL_MAX = PTX_NO_PHYSICAL - 1 };

struct allocation {
	bool *taken;    /* by physical register */
	uint32_t count; /* of them: enough for all values, however they are aligned */
	uint32_t next;  /* whose turn it is */
};

/* Takes the first free run of `weight` registers in [first, end), aligned to it; `end` if there is none. */
static uint32_t take_between(struct allocation *a, uint32_t first, uint32_t end, unsigned weight)
{
	for (uint32_t r = (first + weight - 1) / weight * weight; r + weight <= end; r += weight) {
		unsigned free_count = 0;
		while (free_count < weight && !a->taken[r + free_count])
			free_count++;
		if (free_count < weight)
			continue;
		for (unsigned k = 0; k < weight; k++)
			a->taken[r + k] = true;
		return r;
	}
	return end;
}

static uint32_t allocation_take(struct allocation *a, unsigned weight)
{
	uint32_t turn = a->count < PTX_PHYSICAL_TURN ? a->count : PTX_PHYSICAL_TURN;
	uint32_t r = take_between(a, a->next, turn, weight);
	if (r == turn)
		r = take_between(a, 0, turn, weight);
	if (r < turn) {
		a->next = r + weight;
		return r;
	}
	r = take_between(a, turn, a->count, weight);
	/* More than can be told apart: shared, which only makes dependences coarser. */
	return r < a->count ? r : (a->count - weight) / weight * weight;
}

static void allocation_give(struct allocation *a, uint32_t physical, unsigned weight)
{
	for (unsigned k = 0; k < weight; k++)
		a->taken[physical + k] = false;
}

/* Registers by the point at which they start (or end): bucket heads and links. */
struct buckets {
	uint32_t *head, *next;
};

static struct buckets buckets_new(uint32_t points, uint32_t registers)
{
	struct buckets b = {.head = memory_grow(NULL, points, sizeof *b.head),
	                    .next = memory_grow(NULL, registers, sizeof *b.next)};
	for (uint32_t i = 0; i < points; i++)
		b.head[i] = PTX_NONE;
	return b;
}

static void buckets_add(struct buckets *b, uint32_t point, uint32_t reg)
{
	b->next[reg] = b->head[point];
	b->head[point] = reg;
}

static void buckets_free(struct buckets *b)
{
	free(b->head);
	free(b->next);
}

static void allocate_at(struct ptx_function *f, struct allocation *a, const struct buckets *starts,
                        const struct buckets *ends, uint32_t point)
{
	for (uint32_t r = starts->head[point]; r != PTX_NONE; r = starts->next[r])
		f->registers[r].physical = (uint16_t)allocation_take(a, register_weight(&f->registers[r]));
	for (uint32_t r = ends->head[point]; r != PTX_NONE; r = ends->next[r])
		allocation_give(a, f->registers[r].physical, register_weight(&f->registers[r]));
}

void allocate_registers(struct ptx_function *f, const struct interval *intervals, uint32_t point_count)
{
	uint64_t most = 4;
	for (uint32_t r = 0; r < f->register_count; r++)
		most += 4 * (uint64_t)register_weight(&f->registers[r]);
	struct allocation a = {.count = most < PHYSICAL_MAX ? (uint32_t)most : PHYSICAL_MAX};
	a.taken = memory_zeroed(a.count, sizeof *a.taken);
	struct buckets starts = buckets_new(point_count, f->register_count);
	struct buckets ends = buckets_new(point_count, f->register_count);
	for (uint32_t r = f->register_count; r-- > 0;) {
		f->registers[r].physical = PTX_NO_PHYSICAL;
		if (intervals[r].first > intervals[r].last || !register_weight(&f->registers[r]))
			continue;
		buckets_add(&starts, intervals[r].first, r);
		buckets_add(&ends, intervals[r].last, r);
	}
	for (uint32_t point = 0; point < point_count; point++)
		allocate_at(f, &a, &starts, &ends, point);
	buckets_free(&starts);
	buckets_free(&ends);
	free(a.taken);
}
