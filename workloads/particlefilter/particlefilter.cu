/*
 * Follows an object through a noisy film with a particle filter, one thread per particle: move and weigh each guess,
 * normalise, sum up, and draw the next guesses by a linear walk through the sums. Naive: the device only draws.
 */
#include "../common/workload.h"

enum { THREADS = 128, RADIUS = 5, MOST_DISK = (2 * RADIUS - 1) * (2 * RADIUS - 1) };

static const float TURN = 6.2831853f;

static struct workload_param param[] = {
	{"particles", "guesses", 256, 1000, 1000, 1, 1 << 15},
	{"frames", "pictures of the film", 3, 4, 10, 2, 100},
	{"side", "width and height of a picture", 64, 128, 128, 32, 2048},
	{"naive", "1: all but the drawing of guesses on the host", 0, 0, 0, 0, 1},
};

struct offset {
	int x, y;
};

struct guess {
	float x, y;
};

__host__ __device__ static inline float next_unit(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return ((float)(*seed >> 8) + 0.5f) / 16777216.0f;
}

/* Where the object goes is about known: one to the right and two down, give or take. */
__host__ __device__ static inline struct guess move(struct guess g, unsigned *seed)
{
	float u = next_unit(seed), v = next_unit(seed), r = sqrtf(-2 * logf(u));
	g.x += 1 + 2 * r * cosf(TURN * v);
	g.y += 2 + 2 * r * sinf(TURN * v);
	return g;
}

__host__ __device__ static inline int pixel_at(struct guess g, struct offset o, int side)
{
	int x = (int)floorf(g.x + 0.5f) + o.x, y = (int)floorf(g.y + 0.5f) + o.y;
	x = x < 0 ? 0 : x >= side ? side - 1 : x;
	y = y < 0 ? 0 : y >= side ? side - 1 : y;
	return y * side + x;
}

/* The pixels under each guess are noted in memory, a row per thread, and read back: as the original does. */
__global__ void weigh(struct guess *guess, unsigned *seed, const unsigned char *film,
                      const struct offset *disk, int *pixel, float *weight, float *block_sum, int particles,
                      int disk_size, int side)
{
	__shared__ float sum[THREADS];
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	float own = 0;
	if (p < particles) {
		guess[p] = move(guess[p], &seed[p]);
		for (int k = 0; k < disk_size; k++)
			pixel[p * disk_size + k] = pixel_at(guess[p], disk[k], side);
		float likelihood = 0;
		for (int k = 0; k < disk_size; k++) {
			float grey = film[pixel[p * disk_size + k]];
			likelihood += ((grey - 100) * (grey - 100) - (grey - 228) * (grey - 228)) / 1600;
		}
		own = expf(likelihood / (float)disk_size) / (float)particles;
		weight[p] = own;
	}
	sum[threadIdx.x] = own;
	for (int half = THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			sum[threadIdx.x] += sum[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		block_sum[blockIdx.x] = sum[0];
}

__global__ void add_sums(float *block_sum, int blocks)
{
	float sum = 0;
	for (int b = 0; b < blocks; b++)
		sum += block_sum[b];
	block_sum[0] = sum;
}

__global__ void normalise(float *weight, const float *sum, int particles)
{
	__shared__ float whole;
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		whole = sum[0];
	__syncthreads();
	if (p < particles)
		weight[p] /= whole;
}

/* One thread, one weight after the other. */
__global__ void accumulate(const float *weight, float *sum_to, int particles)
{
	sum_to[0] = weight[0];
	for (int p = 1; p < particles; p++)
		sum_to[p] = weight[p] + sum_to[p - 1];
}

/* The guesses are drawn at even distances along the sums. */
__global__ void draw(const struct guess *guess, const float *sum_to, struct guess *drawn, float first,
                     int particles)
{
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (p >= particles)
		return;
	float mark = first + (float)p / (float)particles;
	int k = 0;
	while (k < particles - 1 && sum_to[k] < mark)
		k++;
	drawn[p] = guess[k];
}

/* Everything of one frame; on the host as the device left it, or as the host made it for the naive variant. */
struct filter {
	int particles, side, disk_size, blocks;
	unsigned *seed;
	struct guess *guess, *drawn;
	float *weight, *sum_to;
	struct offset *disk;
};

struct device {
	unsigned char *film;
	int *pixel;
	float *block_sum;
	struct filter f;
};

static void copy_in(void *to, const void *from, size_t bytes)
{
	WORKLOAD_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

static void copy_out(void *to, const void *from, size_t bytes)
{
	WORKLOAD_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

static void device_frame(struct workload *w, struct device *d, const unsigned char *frame, float first,
                         struct filter *f)
{
	size_t n = f->particles;
	copy_in(d->film, frame, (size_t)f->side * f->side);
	workload_start(w);
	weigh<<<f->blocks, THREADS>>>(d->f.guess, d->f.seed, d->film, d->f.disk, d->pixel, d->f.weight,
	                              d->block_sum, f->particles, f->disk_size, f->side);
	add_sums<<<1, 1>>>(d->block_sum, f->blocks);
	normalise<<<f->blocks, THREADS>>>(d->f.weight, d->block_sum, f->particles);
	accumulate<<<1, 1>>>(d->f.weight, d->f.sum_to, f->particles);
	draw<<<f->blocks, THREADS>>>(d->f.guess, d->f.sum_to, d->f.drawn, first, f->particles);
	workload_stop(w);
	copy_out(f->seed, d->f.seed, n * sizeof *f->seed);
	copy_out(f->guess, d->f.guess, n * sizeof *f->guess);
	copy_out(f->weight, d->f.weight, n * sizeof *f->weight);
	copy_out(f->sum_to, d->f.sum_to, n * sizeof *f->sum_to);
	copy_out(f->drawn, d->f.drawn, n * sizeof *f->drawn);
	WORKLOAD_CUDA(cudaMemcpy(d->f.guess, d->f.drawn, n * sizeof *f->guess, cudaMemcpyDeviceToDevice));
}

static void host_move(struct filter *f)
{
	for (int p = 0; p < f->particles; p++)
		f->guess[p] = move(f->guess[p], &f->seed[p]);
}

static void host_weigh(struct filter *f, const unsigned char *frame)
{
	double *raw = WORKLOAD_HOST(double, f->particles), whole = 0, sum = 0;
	for (int p = 0; p < f->particles; p++) {
		double likelihood = 0;
		for (int k = 0; k < f->disk_size; k++)
			likelihood +=
			    256.0 * (frame[pixel_at(f->guess[p], f->disk[k], f->side)] - 164) / 1600;
		whole += raw[p] = exp(likelihood / f->disk_size);
	}
	for (int p = 0; p < f->particles; p++) {
		f->weight[p] = (float)(raw[p] / whole);
		f->sum_to[p] = (float)(sum += raw[p] / whole);
	}
	free(raw);
}

/* All marks in one walk: they ascend, as the sums do. */
static void host_draw(struct filter *f, float first)
{
	for (int p = 0, k = 0; p < f->particles; p++) {
		float mark = first + (float)p / (float)f->particles;
		while (k < f->particles - 1 && f->sum_to[k] < mark)
			k++;
		f->drawn[p] = f->guess[k];
	}
}

static void naive_frame(struct workload *w, struct device *d, const unsigned char *frame, float first,
                        struct filter *f)
{
	size_t n = f->particles;
	host_move(f);
	host_weigh(f, frame);
	copy_in(d->f.guess, f->guess, n * sizeof *f->guess);
	copy_in(d->f.sum_to, f->sum_to, n * sizeof *f->sum_to);
	workload_start(w);
	draw<<<f->blocks, THREADS>>>(d->f.guess, d->f.sum_to, d->f.drawn, first, f->particles);
	workload_stop(w);
	copy_out(f->drawn, d->f.drawn, n * sizeof *f->drawn);
}

/* Each stage is checked on what the stage before gave on the device: small differences do not grow along the way. */
static bool same_frame(const struct filter *got, struct filter *want, const unsigned char *frame, float first)
{
	size_t n = got->particles;
	host_move(want);
	if (!workload_same_floats("guess", &got->guess->x, &want->guess->x, 2 * n, 1e-4))
		return false;
	memcpy(want->guess, got->guess, n * sizeof *want->guess);
	host_weigh(want, frame);
	if (!workload_same_floats("weight", got->weight, want->weight, n, 1e-3 / (double)n) ||
	    !workload_same_floats("sum", got->sum_to, want->sum_to, n, 1e-4))
		return false;
	memcpy(want->sum_to, got->sum_to, n * sizeof *want->sum_to);
	host_draw(want, first);
	return workload_same_floats("drawn", &got->drawn->x, &want->drawn->x, 2 * n, 0);
}

static void make_frame(struct workload *w, unsigned char *frame, int side, struct guess object)
{
	for (int y = 0; y < side; y++)
		for (int x = 0; x < side; x++) {
			float right = (float)x - object.x, down = (float)y - object.y;
			int grey = right * right + down * down < RADIUS * RADIUS ? 228 : 100;
			frame[y * side + x] = (unsigned char)(grey + (int)workload_below(w, 11) - 5);
		}
}

static int make_disk(struct offset *disk)
{
	int n = 0;
	for (int y = 1 - RADIUS; y < RADIUS; y++)
		for (int x = 1 - RADIUS; x < RADIUS; x++)
			if (x * x + y * y < RADIUS * RADIUS) {
				disk[n].x = x;
				disk[n++].y = y;
			}
	return n;
}

static struct filter new_filter(struct workload *w, int particles, int side, struct guess object)
{
	struct filter f = {particles,
	                   side,
	                   0,
	                   (particles + THREADS - 1) / THREADS,
	                   WORKLOAD_HOST(unsigned, particles),
	                   WORKLOAD_HOST(struct guess, particles),
	                   WORKLOAD_HOST(struct guess, particles),
	                   WORKLOAD_HOST(float, particles),
	                   WORKLOAD_HOST(float, particles),
	                   WORKLOAD_HOST(struct offset, MOST_DISK)};
	f.disk_size = make_disk(f.disk);
	for (int p = 0; p < particles; p++) {
		f.seed[p] = (unsigned)(w->seed * 0x9e3779b9u) ^ (unsigned)p * 0x85ebca6bu;
		f.guess[p] = object;
	}
	return f;
}

static struct device new_device(const struct filter *f)
{
	struct device d = {};
	size_t n = f->particles;
	d.f.seed = WORKLOAD_DEVICE(unsigned, n);
	d.f.guess = WORKLOAD_DEVICE(struct guess, n);
	d.f.drawn = WORKLOAD_DEVICE(struct guess, n);
	d.f.weight = WORKLOAD_DEVICE(float, n);
	d.f.sum_to = WORKLOAD_DEVICE(float, n);
	d.f.disk = WORKLOAD_DEVICE(struct offset, f->disk_size);
	d.film = WORKLOAD_DEVICE(unsigned char, (size_t)f->side * f->side);
	d.pixel = WORKLOAD_DEVICE(int, n * f->disk_size);
	d.block_sum = WORKLOAD_DEVICE(float, f->blocks);
	copy_in(d.f.seed, f->seed, n * sizeof *f->seed);
	copy_in(d.f.guess, f->guess, n * sizeof *f->guess);
	copy_in(d.f.disk, f->disk, f->disk_size * sizeof *f->disk);
	return d;
}

int main(int argc, char **argv)
{
	struct workload w =
	    workload_open("particlefilter", "follows an object through a film", param, 4, argc, argv);
	int particles = (int)workload_value(&w, "particles"), frames = (int)workload_value(&w, "frames");
	int side = (int)workload_value(&w, "side"), naive = (int)workload_value(&w, "naive");
	struct guess object = {side / 4.0f, side / 4.0f};
	struct filter got = new_filter(&w, particles, side, object),
	              want = new_filter(&w, particles, side, object);
	struct device device = new_device(&got);
	unsigned char *frame = WORKLOAD_HOST(unsigned char, (size_t)side * side);
	bool pass = true;
	for (int i = 1; pass && i < frames; i++) {
		float first = workload_unit(&w) / (float)particles;
		object.x += 1;
		object.y += 2;
		make_frame(&w, frame, side, object);
		(naive ? naive_frame : device_frame)(&w, &device, frame, first, &got);
		pass = same_frame(&got, &want, frame, first);
		memcpy(got.guess, got.drawn, particles * sizeof *got.guess);
		memcpy(want.guess, got.drawn, particles * sizeof *want.guess);
	}
	return workload_close(&w, pass);
}
