/*
 * n-queens: the host places the first rows, one thread per such start counts the ways to fill the rest by depth-first
 * search. The search stacks lie in shared memory and take so much of it that they limit the CTAs of an SM.
 */
#include "../common/workload.h"

enum { THREADS = 96, MOST_DEPTH = 10 };

static struct workload_param param[] = {
	{"n", "rows, columns and queens", 10, 12, 13, 4, 16},
	{"placed", "rows the host fills", 4, 4, 6, 1, 6},
};

/* Columns that queens above attack, straight down and along both diagonals. */
struct attack {
	unsigned down, left, right;
};

__global__ void __launch_bounds__(THREADS)
count_solutions(const struct attack *start, int starts, int depth, unsigned board, unsigned *solutions)
{
	__shared__ unsigned down[THREADS][MOST_DEPTH], left[THREADS][MOST_DEPTH], right[THREADS][MOST_DEPTH];
	__shared__ unsigned untried[THREADS][MOST_DEPTH], found[THREADS];
	int t = threadIdx.x, i = blockIdx.x * THREADS + t, row = -1;
	unsigned count = 0;
	if (i < starts) {
		row = 0;
		down[t][0] = start[i].down;
		left[t][0] = start[i].left;
		right[t][0] = start[i].right;
		untried[t][0] = board & ~(down[t][0] | left[t][0] | right[t][0]);
	}
	while (row >= 0) {
		unsigned columns = untried[t][row], queen = columns & -columns;
		if (!columns) {
			row--;
			continue;
		}
		untried[t][row] = columns ^ queen;
		if (row == depth - 1) {
			count++;
			continue;
		}
		down[t][row + 1] = down[t][row] | queen;
		left[t][row + 1] = (left[t][row] | queen) << 1;
		right[t][row + 1] = (right[t][row] | queen) >> 1;
		row++;
		untried[t][row] = board & ~(down[t][row] | left[t][row] | right[t][row]);
	}
	found[t] = count;
	for (int half = 64; half > 0; half /= 2) {
		__syncthreads();
		if (t < half && t + half < THREADS)
			found[t] += found[t + half];
	}
	if (t == 0)
		solutions[blockIdx.x] = found[0];
}

/* All ways to fill `rows` more rows, written to `start` if there is one; returns how many. */
static int fill_rows(struct attack a, int rows, unsigned board, struct attack *start)
{
	int n = 0;
	if (rows == 0) {
		if (start)
			*start = a;
		return 1;
	}
	for (unsigned free = board & ~(a.down | a.left | a.right); free; free &= free - 1) {
		unsigned queen = free & -free;
		struct attack next = {a.down | queen, (a.left | queen) << 1, (a.right | queen) >> 1};
		n += fill_rows(next, rows - 1, board, start ? start + n : NULL);
	}
	return n;
}

/* Looks at the queens themselves, not at masks. */
static unsigned long long reference(int *column, int row, int n)
{
	unsigned long long ways = 0;
	if (row == n)
		return 1;
	for (column[row] = 0; column[row] < n; column[row]++) {
		int above = row - 1;
		while (above >= 0 && column[above] != column[row] &&
		       abs(column[above] - column[row]) != row - above)
			above--;
		if (above < 0)
			ways += reference(column, row + 1, n);
	}
	return ways;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("nqu", "solutions of the n-queens puzzle", param, 2, argc, argv);
	int n = (int)workload_value(&w, "n"), placed = (int)workload_value(&w, "placed"), depth = n - placed;
	if (depth < 1 || depth > MOST_DEPTH) {
		fprintf(stderr, "nqu: --placed %d of %d rows leaves %d to the device: 1 to %d are wanted\n",
		        placed, n, depth, MOST_DEPTH);
		return WORKLOAD_BAD_INPUT;
	}
	struct attack none = {};
	unsigned board = (1u << n) - 1;
	int starts = fill_rows(none, placed, board, NULL), blocks = (starts + THREADS - 1) / THREADS;
	struct attack *start = WORKLOAD_HOST(struct attack, starts);
	struct attack *device_start = WORKLOAD_DEVICE(struct attack, starts);
	unsigned *solutions = WORKLOAD_HOST(unsigned, blocks),
	         *device_solutions = WORKLOAD_DEVICE(unsigned, blocks);
	fill_rows(none, placed, board, start);
	WORKLOAD_CUDA(cudaMemcpy(device_start, start, starts * sizeof *start, cudaMemcpyHostToDevice));

	workload_start(&w);
	count_solutions<<<blocks, THREADS>>>(device_start, starts, depth, board, device_solutions);
	workload_stop(&w);

	WORKLOAD_CUDA(
	    cudaMemcpy(solutions, device_solutions, blocks * sizeof *solutions, cudaMemcpyDeviceToHost));
	unsigned long long got = 0;
	int column[16];
	for (int b = 0; b < blocks; b++)
		got += solutions[b];
	unsigned long long want = reference(column, 0, n);
	if (got != want)
		fprintf(stderr, "%d queens: %llu ways, not %llu\n", n, got, want);
	return workload_close(&w, got == want);
}
