/*
 * The scoreboard: per warp and register, when its value is there. A load in
 * flight has no time yet, only its reason.
 */
#ifndef SLUICE_SM_SCOREBOARD_H
#define SLUICE_SM_SCOREBOARD_H

#include <string.h>

#include "sm/launch.h"
#include "sm/ready.h"

enum { SCOREBOARD_REGS = 256 };

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

/* Registers dst .. dst + span - 1 are written at `ready`. */
static inline void scoreboard_set(ready_t *reg, uint32_t dst, uint32_t span, ready_t ready)
{
	for (; span; span--)
		reg[dst++ & (SCOREBOARD_REGS - 1)] = ready;
}

/* When all registers of the instruction are there, and not before `earliest`. */
static inline ready_t scoreboard_ready(const ready_t *reg, const struct decoded *insn, ready_t earliest)
{
	for (const uint8_t *name = insn->reg; *name != REG_END; name++)
		earliest = ready_later(earliest, reg[*name]);
	return earliest;
}

#endif
