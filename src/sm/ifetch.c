#include "sm/ifetch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void ifetch_free(struct ifetch *ifetch)
{
	free(ifetch->line);
	free(ifetch->used);
}

void ifetch_begin_launch(struct ifetch *ifetch, uint32_t lines)
{
	if (ifetch->capacity < lines) {
		ifetch->capacity = lines;
		ifetch->line = memory_grow(ifetch->line, lines, sizeof *ifetch->line);
		ifetch->used = memory_grow(ifetch->used, lines, sizeof *ifetch->used);
	}
	memset(ifetch->line, 0, lines * sizeof *ifetch->line);
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

void ifetch_miss(struct ifetch *ifetch, uint32_t line, cycle_t now)
{
	const struct machine *m = ifetch->machine;
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
