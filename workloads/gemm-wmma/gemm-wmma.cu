/*
 * C = A B on tensor cores with the WMMA API, half in, float out. A CTA computes 64 x 64 of C with four warps, each 32 x
 * 32; tiles of A and B go through registers into shared memory, so a step waits for its loads.
 */
#include <mma.h>

#include "../common/tensor.h"

enum { TILE = 64, DEPTH = 32, THREADS = 128, PITCH_A = DEPTH + 8, PITCH_B = TILE + 8 };

static struct workload_param param[] = {
	{"m", "rows of A, rounded up to 64", 128, 1024, 2048, 1, 16384},
	{"n", "columns of B, rounded up to 64", 128, 1024, 2048, 1, 16384},
	{"k", "columns of A, rounded up to 32", 128, 512, 1024, 1, 4096},
};

/* 256 pieces of 16 bytes of each tile, two by every thread. */
static __device__ void store_tiles(half *tile_a, half *tile_b, const half *a, const half *b, int n, int k)
{
	#pragma unroll
	for (int p = 0; p < TILE * DEPTH / 8 / THREADS; p++) {
		int i = threadIdx.x + p * THREADS;
		int row = i / (DEPTH / 8), piece = i % (DEPTH / 8);
		*(uint4 *)(tile_a + row * PITCH_A + piece * 8) = *(const uint4 *)(a + (size_t)row * k + piece * 8);
	}
	#pragma unroll
	for (int p = 0; p < DEPTH * TILE / 8 / THREADS; p++) {
		int i = threadIdx.x + p * THREADS;
		int row = i / (TILE / 8), piece = i % (TILE / 8);
		*(uint4 *)(tile_b + row * PITCH_B + piece * 8) = *(const uint4 *)(b + (size_t)row * n + piece * 8);
	}
}

__global__ void __launch_bounds__(THREADS) multiply(const half *a, const half *b, float *c, int n, int k)
{
	using namespace nvcuda;
	__shared__ __align__(32) half tile_a[TILE * PITCH_A], tile_b[DEPTH * PITCH_B];
	int row = threadIdx.x / 64 * 32, column = threadIdx.x / 32 % 2 * 32;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
	#pragma unroll
	for (int i = 0; i < 2; i++)
		#pragma unroll
		for (int j = 0; j < 2; j++)
			wmma::fill_fragment(sum[i][j], 0.0f);
	a += (size_t)blockIdx.y * TILE * k;
	b += blockIdx.x * TILE;
	for (int step = 0; step < k; step += DEPTH) {
		store_tiles(tile_a, tile_b, a + step, b + (size_t)step * n, n, k);
		__syncthreads();
		#pragma unroll
		for (int depth = 0; depth < DEPTH; depth += 16) {
			wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left[2];
			wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right[2];
			#pragma unroll
			for (int i = 0; i < 2; i++) {
				wmma::load_matrix_sync(left[i], tile_a + (row + i * 16) * PITCH_A + depth, PITCH_A);
				wmma::load_matrix_sync(right[i], tile_b + depth * PITCH_B + column + i * 16, PITCH_B);
			}
			#pragma unroll
			for (int i = 0; i < 2; i++)
				#pragma unroll
				for (int j = 0; j < 2; j++)
					wmma::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
		}
		__syncthreads();
	}
	c += ((size_t)blockIdx.y * TILE + row) * n + blockIdx.x * TILE + column;
	#pragma unroll
	for (int i = 0; i < 2; i++)
		#pragma unroll
		for (int j = 0; j < 2; j++)
			wmma::store_matrix_sync(c + (size_t)i * 16 * n + j * 16, sum[i][j], n, wmma::mem_row_major);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("gemm-wmma", "C = A B on tensor cores with the WMMA API", param, 3, argc, argv);
	int m = tensor_round_up(workload_value(&w, "m"), TILE), n = tensor_round_up(workload_value(&w, "n"), TILE);
	int k = tensor_round_up(workload_value(&w, "k"), DEPTH);
	size_t cells = (size_t)m * n;
	float *a = WORKLOAD_HOST(float, (size_t)m * k), *b = WORKLOAD_HOST(float, (size_t)k * n);
	float *c = WORKLOAD_HOST(float, cells), *device_c = WORKLOAD_DEVICE(float, cells);
	half *device_a = tensor_random_exact(&w, a, (size_t)m * k), *device_b = tensor_random_exact(&w, b, (size_t)k * n);

	workload_start(&w);
	multiply<<<dim3(n / TILE, m / TILE), THREADS>>>(device_a, device_b, device_c, n, k);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(c, device_c, cells * sizeof *c, cudaMemcpyDeviceToHost));
	return workload_close(&w, tensor_check_product(a, b, c, m, n, k));
}
