/*
 * Finds white blood cells in a frame and tracks them through the next ones. Detection: a thread per pixel scores the
 * circles around it by their radial gradient (GICOV), another takes the highest score nearby (dilation); peaks are
 * cells. Tracking: a CTA per cell lets the edges around it spread through a window in shared memory (motion gradient
 * vector flow) and moves the cell to their centre.
 */
#include "../common/workload.h"

enum {
	RADII = 7,
	FIRST_RADIUS = 8,
	RADIUS_STEP = 2,
	MARGIN = FIRST_RADIUS + RADIUS_STEP * (RADII - 1) + 2,
	MAX_ANGLES = 150,
	DILATION = 12,
	DETECT_THREADS = 256,
	WINDOW_HEIGHT = 41,
	WINDOW_WIDTH = 81,
	WINDOW = WINDOW_HEIGHT * WINDOW_WIDTH,
	TRACK_THREADS = 1024,
	REACH = 18, /* of the centre that is computed, in pixels */
	MAX_CELLS = 256,
	CHECKED_CELLS = 6,
};
#define SPREAD 0.1f /* of a difference between neighbours, per iteration */
#define PULL 0.2f   /* of the image on the field */
#define SCORE 4.0f  /* of a cell */

static struct workload_param param[] = {
	{"width", "pixels of a row", 56, 160, 640, 56, 4096},
	{"height", "rows", 56, 120, 219, 56, 4096},
	{"cells", "cells in the picture", 1, 4, 36, 0, MAX_CELLS},
	{"frames", "frames to track", 1, 2, 5, 1, 100},
	{"angles", "points of a circle", 20, 60, MAX_ANGLES, 4, MAX_ANGLES},
	{"iterations", "of spreading, per frame", 4, 10, 20, 1, 1000},
};

struct place {
	float x, y;
};

struct circle_point {
	int x, y;
};

__constant__ struct circle_point circle[RADII][MAX_ANGLES];
__constant__ struct place direction[MAX_ANGLES];
__constant__ int disc[2 * DILATION + 1]; /* half the length of its rows */

__device__ __host__ static int clamp_to(int at, int size)
{
	return at < 0 ? 0 : at >= size ? size - 1 : at;
}

/* ---- detection ------------------------------------------------------------------------------------------------ */

__global__ void take_gradient(const float *image, struct place *gradient, float *strength, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x >= width)
		return;
	float dx = image[y * width + clamp_to(x + 1, width)] - image[y * width + clamp_to(x - 1, width)];
	float dy = image[clamp_to(y + 1, height) * width + x] - image[clamp_to(y - 1, height) * width + x];
	gradient[y * width + x].x = dx;
	gradient[y * width + x].y = dy;
	strength[y * width + x] = sqrtf(dx * dx + dy * dy);
}

/* Mean squared by variance of the outward gradient, of the best radius. */
__global__ void score_circles(const struct place *gradient, float *score, int width, int height, int angles)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x >= width)
		return;
	float best = 0;
	if (x >= MARGIN && x < width - MARGIN && y >= MARGIN && y < height - MARGIN)
		for (int radius = 0; radius < RADII; radius++) {
			float sum = 0, squares = 0;
			for (int i = 0; i < angles; i++) {
				struct circle_point c = circle[radius][i];
				struct place g = gradient[(y + c.y) * width + x + c.x];
				float outward = g.x * direction[i].x + g.y * direction[i].y;
				sum += outward;
				squares += outward * outward;
			}
			float mean = sum / angles, ratio = mean * mean / (squares / angles - mean * mean + 1e-3f);
			best = ratio > best ? ratio : best;
		}
	score[y * width + x] = best;
}

/* Over a disc, row by row; a pixel beyond the edge stands for the one at the edge, which the disc covers anyway. */
__global__ void dilate(const float *score, float *highest, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x >= width)
		return;
	float best = 0;
	for (int dy = -DILATION; dy <= DILATION; dy++) {
		const float *row = score + clamp_to(y + dy, height) * width;
		for (int dx = -disc[dy + DILATION]; dx <= disc[dy + DILATION]; dx++) {
			float other = row[clamp_to(x + dx, width)];
			best = other > best ? other : best;
		}
	}
	highest[y * width + x] = best;
}

/* ---- tracking ------------------------------------------------------------------------------------------------- */

/* Differences count the more the further they point up: a smooth step, so that edges do not blur away. */
__device__ static float uphill(float difference)
{
	return difference * (0.5f + atanf(8 * difference) * 0.318309886f);
}

__device__ static float spread(const float *field, int x, int y)
{
	float here = field[y * WINDOW_WIDTH + x], sum = 0;
#pragma unroll 1
	for (int dy = -1; dy <= 1; dy++) {
		const float *row = field + clamp_to(y + dy, WINDOW_HEIGHT) * WINDOW_WIDTH;
		sum += uphill(row[clamp_to(x - 1, WINDOW_WIDTH)] - here) + uphill(row[x] - here) +
		       uphill(row[clamp_to(x + 1, WINDOW_WIDTH)] - here);
	}
	return here + SPREAD * sum;
}

__device__ static void iterate(float *to, const float *from, const float *edges)
{
	for (int i = threadIdx.x; i < WINDOW; i += TRACK_THREADS) {
		float edge = edges[i], u = spread(from, i % WINDOW_WIDTH, i / WINDOW_WIDTH);
		to[i] = u - PULL * edge * (u - edge);
	}
	__syncthreads();
}

/* Weighted with the field; the sums take the place of the field. */
__device__ static struct place centre_of(float *field)
{
	float weight = 0, x = 0, y = 0;
	for (int i = threadIdx.x; i < WINDOW; i += TRACK_THREADS) {
		int dx = i % WINDOW_WIDTH - WINDOW_WIDTH / 2, dy = i / WINDOW_WIDTH - WINDOW_HEIGHT / 2;
		float u = dx * dx + dy * dy <= REACH * REACH ? field[i] : 0;
		weight += u;
		x += u * dx;
		y += u * dy;
	}
	__syncthreads();
	field[threadIdx.x] = weight;
	field[TRACK_THREADS + threadIdx.x] = x;
	field[2 * TRACK_THREADS + threadIdx.x] = y;
	__syncthreads();
	for (int left = TRACK_THREADS; left > 1;) {
		int keep = (left + 1) / 2;
		if (threadIdx.x + keep < left)
			for (int k = 0; k < 3; k++)
				field[k * TRACK_THREADS + threadIdx.x] += field[k * TRACK_THREADS + threadIdx.x + keep];
		left = keep;
		__syncthreads();
	}
	struct place centre = {field[TRACK_THREADS] / (field[0] + 1e-6f), field[2 * TRACK_THREADS] / (field[0] + 1e-6f)};
	return centre;
}

/* `edges` is the window of the cell, at cell * WINDOW. */
__global__ void __launch_bounds__(TRACK_THREADS)
track(const float *strength, const struct place *from, struct place *to, float *edges, float *result, int width,
      int height, int iterations)
{
	__shared__ float fields[2][WINDOW];
	int cell = blockIdx.x;
	int left = (int)rintf(from[cell].x) - WINDOW_WIDTH / 2, top = (int)rintf(from[cell].y) - WINDOW_HEIGHT / 2;
	edges += cell * WINDOW;
	for (int i = threadIdx.x; i < WINDOW; i += TRACK_THREADS) {
		int x = clamp_to(left + i % WINDOW_WIDTH, width), y = clamp_to(top + i / WINDOW_WIDTH, height);
		edges[i] = fields[0][i] = strength[y * width + x];
	}
	__syncthreads();
	for (int i = 0; i < iterations; i++)
		iterate(fields[(i + 1) % 2], fields[i % 2], edges);
	for (int i = threadIdx.x; i < WINDOW; i += TRACK_THREADS)
		result[cell * WINDOW + i] = fields[iterations % 2][i];
	struct place centre = centre_of(fields[iterations % 2]);
	if (threadIdx.x == 0) {
		to[cell].x = left + WINDOW_WIDTH / 2 + centre.x;
		to[cell].y = top + WINDOW_HEIGHT / 2 + centre.y;
	}
}

/* ---- input ---------------------------------------------------------------------------------------------------- */

/* Cells apart from one another, as far as there is room. */
static int place_cells(struct workload *w, struct place *cell, int cells, int width, int height)
{
	int placed = 0;
	for (int tries = 0; tries < 2000 && placed < cells; tries++) {
		struct place p = {MARGIN + 4 + (width - 2 * MARGIN - 8) * workload_unit(w),
		                  MARGIN + 4 + (height - 2 * MARGIN - 8) * workload_unit(w)};
		bool free_here = true;
		for (int i = 0; i < placed; i++)
			free_here = free_here && hypot(p.x - cell[i].x, p.y - cell[i].y) > 36;
		if (free_here)
			cell[placed++] = p;
	}
	return placed;
}

/* Bright discs with soft rims that drift, in noise. */
static void make_frame(struct workload *w, float *image, const struct place *cell, int cells, int frame, int width,
                       int height)
{
	for (int i = 0; i < width * height; i++)
		image[i] = 0.2f + 0.05f * workload_unit(w);
	for (int c = 0; c < cells; c++)
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++) {
				double distance = hypot(x - cell[c].x - 0.7 * frame, y - cell[c].y - 0.4 * frame);
				if (distance < 24)
					image[y * width + x] += (float)(0.3 - 0.3 * tanh((distance - 12) / 1.5));
			}
}

static void make_circles(struct circle_point points[RADII][MAX_ANGLES], struct place *directions, int angles)
{
	for (int i = 0; i < angles; i++) {
		double turn = 6.283185307179586 * i / angles;
		directions[i].x = (float)cos(turn);
		directions[i].y = (float)sin(turn);
		for (int r = 0; r < RADII; r++) {
			points[r][i].x = (int)lrint((FIRST_RADIUS + RADIUS_STEP * r) * cos(turn));
			points[r][i].y = (int)lrint((FIRST_RADIUS + RADIUS_STEP * r) * sin(turn));
		}
	}
	int rows[2 * DILATION + 1];
	for (int dy = -DILATION; dy <= DILATION; dy++)
		rows[dy + DILATION] = (int)sqrt((double)(DILATION * DILATION - dy * dy));
	WORKLOAD_CUDA(cudaMemcpyToSymbol(disc, rows, sizeof rows));
	WORKLOAD_CUDA(cudaMemcpyToSymbol(circle, points, sizeof(struct circle_point) * RADII * MAX_ANGLES));
	WORKLOAD_CUDA(cudaMemcpyToSymbol(direction, directions, sizeof(struct place) * MAX_ANGLES));
}

/* ---- the host's own computation ------------------------------------------------------------------------------- */

static double gradient_at(const float *image, int x, int y, int along_x, int width, int height)
{
	int x0 = clamp_to(x - along_x, width), x1 = clamp_to(x + along_x, width);
	int y0 = clamp_to(y - !along_x, height), y1 = clamp_to(y + !along_x, height);
	return (double)image[y1 * width + x1] - image[y0 * width + x0];
}

static double reference_score(const float *image, const struct circle_point points[RADII][MAX_ANGLES],
                              const struct place *directions, int angles, int x, int y, int width, int height)
{
	double best = 0;
	for (int r = 0; r < RADII; r++) {
		double outward[MAX_ANGLES], mean = 0, variance = 0;
		for (int i = 0; i < angles; i++) {
			int px = x + points[r][i].x, py = y + points[r][i].y;
			outward[i] = gradient_at(image, px, py, 1, width, height) * directions[i].x +
			             gradient_at(image, px, py, 0, width, height) * directions[i].y;
			mean += outward[i] / angles;
		}
		for (int i = 0; i < angles; i++)
			variance += (outward[i] - mean) * (outward[i] - mean) / angles;
		best = fmax(best, mean * mean / (variance + 1e-3));
	}
	return best;
}

/* Every pixel's score, and the dilation by its definition from the scores of the device. */
static bool check_detection(const float *image, const float *score, const float *highest,
                            const struct circle_point points[RADII][MAX_ANGLES], const struct place *directions,
                            int angles, int width, int height)
{
	for (int y = MARGIN; y < height - MARGIN; y++)
		for (int x = MARGIN; x < width - MARGIN; x++) {
			float want = (float)reference_score(image, points, directions, angles, x, y, width, height), peak = 0;
			for (int dy = -DILATION; dy <= DILATION; dy++)
				for (int dx = -DILATION; dx <= DILATION; dx++)
					if (dx * dx + dy * dy <= DILATION * DILATION)
						peak = fmaxf(peak, score[(y + dy) * width + x + dx]);
			if (!workload_same_floats("score", score + y * width + x, &want, 1, 1e-3) ||
			    !workload_same_floats("highest", highest + y * width + x, &peak, 1, 0))
				return false;
		}
	return true;
}

static double reference_spread(const double *field, int x, int y)
{
	double here = field[y * WINDOW_WIDTH + x], sum = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			int nx = clamp_to(x + dx, WINDOW_WIDTH), ny = clamp_to(y + dy, WINDOW_HEIGHT);
			double difference = field[ny * WINDOW_WIDTH + nx] - here;
			sum += difference * (0.5 + atan(8 * difference) / 3.141592653589793);
		}
	return here + SPREAD * sum;
}

/* One cell in one frame; `field` is what the window ends as. */
static struct place reference_track(const float *image, struct place from, double *field, int width, int height,
                                    int iterations)
{
	static double edges[WINDOW], next[WINDOW];
	int left = (int)rintf(from.x) - WINDOW_WIDTH / 2, top = (int)rintf(from.y) - WINDOW_HEIGHT / 2;
	for (int i = 0; i < WINDOW; i++) {
		int x = clamp_to(left + i % WINDOW_WIDTH, width), y = clamp_to(top + i / WINDOW_WIDTH, height);
		double dx = gradient_at(image, x, y, 1, width, height), dy = gradient_at(image, x, y, 0, width, height);
		edges[i] = field[i] = hypot(dx, dy);
	}
	for (int n = 0; n < iterations; n++) {
		for (int i = 0; i < WINDOW; i++) {
			double u = reference_spread(field, i % WINDOW_WIDTH, i / WINDOW_WIDTH);
			next[i] = u - PULL * edges[i] * (u - edges[i]);
		}
		memcpy(field, next, sizeof next);
	}
	double weight = 1e-6, sum_x = 0, sum_y = 0;
	for (int i = 0; i < WINDOW; i++) {
		int dx = i % WINDOW_WIDTH - WINDOW_WIDTH / 2, dy = i / WINDOW_WIDTH - WINDOW_HEIGHT / 2;
		double u = dx * dx + dy * dy <= REACH * REACH ? field[i] : 0;
		weight += u;
		sum_x += u * dx;
		sum_y += u * dy;
	}
	struct place to = {(float)(left + WINDOW_WIDTH / 2 + sum_x / weight),
	                   (float)(top + WINDOW_HEIGHT / 2 + sum_y / weight)};
	return to;
}

/* From where the device began this frame, so that errors do not add up; of CHECKED_CELLS cells. */
static bool check_tracking(const float *image, const struct place *from, const struct place *to, const float *fields,
                           int found, int width, int height, int iterations)
{
	static double field[WINDOW];
	static float want_field[WINDOW];
	for (int k = 0; k < CHECKED_CELLS && k < found; k++) {
		int cell = found <= CHECKED_CELLS ? k : k * found / CHECKED_CELLS;
		struct place want = reference_track(image, from[cell], field, width, height, iterations);
		for (int i = 0; i < WINDOW; i++)
			want_field[i] = (float)field[i];
		if (!workload_same_floats("place", (const float *)(to + cell), (const float *)&want, 2, 1e-3) ||
		    !workload_same_floats("field", fields + cell * WINDOW, want_field, WINDOW, 1e-3))
			return false;
	}
	return true;
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

struct scene {
	int width, height, angles, iterations;
	float *image, *device_image, *strength;
	struct place *gradient;
};

static void load_frame(struct workload *w, const struct scene *s)
{
	dim3 grid((s->width + DETECT_THREADS - 1) / DETECT_THREADS, s->height);
	size_t bytes = (size_t)s->width * s->height * sizeof(float);
	WORKLOAD_CUDA(cudaMemcpy(s->device_image, s->image, bytes, cudaMemcpyHostToDevice));
	workload_start(w);
	take_gradient<<<grid, DETECT_THREADS>>>(s->device_image, s->gradient, s->strength, s->width, s->height);
	workload_stop(w);
}

/* Peaks of the score, in reading order; false if the scores are wrong. */
static bool detect(struct workload *w, const struct scene *s, struct place *found, int *count)
{
	static struct circle_point points[RADII][MAX_ANGLES];
	static struct place directions[MAX_ANGLES];
	size_t pixels = (size_t)s->width * s->height;
	float *score = WORKLOAD_HOST(float, pixels), *highest = WORKLOAD_HOST(float, pixels);
	float *device_score = WORKLOAD_DEVICE(float, pixels), *device_highest = WORKLOAD_DEVICE(float, pixels);
	dim3 grid((s->width + DETECT_THREADS - 1) / DETECT_THREADS, s->height);
	make_circles(points, directions, s->angles);
	workload_start(w);
	score_circles<<<grid, DETECT_THREADS>>>(s->gradient, device_score, s->width, s->height, s->angles);
	dilate<<<grid, DETECT_THREADS>>>(device_score, device_highest, s->width, s->height);
	workload_stop(w);
	WORKLOAD_CUDA(cudaMemcpy(score, device_score, pixels * sizeof *score, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(highest, device_highest, pixels * sizeof *highest, cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < pixels && *count < MAX_CELLS; i++)
		if (score[i] > SCORE && score[i] == highest[i]) {
			found[*count].x = (float)(i % s->width);
			found[(*count)++].y = (float)(i / s->width);
		}
	bool pass = check_detection(s->image, score, highest, points, directions, s->angles, s->width, s->height);
	free(score);
	free(highest);
	return pass;
}

/* One frame of all cells found; `found` moves. */
static bool follow(struct workload *w, const struct scene *s, struct place *found, int count)
{
	static struct place *from, *to, moved[MAX_CELLS];
	static float *edges, *fields, *host_fields;
	if (!from) {
		from = WORKLOAD_DEVICE(struct place, MAX_CELLS);
		to = WORKLOAD_DEVICE(struct place, MAX_CELLS);
		edges = WORKLOAD_DEVICE(float, MAX_CELLS *WINDOW);
		fields = WORKLOAD_DEVICE(float, MAX_CELLS *WINDOW);
		host_fields = WORKLOAD_HOST(float, MAX_CELLS *WINDOW);
	}
	WORKLOAD_CUDA(cudaMemcpy(from, found, count * sizeof *found, cudaMemcpyHostToDevice));
	workload_start(w);
	track<<<count, TRACK_THREADS>>>(s->strength, from, to, edges, fields, s->width, s->height, s->iterations);
	workload_stop(w);
	WORKLOAD_CUDA(cudaMemcpy(moved, to, count * sizeof *moved, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(host_fields, fields, count * WINDOW * sizeof *fields, cudaMemcpyDeviceToHost));
	bool pass = check_tracking(s->image, found, moved, host_fields, count, s->width, s->height, s->iterations);
	memcpy(found, moved, count * sizeof *found);
	return pass;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("leukocyte", "finds and tracks cells", param, 6, argc, argv);
	struct scene s = {};
	s.width = (int)workload_value(&w, "width");
	s.height = (int)workload_value(&w, "height");
	s.angles = (int)workload_value(&w, "angles");
	s.iterations = (int)workload_value(&w, "iterations");
	size_t pixels = (size_t)s.width * s.height;
	s.image = WORKLOAD_HOST(float, pixels);
	s.device_image = WORKLOAD_DEVICE(float, pixels);
	s.strength = WORKLOAD_DEVICE(float, pixels);
	s.gradient = WORKLOAD_DEVICE(struct place, pixels);
	static struct place cell[MAX_CELLS], found[MAX_CELLS];
	int cells = place_cells(&w, cell, (int)workload_value(&w, "cells"), s.width, s.height), count = 0;

	make_frame(&w, s.image, cell, cells, 0, s.width, s.height);
	load_frame(&w, &s);
	bool pass = detect(&w, &s, found, &count);
	for (int frame = 1; pass && count && frame <= workload_value(&w, "frames"); frame++) {
		make_frame(&w, s.image, cell, cells, frame, s.width, s.height);
		load_frame(&w, &s);
		pass = follow(&w, &s, found, count);
	}
	return workload_close(&w, pass);
}
