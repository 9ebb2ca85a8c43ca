/*
 * Needleman-Wunsch: scores of the best global alignment of two sequences, a matrix filled from the north-west.
 * A CTA of one row of threads fills a 16x16 tile in shared memory, one anti-diagonal of cells after the other; a
 * launch per anti-diagonal of tiles.
 */
#include "../common/alignment.h"

__global__ void fill_tiles(const int *match, int *score, int width, int first_row, int diagonal, int penalty)
{
	__shared__ int cell[TILE + 1][TILE + 1];
	__shared__ int gain[TILE][TILE];
	int lane = threadIdx.x;
	int tile_row = first_row + blockIdx.x, tile_column = diagonal - tile_row;
	int corner = tile_row * TILE * width + tile_column * TILE;

#pragma unroll 1
	for (int y = 0; y < TILE; y++)
		gain[y][lane] = match[corner + (y + 1) * width + lane + 1];
	if (lane == 0)
		cell[0][0] = score[corner];
	cell[lane + 1][0] = score[corner + (lane + 1) * width];
	cell[0][lane + 1] = score[corner + lane + 1];
	__syncthreads();

	for (int step = 0; step < 2 * TILE - 1; step++) {
		int y = step - lane;
		if (y >= 0 && y < TILE)
			cell[y + 1][lane + 1] = best_of(cell[y][lane] + gain[y][lane], cell[y + 1][lane] - penalty,
			                                cell[y][lane + 1] - penalty);
		__syncthreads();
	}
#pragma unroll 1
	for (int y = 0; y < TILE; y++)
		score[corner + (y + 1) * width + lane + 1] = cell[y + 1][lane + 1];
}

int main(int argc, char **argv)
{
	return alignment_run("nw", "Needleman-Wunsch alignment in shared memory", argc, argv);
}
