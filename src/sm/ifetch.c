#include "sm/ifetch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void ifetch_free(struct ifetch *ifetch)
{
	free(ifetch->line);
	free(ifetch->coming);
	free(ifetch->used);
}

void ifetch_begin_launch(struct ifetch *ifetch, uint32_t lines)
{
	if (ifetch->capacity < lines) {
		ifetch->capacity = lines;
		ifetch->line = memory_grow(ifetch->line, lines, sizeof *ifetch->line);
		ifetch->coming = memory_grow(ifetch->coming, lines, sizeof *ifetch->coming);
		ifetch->used = memory_grow(ifetch->used, lines, sizeof *ifetch->used);
	}
	memset(ifetch->line, 0, lines * sizeof *ifetch->line);
	memset(ifetch->coming, 0, lines * sizeof *ifetch->coming);
	memset(ifetch->used, 0, lines * sizeof *ifetch->used);
	ifetch->lines = lines;
	ifetch->present = 0;
	ifetch->constants = 0;
}

/* Makes room for a line, if need be. */
static void replace(struct ifetch *ifetch)
{
	uint32_t most = ifetch->machine->sm_icache_lines, oldest = ifetch->lines;
	if (!most || ifetch->present < most)
		return;
	for (uint32_t i = 0; i < ifetch->lines; i++)
		if (ifetch->line[i] && (oldest == ifetch->lines || ifetch->used[i] < ifetch->used[oldest]))
			oldest = i;
	ifetch->line[oldest] = 0;
	ifetch->present--;
}

/* The line is used for the first time since it was not here, and the next ones are asked for. */
static void stream(struct ifetch *ifetch, uint32_t line, cycle_t now)
{
	const struct machine *m = ifetch->machine;
	cycle_t soonest = now + (ifetch->used[line] ? m->sm_fetch_miss_cycles : m->sm_fetch_cold_cycles);
	ready_t last = ifetch->coming[line] ? ifetch->coming[line] : ready_at(soonest, STALL_NO_INSTRUCTION);
	uint32_t end = line + m->sm_fetch_prefetch_lines;
	replace(ifetch);
	ifetch->line[line] = last;
	ifetch->coming[line] = 0;
	ifetch->used[line] = ++ifetch->fetches;
	ifetch->present++;
	for (uint32_t i = line + 1; i <= end && i < ifetch->lines; i++) {
		if (ifetch->line[i])
			continue;
		cycle_t next = ready_cycle(last) + m->sm_fetch_next_cycles;
		if (!ifetch->coming[i])
			ifetch->coming[i] = ready_at(next > soonest ? next : soonest, STALL_NO_INSTRUCTION);
		last = ifetch->coming[i];
	}
}

void ifetch_miss(struct ifetch *ifetch, uint32_t line, cycle_t now)
{
	const struct machine *m = ifetch->machine;
	if (m->sm_fetch_next_cycles) {
		stream(ifetch, line, now);
		return;
	}
	bool cold = !ifetch->used[line];
	ready_t ready =
	    ready_at(now + (cold ? m->sm_fetch_cold_cycles : m->sm_fetch_miss_cycles), STALL_NO_INSTRUCTION);
	uint32_t end = cold ? line + m->sm_fetch_prefetch_lines : line;
	for (uint32_t i = line; i <= end && i < ifetch->lines; i++)
		if (!ifetch->line[i]) {
			replace(ifetch);
			ifetch->line[i] = ready;
			ifetch->used[i] = ++ifetch->fetches;
			ifetch->present++;
		}
}
