/* What an instruction reads and writes besides registers, and what may pass it: for schedule.c and join_shared.c. */
#ifndef SLUICE_PTX_EFFECTS_H
#define SLUICE_PTX_EFFECTS_H

#include "ptx/ptx.h"

/*
 * Places that instructions read and write besides registers. All stores write STORES, which keeps them in order. CONST
 * is what a kernel only reads (ld.const, ld.global.nc). An instruction that no access may pass writes all places of
 * memory, CONST included. Loads and stores read the spaces they access; struct access orders them by their addresses.
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

/* Place and address of a load or a store. */
struct access {
	uint32_t places; /* a set; 0: neither a load nor a store */
	bool writes;
	bool is_known;  /* whether the fields below are: `bytes` at an offset from a base */
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
	uint32_t latency;       /* cycles until the result is ready, as a compiler assumes */
};
struct effect insn_effect(const struct ptx_module *m, const struct ptx_insn *insn);

/*
 * Return the number of instructions from i on, up to `end`, that make one call of the math library, arguments and result
 * included; 0 if there is none. Machine code has the function inline, so they move as one, in compiled code only.
 */
uint32_t insn_call_length(const struct ptx_module *m, uint32_t i, uint32_t end);
/* Whether instruction i of a block that starts at `first` belongs to such a call that begins before i. */
bool insn_continues_call(const struct ptx_module *m, uint32_t first, uint32_t i);
uint32_t insn_call_latency(const struct ptx_module *m, uint32_t i);

/* Whether no instruction may pass instruction i of a block that starts at `first`. */
bool insn_cuts(const struct ptx_module *m, uint32_t first, uint32_t i);

#endif
