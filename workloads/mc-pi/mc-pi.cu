/*
 * Pi from the share of random points that fall within a circle. Every thread keeps a generator of its own in memory,
 * one struct after the other, so that the loads of its fields by a warp meet in the same few lines.
 */
#include "../common/workload.h"

enum { THREADS = 128 };

static struct workload_param param[] = {
	{"points", "random points", 8192, 1 << 20, 100000, 1, 1 << 30},
	{"ctas", "CTAs of 128 threads that share them", 16, 2048, 195, 1, 65535},
};

/* Marsaglia's xorwow: five words that shift and one that counts. */
struct generator {
	uint32_t word[5], counter;
};

static __host__ __device__ uint32_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (uint32_t)(z >> 32);
}

static __host__ __device__ void seed(struct generator *g, uint64_t number)
{
	for (int i = 0; i < 5; i++)
		g->word[i] = mix((6 * number + i + 1) * 0x9e3779b97f4a7c15ull) | 1;
	g->counter = mix((6 * number + 6) * 0x9e3779b97f4a7c15ull);
}

static __host__ __device__ uint32_t draw(struct generator *g)
{
	uint32_t t = g->word[0] ^ g->word[0] >> 2;
	for (int i = 0; i < 4; i++)
		g->word[i] = g->word[i + 1];
	g->word[4] = g->word[4] ^ g->word[4] << 4 ^ t ^ t << 1;
	g->counter += 362437;
	return g->word[4] + g->counter;
}

/* In [0, 1), a multiple of 2^-24. */
static __host__ __device__ float draw_unit(struct generator *g)
{
	return (float)(draw(g) >> 8) * (1.0f / 16777216);
}

__global__ void seed_generators(struct generator *generator, uint64_t first)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	seed(&generator[i], first + i);
}

/* Hits of each CTA; the generators go on where they stopped. */
__global__ void count_hits(struct generator *generator, int *hits, int points)
{
	__shared__ int sum[THREADS];
	int i = blockIdx.x * blockDim.x + threadIdx.x, own = 0;
	struct generator g = generator[i];
	for (int p = i; p < points; p += gridDim.x * blockDim.x) {
		float x = draw_unit(&g), y = draw_unit(&g);
		own += fmaf(x, x, y * y) <= 1.0f;
	}
	generator[i] = g;
	sum[threadIdx.x] = own;
	for (int left = THREADS / 2; left; left /= 2) {
		__syncthreads();
		if (threadIdx.x < left)
			sum[threadIdx.x] += sum[threadIdx.x + left];
	}
	if (threadIdx.x == 0)
		hits[blockIdx.x] = sum[0];
}

static long long reference(uint64_t first, long long threads, long long points)
{
	long long hits = 0;
	for (long long i = 0; i < threads; i++) {
		struct generator g;
		seed(&g, first + i);
		for (long long p = i; p < points; p += threads) {
			double x = (double)draw_unit(&g), y = (double)draw_unit(&g);
			hits += x * x + y * y <= 1;
		}
	}
	return hits;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("mc-pi", "pi by random points", param, 2, argc, argv);
	int points = (int)workload_value(&w, "points"), ctas = (int)workload_value(&w, "ctas");
	size_t threads = (size_t)ctas * THREADS;
	uint64_t first = workload_random(&w) >> 8;
	struct generator *generator = WORKLOAD_DEVICE(struct generator, threads);
	int *hits = WORKLOAD_HOST(int, ctas), *device_hits = WORKLOAD_DEVICE(int, ctas);

	workload_start(&w);
	seed_generators<<<ctas, THREADS>>>(generator, first);
	count_hits<<<ctas, THREADS>>>(generator, device_hits, points);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(hits, device_hits, ctas * sizeof(int), cudaMemcpyDeviceToHost));
	long long got = 0, want = reference(first, (long long)threads, points);
	for (int i = 0; i < ctas; i++)
		got += hits[i];
	/* A point within rounding of the circle may fall to either side. */
	bool same = llabs(got - want) <= 1 + points / 1000000;
	return workload_close(&w, same && fabs(4.0 * (double)got / points - 3.14159265) < 8 / sqrt((double)points));
}
