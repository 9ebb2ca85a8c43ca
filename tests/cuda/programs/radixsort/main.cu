#include "sort.cuh"
#include "verify.h"
#include <algorithm>
#include <vector>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3000, wrong = 0;
	std::vector<unsigned> keys(n), got(n);
	for (int i = 0; i < n; i++)
		keys[i] = (unsigned)i * 2654435761u ^ (unsigned)i << 7;
	unsigned *d_keys, *d_scratch;
	CHECK_CUDA(cudaMalloc((void **)&d_keys, n * sizeof(unsigned)));
	CHECK_CUDA(cudaMalloc((void **)&d_scratch, n * sizeof(unsigned)));
	CHECK_CUDA(cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
	radix_sort(d_keys, d_scratch, n);
	CHECK_CUDA(cudaMemcpy(got.data(), d_keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
	std::sort(keys.begin(), keys.end());
	for (int i = 0; i < n; i++)
		wrong += got[i] != keys[i];
	return verify_result("radixsort", wrong);
}
