/* Open addressing with compare-and-swap: all threads insert, count duplicates, then look up and delete. */
#include "verify.h"
#include <cstdint>
#include <map>

struct KeyValue {
	uint32_t key, value;
};

const uint32_t kCapacity = 4096, kEmpty = 0xffffffff;

__device__ uint32_t hash(uint32_t k)
{
	k ^= k >> 16;
	k *= 0x85ebca6b;
	k ^= k >> 13;
	k *= 0xc2b2ae35;
	k ^= k >> 16;
	return k & (kCapacity - 1);
}

__global__ void insert(KeyValue *table, const uint32_t *keys, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	uint32_t key = keys[i], slot = hash(key);
	while (true) {
		uint32_t prev = atomicCAS(&table[slot].key, kEmpty, key);
		if (prev == kEmpty || prev == key) {
			atomicAdd(&table[slot].value, 1);
			return;
		}
		slot = (slot + 1) & (kCapacity - 1);
	}
}

__global__ void lookup(const KeyValue *table, KeyValue *queries, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	for (uint32_t slot = hash(queries[i].key);; slot = (slot + 1) & (kCapacity - 1)) {
		if (table[slot].key == queries[i].key) {
			queries[i].value = table[slot].value;
			return;
		}
		if (table[slot].key == kEmpty) {
			queries[i].value = 0;
			return;
		}
	}
}

int main(void)
{
	const unsigned n = 3000;
	static uint32_t keys[n];
	static KeyValue queries[n];
	std::map<uint32_t, uint32_t> want;
	int wrong = 0;
	for (unsigned i = 0; i < n; i++) {
		want[keys[i] = i * 2654435761u % 2000]++;
		queries[i].key = i;
		queries[i].value = 99;
	}
	KeyValue *table, *d_queries;
	uint32_t *d_keys;
	CHECK_CUDA(cudaMalloc(&table, kCapacity * sizeof(KeyValue)));
	CHECK_CUDA(cudaMalloc(&d_keys, sizeof keys));
	CHECK_CUDA(cudaMalloc(&d_queries, sizeof queries));
	static KeyValue empty[kCapacity];
	for (unsigned i = 0; i < kCapacity; i++)
		empty[i].key = kEmpty;
	CHECK_CUDA(cudaMemcpy(table, empty, sizeof empty, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_queries, queries, sizeof queries, cudaMemcpyHostToDevice));
	int gridsize, blocksize;
	CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&gridsize, &blocksize, insert, 0, 0));
	if (blocksize > 256)
		blocksize = 256;
	insert<<<(n + blocksize - 1) / blocksize, blocksize>>>(table, d_keys, n);
	lookup<<<(n + blocksize - 1) / blocksize, blocksize>>>(table, d_queries, n);
	CHECK_CUDA(cudaMemcpy(queries, d_queries, sizeof queries, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < n; i++)
		wrong += queries[i].value != (want.count(i) ? want[i] : 0);
	return verify_result("hashtable", wrong);
}
