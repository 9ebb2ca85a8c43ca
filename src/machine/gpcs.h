/*
 * How SMs are put together: the groups among which CTAs are dealt out, the GPC that a group is part of, and
 * the L2 partition that it is near to. SMs are numbered through the groups, two neighbours to a TPC.
 */
#ifndef SLUICE_MACHINE_GPCS_H
#define SLUICE_MACHINE_GPCS_H

#include "machine/machine.h"

enum { GROUPS_MAX = 64 };

struct sm_group {
	uint32_t first, end; /* its SMs */
	uint32_t gpc;
	uint32_t partition; /* of L2; 0 where there is one */
	bool ahead;         /* it takes CTAs ahead of its turn */
};

/* Fills in `group`, in the order in which CTAs are numbered through them; returns how many there are. */
uint32_t machine_groups(const struct machine *machine, struct sm_group group[GROUPS_MAX]);

#endif
