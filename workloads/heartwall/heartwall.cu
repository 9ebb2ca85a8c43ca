/*
 * Tracks points of the heart wall through a video: around each point's last place, the offset where its template
 * correlates best with the new frame is its new place, and the template takes on a little of what is found there.
 * A launch per frame and a CTA per point, which keeps template and search window in shared memory; a thread tries the
 * offsets 256 apart.
 */
#include "../common/workload.h"

enum {
	WIDTH = 590,
	HEIGHT = 609,
	THREADS = 256,
	MAX_RADIUS = 20,
	MAX_EDGE = 2 * MAX_RADIUS + 1,
	MAX_WINDOW = 4 * MAX_RADIUS + 1,
	KEEP = 240, /* of 256 parts of a template, when it is renewed */
};

static struct workload_param param[] = {
	{"frames", "frames after the first", 2, 2, 5, 1, 1000},
	{"points", "points that are tracked", 3, 16, 51, 1, 512},
	{"radius", "of template and search, in pixels", 8, 12, MAX_RADIUS, 1, MAX_RADIUS},
};

struct offset {
	int x, y;
};

struct match {
	double score;
	int offset;
};

/* Sums over a template, which the correlation is normalised with. */
struct moments {
	int sum, squares;
};

__device__ __host__ static int clamp_to(int at, int size)
{
	return at < 0 ? 0 : at >= size ? size - 1 : at;
}

/* Correlation in -1 .. 1; whole numbers up to the last step make it the same everywhere. */
__device__ __host__ static double correlation(int pixels, struct moments a, struct moments b, int products)
{
	double above = (double)((long long)pixels * products - (long long)a.sum * b.sum);
	double spread_a = (double)((long long)pixels * a.squares - (long long)a.sum * a.sum);
	double spread_b = (double)((long long)pixels * b.squares - (long long)b.sum * b.sum);
	return spread_a > 0 && spread_b > 0 ? above / sqrt(spread_a * spread_b) : -1;
}

__global__ void take_templates(const unsigned char *frame, const struct offset *place, unsigned char *templates,
                               int radius)
{
	int edge = 2 * radius + 1, point = blockIdx.x;
	for (int i = threadIdx.x; i < edge * edge; i += THREADS) {
		int y = clamp_to(place[point].y + i / edge - radius, HEIGHT);
		int x = clamp_to(place[point].x + i % edge - radius, WIDTH);
		templates[point * edge * edge + i] = frame[y * WIDTH + x];
	}
}

__device__ static double score_at(const int *model, const int *window, int edge, int window_edge,
                                  struct moments model_sums)
{
	struct moments here = {0, 0};
	int products = 0;
#pragma unroll 1
	for (int y = 0; y < edge; y++)
		for (int x = 0; x < edge; x++) {
			int pixel = window[y * window_edge + x];
			products += model[y * edge + x] * pixel;
			here.sum += pixel;
			here.squares += pixel * pixel;
		}
	return correlation(edge * edge, model_sums, here, products);
}

/* The better of two, and of equals the one that comes first. */
__device__ static struct match better(struct match a, struct match b)
{
	return b.score > a.score || (b.score == a.score && b.offset < a.offset) ? b : a;
}

/* Leaves the best of all threads in best[0]. */
__device__ static void find_best(struct match *best, const int *model, const int *window, int edge, int window_edge,
                                 struct moments model_sums)
{
	struct match own = {-2, 0};
	for (int i = threadIdx.x; i < edge * edge; i += THREADS) {
		const int *corner = window + i / edge * window_edge + i % edge;
		struct match next = {score_at(model, corner, edge, window_edge, model_sums), i};
		own = better(own, next);
	}
	best[threadIdx.x] = own;
	__syncthreads();
	for (int half = THREADS / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			best[threadIdx.x] = better(best[threadIdx.x], best[threadIdx.x + half]);
		__syncthreads();
	}
}

__global__ void track(const unsigned char *frame, struct offset *place, unsigned char *templates, int radius)
{
	__shared__ int model[MAX_EDGE * MAX_EDGE], window[MAX_WINDOW * MAX_WINDOW];
	__shared__ struct match best[THREADS];
	__shared__ struct moments sums;
	int edge = 2 * radius + 1, window_edge = 4 * radius + 1, point = blockIdx.x;
	unsigned char *own_template = templates + point * edge * edge;
	struct offset at = place[point];
	if (threadIdx.x == 0)
		sums.sum = sums.squares = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < edge * edge; i += THREADS) {
		model[i] = own_template[i];
		atomicAdd(&sums.sum, model[i]);
		atomicAdd(&sums.squares, model[i] * model[i]);
	}
	for (int i = threadIdx.x; i < window_edge * window_edge; i += THREADS) {
		int y = clamp_to(at.y + i / window_edge - 2 * radius, HEIGHT);
		int x = clamp_to(at.x + i % window_edge - 2 * radius, WIDTH);
		window[i] = frame[y * WIDTH + x];
	}
	__syncthreads();
	find_best(best, model, window, edge, window_edge, sums);
	int dy = best[0].offset / edge, dx = best[0].offset % edge;
	for (int i = threadIdx.x; i < edge * edge; i += THREADS) {
		int found = window[(dy + i / edge) * window_edge + dx + i % edge];
		own_template[i] = (unsigned char)((model[i] * KEEP + found * (256 - KEEP) + 128) / 256);
	}
	if (threadIdx.x == 0) {
		place[point].x = at.x + dx - radius;
		place[point].y = at.y + dy - radius;
	}
}

/* Random spots, seen through a zoom that beats. */
static void make_frame(const unsigned char *spots, unsigned char *frame, int number)
{
	double zoom = 1 + 0.04 * sin(number * 0.6);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			int from_x = (int)(WIDTH / 2 + (x - WIDTH / 2) * zoom);
			int from_y = (int)(HEIGHT / 2 + (y - HEIGHT / 2) * zoom);
			frame[y * WIDTH + x] = spots[clamp_to(from_y, HEIGHT) / 3 * WIDTH + clamp_to(from_x, WIDTH) / 3];
		}
}

/* Two fifths on an inner ellipse and the rest on an outer one, the two sides of the wall. */
static void place_points(struct offset *place, int points)
{
	int inner = points * 2 / 5;
	for (int i = 0; i < points; i++) {
		double turn = 6.283185307179586 * (i < inner ? (double)i / inner : (double)(i - inner) / (points - inner));
		double size = i < inner ? 0.5 : 0.8;
		place[i].x = (int)(WIDTH / 2 + size * 200 * cos(turn));
		place[i].y = (int)(HEIGHT / 2 + size * 250 * sin(turn));
	}
}

/* Sums over every rectangle from the corner, of pixels and of their squares. */
static void integrate(const unsigned char *frame, struct offset at, int radius, long long *sum, long long *squares)
{
	int edge = 4 * radius + 1;
	for (int y = 0; y < edge; y++)
		for (int x = 0; x < edge; x++) {
			int row = clamp_to(at.y + y - 2 * radius, HEIGHT), column = clamp_to(at.x + x - 2 * radius, WIDTH);
			long long pixel = frame[row * WIDTH + column];
			long long *s = sum + (y + 1) * (MAX_WINDOW + 1) + x + 1, *q = squares + (s - sum);
			*s = pixel + s[-1] + s[-MAX_WINDOW - 1] - s[-MAX_WINDOW - 2];
			*q = pixel * pixel + q[-1] + q[-MAX_WINDOW - 1] - q[-MAX_WINDOW - 2];
		}
}

static int box(const long long *sum, int x, int y, int edge)
{
	const long long *top = sum + y * (MAX_WINDOW + 1) + x, *bottom = top + edge * (MAX_WINDOW + 1);
	return (int)(bottom[edge] - bottom[0] - top[edge] + top[0]);
}

static int product_sum(const unsigned char *frame, const unsigned char *model, int x0, int y0, int edge)
{
	int sum = 0;
	for (int y = 0; y < edge; y++)
		for (int x = 0; x < edge; x++)
			sum += frame[clamp_to(y0 + y, HEIGHT) * WIDTH + clamp_to(x0 + x, WIDTH)] * model[y * edge + x];
	return sum;
}

/* One point, one frame, with integral images. */
static void reference(const unsigned char *frame, struct offset *place, unsigned char *model, int radius)
{
	static long long sum[(MAX_WINDOW + 1) * (MAX_WINDOW + 1)], squares[(MAX_WINDOW + 1) * (MAX_WINDOW + 1)];
	int edge = 2 * radius + 1, best = 0;
	double best_score = -2;
	struct moments own = {0, 0};
	for (int i = 0; i < edge * edge; i++) {
		own.sum += model[i];
		own.squares += model[i] * model[i];
	}
	integrate(frame, *place, radius, sum, squares);
	for (int i = 0; i < edge * edge; i++) {
		int x = i % edge, y = i / edge;
		struct moments here = {box(sum, x, y, edge), box(squares, x, y, edge)};
		int products = product_sum(frame, model, place->x - 2 * radius + x, place->y - 2 * radius + y, edge);
		double score = correlation(edge * edge, own, here, products);
		best = score > best_score ? i : best;
		best_score = score > best_score ? score : best_score;
	}
	place->x += best % edge - radius;
	place->y += best / edge - radius;
	for (int i = 0; i < edge * edge; i++) {
		int x = place->x + i % edge - radius, y = place->y + i / edge - radius;
		int found = frame[clamp_to(y, HEIGHT) * WIDTH + clamp_to(x, WIDTH)];
		model[i] = (unsigned char)((model[i] * KEEP + found * (256 - KEEP) + 128) / 256);
	}
}

/* All places must agree after all frames, and so all that led to them. */
static bool check(const struct offset *got, const unsigned char *spots, unsigned char *frame, int frames, int points,
                  int radius)
{
	int edge = 2 * radius + 1;
	struct offset *want = WORKLOAD_HOST(struct offset, points);
	unsigned char *model = WORKLOAD_HOST(unsigned char, points *edge *edge);
	place_points(want, points);
	make_frame(spots, frame, 0);
	for (int i = 0; i < points * edge * edge; i++) {
		int x = want[i / (edge * edge)].x + i % edge - radius, y = want[i / (edge * edge)].y + i / edge % edge - radius;
		model[i] = frame[clamp_to(y, HEIGHT) * WIDTH + clamp_to(x, WIDTH)];
	}
	for (int f = 1; f <= frames; f++) {
		make_frame(spots, frame, f);
		for (int p = 0; p < points; p++)
			reference(frame, want + p, model + p * edge * edge, radius);
	}
	return workload_same_ints("place", (const int *)got, (const int *)want, 2 * (size_t)points);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("heartwall", "tracks points by correlation", param, 3, argc, argv);
	int frames = (int)workload_value(&w, "frames"), points = (int)workload_value(&w, "points");
	int radius = (int)workload_value(&w, "radius"), edge = 2 * radius + 1;
	unsigned char *spots = WORKLOAD_HOST(unsigned char, WIDTH *HEIGHT);
	unsigned char *frame = WORKLOAD_HOST(unsigned char, WIDTH *HEIGHT);
	unsigned char *device_frame = WORKLOAD_DEVICE(unsigned char, WIDTH *HEIGHT);
	unsigned char *device_templates = WORKLOAD_DEVICE(unsigned char, points *edge *edge);
	struct offset *place = WORKLOAD_HOST(struct offset, points);
	struct offset *device_place = WORKLOAD_DEVICE(struct offset, points);
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		spots[i] = (unsigned char)workload_below(&w, 256);
	place_points(place, points);
	make_frame(spots, frame, 0);
	WORKLOAD_CUDA(cudaMemcpy(device_place, place, points * sizeof *place, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_frame, frame, WIDTH * HEIGHT, cudaMemcpyHostToDevice));
	workload_start(&w);
	take_templates<<<points, THREADS>>>(device_frame, device_place, device_templates, radius);
	workload_stop(&w);
	for (int f = 1; f <= frames; f++) {
		make_frame(spots, frame, f);
		WORKLOAD_CUDA(cudaMemcpy(device_frame, frame, WIDTH * HEIGHT, cudaMemcpyHostToDevice));
		workload_start(&w);
		track<<<points, THREADS>>>(device_frame, device_place, device_templates, radius);
		workload_stop(&w);
	}
	WORKLOAD_CUDA(cudaMemcpy(place, device_place, points * sizeof *place, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(place, spots, frame, frames, points, radius));
}
