/*
 * The scoreboard: per warp and register, when its value is there. A load in
 * flight has no time yet, only its reason.
 *
 * Places are those of struct decoded: the first is REG_END, whose value is always there, then come the registers that
 * the kernel has, then one for results that no instruction waits for. Warps lie as close together as the kernel lets them: a chip
 * has thousands, and the host's caches are small.
 */
#ifndef SLUICE_SM_SCOREBOARD_H
#define SLUICE_SM_SCOREBOARD_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/launch.h"
#include "sm/ready.h"

enum { PLACES_MAX = 256 + 8, LINE_PLACES = 64 / sizeof(ready_t) };

struct scoreboard {
	ready_t *reg;   /* [warp][place]; owned */
	uint32_t width; /* places of a warp: whole host cache lines */
};

static inline void scoreboard_init(struct scoreboard *board, uint32_t warps)
{
	board->reg = memory_zeroed((size_t)warps * PLACES_MAX, sizeof *board->reg);
	board->width = PLACES_MAX;
}

static inline void scoreboard_free(struct scoreboard *board)
{
	free(board->reg);
}

/* A kernel with `places` places per warp begins: none of its warps has started. */
static inline void scoreboard_begin_launch(struct scoreboard *board, uint32_t places)
{
	board->width = (places + LINE_PLACES - 1) / LINE_PLACES * LINE_PLACES;
}

/* The places of a warp, which the others take; they stay where they are as long as the launch runs. */
static inline ready_t *scoreboard_of(const struct scoreboard *board, uint32_t warp)
{
	return &board->reg[(size_t)warp * board->width];
}

/* A warp starts: its registers hold values. */
static inline void scoreboard_reset(const struct scoreboard *board, ready_t *reg)
{
	memset(reg, 0, board->width * sizeof *reg);
}

/* Places dst .. dst + span - 1 are written at `ready`. A span of 0 has the place that no instruction waits for. */
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
