#include "sm/ifetch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void ifetch_free(struct ifetch *ifetch)
{
	free(ifetch->line);
}

void ifetch_begin_launch(struct ifetch *ifetch, uint32_t lines)
{
	if (ifetch->capacity < lines) {
		ifetch->capacity = lines;
		ifetch->line = memory_grow(ifetch->line, lines, sizeof *ifetch->line);
	}
	memset(ifetch->line, 0, lines * sizeof *ifetch->line);
	ifetch->lines = lines;
	ifetch->constants = 0;
}

void ifetch_miss(struct ifetch *ifetch, uint32_t line, cycle_t now)
{
	const struct machine *m = ifetch->machine;
	ready_t ready = ready_at(now + m->sm_fetch_cold_cycles, STALL_NO_INSTRUCTION);
	for (uint32_t i = line; i <= line + m->sm_fetch_prefetch_lines && i < ifetch->lines; i++)
		if (!ifetch->line[i])
			ifetch->line[i] = ready;
}
