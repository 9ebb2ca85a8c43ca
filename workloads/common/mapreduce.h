/*
 * What the map-reduce workloads share. A job runs as Mars lays it out, since a GPU thread cannot allocate:
 *
 *	1. a map over all records counts what each will emit;
 *	2. a scan of the counts gives every record its exact place in the output;
 *	3. the same map emits its pairs there;
 *	4. a bitonic sort brings equal keys together;
 *	5. a reduce takes one group of equal keys per thread.
 *
 * A record is a piece of one long text; a key is a place in a text, so that two keys compare by reading them.
 */
#ifndef MAPREDUCE_H
#define MAPREDUCE_H

#include "workload.h"

enum { MAPREDUCE_THREADS = 256, MAPREDUCE_RECORD_MOST = 4096 };
static const uint32_t MAPREDUCE_NO_KEY =
    0xffffffffu; /* fills a sort up to a power of two; last in every order */

struct __align__(8) mapreduce_pair
{
	uint32_t key, value;
};

/* Below 0, 0 or above 0 as the key of `a` comes before, with or after that of `b`. */
typedef int (*mapreduce_compare)(const char *text, struct mapreduce_pair a, struct mapreduce_pair b);

static inline int mapreduce_blocks(size_t threads)
{
	return (int)((threads + MAPREDUCE_THREADS - 1) / MAPREDUCE_THREADS);
}

/* ---- the input text ------------------------------------------------------------------------------------- */

/* Record i is byte[record[i]] up to byte[record[i + 1]]. */
struct mapreduce_text {
	char *byte, *device_byte;
	uint32_t *record, *device_record;
	size_t bytes, records, record_room;
};

/* Room for records until the text has `bytes`; the last may go past that. */
static inline struct mapreduce_text mapreduce_open_text(size_t bytes)
{
	struct mapreduce_text t = {};
	t.byte = WORKLOAD_HOST(char, bytes + MAPREDUCE_RECORD_MOST);
	t.record_room = 1024;
	t.record = WORKLOAD_HOST(uint32_t, t.record_room);
	return t;
}

static inline void mapreduce_add(struct mapreduce_text *t, const char *string)
{
	size_t length = strlen(string);
	memcpy(t->byte + t->bytes, string, length);
	t->bytes += length;
}

static inline void mapreduce_add_number(struct mapreduce_text *t, unsigned number)
{
	char digits[12];
	snprintf(digits, sizeof digits, "%u", number);
	mapreduce_add(t, digits);
}

/* The word with that number, always the same: one syllable of two letters for each 6 bits. */
static inline void mapreduce_add_word(struct mapreduce_text *t, unsigned number)
{
	do {
		t->byte[t->bytes++] = "bcdfghjklmnprstv"[number >> 2 & 15];
		t->byte[t->bytes++] = "aeio"[number & 3];
	} while (number >>= 6);
}

/* The record ends where the text does now. */
static inline void mapreduce_end_record(struct mapreduce_text *t)
{
	if (t->records + 1 == t->record_room) {
		t->record_room *= 2;
		t->record = (uint32_t *)realloc(t->record, t->record_room * sizeof *t->record);
		if (!t->record)
			workload_no_memory("host", "records", t->record_room, sizeof *t->record);
	}
	t->record[++t->records] = (uint32_t)t->bytes;
}

static inline void mapreduce_upload(struct mapreduce_text *t)
{
	t->device_byte = WORKLOAD_DEVICE(char, t->bytes);
	t->device_record = WORKLOAD_DEVICE(uint32_t, t->records + 1);
	WORKLOAD_CUDA(cudaMemcpy(t->device_byte, t->byte, t->bytes, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(t->device_record, t->record, (t->records + 1) * sizeof *t->record,
	                         cudaMemcpyHostToDevice));
}

/* From 0 to limit - 1, the low ones more often, as words and pages are. */
static inline uint32_t mapreduce_skewed(struct workload *w, uint32_t limit)
{
	return workload_below(w, workload_below(w, limit) + 1);
}

/* ---- scan: exclusive sums in place ----------------------------------------------------------------------- */

template <typename T> __global__ void mapreduce_scan_block(T *value, T *block_sum, int n)
{
	__shared__ T warp_sum[MAPREDUCE_THREADS / 32];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	T own = i < n ? value[i] : 0, sum = own;
	for (int distance = 1; distance < 32; distance *= 2) {
		T below = __shfl_up_sync(0xffffffffu, sum, distance);
		if (lane >= distance)
			sum += below;
	}
	if (lane == 31)
		warp_sum[warp] = sum;
	__syncthreads();
	for (int before = 0; before < warp; before++)
		sum += warp_sum[before];
	if (i < n)
		value[i] = sum - own;
	if (threadIdx.x == blockDim.x - 1)
		block_sum[blockIdx.x] = sum;
}

template <typename T> __global__ void mapreduce_scan_add(T *value, const T *block_sum, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		value[i] += block_sum[blockIdx.x];
}

/* Returns the sum of all. */
template <typename T> static T mapreduce_scan(T *value, int n)
{
	int blocks = mapreduce_blocks(n);
	T *block_sum = WORKLOAD_DEVICE(T, blocks), total;
	mapreduce_scan_block<T><<<blocks, MAPREDUCE_THREADS>>>(value, block_sum, n);
	if (blocks > 1) {
		total = mapreduce_scan<T>(block_sum, blocks);
		mapreduce_scan_add<T><<<blocks, MAPREDUCE_THREADS>>>(value, block_sum, n);
	} else {
		WORKLOAD_CUDA(cudaMemcpy(&total, block_sum, sizeof total, cudaMemcpyDeviceToHost));
	}
	WORKLOAD_CUDA(cudaDeviceSynchronize());
	WORKLOAD_CUDA(cudaFree(block_sum));
	return total;
}

/* ---- sort: bitonic, of a power of two of pairs ------------------------------------------------------------ */

/* Equal keys sort by their values. */
template <mapreduce_compare COMPARE>
static __device__ bool mapreduce_after(const char *text, struct mapreduce_pair a, struct mapreduce_pair b)
{
	if (a.key == MAPREDUCE_NO_KEY || b.key == MAPREDUCE_NO_KEY)
		return b.key != MAPREDUCE_NO_KEY;
	int order = COMPARE(text, a, b);
	return order ? order > 0 : a.value > b.value;
}

/* One step in global memory; each thread has one pair of places `stride` apart. */
template <mapreduce_compare COMPARE>
__global__ void mapreduce_sort_step(const char *text, struct mapreduce_pair *pair, unsigned n, unsigned run,
                                    unsigned stride)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= n / 2)
		return;
	unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
	bool falling = (low & run) != 0;
	struct mapreduce_pair a = pair[low], b = pair[high];
	if (mapreduce_after<COMPARE>(text, a, b) != falling) {
		pair[low] = b;
		pair[high] = a;
	}
}

/* All steps that stay within a tile, for runs of first_run to last_run; the tile lies in shared memory. */
template <mapreduce_compare COMPARE, int THREADS, int TILE>
__global__ void mapreduce_sort_tile(const char *text, struct mapreduce_pair *pair, unsigned first_run,
                                    unsigned last_run)
{
	__shared__ struct mapreduce_pair tile[TILE];
	unsigned base = blockIdx.x * TILE;
	for (unsigned i = threadIdx.x; i < TILE; i += THREADS)
		tile[i] = pair[base + i];
	__syncthreads();
	for (unsigned run = first_run; run <= last_run; run *= 2)
		for (unsigned stride = run < TILE ? run / 2 : TILE / 2; stride; stride /= 2) {
			for (unsigned t = threadIdx.x; t < TILE / 2; t += THREADS) {
				unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
				bool falling = ((base + low) & run) != 0;
				bool swap = mapreduce_after<COMPARE>(text, tile[low], tile[high]) != falling;
				__syncwarp(); /* read again: kept, both take registers that a comparison lacks */
				if (swap) {
					struct mapreduce_pair a = tile[low];
					tile[low] = tile[high];
					tile[high] = a;
				}
			}
			__syncthreads();
		}
	for (unsigned i = threadIdx.x; i < TILE; i += THREADS)
		pair[base + i] = tile[i];
}

/* Pairs to make room for when `pairs` are to be sorted in tiles of `tile`. */
static inline unsigned mapreduce_padded(unsigned pairs, unsigned tile)
{
	unsigned n = tile;
	while (n < pairs)
		n *= 2;
	return n;
}

/* Room for the pairs, all without a key. */
static inline struct mapreduce_pair *mapreduce_no_pairs(unsigned padded)
{
	struct mapreduce_pair *pair = WORKLOAD_DEVICE(struct mapreduce_pair, padded);
	WORKLOAD_CUDA(cudaMemset(pair, 0xff, (size_t)padded * sizeof *pair));
	return pair;
}

/* The steps of one run that are at least `stride_least` apart. */
template <mapreduce_compare COMPARE>
static void mapreduce_sort_run(const char *text, struct mapreduce_pair *pair, unsigned n, unsigned run,
                               unsigned stride_least)
{
	for (unsigned stride = run / 2; stride >= stride_least; stride /= 2)
		mapreduce_sort_step<COMPARE>
		    <<<mapreduce_blocks(n / 2), MAPREDUCE_THREADS>>>(text, pair, n, run, stride);
}

template <mapreduce_compare COMPARE>
static void mapreduce_sort(const char *text, struct mapreduce_pair *pair, unsigned n)
{
	for (unsigned run = 2; run <= n; run *= 2)
		mapreduce_sort_run<COMPARE>(text, pair, n, run, 1);
}

/* `n` is a multiple of TILE. */
template <mapreduce_compare COMPARE, int THREADS, int TILE>
static void mapreduce_sort_in_tiles(const char *text, struct mapreduce_pair *pair, unsigned n)
{
	mapreduce_sort_tile<COMPARE, THREADS, TILE><<<n / TILE, THREADS>>>(text, pair, 2, TILE);
	for (unsigned run = 2 * TILE; run <= n; run *= 2) {
		mapreduce_sort_run<COMPARE>(text, pair, n, run, TILE);
		mapreduce_sort_tile<COMPARE, THREADS, TILE><<<n / TILE, THREADS>>>(text, pair, run, run);
	}
}

/* ---- groups of equal keys ------------------------------------------------------------------------------- */

template <mapreduce_compare COMPARE>
__global__ void mapreduce_mark_groups(const char *text, const struct mapreduce_pair *pair, int *mark, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		mark[i] = i == 0 || COMPARE(text, pair[i - 1], pair[i]) != 0;
}

/* `rank` is the scan of the marks: it grows behind each first pair of a group. */
template <typename T> __global__ void mapreduce_place_groups(const T *rank, int *first, int n, int groups)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	T next = i + 1 < n ? rank[i + 1] : groups;
	if (next != rank[i])
		first[rank[i]] = i;
	if (i == n - 1)
		first[groups] = n;
}

/* Group g is pair[first[g]] up to pair[first[g + 1]]. */
struct mapreduce_groups {
	int *first; /* on the device */
	int count;
};

template <mapreduce_compare COMPARE>
static struct mapreduce_groups mapreduce_group(const char *text, const struct mapreduce_pair *pair, int n)
{
	struct mapreduce_groups g;
	int blocks = mapreduce_blocks(n), *rank = WORKLOAD_DEVICE(int, n);
	mapreduce_mark_groups<COMPARE><<<blocks, MAPREDUCE_THREADS>>>(text, pair, rank, n);
	g.count = mapreduce_scan<int>(rank, n);
	g.first = WORKLOAD_DEVICE(int, g.count + 1);
	mapreduce_place_groups<int><<<blocks, MAPREDUCE_THREADS>>>(rank, g.first, n, g.count);
	WORKLOAD_CUDA(cudaDeviceSynchronize());
	WORKLOAD_CUDA(cudaFree(rank));
	return g;
}

#endif
