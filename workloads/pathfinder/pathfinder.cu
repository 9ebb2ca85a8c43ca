/*
 * Cheapest way through a grid of costs, from any cell of the first row to every cell of the last: a step goes one row
 * down and at most one column aside. A CTA computes up to 20 rows of its columns in shared memory between two trips to
 * memory; it starts with as many columns more on either side, which it loses one per row.
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"columns", "columns of the grid", 2000, 20000, 100000, 1, 4000000},
	{"rows", "rows of the grid", 21, 100, 100, 2, 500},
	{"height", "rows per kernel launch", 20, 20, 20, 1, (THREADS - 1) / 2},
};

/* `in` is the cost of reaching row `first` - 1; `steps` rows follow. Threads left or right of the grid only wait. */
__global__ void descend(const int *cost, const int *in, int *out, int columns, int first, int steps, int height)
{
	__shared__ int best[THREADS], next[THREADS];
	int lane = threadIdx.x, useful = THREADS - 2 * height;
	int column = blockIdx.x * useful - height + lane;
	bool inside = column >= 0 && column < columns;
	int left = column == 0 ? lane : lane - 1, right = column == columns - 1 ? lane : lane + 1;
	if (inside)
		best[lane] = in[column];
	for (int i = 0; i < steps; i++) {
		__syncthreads();
		bool known = inside && lane > i && lane < THREADS - 1 - i;
		if (known) {
			int cheapest = min(best[lane], min(best[left], best[right]));
			next[lane] = cheapest + cost[(first + i) * columns + column];
		}
		__syncthreads();
		if (known)
			best[lane] = next[lane];
	}
	if (inside && lane >= height && lane < THREADS - height)
		out[column] = best[lane];
}

static void reference(const int *cost, int *best, size_t columns, size_t rows)
{
	int *next = WORKLOAD_HOST(int, columns);
	memcpy(best, cost, columns * sizeof *best);
	for (size_t row = 1; row < rows; row++) {
		for (size_t x = 0; x < columns; x++) {
			int from = best[x];
			if (x > 0 && best[x - 1] < from)
				from = best[x - 1];
			if (x + 1 < columns && best[x + 1] < from)
				from = best[x + 1];
			next[x] = from + cost[row * columns + x];
		}
		memcpy(best, next, columns * sizeof *best);
	}
	free(next);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("pathfinder", "cheapest path through a grid", param, 3, argc, argv);
	int columns = (int)workload_value(&w, "columns"), rows = (int)workload_value(&w, "rows");
	int height = (int)workload_value(&w, "height");
	size_t cells = (size_t)columns * rows;
	int *cost = WORKLOAD_HOST(int, cells), *got = WORKLOAD_HOST(int, columns), *want = WORKLOAD_HOST(int, columns);
	int *device_cost = WORKLOAD_DEVICE(int, cells);
	int *device_best[2] = {WORKLOAD_DEVICE(int, columns), WORKLOAD_DEVICE(int, columns)};
	for (size_t i = 0; i < cells; i++)
		cost[i] = (int)workload_below(&w, 10);
	WORKLOAD_CUDA(cudaMemcpy(device_cost, cost, cells * sizeof *cost, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_best[0], cost, columns * sizeof *cost, cudaMemcpyHostToDevice));

	int useful = THREADS - 2 * height, ctas = (columns + useful - 1) / useful, now = 0;
	workload_start(&w);
	for (int row = 1; row < rows; row += height, now = 1 - now) {
		int steps = rows - row < height ? rows - row : height;
		descend<<<ctas, THREADS>>>(device_cost, device_best[now], device_best[1 - now], columns, row, steps,
		                           height);
	}
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_best[now], columns * sizeof *got, cudaMemcpyDeviceToHost));
	reference(cost, want, columns, rows);
	return workload_close(&w, workload_same_ints("best", got, want, columns));
}
