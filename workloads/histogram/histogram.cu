/*
 * Histogram of the bytes of an image. Every thread counts in 256 byte-wide bins of its own in shared memory, so that no
 * two threads meet; then the CTA adds the bins of its threads, and the host those of the CTAs.
 */
#include "../common/workload.h"

/* A byte-wide bin holds no more than 255, hence at most as many pixels per thread. */
enum { THREADS = 128, BINS = 256, PIXELS = 128, CTA_PIXELS = THREADS * PIXELS };

static struct workload_param param[] = {
	{"width", "pixels of a row", 256, 1024, 1024, 1, 32768},
	{"height", "rows", 256, 1024, 1024, 1, 32768},
};

/* The counts of bin b: the bytes of THREADS threads, four in a word. */
__device__ static unsigned add_bin(const unsigned *words)
{
	unsigned sum = 0;
	for (int i = 0; i < THREADS / 4; i++) {
		/* Starting at the thread's own word keeps threads, whose bins are 128 bytes apart, on different banks. */
		unsigned word = words[(i + threadIdx.x) % (THREADS / 4)];
		sum += (word & 0xff) + (word >> 8 & 0xff) + (word >> 16 & 0xff) + (word >> 24);
	}
	return sum;
}

__global__ void count_bytes(const unsigned char *image, unsigned *partial, size_t pixels)
{
	__shared__ unsigned words[BINS * THREADS / 4];
	unsigned char *bins = (unsigned char *)words;
	unsigned thread = threadIdx.x;
	for (unsigned i = thread; i < BINS * THREADS / 4; i += THREADS)
		words[i] = 0;
	__syncthreads();
	size_t first = (size_t)blockIdx.x * CTA_PIXELS + thread;
#pragma unroll 1
	for (unsigned i = 0; i < PIXELS; i++) {
		size_t pixel = first + i * THREADS;
		if (pixel < pixels)
			bins[image[pixel] * THREADS + thread]++;
	}
	__syncthreads();
	for (unsigned bin = thread; bin < BINS; bin += THREADS)
		partial[blockIdx.x * BINS + bin] = add_bin(words + bin * (THREADS / 4));
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("histogram", "histogram of an image's bytes", param, 2, argc, argv);
	size_t pixels = (size_t)workload_value(&w, "width") * (size_t)workload_value(&w, "height");
	unsigned blocks = (unsigned)((pixels + CTA_PIXELS - 1) / CTA_PIXELS);
	unsigned char *image = WORKLOAD_HOST(unsigned char, pixels);
	unsigned char *device_image = WORKLOAD_DEVICE(unsigned char, pixels);
	unsigned *partial = WORKLOAD_HOST(unsigned, (size_t)blocks *BINS);
	unsigned *device_partial = WORKLOAD_DEVICE(unsigned, (size_t)blocks *BINS);
	int got[BINS] = {}, want[BINS] = {};
	/* The sum of two: neither flat nor all in a few bins. */
	for (size_t i = 0; i < pixels; i++)
		image[i] = (unsigned char)(workload_below(&w, 128) + workload_below(&w, 129));
	WORKLOAD_CUDA(cudaMemcpy(device_image, image, pixels, cudaMemcpyHostToDevice));

	workload_start(&w);
	count_bytes<<<blocks, THREADS>>>(device_image, device_partial, pixels);
	workload_stop(&w);

	size_t bytes = (size_t)blocks * BINS * sizeof *partial;
	WORKLOAD_CUDA(cudaMemcpy(partial, device_partial, bytes, cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < (size_t)blocks * BINS; i++)
		got[i % BINS] += (int)partial[i];
	for (size_t i = 0; i < pixels; i++)
		want[image[i]]++;
	return workload_close(&w, workload_same_ints("bin", got, want, BINS));
}
