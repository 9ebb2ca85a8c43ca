/* Bitonic sort of keys with values: small strides in shared memory, large ones in global memory, the host loops. */
#include "verify.h"

#define SHARED_LIMIT 256

__device__ inline void Comparator(unsigned &keyA, unsigned &valA, unsigned &keyB, unsigned &valB,
                                  unsigned dir)
{
	if ((keyA > keyB) == dir) {
		unsigned t = keyA;
		keyA = keyB;
		keyB = t;
		t = valA;
		valA = valB;
		valB = t;
	}
}

__global__ void bitonicSortShared(unsigned *keys, unsigned *values)
{
	__shared__ unsigned s_key[SHARED_LIMIT], s_val[SHARED_LIMIT];
	unsigned base = blockIdx.x * SHARED_LIMIT + threadIdx.x;
	for (unsigned k = 0; k < SHARED_LIMIT; k += SHARED_LIMIT / 2) {
		s_key[threadIdx.x + k] = keys[base + k];
		s_val[threadIdx.x + k] = values[base + k];
	}
	for (unsigned size = 2; size <= SHARED_LIMIT; size <<= 1) {
		unsigned ddd = ((blockIdx.x * (SHARED_LIMIT / 2) + threadIdx.x) & (size / 2)) == 0;
		for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
			__syncthreads();
			unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
			Comparator(s_key[pos], s_val[pos], s_key[pos + stride], s_val[pos + stride], ddd);
		}
	}
	__syncthreads();
	for (unsigned k = 0; k < SHARED_LIMIT; k += SHARED_LIMIT / 2) {
		keys[base + k] = s_key[threadIdx.x + k];
		values[base + k] = s_val[threadIdx.x + k];
	}
}

__global__ void bitonicMergeGlobal(unsigned *keys, unsigned *values, unsigned n, unsigned size,
                                   unsigned stride)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, half = i & (n / 2 - 1);
	unsigned ddd = 1 ^ ((half & (size / 2)) != 0), pos = 2 * i - (i & (stride - 1));
	unsigned keyA = keys[pos], valA = values[pos], keyB = keys[pos + stride], valB = values[pos + stride];
	Comparator(keyA, valA, keyB, valB, ddd);
	keys[pos] = keyA;
	values[pos] = valA;
	keys[pos + stride] = keyB;
	values[pos + stride] = valB;
}

int main(int argc, char **argv)
{
	enum { N = 2048 };
	static unsigned keys[N], values[N], original[N];
	unsigned *d_keys, *d_values, wrong = 0;
	for (unsigned i = 0; i < N; i++) {
		original[i] = keys[i] = i * 2654435761u >> 20;
		values[i] = i;
	}
	CHECK_CUDA(cudaMalloc((void **)&d_keys, sizeof keys));
	CHECK_CUDA(cudaMalloc((void **)&d_values, sizeof values));
	CHECK_CUDA(cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
	bitonicSortShared<<<N / SHARED_LIMIT, SHARED_LIMIT / 2>>>(d_keys, d_values);
	for (unsigned size = 2 * SHARED_LIMIT; size <= N; size <<= 1)
		for (unsigned stride = size / 2; stride > 0; stride >>= 1)
			bitonicMergeGlobal<<<N / 2 / 128, 128>>>(d_keys, d_values, N, size, stride);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy(keys, d_keys, sizeof keys, cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < N; i++)
		wrong += (i > 0 && keys[i - 1] > keys[i]) || values[i] >= N || original[values[i]] != keys[i];
	return verify_result("bitonic", (int)wrong);
}
