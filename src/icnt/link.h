/*
 * What a packet costs on a link, by the number of its sectors. Links that carry
 * flits round up to them, header included; others carry headers beside the
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

void link_init(struct link *link, const struct machine *machine, uint32_t bytes_per_cycle);

#endif
