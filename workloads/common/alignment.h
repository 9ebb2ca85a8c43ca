/*
 * What both alignments of Needleman-Wunsch share, all but the kernel: sequences
 * and gains from the seed, a launch per anti-diagonal of tiles, and a plain
 * reference. The program defines fill_tiles().
 */
#ifndef ALIGNMENT_H
#define ALIGNMENT_H

#include "workload.h"

enum { TILE = 16, SYMBOLS = 24 };

static struct workload_param param[] = {
    {"n", "length of both sequences, rounded up to whole tiles", 128, 1024, 2048, 1, 16384},
    {"penalty", "cost of a gap", 10, 10, 10, 0, 1000},
};

__device__ static int best_of(int diagonal, int west, int north)
{
	return max(diagonal, max(west, north));
}

/* Tiles of one anti-diagonal; the matrices have a border row and column, hence a width of n + 1. */
__global__ void fill_tiles(const int *match, int *score, int width, int first_row, int diagonal, int penalty);

/* What each pair of positions gains, from a random symmetric table, and the borders: gaps alone. */
static inline void alignment_input(struct workload *w, int *match, int *score, size_t n, int penalty)
{
	int table[SYMBOLS][SYMBOLS];
	unsigned char *first = WORKLOAD_HOST(unsigned char, n), *second = WORKLOAD_HOST(unsigned char, n);
	for (int i = 0; i < SYMBOLS; i++)
		for (int j = 0; j <= i; j++)
			table[i][j] = table[j][i] =
			    i == j ? 4 + (int)workload_below(w, 8) : (int)workload_below(w, 8) - 5;
	for (size_t i = 0; i < n; i++) {
		first[i] = (unsigned char)workload_below(w, SYMBOLS);
		second[i] = (unsigned char)workload_below(w, SYMBOLS);
	}
	for (size_t y = 0; y < n; y++)
		for (size_t x = 0; x < n; x++)
			match[(y + 1) * (n + 1) + x + 1] = table[first[y]][second[x]];
	for (size_t i = 0; i <= n; i++)
		score[i] = score[i * (n + 1)] = -(int)i * penalty;
	free(first);
	free(second);
}

static inline void alignment_reference(const int *match, int *score, size_t n, int penalty)
{
	for (size_t y = 1; y <= n; y++)
		for (size_t x = 1; x <= n; x++) {
			int *at = score + y * (n + 1) + x;
			int best = at[-(ptrdiff_t)n - 2] + match[y * (n + 1) + x];
			if (at[-1] - penalty > best)
				best = at[-1] - penalty;
			if (at[-(ptrdiff_t)n - 1] - penalty > best)
				best = at[-(ptrdiff_t)n - 1] - penalty;
			*at = best;
		}
}

static inline int alignment_run(const char *name, const char *about, int argc, char **argv)
{
	struct workload w = workload_open(name, about, param, 2, argc, argv);
	int tiles = ((int)workload_value(&w, "n") + TILE - 1) / TILE,
	    penalty = (int)workload_value(&w, "penalty");
	size_t n = (size_t)tiles * TILE, cells = (n + 1) * (n + 1);
	int *match = WORKLOAD_HOST(int, cells), *score = WORKLOAD_HOST(int, cells),
	    *got = WORKLOAD_HOST(int, cells);
	int *device_match = WORKLOAD_DEVICE(int, cells), *device_score = WORKLOAD_DEVICE(int, cells);
	alignment_input(&w, match, score, n, penalty);
	WORKLOAD_CUDA(cudaMemcpy(device_match, match, cells * sizeof *match, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_score, score, cells * sizeof *score, cudaMemcpyHostToDevice));

	workload_start(&w);
	for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
		int first_row = diagonal < tiles ? 0 : diagonal - tiles + 1;
		int last_row = diagonal < tiles ? diagonal : tiles - 1;
		fill_tiles<<<last_row - first_row + 1, TILE>>>(device_match, device_score, (int)n + 1,
		                                               first_row, diagonal, penalty);
	}
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_score, cells * sizeof *got, cudaMemcpyDeviceToHost));
	alignment_reference(match, score, n, penalty);
	return workload_close(&w, workload_same_ints("score", got, score, cells));
}

#endif
