#include "icnt/link.h"

void link_init(struct link *link, const struct machine *machine, uint32_t bytes_per_cycle)
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
