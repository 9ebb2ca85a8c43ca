/* What policies of L2 are told and answer. */
#ifndef SLUICE_POLICY_L2_H
#define SLUICE_POLICY_L2_H

#include <stdint.h>

struct l2_request {
	uint64_t cycle, line;
	uint32_t slice, sm;
	uint8_t is_write, hit;
	uint8_t pending;  /* reads: not there, but on its way from DRAM */
	uint8_t feedback; /* bits that the request (fills: the one that missed first) brought from L1 */
	uint32_t frame;   /* set * ways + way in the slice; UINT32_MAX: the line is not there */
};

enum l2_route {
	L2_ROUTE_NONE,
	L2_ROUTE_CACHE,
	L2_ROUTE_BYPASS, /* to DRAM without taking a line; a line that is present is used */
	L2_ROUTE_FORCE_BYPASS, /* to DRAM, whatever the slice holds; a line that is present is dropped, dirty data written */
};

#endif
