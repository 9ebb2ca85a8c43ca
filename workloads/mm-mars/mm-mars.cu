/*
 * C = A B as a MapReduce program: a record is a row of A and a column of B, a thread maps one record. A first pass only
 * counts what each thread would emit, a prefix sum of that gives every thread its place, a second pass emits. What a
 * thread knows of its emissions is in shared memory.
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"n", "rows and columns", 64, 240, 256, 1, 4096},
};

struct sizes {
	int key_bytes, value_bytes, pairs;
};

/* Where a thread's next pair goes, and what it has emitted so far. */
struct emitter {
	struct sizes place, emitted;
};

struct cell {
	int row, column;
};

struct matrices {
	const float *rows, *columns; /* of A and of B, each one contiguous */
	int n;
};

struct output {
	char *keys, *values;
	int4 *pairs; /* places and sizes of key and value */
};

static __device__ struct sizes no_sizes(void)
{
	return {0, 0, 0};
}

static __device__ struct sizes add(struct sizes a, struct sizes b)
{
	return {a.key_bytes + b.key_bytes, a.value_bytes + b.value_bytes, a.pairs + b.pairs};
}

static __device__ float dot(const float *row, const float *column, int n)
{
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += row[k] * column[k];
	return sum;
}

/* First pass: sizes alone. */
__global__ void count(struct sizes *sizes, int records)
{
	extern __shared__ struct emitter emitters[];
	struct emitter *mine = &emitters[threadIdx.x];
	int record = blockIdx.x * THREADS + threadIdx.x;
	if (record >= records)
		return;
	mine->emitted = no_sizes();
	mine->emitted.key_bytes += sizeof(struct cell);
	mine->emitted.value_bytes += sizeof(float);
	mine->emitted.pairs++;
	sizes[record] = mine->emitted;
}

/* Exclusive prefix sums of `sizes` within each CTA; totals[CTA] is the sum. */
__global__ void scan(struct sizes *sizes, struct sizes *totals, int count)
{
	__shared__ struct sizes sum[THREADS];
	int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x;
	struct sizes mine = i < count ? sizes[i] : no_sizes();
	sum[lane] = mine;
	__syncthreads();
	for (int distance = 1; distance < THREADS; distance *= 2) {
		struct sizes before = lane >= distance ? sum[lane - distance] : no_sizes();
		__syncthreads();
		sum[lane] = add(sum[lane], before);
		__syncthreads();
	}
	if (i < count)
		sizes[i] = lane ? sum[lane - 1] : no_sizes();
	if (lane == THREADS - 1)
		totals[blockIdx.x] = sum[lane];
}

__global__ void add_totals(struct sizes *sizes, const struct sizes *totals, int count)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	if (i < count)
		sizes[i] = add(sizes[i], totals[blockIdx.x]);
}

static __device__ void emit(struct emitter *e, struct output out, struct cell key, float value)
{
	struct sizes at = add(e->place, e->emitted);
	*(struct cell *)(out.keys + at.key_bytes) = key;
	*(float *)(out.values + at.value_bytes) = value;
	out.pairs[at.pairs] = make_int4(at.key_bytes, sizeof key, at.value_bytes, sizeof value);
	struct sizes pair = {sizeof key, sizeof value, 1};
	e->emitted = add(e->emitted, pair);
}

/* Second pass. Threads of a warp share the row and have a column each: lines far apart. */
__global__ void map(struct matrices m, const struct sizes *places, struct output out, int records)
{
	extern __shared__ struct emitter emitters[];
	struct emitter *mine = &emitters[threadIdx.x];
	int record = blockIdx.x * THREADS + threadIdx.x;
	if (record >= records)
		return;
	mine->place = places[record];
	mine->emitted = no_sizes();
	struct cell cell = {record / m.n, record % m.n};
	emit(mine, out, cell, dot(m.rows + cell.row * m.n, m.columns + cell.column * m.n, m.n));
}

static int ctas_for(int count)
{
	return (count + THREADS - 1) / THREADS;
}

/* Exclusive prefix sums of all; `totals` has room for the sums of every level. */
static void scan_all(struct sizes *sizes, struct sizes *totals, int count)
{
	int ctas = ctas_for(count);
	scan<<<ctas, THREADS>>>(sizes, totals, count);
	if (ctas == 1)
		return;
	scan_all(totals, totals + ctas, ctas);
	add_totals<<<ctas, THREADS>>>(sizes, totals, count);
}

static void multiply(struct matrices m, struct sizes *sizes, struct sizes *totals, struct output out)
{
	int records = m.n * m.n;
	count<<<ctas_for(records), THREADS, THREADS * sizeof(struct emitter)>>>(sizes, records);
	scan_all(sizes, totals, records);
	map<<<ctas_for(records), THREADS, THREADS * sizeof(struct emitter)>>>(m, sizes, out, records);
}

/* Every pair, in the order of records: its cell and the product there. */
static bool right(const float *a, const float *b, const struct cell *keys, const float *values, const int4 *pairs,
                  int n)
{
	size_t records = (size_t)n * n;
	float *want = WORKLOAD_HOST(float, records);
	for (size_t i = 0; i < records; i++) {
		int row = (int)(i / n), column = (int)(i % n);
		double sum = 0;
		for (int k = 0; k < n; k++)
			sum += (double)a[(size_t)row * n + k] * b[(size_t)column * n + k];
		want[i] = (float)sum;
		bool placed = pairs[i].x == (int)(i * sizeof *keys) && pairs[i].z == (int)(i * sizeof *values);
		if (!placed || keys[i].row != row || keys[i].column != column) {
			fprintf(stderr, "pair %zu is of row %d, column %d\n", i, keys[i].row, keys[i].column);
			return false;
		}
	}
	bool same = workload_same_floats("value", values, want, records, 1e-4);
	free(want);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("mm-mars", "C = A B as a map over rows and columns", param, 1, argc, argv);
	int n = (int)workload_value(&w, "n");
	size_t records = (size_t)n * n, bytes = records * sizeof(float);
	float *a = WORKLOAD_HOST(float, records), *b = WORKLOAD_HOST(float, records);
	struct cell *keys = WORKLOAD_HOST(struct cell, records);
	float *values = WORKLOAD_HOST(float, records);
	int4 *pairs = WORKLOAD_HOST(int4, records);
	float *device_a = WORKLOAD_DEVICE(float, records), *device_b = WORKLOAD_DEVICE(float, records);
	struct matrices matrices = {device_a, device_b, n};
	struct sizes *sizes = WORKLOAD_DEVICE(struct sizes, records);
	struct sizes *totals = WORKLOAD_DEVICE(struct sizes, records / (THREADS / 2) + 4);
	struct output out = {(char *)WORKLOAD_DEVICE(struct cell, records), (char *)WORKLOAD_DEVICE(float, records),
	                     WORKLOAD_DEVICE(int4, records)};
	for (size_t i = 0; i < records; i++) {
		a[i] = workload_unit(&w);
		b[i] = workload_unit(&w);
	}
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));

	workload_start(&w);
	multiply(matrices, sizes, totals, out);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(keys, out.keys, records * sizeof *keys, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(values, out.values, bytes, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(pairs, out.pairs, records * sizeof *pairs, cudaMemcpyDeviceToHost));
	return workload_close(&w, right(a, b, keys, values, pairs, n));
}
