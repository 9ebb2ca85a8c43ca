/* What has to be known of an instruction before it moves: for schedule.c and wide.c. */
#ifndef SLUICE_PTX_EFFECTS_H
#define SLUICE_PTX_EFFECTS_H

#include "ptx/ptx.h"

/*
 * What instructions read and write beside registers. All stores write STORES, which keeps them in order. CONST is what
 * a kernel only reads (ld.const, ld.global.nc); what nothing of memory passes writes all of memory, CONST as well. Loads
 * and stores read the spaces they access, and are kept apart by their addresses (struct access).
 */
enum {
	PLACE_CARRY,
	PLACE_STORES,
	PLACE_CONST,
	PLACE_PARAM,
	PLACE_LOCAL,
	PLACE_SHARED,
	PLACE_GLOBAL,
	PLACE_COUNT
};

/* Where a load or a store goes. */
struct access {
	uint32_t places; /* a set; 0: it is neither */
	bool writes;
	bool is_known;  /* what follows is: `bytes` at an offset from a base */
	uint8_t base;   /* enum ptx_base */
	uint32_t index; /* of the base */
	uint64_t offset;
	uint32_t bytes;
};
struct access insn_access(const struct ptx_module *m, const struct ptx_insn *insn);

/* Whether two ranges from one base have a byte in common. Offsets wrap, as addresses do. */
static inline bool ranges_overlap(uint64_t offset_a, uint32_t bytes_a, uint64_t offset_b, uint32_t bytes_b)
{
	return offset_b - offset_a < bytes_a || offset_a - offset_b < bytes_b;
}

struct effect {
	uint32_t reads, writes; /* sets of places */
	uint32_t latency;       /* cycles until the result is there, as a compiler assumes */
};
struct effect insn_effect(const struct ptx_module *m, const struct ptx_insn *insn);

/*
 * Instructions from i on, up to `end`, that are one call of a function of the math library, its arguments and its result
 * included; 0: none. Machine code has the function in their place, so they move as one, in compiled code.
 */
uint32_t insn_call_length(const struct ptx_module *m, uint32_t i, uint32_t end);
/* Whether instruction i of a block that starts with instruction `first` belongs to such a call that begins before it. */
bool insn_continues_call(const struct ptx_module *m, uint32_t first, uint32_t i);
uint32_t insn_call_latency(const struct ptx_module *m, uint32_t i);

/* Whether nothing passes instruction i of a block that starts with instruction `first`. */
bool insn_cuts(const struct ptx_module *m, uint32_t first, uint32_t i);

#endif
