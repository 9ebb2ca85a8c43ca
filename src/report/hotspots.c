/* L1 misses by instruction. */
#include "report/hotspots.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* By kernel and pc, so that launches of one kernel are adjacent. */
static int compare_place(const void *left, const void *right)
{
	const struct hotspot *a = left, *b = right;
	int order = strcmp(a->kernel->name, b->kernel->name);
	if (order)
		return order;
	return a->insn->pc < b->insn->pc ? -1 : a->insn->pc > b->insn->pc;
}

static int compare_misses(const void *left, const void *right)
{
	const struct hotspot *a = left, *b = right;
	if (a->missed_sectors != b->missed_sectors)
		return a->missed_sectors > b->missed_sectors ? -1 : 1;
	return compare_place(left, right);
}

static size_t collect(const struct run_launch *launches, size_t count, struct hotspot *spots)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < launches[i].kernel->insn_count; k++)
			if (launches[i].result.pc_misses[k])
				spots[n++] =
				    (struct hotspot){.kernel = launches[i].kernel,
				                     .insn = &launches[i].kernel->insns[k],
				                     .missed_sectors = launches[i].result.pc_misses[k]};
	return n;
}

static size_t merge(struct hotspot *spots, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (kept && !compare_place(&spots[kept - 1], &spots[i]))
			spots[kept - 1].missed_sectors += spots[i].missed_sectors;
		else
			spots[kept++] = spots[i];
	}
	return kept;
}

struct hotspot *hotspots_find(const struct run_launch *launches, size_t count, size_t max, size_t *found,
                              uint64_t *total)
{
	size_t room = 1;
	for (size_t i = 0; i < count; i++)
		room += launches[i].kernel->insn_count;
	struct hotspot *spots = memory_zeroed(room, sizeof *spots);
	size_t n = collect(launches, count, spots);
	qsort(spots, n, sizeof *spots, compare_place);
	n = merge(spots, n);
	qsort(spots, n, sizeof *spots, compare_misses);
	*total = 0;
	for (size_t i = 0; i < n; i++)
		*total += spots[i].missed_sectors;
	*found = n < max ? n : max;
	return spots;
}
