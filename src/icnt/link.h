/*
 * What a packet costs on a link, by the number of its sectors. Links that carry
 * flits round up to them, header included; others carry headers next to the
 * data, and a packet without data costs its header.
 */
#ifndef SLUICE_ICNT_LINK_H
#define SLUICE_ICNT_LINK_H

#include "base/cycle.h"
#include "machine/machine.h"

enum { LINK_SECTORS = 8 }; /* of a line, at most */

struct link {
	fine_t cost[LINK_SECTORS + 1]; /* [0]: a header alone */
};

static inline void link_init(struct link *link, const struct machine *machine, uint32_t bytes_per_cycle)
{
	uint32_t header = machine->icnt_header_bytes, flit = machine->icnt_flit_bytes;
	fine_t sector = fine_of(machine->l1d_sector_bytes) / bytes_per_cycle;
	link->cost[0] = fine_of(header) / bytes_per_cycle;
	for (uint32_t sectors = 0; sectors <= LINK_SECTORS; sectors++) {
		uint32_t bytes = header + sectors * machine->l1d_sector_bytes;
		if (flit)
			link->cost[sectors] = fine_of((bytes + flit - 1) / flit * flit) / bytes_per_cycle;
		else if (sectors)
			link->cost[sectors] = sectors * sector;
	}
}

#endif
