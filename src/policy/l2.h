/* What policies of L2 are told and answer. */
#ifndef SLUICE_POLICY_L2_H
#define SLUICE_POLICY_L2_H

#include <stdint.h>

/* Classes of requests to L2. */
enum l2_class { L2_UNKNOWN, L2_LOAD, L2_STORE, L2_ATOMIC, L2_PREFETCH };

struct l2_request {
	uint64_t cycle, line;
	uint32_t slice, sm;
	uint8_t is_write, hit;
	uint8_t pending;  /* reads: not there, but on its way from DRAM */
	uint8_t feedback; /* bits that the request (fills: the one that missed first) brought from L1 */
	uint32_t frame;   /* set * ways + way in the slice; UINT32_MAX: the line is not there */
	/*
	 * With l2_origin, of the request, or of the one that missed first. Else, and for write-backs from L1 and requests of
	 * the auxiliary cache, 0.
	 */
	uint32_t pc;   /* the low 32 bits */
	uint16_t warp; /* slot on the SM */
	uint8_t cta;   /* slot on the SM */
	uint8_t kind;  /* enum l2_class */
};

/* One line of a slice, offered as a victim. */
struct l2_frame {
	uint32_t frame;
	uint64_t line;
	uint32_t recency; /* larger is more recent */
	uint8_t valid, reserved, dirty;
};

enum l2_route {
	L2_ROUTE_NONE,
	L2_ROUTE_CACHE,
	L2_ROUTE_BYPASS, /* to DRAM without taking a line; a line that is present is used */
	L2_ROUTE_FORCE_BYPASS, /* to DRAM, whatever the slice holds; a line that is present is dropped, dirty data written */
};

#endif
