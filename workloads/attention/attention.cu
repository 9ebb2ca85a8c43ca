/*
 * Attention, forward, causal, in tiles: O = softmax(Q K^T / sqrt(d)) V without the matrix of scores in memory. A CTA has
 * 64 queries of one head, 16 for each of its four warps; tiles of 64 keys and values come by asynchronous copies, the
 * next while one is used. Maximum and sum of each row are carried along and what was summed is rescaled.
 */
#include "../common/tensor.h"

enum { QUERIES = 64, KEYS = 64, WIDTH = 64, THREADS = 128, PITCH = WIDTH + 8, TILE = KEYS * PITCH };

static struct workload_param param[] = {
	{"heads", "heads, of all sequences together", 2, 32, 128, 1, 1024},
	{"length", "queries and keys of a head, rounded up to 64", 128, 512, 1024, 1, 8192},
};

static __device__ __forceinline__ void fetch(half *tile, const half *rows)
{
	#pragma unroll
	for (int p = 0; p < KEYS * WIDTH / 8 / THREADS; p++) {
		int i = threadIdx.x + p * THREADS;
		copy_async(tile + i / (WIDTH / 8) * PITCH + i % (WIDTH / 8) * 8, rows + i * 8);
	}
}

/* score (16 x 64) = query (16 x 64) times the keys' rows. */
static __device__ __forceinline__ void score_tile(float (*score)[4], const uint32_t (*query)[4], const half *keys)
{
	int lane = threadIdx.x % 32;
	#pragma unroll
	for (int j = 0; j < KEYS / 8; j++) {
		uint32_t key[2][4];
		#pragma unroll
		for (int half_width = 0; half_width < 2; half_width++)
			tensor_load(key[half_width], keys + (j * 8 + lane % 8) * PITCH + half_width * 32 + lane / 8 * 8);
		#pragma unroll
		for (int i = 0; i < 4; i++)
			score[j][i] = 0;
		#pragma unroll
		for (int d = 0; d < WIDTH / 16; d++)
			tensor_multiply(score[j], query[d], key[d / 2][d % 2 * 2], key[d / 2][d % 2 * 2 + 1]);
	}
}

/* Keys behind the query do not count. */
static __device__ __forceinline__ void mask_tile(float (*score)[4], int query, int key)
{
	#pragma unroll
	for (int j = 0; j < KEYS / 8; j++)
		#pragma unroll
		for (int i = 0; i < 4; i++)
			if (key + j * 8 + i % 2 > query + i / 2 * 8)
				score[j][i] = -INFINITY;
}

/* Over the four lanes that hold a row. */
static __device__ __forceinline__ float row_max(float x)
{
	x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
	return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

static __device__ __forceinline__ float row_sum(float x)
{
	x += __shfl_xor_sync(0xffffffffu, x, 1);
	return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

struct softmax {
	float most[2], sum[2]; /* of the lane's two rows; most is in units of log2 */
};

/* Scores become weights; what was summed before is brought to the new maximum. */
static __device__ __forceinline__ void weigh_tile(struct softmax *state, float (*score)[4], float (*out)[4], float scale)
{
	#pragma unroll
	for (int r = 0; r < 2; r++) {
		float most = state->most[r];
		#pragma unroll
		for (int j = 0; j < KEYS / 8; j++)
			most = fmaxf(most, scale * fmaxf(score[j][r * 2], score[j][r * 2 + 1]));
		most = row_max(most);
		float shrink = exp2f(state->most[r] - most), sum = 0;
		#pragma unroll
		for (int j = 0; j < KEYS / 8; j++)
			#pragma unroll
			for (int i = r * 2; i < r * 2 + 2; i++) {
				score[j][i] = exp2f(score[j][i] * scale - most);
				sum += score[j][i];
			}
		state->sum[r] = state->sum[r] * shrink + sum;
		state->most[r] = most;
		#pragma unroll
		for (int j = 0; j < WIDTH / 8; j++) {
			out[j][r * 2] *= shrink;
			out[j][r * 2 + 1] *= shrink;
		}
	}
}

/* out (16 x 64) += weights (16 x 64) times the values' rows. */
static __device__ __forceinline__ void add_values(float (*out)[4], const float (*weight)[4], const half *values)
{
	int lane = threadIdx.x % 32;
	#pragma unroll
	for (int key = 0; key < KEYS / 16; key++) {
		const float *low = weight[key * 2], *high = weight[key * 2 + 1];
		uint32_t a[4] = {tensor_pack(low[0], low[1]), tensor_pack(low[2], low[3]), tensor_pack(high[0], high[1]),
		                 tensor_pack(high[2], high[3])};
		#pragma unroll
		for (int j = 0; j < WIDTH / 16; j++) {
			uint32_t value[4];
			tensor_load_transposed(value, values + (key * 16 + lane % 16) * PITCH + j * 16 + lane / 16 * 8);
			tensor_multiply(out[j * 2], a, value[0], value[1]);
			tensor_multiply(out[j * 2 + 1], a, value[2], value[3]);
		}
	}
}

__global__ void __launch_bounds__(THREADS) attend(const half *q, const half *k, const half *v, half *o, int length,
                                                  float scale)
{
	__shared__ __align__(16) half tile_q[QUERIES * PITCH], tile_k[2][TILE], tile_v[2][TILE];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tiles = blockIdx.x + 1;
	size_t head = (size_t)blockIdx.y * length * WIDTH;
	q += head + (size_t)blockIdx.x * QUERIES * WIDTH, k += head, v += head;
	fetch(tile_q, q);
	fetch(tile_k[0], k);
	fetch(tile_v[0], v);
	copy_async_commit();
	uint32_t query[WIDTH / 16][4];
	float out[WIDTH / 8][4] = {};
	struct softmax state = {{-INFINITY, -INFINITY}, {0, 0}};
	int row = blockIdx.x * QUERIES + warp * 16 + lane / 4;
	for (int t = 0; t < tiles; t++) {
		copy_async_wait<0>();
		__syncthreads();
		if (t + 1 < tiles) {
			fetch(tile_k[(t + 1) % 2], k + (size_t)(t + 1) * KEYS * WIDTH);
			fetch(tile_v[(t + 1) % 2], v + (size_t)(t + 1) * KEYS * WIDTH);
			copy_async_commit();
		}
		if (t == 0)
			#pragma unroll
			for (int d = 0; d < WIDTH / 16; d++)
				tensor_load(query[d], tile_q + (warp * 16 + lane % 16) * PITCH + d * 16 + lane / 16 * 8);
		float score[KEYS / 8][4];
		score_tile(score, query, tile_k[t % 2]);
		if (t + 1 == tiles)
			mask_tile(score, row, t * KEYS + lane % 4 * 2);
		weigh_tile(&state, score, out, scale);
		add_values(out, score, tile_v[t % 2]);
	}
	o += head + (size_t)row * WIDTH + lane % 4 * 2;
	#pragma unroll
	for (int r = 0; r < 2; r++) {
		float share = 1 / row_sum(state.sum[r]);
		#pragma unroll
		for (int j = 0; j < WIDTH / 8; j++)
			*(half2 *)(o + r * 8 * WIDTH + j * 8) =
			    __floats2half2_rn(out[j][r * 2] * share, out[j][r * 2 + 1] * share);
	}
}

/* One row of the result, in double. */
static void reference(const float *q, const float *k, const float *v, float *o, size_t row, double scale, double *weight)
{
	double most = -INFINITY, sum = 0;
	for (size_t key = 0; key <= row; key++) {
		double dot = 0;
		for (size_t d = 0; d < WIDTH; d++)
			dot += (double)q[row * WIDTH + d] * k[key * WIDTH + d];
		weight[key] = dot * scale;
		most = weight[key] > most ? weight[key] : most;
	}
	for (size_t key = 0; key <= row; key++)
		sum += weight[key] = exp(weight[key] - most);
	for (size_t d = 0; d < WIDTH; d++) {
		double value = 0;
		for (size_t key = 0; key <= row; key++)
			value += weight[key] * v[key * WIDTH + d];
		o[d] = (float)(value / sum);
	}
}

static bool check(const float *q, const float *k, const float *v, const float *o, size_t heads, size_t length)
{
	double *weight = WORKLOAD_HOST(double, length);
	size_t step = tensor_checked_step(heads * length, length, WIDTH);
	bool ok = true;
	for (size_t row = 0; ok && row < heads * length; row += step) {
		size_t head = row / length * length * WIDTH;
		float want[WIDTH];
		reference(q + head, k + head, v + head, want, row % length, 1 / sqrt((double)WIDTH), weight);
		ok = workload_same_floats("o", o + row * WIDTH, want, WIDTH, 2e-3);
	}
	free(weight);
	return ok;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("attention", "causal attention in tiles, forward", param, 2, argc, argv);
	int heads = (int)workload_value(&w, "heads"), length = tensor_round_up(workload_value(&w, "length"), QUERIES);
	size_t cells = (size_t)heads * length * WIDTH;
	float *q = WORKLOAD_HOST(float, cells), *k = WORKLOAD_HOST(float, cells), *v = WORKLOAD_HOST(float, cells);
	half *device_q = tensor_random(&w, q, cells), *device_k = tensor_random(&w, k, cells);
	half *device_v = tensor_random(&w, v, cells), *device_o = WORKLOAD_DEVICE(half, cells);
	float scale = (float)(1 / sqrt((double)WIDTH) * 1.4426950408889634);

	workload_start(&w);
	attend<<<dim3(length / QUERIES, heads), THREADS>>>(device_q, device_k, device_v, device_o, length, scale);
	workload_stop(&w);

	float *o = tensor_read_halves(device_o, cells);
	return workload_close(&w, check(q, k, v, o, heads, length));
}
