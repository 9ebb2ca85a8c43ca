/*
 * Needleman-Wunsch without shared memory: scores of the best global alignment of two sequences, filled from the
 * north-west. A thread walks one row of a 16x16 tile, one cell behind the thread of the row above, from which it reads
 * through global memory; what it needs of its own row stays in registers. A launch per anti-diagonal of tiles.
 */
#include "../common/alignment.h"

__global__ void fill_tiles(const int *match, int *score, int width, int first_row, int diagonal, int penalty)
{
	int y = threadIdx.x;
	int tile_row = first_row + blockIdx.x, tile_column = diagonal - tile_row;
	int row = (tile_row * TILE + y + 1) * width + tile_column * TILE;
	int northwest = score[row - width], west = score[row];

	for (int step = 0; step < 2 * TILE - 1; step++) {
		int x = step - y;
		if (x >= 0 && x < TILE) {
			int north = score[row - width + x + 1];
			west = best_of(northwest + match[row + x + 1], west - penalty, north - penalty);
			northwest = north;
			score[row + x + 1] = west;
		}
		__syncthreads();
	}
}

int main(int argc, char **argv)
{
	return alignment_run("nw-noscratch", "Needleman-Wunsch without shared memory", argc, argv);
}
