/* Bitonic sort of integers: a launch per pass of every stage, a thread per pair that is compared and exchanged. */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"n", "keys, a power of two", 2048, 32768, 131072, 2, 1 << 26},
};

/* In stage s, runs of 2^(s+1) keys become sorted, up and down by turns; pass p compares keys 2^(s-p) apart. */
__global__ void compare_exchange(unsigned *keys, unsigned pairs, unsigned stage, unsigned pass)
{
	unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
	if (pair >= pairs)
		return;
	unsigned distance = 1u << (stage - pass);
	unsigned left = pair % distance + pair / distance * 2 * distance, right = left + distance;
	unsigned a = keys[left], b = keys[right];
	bool up = (pair >> stage & 1) == 0;
	keys[left] = up ? min(a, b) : max(a, b);
	keys[right] = up ? max(a, b) : min(a, b);
}

static int ascending(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("bitonic", "bitonic sort", param, 1, argc, argv);
	unsigned n = (unsigned)workload_value(&w, "n");
	if (n & (n - 1)) {
		fprintf(stderr, "bitonic: --n %u: a power of two is wanted\n", n);
		return WORKLOAD_BAD_INPUT;
	}
	unsigned *keys = WORKLOAD_HOST(unsigned, n), *got = WORKLOAD_HOST(unsigned, n);
	unsigned *device_keys = WORKLOAD_DEVICE(unsigned, n);
	for (unsigned i = 0; i < n; i++)
		keys[i] = (unsigned)(workload_random(&w) >> 32);
	WORKLOAD_CUDA(cudaMemcpy(device_keys, keys, n * sizeof *keys, cudaMemcpyHostToDevice));

	workload_start(&w);
	unsigned pairs = n / 2, blocks = (pairs + THREADS - 1) / THREADS;
	for (unsigned stage = 0; 1u << stage < n; stage++)
		for (unsigned pass = 0; pass <= stage; pass++)
			compare_exchange<<<blocks, THREADS>>>(device_keys, pairs, stage, pass);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_keys, n * sizeof *got, cudaMemcpyDeviceToHost));
	qsort(keys, n, sizeof *keys, ascending);
	return workload_close(&w, workload_same_ints("key", (const int *)got, (const int *)keys, n));
}
