/*
 * Embedding of tokens: row t of the result is the table's row of token t plus the position's row. A warp copies a row, 16
 * bytes per lane; tokens are skewed as words are, so that some rows come back while they are in L2.
 */
#include "../common/workload.h"

enum { THREADS = 256, WARPS = THREADS / 32 };

static struct workload_param param[] = {
	{"tokens", "tokens", 512, 16384, 65536, 1, 1 << 22},
	{"words", "rows of the table", 1000, 50257, 50257, 1, 1 << 20},
	{"columns", "elements of a row, rounded up to 4", 128, 768, 1024, 1, 1 << 14},
	{"length", "positions, after which they begin anew", 128, 1024, 2048, 1, 1 << 16},
};

__global__ void __launch_bounds__(THREADS) gather(const int *token, const float4 *table, const float4 *position, float4 *out,
                                                  int tokens, int quads, int length)
{
	int t = blockIdx.x * WARPS + threadIdx.x / 32;
	if (t >= tokens)
		return;
	const float4 *row = table + (size_t)token[t] * quads, *at = position + (size_t)(t % length) * quads;
	out += (size_t)t * quads;
	#pragma unroll 4
	for (int i = threadIdx.x % 32; i < quads; i += 32) {
		float4 a = row[i], b = at[i];
		out[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("embedding", "embedding of tokens and positions", param, 4, argc, argv);
	size_t tokens = workload_value(&w, "tokens"), words = workload_value(&w, "words");
	size_t length = workload_value(&w, "length"), columns = (workload_value(&w, "columns") + 3) / 4 * 4;
	int *token = WORKLOAD_HOST(int, tokens), *device_token = WORKLOAD_DEVICE(int, tokens);
	float *table = WORKLOAD_HOST(float, words * columns), *position = WORKLOAD_HOST(float, length * columns);
	float *out = WORKLOAD_HOST(float, tokens * columns), *want = WORKLOAD_HOST(float, tokens * columns);
	float *device_table = workload_random_floats(&w, table, words * columns);
	float *device_position = workload_random_floats(&w, position, length * columns);
	float *device_out = WORKLOAD_DEVICE(float, tokens * columns);
	for (size_t t = 0; t < tokens; t++)
		token[t] = (int)workload_below(&w, workload_below(&w, (uint32_t)words) + 1);
	WORKLOAD_CUDA(cudaMemcpy(device_token, token, tokens * sizeof *token, cudaMemcpyHostToDevice));

	workload_start(&w);
	gather<<<(unsigned)((tokens + WARPS - 1) / WARPS), THREADS>>>(device_token, (const float4 *)device_table,
	                                                              (const float4 *)device_position, (float4 *)device_out,
	                                                              (int)tokens, (int)(columns / 4), (int)length);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(out, device_out, tokens * columns * sizeof *out, cudaMemcpyDeviceToHost));
	for (size_t t = 0; t < tokens; t++)
		for (size_t i = 0; i < columns; i++)
			want[t * columns + i] = table[token[t] * columns + i] + position[t % length * columns + i];
	return workload_close(&w, workload_same_floats("out", out, want, tokens * columns, 0));
}
