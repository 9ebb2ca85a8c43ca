#include "sm/scoreboard.h"

#include <stdlib.h>

#include "base/memory.h"

enum { PLACES_MAX = 256 + 8, LINE_PLACES = 64 / sizeof(ready_t) };

void scoreboard_init(struct scoreboard *board, uint32_t warps)
{
	board->reg = memory_zeroed((size_t)warps * PLACES_MAX, sizeof *board->reg);
	board->width = PLACES_MAX;
}

void scoreboard_begin_launch(struct scoreboard *board, uint32_t places)
{
	board->width = (places + LINE_PLACES - 1) / LINE_PLACES * LINE_PLACES;
}

void scoreboard_free(struct scoreboard *board)
{
	free(board->reg);
}
