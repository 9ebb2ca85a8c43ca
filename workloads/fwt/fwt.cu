/*
 * Dyadic convolution by the fast Walsh transform: out[i] = sum over j of filter[j] data[i xor j].
 * Butterflies of long stride take four elements per thread straight from memory, two stages per pass; once a
 * transform is no longer than 2048 elements, a CTA does the rest of it in shared memory.
 */
#include "../common/workload.h"

enum { LOG_TILE = 11, TILE = 1 << LOG_TILE, THREADS = 256 };

static struct workload_param param[] = {
	{"log", "elements of the data, log2", 13, 19, 23, 2, 27},
	{"filter-log", "elements of the filter, log2", 6, 7, 7, 0, 10},
};

/* Two stages, of strides 2 `stride` and `stride`; the order of the four is that of their places. */
__device__ static void butterfly(float *d, size_t at, size_t stride)
{
	float a = d[at], b = d[at + stride], c = d[at + 2 * stride], e = d[at + 3 * stride];
	float sum = a + c, difference = a - c, sum2 = b + e, difference2 = b - e;
	d[at] = sum + sum2;
	d[at + stride] = sum - sum2;
	d[at + 2 * stride] = difference + difference2;
	d[at + 3 * stride] = difference - difference2;
}

__global__ void transform_far(float *data, unsigned log_stride, size_t quarter)
{
	size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x, stride = (size_t)1 << log_stride;
	if (thread >= quarter)
		return;
	size_t low = thread & (stride - 1);
	butterfly(data, ((thread - low) << 2) + low, stride);
}

/* A CTA per 2^log_tile elements, a quarter as many threads. */
__global__ void transform_tile(float *data, int log_tile)
{
	__shared__ float tile[TILE];
	float *mine = data + ((size_t)blockIdx.x << log_tile);
	int count = 1 << log_tile, thread = threadIdx.x;
	for (int i = thread; i < count; i += blockDim.x)
		tile[i] = mine[i];
	int log_stride = log_tile - 2;
	for (; log_stride >= 0; log_stride -= 2) {
		int low = thread & ((1 << log_stride) - 1);
		__syncthreads();
		butterfly(tile, ((thread - low) << 2) + low, (size_t)1 << log_stride);
	}
	__syncthreads();
	/* An odd number of stages leaves the last, between neighbours. */
	if (log_stride == -1)
		for (int i = 2 * thread; i < count; i += 2 * blockDim.x) {
			float a = tile[i], b = tile[i + 1];
			tile[i] = a + b;
			tile[i + 1] = a - b;
		}
	__syncthreads();
	for (int i = thread; i < count; i += blockDim.x)
		mine[i] = tile[i];
}

__global__ void multiply(float *data, const float *filter, size_t count, float scale)
{
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		data[i] *= filter[i] * scale;
}

static void transform(float *data, int log)
{
	size_t quarter = (size_t)1 << (log - 2);
	unsigned ctas = (unsigned)((quarter + THREADS - 1) / THREADS);
	for (; log > LOG_TILE; log -= 2)
		transform_far<<<ctas, THREADS>>>(data, log - 2, quarter);
	transform_tile<<<(unsigned)(quarter * 4 >> log), 1 << (log - 2)>>>(data, log);
}

static bool verify(const float *data, const float *filter, const float *got, int log, int filter_log)
{
	size_t count = (size_t)1 << log, taps = (size_t)1 << filter_log, stride = log > 16 ? 61 : 1;
	size_t samples = (count + stride - 1) / stride;
	float *want = WORKLOAD_HOST(float, samples), *sample = WORKLOAD_HOST(float, samples);
	for (size_t i = 0; i < samples; i++) {
		double sum = 0;
		for (size_t j = 0; j < taps; j++)
			sum += (double)filter[j] * data[(i * stride) ^ j];
		want[i] = (float)sum;
		sample[i] = got[i * stride];
	}
	return workload_same_floats("sampled element", sample, want, samples, 1e-3);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("fwt", "dyadic convolution by fast Walsh transform", param, 2, argc, argv);
	int log = (int)workload_value(&w, "log"), filter_log = (int)workload_value(&w, "filter-log");
	if (filter_log > log) {
		fprintf(stderr, "fwt: the filter (2^%d) is longer than the data (2^%d)\n", filter_log, log);
		return WORKLOAD_BAD_INPUT;
	}
	size_t count = (size_t)1 << log, taps = (size_t)1 << filter_log;
	float *data = WORKLOAD_HOST(float, count), *got = WORKLOAD_HOST(float, count);
	float *filter = WORKLOAD_HOST(float, taps);
	float *device_data = WORKLOAD_DEVICE(float, count), *device_filter = WORKLOAD_DEVICE(float, count);
	for (size_t i = 0; i < count; i++)
		data[i] = workload_unit(&w);
	for (size_t i = 0; i < taps; i++)
		filter[i] = workload_unit(&w) / taps;
	WORKLOAD_CUDA(cudaMemcpy(device_data, data, count * sizeof *data, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemset(device_filter, 0, count * sizeof *filter));
	WORKLOAD_CUDA(cudaMemcpy(device_filter, filter, taps * sizeof *filter, cudaMemcpyHostToDevice));

	workload_start(&w);
	transform(device_data, log);
	transform(device_filter, log);
	multiply<<<128, THREADS>>>(device_data, device_filter, count, 1.0f / (float)count);
	transform(device_data, log);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_data, count * sizeof *got, cudaMemcpyDeviceToHost));
	return workload_close(&w, verify(data, filter, got, log, filter_log));
}
