/*
 * Attention of one new token per sequence over a cache of keys and values, as a language model decodes: no reuse but
 * between the query heads that share a head of keys. The keys of a head are split among CTAs; a second kernel
 * combines the parts by their maxima and sums.
 */
#include "../common/tensor.h"

enum { WIDTH = 128, THREADS = 128, GROUPS = THREADS / 16, SHARED_BY = 4 /* query heads per head of keys */ };

static struct workload_param param[] = {
	{"sequences", "sequences that decode a token", 2, 8, 32, 1, 256},
	{"heads", "heads of keys; four times as many of queries", 2, 8, 8, 1, 64},
	{"context", "tokens in the cache", 256, 1024, 4096, 1, 65536},
	{"splits", "parts that the keys of a head are cut into", 2, 4, 8, 1, 64},
};

/* 16 lanes have a row of 128 halves, eight each. */
static __device__ __forceinline__ void unpack(float x[8], const half *row)
{
	uint4 raw = *(const uint4 *)(row + threadIdx.x % 16 * 8);
	const half2 *pair = (const half2 *)&raw;
	#pragma unroll
	for (int i = 0; i < 4; i++) {
		float2 two = __half22float2(pair[i]);
		x[i * 2] = two.x;
		x[i * 2 + 1] = two.y;
	}
}

/* A part of a head: maximum, sum and the weighted values; each group of 16 lanes takes every eighth key. */
__global__ void __launch_bounds__(THREADS) attend(const half *q, const half *k, const half *v, float *part, int context,
                                                  float scale)
{
	__shared__ float most_of[GROUPS], sum_of[GROUPS], value_of[GROUPS][WIDTH];
	int group = threadIdx.x / 16, lane = threadIdx.x % 16;
	size_t head = blockIdx.x, cache = head / SHARED_BY * context * WIDTH;
	int first = (int)((long long)context * blockIdx.y / gridDim.y);
	int end = (int)((long long)context * (blockIdx.y + 1) / gridDim.y);
	float query[8], key[8], value[8], out[8] = {}, most = -INFINITY, sum = 0;
	unpack(query, q + head * WIDTH);
	for (int i = first + group; i < end; i += GROUPS) {
		float dot = 0;
		unpack(key, k + cache + (size_t)i * WIDTH);
		unpack(value, v + cache + (size_t)i * WIDTH);
		#pragma unroll
		for (int d = 0; d < 8; d++)
			dot += query[d] * key[d];
		for (int distance = 8; distance; distance /= 2)
			dot += __shfl_xor_sync(0xffffu << (threadIdx.x & 16), dot, distance);
		float next = fmaxf(most, dot * scale), shrink = exp2f(most - next), weight = exp2f(dot * scale - next);
		sum = sum * shrink + weight;
		most = next;
		#pragma unroll
		for (int d = 0; d < 8; d++)
			out[d] = out[d] * shrink + weight * value[d];
	}
	most_of[group] = most;
	sum_of[group] = sum;
	#pragma unroll
	for (int d = 0; d < 8; d++)
		value_of[group][lane * 8 + d] = out[d];
	__syncthreads();
	float all = -INFINITY, total = 0, mine = 0;
	#pragma unroll
	for (int g = 0; g < GROUPS; g++)
		all = fmaxf(all, most_of[g]);
	#pragma unroll
	for (int g = 0; g < GROUPS; g++) {
		float share = most_of[g] == -INFINITY ? 0 : exp2f(most_of[g] - all);
		total += share * sum_of[g];
		mine += share * value_of[g][threadIdx.x];
	}
	part += (head * gridDim.y + blockIdx.y) * (WIDTH + 2);
	part[threadIdx.x] = mine;
	if (threadIdx.x == 0) {
		part[WIDTH] = all;
		part[WIDTH + 1] = total;
	}
}

__global__ void combine(const float *part, float *o, int splits)
{
	float most = -INFINITY, sum = 0, out = 0;
	part += (size_t)blockIdx.x * splits * (WIDTH + 2);
	#pragma unroll 4
	for (int s = 0; s < splits; s++)
		most = fmaxf(most, part[s * (WIDTH + 2) + WIDTH]);
	#pragma unroll 4
	for (int s = 0; s < splits; s++) {
		const float *own = part + s * (WIDTH + 2);
		float share = exp2f(own[WIDTH] - most);
		sum += share * own[WIDTH + 1];
		out += share * own[threadIdx.x];
	}
	o[(size_t)blockIdx.x * WIDTH + threadIdx.x] = out / sum;
}

static void reference(const float *q, const float *k, const float *v, float *o, size_t context, double scale,
                      double *weight)
{
	double most = -INFINITY, sum = 0;
	for (size_t i = 0; i < context; i++) {
		double dot = 0;
		for (size_t d = 0; d < WIDTH; d++)
			dot += (double)q[d] * k[i * WIDTH + d];
		weight[i] = dot * scale;
		most = weight[i] > most ? weight[i] : most;
	}
	for (size_t i = 0; i < context; i++)
		sum += weight[i] = exp(weight[i] - most);
	for (size_t d = 0; d < WIDTH; d++) {
		double value = 0;
		for (size_t i = 0; i < context; i++)
			value += weight[i] * v[i * WIDTH + d];
		o[d] = (float)(value / sum);
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("decode-attention", "attention of new tokens over a cache of keys and values",
	                                  param, 4, argc, argv);
	int context = (int)workload_value(&w, "context"), splits = (int)workload_value(&w, "splits");
	size_t caches = workload_value(&w, "sequences") * workload_value(&w, "heads"), heads = caches * SHARED_BY;
	size_t cells = caches * context * WIDTH;
	if (splits > context)
		splits = context;
	float *q = WORKLOAD_HOST(float, heads * WIDTH), *k = WORKLOAD_HOST(float, cells), *v = WORKLOAD_HOST(float, cells);
	float *o = WORKLOAD_HOST(float, heads * WIDTH), *want = WORKLOAD_HOST(float, heads * WIDTH);
	half *device_q = tensor_random(&w, q, heads * WIDTH), *device_k = tensor_random(&w, k, cells);
	half *device_v = tensor_random(&w, v, cells);
	float *part = WORKLOAD_DEVICE(float, heads * splits * (WIDTH + 2)), *device_o = WORKLOAD_DEVICE(float, heads * WIDTH);
	double scale = 1 / sqrt((double)WIDTH), *weight = WORKLOAD_HOST(double, context);

	workload_start(&w);
	attend<<<dim3((unsigned)heads, splits), THREADS>>>(device_q, device_k, device_v, part, context,
	                                                   (float)(scale * 1.4426950408889634));
	combine<<<(unsigned)heads, WIDTH>>>(part, device_o, splits);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(o, device_o, heads * WIDTH * sizeof *o, cudaMemcpyDeviceToHost));
	for (size_t h = 0; h < heads; h++)
		reference(q + h * WIDTH, k + h / SHARED_BY * context * WIDTH, v + h / SHARED_BY * context * WIDTH,
		          want + h * WIDTH, context, scale, weight);
	return workload_close(&w, workload_same_floats("o", o, want, heads * WIDTH, 1e-4));
}
