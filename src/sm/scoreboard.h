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

/* A warp starts: `regs` registers hold values. */
static inline void scoreboard_reset(struct scoreboard *board, uint32_t warp, uint32_t regs)
{
	memset(&board->reg[(size_t)warp * SCOREBOARD_REGS], 0, regs * sizeof *board->reg);
}

/* Registers dst .. dst + span - 1 are written at `ready`. */
static inline void scoreboard_set(struct scoreboard *board, uint32_t warp, uint32_t dst, uint32_t span,
                                  ready_t ready)
{
	ready_t *reg = &board->reg[(size_t)warp * SCOREBOARD_REGS];
	for (uint32_t i = 0; i < span; i++)
		reg[(dst + i) & (SCOREBOARD_REGS - 1)] = ready;
}

/* When all registers of the instruction are there, and not before `earliest`. */
static inline ready_t scoreboard_ready(const struct scoreboard *board, uint32_t warp,
                                       const struct decoded *insn, ready_t earliest)
{
	const ready_t *reg = &board->reg[(size_t)warp * SCOREBOARD_REGS];
	for (const uint8_t *name = insn->reg; *name != REG_END; name++)
		earliest = ready_later(earliest, reg[*name]);
	return earliest;
}

#endif
