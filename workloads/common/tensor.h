/*
 * What the programs of the group `today` share: tensor-core products, matrices from shared memory and asynchronous
 * copies as inline PTX (compute capability 8.0), and numbers in half precision from the seed.
 */
#ifndef TENSOR_H
#define TENSOR_H

#include <cuda_fp16.h>

#include "workload.h"

/* ---- tensor cores ---------------------------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t tensor_shared(const void *at)
{
	return (uint32_t)__cvta_generic_to_shared(at);
}

/* Four 8x8 matrices of halves; lane l names row l % 8 of matrix l / 8. */
static __device__ __forceinline__ void tensor_load(uint32_t *matrix, const half *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3])
	             : "r"(tensor_shared(row)));
}

static __device__ __forceinline__ void tensor_load_transposed(uint32_t *matrix, const half *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(matrix[0]), "=r"(matrix[1]), "=r"(matrix[2]), "=r"(matrix[3])
	             : "r"(tensor_shared(row)));
}

/* sum (16 x 8) += a (16 x 16) b (16 x 8). */
static __device__ __forceinline__ void tensor_multiply(float *sum, const uint32_t *a, uint32_t b0,
                                                       uint32_t b1)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
	             "{%8, %9}, {%0, %1, %2, %3};"
	             : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

static __device__ __forceinline__ uint32_t tensor_pack(float low, float high)
{
	half2 both = __floats2half2_rn(low, high);
	return *(const uint32_t *)&both;
}

/* ---- asynchronous copies of 16 bytes from global to shared memory ------------------------------------------ */

static __device__ __forceinline__ void copy_async(half *shared, const half *global)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(tensor_shared(shared)), "l"(global)
	             : "memory");
}

/* Zeros where `inside` is false; nothing is read then. */
static __device__ __forceinline__ void copy_async_if(half *shared, const half *global, bool inside)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(tensor_shared(shared)),
	             "l"(global), "r"(inside ? 16 : 0)
	             : "memory");
}

static __device__ __forceinline__ void copy_async_commit(void)
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Until at most PENDING of the thread's groups are not there yet. */
template <int PENDING> static __device__ __forceinline__ void copy_async_wait(void)
{
	asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

/* Multiples of 1/16 from -1 to 1: products and sums of thousands of them are exact in float, in any order. */
static inline half *tensor_random_exact(struct workload *w, float *host, size_t count)
{
	half *halves = WORKLOAD_HOST(half, count), *device = WORKLOAD_DEVICE(half, count);
	for (size_t i = 0; i < count; i++) {
		host[i] = ((float)workload_below(w, 33) - 16) / 16;
		halves[i] = __float2half(host[i]);
	}
	WORKLOAD_CUDA(cudaMemcpy(device, halves, count * sizeof *halves, cudaMemcpyHostToDevice));
	free(halves);
	return device;
}

/* From -1 to 1, as half precision has them. */
static inline half *tensor_random(struct workload *w, float *host, size_t count)
{
	half *halves = WORKLOAD_HOST(half, count), *device = WORKLOAD_DEVICE(half, count);
	for (size_t i = 0; i < count; i++) {
		halves[i] = __float2half(2 * workload_unit(w) - 1);
		host[i] = __half2float(halves[i]);
	}
	WORKLOAD_CUDA(cudaMemcpy(device, halves, count * sizeof *halves, cudaMemcpyHostToDevice));
	free(halves);
	return device;
}

/* Halves of the device as floats of the host. */
static inline float *tensor_read_halves(const half *device, size_t count)
{
	half *halves = WORKLOAD_HOST(half, count);
	float *host = WORKLOAD_HOST(float, count);
	WORKLOAD_CUDA(cudaMemcpy(halves, device, count * sizeof *halves, cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < count; i++)
		host[i] = __half2float(halves[i]);
	free(halves);
	return host;
}

static inline int tensor_round_up(long long n, int tile)
{
	return (int)((n + tile - 1) / tile * tile);
}

/* Rows of C = A B that are checked: all of small products, every few of large ones. */
static inline size_t tensor_checked_step(size_t m, size_t n, size_t k)
{
	double work = (double)m * (double)n * (double)k, most = 1 << 27;
	return work <= most ? 1 : (size_t)(work / most) + 1;
}

/* The rows of c that are checked, against products in float, exact for tensor_random_exact(). */
static inline bool tensor_check_product(const float *a, const float *b, const float *c, size_t m, size_t n,
                                        size_t k)
{
	float *want = WORKLOAD_HOST(float, n);
	bool ok = true;
	for (size_t row = 0; ok && row < m; row += tensor_checked_step(m, n, k)) {
		memset(want, 0, n * sizeof *want);
		for (size_t i = 0; i < k; i++)
			for (size_t column = 0; column < n; column++)
				want[column] += a[row * k + i] * b[i * n + column];
		ok = workload_same_floats("c", c + row * n, want, n, 0);
	}
	free(want);
	return ok;
}

#endif
