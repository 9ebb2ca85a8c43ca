/*
 * C = A B on tensor cores, half in, float out. A CTA computes 128 x 128 of C with eight warps; tiles of A and B, 32 deep,
 * come by asynchronous copies into a ring of three stages, two of them under way while the third is multiplied.
 */
#include "../common/tensor.h"

enum {
	ROWS = 128,
	COLUMNS = 128,
	DEPTH = 32,
	STAGES = 3,
	THREADS = 256,
	PITCH_A = DEPTH + 8, /* eight more halves: rows that ldmatrix reads together fall into different banks */
	PITCH_B = COLUMNS + 8,
	STAGE_A = ROWS * PITCH_A,
	STAGE_B = DEPTH * PITCH_B,
	WARP_ROWS = 64,
	WARP_COLUMNS = 32
};

static struct workload_param param[] = {
	{"m", "rows of A, rounded up to 128", 256, 2048, 4096, 1, 16384},
	{"n", "columns of B, rounded up to 128", 256, 2048, 4096, 1, 16384},
	{"k", "columns of A, rounded up to 32", 128, 512, 1024, 1, 4096},
};

/* One tile of A and one of B: 512 pieces of 16 bytes each. */
static __device__ __forceinline__ void fetch(half *tile_a, half *tile_b, const half *a, const half *b, int n, int k)
{
	#pragma unroll
	for (int p = 0; p < ROWS * DEPTH / 8 / THREADS; p++) {
		int i = threadIdx.x + p * THREADS;
		int row = i / (DEPTH / 8), piece = i % (DEPTH / 8);
		copy_async(tile_a + row * PITCH_A + piece * 8, a + (size_t)row * k + piece * 8);
	}
	#pragma unroll
	for (int p = 0; p < DEPTH * COLUMNS / 8 / THREADS; p++) {
		int i = threadIdx.x + p * THREADS;
		int row = i / (COLUMNS / 8), piece = i % (COLUMNS / 8);
		copy_async(tile_b + row * PITCH_B + piece * 8, b + (size_t)row * n + piece * 8);
	}
}

/* A warp's 64 x 32 of the product of two tiles. */
static __device__ __forceinline__ void multiply_tiles(float (*sum)[4][4], const half *tile_a, const half *tile_b)
{
	int lane = threadIdx.x % 32;
	#pragma unroll
	for (int depth = 0; depth < DEPTH; depth += 16) {
		uint32_t a[4][4], b[2][4];
		#pragma unroll
		for (int i = 0; i < 4; i++)
			tensor_load(a[i], tile_a + (i * 16 + lane % 16) * PITCH_A + depth + lane / 16 * 8);
		#pragma unroll
		for (int j = 0; j < 2; j++)
			tensor_load_transposed(b[j], tile_b + (depth + lane % 16) * PITCH_B + j * 16 + lane / 16 * 8);
		#pragma unroll
		for (int i = 0; i < 4; i++)
			#pragma unroll
			for (int j = 0; j < 4; j++)
				tensor_multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
	}
}

__global__ void __launch_bounds__(THREADS, 2) multiply(const half *a, const half *b, float *c, int n, int k)
{
	extern __shared__ __align__(16) half shared[];
	half *tiles_a = shared, *tiles_b = shared + STAGES * STAGE_A;
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int row = warp / 4 * WARP_ROWS, column = warp % 4 * WARP_COLUMNS, steps = k / DEPTH;
	float sum[4][4][4] = {};
	a += (size_t)blockIdx.y * ROWS * k;
	b += blockIdx.x * COLUMNS;
	#pragma unroll
	for (int s = 0; s < STAGES - 1; s++) {
		if (s < steps)
			fetch(tiles_a + s * STAGE_A, tiles_b + s * STAGE_B, a + s * DEPTH, b + (size_t)s * DEPTH * n, n, k);
		copy_async_commit();
	}
	for (int step = 0; step < steps; step++) {
		copy_async_wait<STAGES - 2>();
		__syncthreads();
		int next = step + STAGES - 1, stage = step % STAGES;
		if (next < steps)
			fetch(tiles_a + next % STAGES * STAGE_A, tiles_b + next % STAGES * STAGE_B, a + next * DEPTH,
			      b + (size_t)next * DEPTH * n, n, k);
		copy_async_commit();
		multiply_tiles(sum, tiles_a + stage * STAGE_A + row * PITCH_A, tiles_b + stage * STAGE_B + column);
	}
	c += ((size_t)blockIdx.y * ROWS + row + lane / 4) * n + blockIdx.x * COLUMNS + column + lane % 4 * 2;
	#pragma unroll
	for (int i = 0; i < 4; i++)
		#pragma unroll
		for (int j = 0; j < 4; j++)
			#pragma unroll
			for (int low = 0; low < 2; low++)
				*(float2 *)(c + (size_t)(i * 16 + low * 8) * n + j * 8) =
				    make_float2(sum[i][j][low * 2], sum[i][j][low * 2 + 1]);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("gemm-async", "C = A B on tensor cores, tiles by asynchronous copies", param, 3,
	                                  argc, argv);
	int m = tensor_round_up(workload_value(&w, "m"), ROWS), n = tensor_round_up(workload_value(&w, "n"), COLUMNS);
	int k = tensor_round_up(workload_value(&w, "k"), DEPTH);
	size_t cells = (size_t)m * n, bytes = STAGES * (STAGE_A + STAGE_B) * sizeof(half);
	float *a = WORKLOAD_HOST(float, (size_t)m * k), *b = WORKLOAD_HOST(float, (size_t)k * n);
	float *c = WORKLOAD_HOST(float, cells), *device_c = WORKLOAD_DEVICE(float, cells);
	half *device_a = tensor_random_exact(&w, a, (size_t)m * k), *device_b = tensor_random_exact(&w, b, (size_t)k * n);
	WORKLOAD_CUDA(cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));

	workload_start(&w);
	multiply<<<dim3(n / COLUMNS, m / ROWS), THREADS, bytes>>>(device_a, device_b, device_c, n, k);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(c, device_c, cells * sizeof *c, cudaMemcpyDeviceToHost));
	return workload_close(&w, tensor_check_product(a, b, c, m, n, k));
}
