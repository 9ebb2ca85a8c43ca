#include "sm/scoreboard.h"

#include <stdlib.h>

#include "base/memory.h"

void scoreboard_init(struct scoreboard *board, uint32_t warps)
{
	board->reg = memory_zeroed((size_t)warps * SCOREBOARD_REGS, sizeof *board->reg);
}

void scoreboard_free(struct scoreboard *board)
{
	free(board->reg);
}
