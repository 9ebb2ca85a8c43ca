/*
 * Temperature of a chip over time, from the power of its cells: a five-point stencil. A CTA of 16 x 16 threads keeps
 * its cells in shared memory for several steps; each step makes the outermost ring stale, so CTAs overlap by a halo.
 */
#include "../common/workload.h"

enum { SIDE = 16 };

static struct workload_param param[] = {
	{"n", "rows and columns of cells", 64, 448, 512, 1, 16384},
	{"steps", "steps of time", 2, 2, 2, 1, 1000},
	{"depth", "steps per launch", 2, 2, 2, 1, 7},
};

/* Of one cell: its resistance to heat along x, along y and to the outside, and its capacity; and the step of time. */
struct chip {
	float rx, ry, rz, capacity, step;
};

static const float ambient = 80;

/* 16 x 16 mm. The step of time lets a cell rise by a thousandth of a degree, less where that would be unstable. */
static struct chip chip_of(int n)
{
	const double side = 0.016 / n, thickness = 0.0005, conductivity = 100, specific_heat = 1.75e6;
	double capacity = 0.5 * specific_heat * thickness * side * side;
	double r_side = side / (2 * conductivity * thickness * side), r_up = thickness / (conductivity * side * side);
	double slope = 3e6 / (0.5 * thickness * specific_heat), step = fmin(0.001 / slope, capacity * r_side / 5);
	return {(float)r_side, (float)r_side, (float)r_up, (float)capacity, (float)step};
}

/* Cells outside are as warm as the nearest one inside. 2.0 makes the arithmetic of a cell double, as originally. */
__global__ void simulate(const float *power, const float *before, float *after, int n, int steps, struct chip chip,
                         float outside)
{
	__shared__ float now[SIDE][SIDE], watts[SIDE][SIDE], next[SIDE][SIDE];
	int inner = SIDE - 2 * steps, tx = threadIdx.x, ty = threadIdx.y;
	int top = inner * (int)blockIdx.y - steps, left = inner * (int)blockIdx.x - steps;
	int y = top + ty, x = left + tx;
	bool on_chip = y >= 0 && y < n && x >= 0 && x < n;
	if (on_chip) {
		now[ty][tx] = before[n * y + x];
		watts[ty][tx] = power[n * y + x];
	}
	__syncthreads();
	float per_rx = 1 / chip.rx, per_ry = 1 / chip.ry, per_rz = 1 / chip.rz;
	float per_capacity = chip.step / chip.capacity;
	int north = max(ty - 1, max(0, -top)), south = min(ty + 1, min(SIDE - 1, n - 1 - top));
	int west = max(tx - 1, max(0, -left)), east = min(tx + 1, min(SIDE - 1, n - 1 - left));
	bool fresh = false;
	for (int step = 0; step < steps; step++) {
		int ring = step + 1;
		fresh = on_chip && tx >= ring && tx < SIDE - ring && ty >= ring && ty < SIDE - ring;
		if (fresh)
			next[ty][tx] = (float)(now[ty][tx] + per_capacity *
			               (watts[ty][tx] + (now[south][tx] + now[north][tx] - 2.0 * now[ty][tx]) * per_ry +
			                (now[ty][east] + now[ty][west] - 2.0 * now[ty][tx]) * per_rx +
			                (outside - now[ty][tx]) * per_rz));
		__syncthreads();
		if (step == steps - 1)
			break;
		if (fresh)
			now[ty][tx] = next[ty][tx];
		__syncthreads();
	}
	if (fresh)
		after[n * y + x] = next[ty][tx];
}

/* Returns the buffer with the last temperatures. */
static float *run(const float *power, float *before, float *after, int n, int steps, int depth)
{
	struct chip chip = chip_of(n);
	for (int done = 0; done < steps; done += depth) {
		int now = depth < steps - done ? depth : steps - done, inner = SIDE - 2 * now;
		dim3 ctas((n + inner - 1) / inner, (n + inner - 1) / inner);
		simulate<<<ctas, dim3(SIDE, SIDE)>>>(power, before, after, n, now, chip, ambient);
		float *swap = before;
		before = after;
		after = swap;
	}
	return before;
}

static float *reference(const float *power, const float *start, int n, int steps)
{
	struct chip chip = chip_of(n);
	float *now = WORKLOAD_HOST(float, (size_t)n * n), *next = WORKLOAD_HOST(float, (size_t)n * n);
	memcpy(now, start, (size_t)n * n * sizeof *now);
	for (int step = 0; step < steps; step++) {
		for (int y = 0; y < n; y++)
			for (int x = 0; x < n; x++) {
				const float *cell = now + (size_t)y * n + x;
				double t = *cell, north = y ? cell[-n] : t, south = y < n - 1 ? cell[n] : t;
				double west = x ? cell[-1] : t, east = x < n - 1 ? cell[1] : t;
				double flow = (north - t + (south - t)) / chip.ry + (west - t + (east - t)) / chip.rx;
				flow += (ambient - t) / chip.rz + power[(size_t)y * n + x];
				next[(size_t)y * n + x] = (float)(t + chip.step / chip.capacity * flow);
			}
		float *swap = now;
		now = next;
		next = swap;
	}
	free(next);
	return now;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("hotspot", "temperature of a chip over time", param, 3, argc, argv);
	int n = (int)workload_value(&w, "n"), steps = (int)workload_value(&w, "steps");
	int depth = (int)workload_value(&w, "depth");
	size_t cells = (size_t)n * n, bytes = cells * sizeof(float);
	float *power = WORKLOAD_HOST(float, cells), *start = WORKLOAD_HOST(float, cells);
	float *end = WORKLOAD_HOST(float, cells);
	float *device_power = WORKLOAD_DEVICE(float, cells), *device_before = WORKLOAD_DEVICE(float, cells);
	float *device_after = WORKLOAD_DEVICE(float, cells);
	for (size_t i = 0; i < cells; i++) {
		start[i] = 320 + 20 * workload_unit(&w);
		power[i] = 0.01f * workload_unit(&w);
	}
	WORKLOAD_CUDA(cudaMemcpy(device_before, start, bytes, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_power, power, bytes, cudaMemcpyHostToDevice));

	workload_start(&w);
	float *last = run(device_power, device_before, device_after, n, steps, depth);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(end, last, bytes, cudaMemcpyDeviceToHost));
	float *want = reference(power, start, n, steps);
	return workload_close(&w, workload_same_floats("temperature", end, want, cells, 1e-5));
}
