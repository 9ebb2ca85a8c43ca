/*
 * The scoreboard: per warp and register, when its value is there. A load in
 * flight has no time yet, only its reason.
 */
#ifndef SLUICE_SM_SCOREBOARD_H
#define SLUICE_SM_SCOREBOARD_H

#include <string.h>

#include "sm/launch.h"
#include "sm/ready.h"

enum {
	SCOREBOARD_NONE = 256,                /* what has no destination is written here */
	SCOREBOARD_REGS = SCOREBOARD_NONE + 8 /* whole host cache lines */
};

struct scoreboard {
	ready_t *reg; /* [warp][register]; owned */
};

void scoreboard_init(struct scoreboard *board, uint32_t warps);
void scoreboard_free(struct scoreboard *board);

/* The registers of a warp, which the others take; they stay in place. */
static inline ready_t *scoreboard_of(const struct scoreboard *board, uint32_t warp)
{
	return &board->reg[(size_t)warp * SCOREBOARD_REGS];
}

/* A warp starts: `regs` registers hold values. */
static inline void scoreboard_reset(ready_t *reg, uint32_t regs)
{
	memset(reg, 0, regs * sizeof *reg);
}

/* Registers dst .. dst + span - 1 are written at `ready`; no span reaches REG_END. One that is 0 has SCOREBOARD_NONE. */
static inline void scoreboard_set(ready_t *reg, uint32_t dst, uint32_t span, ready_t ready)
{
	reg[dst] = ready;
	while (__builtin_expect(span > 1, 0))
		reg[dst + --span] = ready;
}

/* When all registers of the instruction are there, and not before `earliest`. */
static inline ready_t scoreboard_ready(const ready_t *reg, const struct decoded *insn, ready_t earliest)
{
	const uint8_t *name = insn->reg;
	/* Most have two, or fewer: there is nothing to ask about those. */
	earliest = ready_later(earliest, reg[name[0]]);
	earliest = ready_later(earliest, reg[name[1]]);
	for (name += 2; *name != REG_END; name++)
		earliest = ready_later(earliest, reg[*name]);
	return earliest;
}

#endif
