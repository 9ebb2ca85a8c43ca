// lifetime [ROUNDS [STEPS [KIB [THREADS [CTAS]]]]]: values wander through shared memory of which little is alive at a time.
//
// In every round a thread fetches some numbers, leaves them in shared memory, and exchanges values with its neighbour STEPS
// times, each time through the next piece of the KIB kibibytes that its CTA owns; then it takes numbers that others
// left. So a piece lives for one step, the numbers for a round, and all else is dead.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { NUMBERS = 4 }; // that a thread leaves in a round

// A little arithmetic, the same on both sides.
__host__ __device__ static inline unsigned scramble(unsigned value)
{
#pragma unroll
	for (int i = 0; i < 12; i++) {
		value = value * 1664525u + 1013904223u;
		value ^= value >> 13;
	}
	return value;
}

__global__ void lifetime(const unsigned *x, unsigned *y, int rounds, int steps, int pieces)
{
	extern __shared__ unsigned memory[];
	int thread = threadIdx.x, last = blockDim.x - 1;
	const unsigned *mine = x + (size_t)blockIdx.x * rounds * NUMBERS * blockDim.x + thread;
	unsigned *left = memory, *scratch = memory + NUMBERS * blockDim.x, value = thread;
	int piece = 0;
#pragma unroll 1
	for (int r = 0; r < rounds; r++) {
		for (int k = 0; k < NUMBERS; k++, mine += blockDim.x)
			left[k * blockDim.x + thread] = *mine;
#pragma unroll 1
		for (int s = 0; s < steps; s++) {
			unsigned *here = scratch + piece * blockDim.x;
			here[thread] = value;
			__syncthreads();
			value = scramble(value + here[(thread + 1) & last]);
			piece = piece + 1 < pieces ? piece + 1 : 0;
		}
		for (int k = 0; k < NUMBERS; k++)
			value ^= left[k * blockDim.x + ((thread ^ value) & last)];
		__syncthreads();
	}
	y[blockIdx.x * blockDim.x + thread] = value;
}

static void reference(const unsigned *x, unsigned *y, int rounds, int steps, int threads)
{
	std::vector<unsigned> value(threads), before(threads);
	for (int t = 0; t < threads; t++)
		value[t] = t;
	for (int r = 0; r < rounds; r++) {
		for (int s = 0; s < steps; s++) {
			before = value;
			for (int t = 0; t < threads; t++)
				value[t] = scramble(before[t] + before[(t + 1) % threads]);
		}
		for (int t = 0; t < threads; t++)
			for (int k = 0; k < NUMBERS; k++)
				value[t] ^= x[((size_t)r * NUMBERS + k) * threads + ((t ^ value[t]) & (threads - 1))];
	}
	for (int t = 0; t < threads; t++)
		y[t] = value[t];
}

int main(int argc, char **argv)
{
	int arg[] = {6, 12, 32, 128, 240};
	for (int i = 1; i < argc && i <= 5; i++)
		arg[i - 1] = atoi(argv[i]);
	int rounds = arg[0], steps = arg[1], kib = arg[2], threads = arg[3], ctas = arg[4];
	int pieces = threads > 0 ? kib * 1024 / (threads * 4) - NUMBERS : 0;
	if (rounds < 1 || steps < 1 || ctas < 1 || threads < 32 || threads & (threads - 1) || pieces < 2) {
		fprintf(stderr, "usage: lifetime [ROUNDS [STEPS [KIB [THREADS [CTAS]]]]]; THREADS is a power of two and fits KIB\n");
		return 2;
	}
	std::vector<unsigned> x((size_t)ctas * rounds * NUMBERS * threads), y((size_t)ctas * threads), expected(threads);
	for (size_t i = 0; i < x.size(); i++)
		x[i] = (unsigned)(i * 2654435761u >> 7);
	unsigned *dx, *dy;
	cudaMalloc(&dx, x.size() * sizeof(unsigned));
	cudaMalloc(&dy, y.size() * sizeof(unsigned));
	cudaMemcpy(dx, x.data(), x.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
	cudaFuncSetAttribute(lifetime, cudaFuncAttributeMaxDynamicSharedMemorySize, kib * 1024);
	lifetime<<<ctas, threads, kib * 1024>>>(dx, dy, rounds, steps, pieces);
	cudaMemcpy(y.data(), dy, y.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
	int errors = cudaGetLastError() != cudaSuccess;
	for (int c = 0; c < ctas; c++) {
		reference(&x[(size_t)c * rounds * NUMBERS * threads], expected.data(), rounds, steps, threads);
		for (int t = 0; t < threads; t++)
			errors += y[(size_t)c * threads + t] != expected[t];
	}
	printf("lifetime: %d CTAs of %d threads, %d KiB: %s\n", ctas, threads, kib, errors ? "WRONG" : "correct");
	cudaFree(dx);
	cudaFree(dy);
	return errors != 0;
}
