/*
 * Speckle-reducing anisotropic diffusion of an image: per step one kernel makes the slopes to the four neighbours and
 * the diffusion coefficient of each pixel, another moves brightness along them. A thread per pixel, CTAs of 16 x 16.
 */
#include "../common/workload.h"

enum { SIDE = 16 };

static struct workload_param param[] = {
	{"rows", "rows of the image", 128, 512, 2048, 1, 16384},
	{"columns", "columns of the image", 128, 512, 2048, 1, 16384},
	{"steps", "steps of diffusion", 2, 2, 2, 1, 1000},
};

static const float lambda = 0.5f;

/* On the device, one value per pixel each. */
struct fields {
	float *image, *north, *south, *west, *east, *coefficient;
};

/* The image goes on beyond its edges as it ends there. `speckle` is the squared variation of what is all noise. */
__global__ void find_slopes(struct fields f, int rows, int columns, float speckle)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= columns || y >= rows)
		return;
	int i = y * columns + x;
	float here = f.image[i];
	float north = f.image[max(y - 1, 0) * columns + x] - here;
	float south = f.image[min(y + 1, rows - 1) * columns + x] - here;
	float west = f.image[y * columns + max(x - 1, 0)] - here;
	float east = f.image[y * columns + min(x + 1, columns - 1)] - here;
	float gradient = (north * north + south * south + west * west + east * east) / (here * here);
	float laplacian = (north + south + west + east) / here;
	float slope = 1 + 0.25f * laplacian;
	float variation = (0.5f * gradient - laplacian * laplacian / 16) / (slope * slope);
	float coefficient = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
	f.north[i] = north;
	f.south[i] = south;
	f.west[i] = west;
	f.east[i] = east;
	f.coefficient[i] = fminf(fmaxf(coefficient, 0), 1);
}

__global__ void diffuse(struct fields f, int rows, int columns, float rate)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= columns || y >= rows)
		return;
	int i = y * columns + x;
	float here = f.coefficient[i];
	float south = f.coefficient[min(y + 1, rows - 1) * columns + x];
	float east = f.coefficient[y * columns + min(x + 1, columns - 1)];
	float flow = here * f.north[i] + south * f.south[i] + here * f.west[i] + east * f.east[i];
	f.image[i] += 0.25f * rate * flow;
}

/* Squared coefficient of variation of the upper left part, at most 128 x 128, which is taken for pure noise. */
static float speckle_of(const float *image, int rows, int columns, size_t pitch)
{
	double sum = 0, squares = 0;
	int height = rows < 128 ? rows : 128, width = columns < 128 ? columns : 128;
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			double value = image[y * pitch + x];
			sum += value;
			squares += value * value;
		}
	double mean = sum / height / width, variance = squares / height / width - mean * mean;
	return (float)fmax(variance / (mean * mean), 1e-6);
}

static void run(struct fields f, float *corner, int rows, int columns, int steps)
{
	int height = rows < 128 ? rows : 128, width = columns < 128 ? columns : 128;
	dim3 threads(SIDE, SIDE), ctas((columns + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
	for (int step = 0; step < steps; step++) {
		WORKLOAD_CUDA(cudaMemcpy2D(corner, width * sizeof *corner, f.image, columns * sizeof *corner,
		                           width * sizeof *corner, height, cudaMemcpyDeviceToHost));
		find_slopes<<<ctas, threads>>>(f, rows, columns, speckle_of(corner, height, width, width));
		diffuse<<<ctas, threads>>>(f, rows, columns, lambda);
	}
}

struct grid {
	const double *value;
	int rows, columns;
};

/* The value at (y, x), or the nearest one inside. */
static double at(const struct grid *g, int y, int x)
{
	y = y < 0 ? 0 : y < g->rows ? y : g->rows - 1;
	x = x < 0 ? 0 : x < g->columns ? x : g->columns - 1;
	return g->value[(size_t)y * g->columns + x];
}

static double reference_coefficient(const struct grid *image, int y, int x, double speckle)
{
	double here = at(image, y, x), gradient = 0, laplacian = 0;
	for (int side = 0; side < 4; side++) {
		int down = side == 0 ? -1 : side == 1 ? 1 : 0, right = side == 2 ? -1 : side == 3 ? 1 : 0;
		double slope = (at(image, y + down, x + right) - here) / here;
		gradient += slope * slope;
		laplacian += slope;
	}
	double variation = (gradient / 2 - laplacian * laplacian / 16) / pow(1 + laplacian / 4, 2);
	double coefficient = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
	return coefficient < 0 ? 0 : coefficient > 1 ? 1 : coefficient;
}

static double reference_flow(const struct grid *image, const struct grid *coefficient, int y, int x)
{
	double here = at(image, y, x), mine = at(coefficient, y, x);
	return mine * (at(image, y - 1, x) - here) + at(coefficient, y + 1, x) * (at(image, y + 1, x) - here) +
	       mine * (at(image, y, x - 1) - here) + at(coefficient, y, x + 1) * (at(image, y, x + 1) - here);
}

static void reference(float *image, int rows, int columns, int steps)
{
	size_t cells = (size_t)rows * columns;
	double *now = WORKLOAD_HOST(double, cells), *coefficient = WORKLOAD_HOST(double, cells);
	struct grid image_grid = {now, rows, columns}, coefficient_grid = {coefficient, rows, columns};
	for (int step = 0; step < steps; step++) {
		double speckle = speckle_of(image, rows, columns, columns);
		for (size_t i = 0; i < cells; i++)
			now[i] = image[i];
		for (size_t i = 0; i < cells; i++) {
			int y = (int)(i / columns), x = (int)(i % columns);
			coefficient[i] = reference_coefficient(&image_grid, y, x, speckle);
		}
		for (size_t i = 0; i < cells; i++) {
			int y = (int)(i / columns), x = (int)(i % columns);
			double flow = reference_flow(&image_grid, &coefficient_grid, y, x);
			image[i] = (float)(now[i] + 0.25 * lambda * flow);
		}
	}
	free(now);
	free(coefficient);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("srad", "speckle-reducing diffusion of an image", param, 3, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	int steps = (int)workload_value(&w, "steps");
	size_t cells = (size_t)rows * columns, bytes = cells * sizeof(float);
	float *image = WORKLOAD_HOST(float, cells), *want = WORKLOAD_HOST(float, cells);
	float *corner = WORKLOAD_HOST(float, 128 * 128);
	struct fields f = {WORKLOAD_DEVICE(float, cells), WORKLOAD_DEVICE(float, cells), WORKLOAD_DEVICE(float, cells),
	                   WORKLOAD_DEVICE(float, cells), WORKLOAD_DEVICE(float, cells), WORKLOAD_DEVICE(float, cells)};
	for (size_t i = 0; i < cells; i++)
		want[i] = expf(workload_unit(&w));
	WORKLOAD_CUDA(cudaMemcpy(f.image, want, bytes, cudaMemcpyHostToDevice));

	workload_start(&w);
	run(f, corner, rows, columns, steps);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(image, f.image, bytes, cudaMemcpyDeviceToHost));
	reference(want, rows, columns, steps);
	return workload_close(&w, workload_same_floats("image", image, want, cells, 1e-3));
}
