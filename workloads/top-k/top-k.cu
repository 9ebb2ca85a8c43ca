/*
 * The k largest of each row, as a language model samples from its scores. A CTA finds the k-th value of a row digit by
 * digit, with a histogram of 256 bins in shared memory per digit, collects what is larger, and sorts it.
 */
#include "../common/workload.h"

enum { THREADS = 256, BINS = 256, K_MOST = 256 };

static struct workload_param param[] = {
	{"rows", "rows", 4, 132, 1024, 1, 1 << 16},
	{"columns", "elements of a row", 2000, 32000, 50257, 256, 1 << 20},
	{"k", "how many are wanted", 16, 64, 64, 1, K_MOST},
};

struct shared {
	int bin[BINS], suffix[BINS];
	uint32_t prefix;
	int wanted, found, equal;
	uint32_t key[K_MOST];
	int index[K_MOST];
};

/* Larger floats have larger keys. */
static __device__ __forceinline__ uint32_t key_of(float x)
{
	uint32_t bits = __float_as_uint(x);
	return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static __device__ __forceinline__ float value_of(uint32_t key)
{
	return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

/* Narrows the k-th value down by the eight bits from `shift` on. */
static __device__ void narrow(struct shared *s, const float *x, int columns, int shift)
{
	s->bin[threadIdx.x] = 0;
	__syncthreads();
	uint32_t prefix = s->prefix;
	#pragma unroll 4
	for (int i = threadIdx.x; i < columns; i += THREADS) {
		uint32_t key = key_of(x[i]);
		if (shift == 24 || key >> (shift + 8) == prefix)
			atomicAdd(&s->bin[key >> shift & (BINS - 1)], 1);
	}
	__syncthreads();
	/* How many are in this bin or a higher one. */
	s->suffix[threadIdx.x] = s->bin[threadIdx.x];
	__syncthreads();
	for (int distance = 1; distance < BINS; distance *= 2) {
		int more = threadIdx.x + distance < BINS ? s->suffix[threadIdx.x + distance] : 0;
		__syncthreads();
		s->suffix[threadIdx.x] += more;
		__syncthreads();
	}
	int at_least = s->suffix[threadIdx.x], above = at_least - s->bin[threadIdx.x], wanted = s->wanted;
	__syncthreads();
	if (at_least >= wanted && above < wanted) {
		s->prefix = prefix << 8 | threadIdx.x;
		s->wanted = wanted - above;
	}
	__syncthreads();
}

/* Descending, by value; K_MOST keys, one per thread. */
static __device__ void sort(struct shared *s)
{
	for (int size = 2; size <= K_MOST; size *= 2)
		for (int distance = size / 2; distance; distance /= 2) {
			int mine = threadIdx.x, other = mine ^ distance;
			__syncthreads();
			if (other > mine && (s->key[mine] < s->key[other]) == ((mine & size) == 0)) {
				uint32_t key = s->key[mine];
				int index = s->index[mine];
				s->key[mine] = s->key[other], s->index[mine] = s->index[other];
				s->key[other] = key, s->index[other] = index;
			}
		}
	__syncthreads();
}

__global__ void __launch_bounds__(THREADS) select(const float *x, float *value, int *index, int columns, int k)
{
	__shared__ struct shared s;
	x += (size_t)blockIdx.x * columns;
	s.key[threadIdx.x] = 0;
	if (threadIdx.x == 0) {
		s.prefix = 0;
		s.wanted = k;
		s.found = 0;
		s.equal = 0;
	}
	for (int shift = 24; shift >= 0; shift -= 8)
		narrow(&s, x, columns, shift);
	uint32_t least = s.prefix;
	int wanted = s.wanted; /* of those that equal the k-th */
	#pragma unroll 4
	for (int i = threadIdx.x; i < columns; i += THREADS) {
		uint32_t key = key_of(x[i]);
		if (key > least || (key == least && atomicAdd(&s.equal, 1) < wanted)) {
			int at = atomicAdd(&s.found, 1);
			s.key[at] = key;
			s.index[at] = i;
		}
	}
	sort(&s);
	if (threadIdx.x < k) {
		value[(size_t)blockIdx.x * k + threadIdx.x] = value_of(s.key[threadIdx.x]);
		index[(size_t)blockIdx.x * k + threadIdx.x] = s.index[threadIdx.x];
	}
}

static int compare_down(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return (x < y) - (x > y);
}

/* The values are the k largest, and each index names an element of that value that no other names. */
static bool check_row(const float *x, const float *value, const int *index, float *sorted, char *named, int columns, int k)
{
	memcpy(sorted, x, columns * sizeof *x);
	memset(named, 0, columns);
	qsort(sorted, columns, sizeof *sorted, compare_down);
	for (int i = 0; i < k; i++) {
		if (index[i] < 0 || index[i] >= columns || x[index[i]] != value[i] || named[index[i]]) {
			fprintf(stderr, "place %d names element %d\n", i, index[i]);
			return false;
		}
		named[index[i]] = 1;
	}
	return workload_same_floats("value", value, sorted, k, 0);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("top-k", "the k largest of each row", param, 3, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	int k = (int)workload_value(&w, "k");
	size_t cells = (size_t)rows * columns;
	float *x = WORKLOAD_HOST(float, cells), *value = WORKLOAD_HOST(float, (size_t)rows * k);
	int *index = WORKLOAD_HOST(int, (size_t)rows * k), *device_index = WORKLOAD_DEVICE(int, (size_t)rows * k);
	float *device_x = workload_random_floats(&w, x, cells), *device_value = WORKLOAD_DEVICE(float, (size_t)rows * k);

	workload_start(&w);
	select<<<rows, THREADS>>>(device_x, device_value, device_index, columns, k);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(value, device_value, (size_t)rows * k * sizeof *value, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(index, device_index, (size_t)rows * k * sizeof *index, cudaMemcpyDeviceToHost));
	float *sorted = WORKLOAD_HOST(float, columns);
	char *named = WORKLOAD_HOST(char, columns);
	bool ok = true;
	for (int r = 0; ok && r < rows; r++)
		ok = check_row(x + (size_t)r * columns, value + (size_t)r * k, index + (size_t)r * k, sorted, named, columns, k);
	return workload_close(&w, ok);
}
