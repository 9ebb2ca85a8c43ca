// probe [latency|bandwidth]: small kernels that show the latencies and bandwidths of a memory hierarchy.
//
// Methods as in the microbenchmarks that figures.tsv quotes (gpu-benches, Jia et al.): latencies by chasing 64-bit
// pointers with one thread, bandwidths by coalesced 32-bit loads of all SMs. Every figure comes from two launches that
// differ in length alone, so that what a launch costs cancels out; ./probe knows their order.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

enum { LINE = 128, THREADS = 1024, SHORT_CHASE = 512, LONG_CHASE = 2560 };

static void fail(const char *what)
{
	fprintf(stderr, "probe: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
	exit(1);
}

static void *device_memory(size_t bytes)
{
	void *memory = nullptr;
	if (cudaMalloc(&memory, bytes) != cudaSuccess)
		fail("cudaMalloc");
	return memory;
}

__global__ void chase(const uint64_t *start, int steps, uint64_t *end)
{
	uint64_t at = (uint64_t)start;
	for (int i = 0; i < steps; i += 8) {
#pragma unroll
		for (int k = 0; k < 8; k++)
			asm volatile("ld.global.u64 %0, [%0];" : "+l"(at)::"memory");
	}
	*end = at;
}

__global__ void chase_shared(int steps, uint32_t *end)
{
	__shared__ uint32_t next[1024];
	uint32_t at = (uint32_t)__cvta_generic_to_shared(next);
	for (int i = 0; i < 1024; i++)
		next[i] = at + (uint32_t)((i + 33) % 1024 * sizeof *next);
	for (int i = 0; i < steps; i += 8) {
#pragma unroll
		for (int k = 0; k < 8; k++)
			asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)::"memory");
	}
	*end = at;
}

// A ring of pointers through `lines` lines, `pitch` bytes apart, in an order that no stride explains.
static uint64_t *make_ring(size_t lines, size_t pitch)
{
	std::vector<uint32_t> order(lines);
	for (size_t i = 0; i < lines; i++)
		order[i] = (uint32_t)i;
	uint32_t seed = 1;
	for (size_t i = lines - 1; i > 0; i--) {
		seed = seed * 1664525u + 1013904223u;
		size_t k = (seed >> 8) % (i + 1);
		uint32_t swap = order[i];
		order[i] = order[k];
		order[k] = swap;
	}
	char *ring = (char *)device_memory(lines * pitch);
	std::vector<char> host(lines * pitch);
	for (size_t i = 0; i < lines; i++) {
		uint64_t next = (uint64_t)(ring + order[(i + 1) % lines] * pitch);
		memcpy(&host[order[i] * pitch], &next, sizeof next);
	}
	if (cudaMemcpy(ring, host.data(), host.size(), cudaMemcpyHostToDevice) != cudaSuccess)
		fail("cudaMemcpy");
	return (uint64_t *)(ring + order[0] * pitch);
}

static void latency()
{
	uint64_t *end = (uint64_t *)device_memory(LINE);
	uint64_t *small = make_ring(8192 / LINE, LINE);        // fits every L1
	uint64_t *middle = make_ring((1 << 20) / LINE, LINE);  // beyond every L1, within every L2
	uint64_t *cold = make_ring(4096, 8192), *colder = make_ring(4096, 8192);
	chase_shared<<<1, 1>>>(SHORT_CHASE, (uint32_t *)end);
	chase_shared<<<1, 1>>>(LONG_CHASE, (uint32_t *)end);
	chase<<<1, 1>>>(small, 8192 / LINE, end);              // fills L2: both launches find there what L1 lacks
	chase<<<1, 1>>>(small, SHORT_CHASE, end);
	chase<<<1, 1>>>(small, LONG_CHASE, end);
	chase<<<1, 1>>>(middle, (1 << 20) / LINE, end);        // fills L2; both partitions where there are two
	chase<<<1, 1>>>(middle, SHORT_CHASE, end);
	chase<<<1, 1>>>(middle, LONG_CHASE, end);
	chase<<<1, 1>>>(cold, SHORT_CHASE, end);               // no line is asked for twice
	chase<<<1, 1>>>(colder, LONG_CHASE, end);
}

// Eight lines per warp, 4 KB apart: a CTA reads a piece of 32 KB.
__device__ float read_piece(const float *at)
{
	float v[8], sum = 0;
	asm volatile("ld.global.f32 %0, [%8];\n\tld.global.f32 %1, [%8+4096];\n\t"
	             "ld.global.f32 %2, [%8+8192];\n\tld.global.f32 %3, [%8+12288];\n\t"
	             "ld.global.f32 %4, [%8+16384];\n\tld.global.f32 %5, [%8+20480];\n\t"
	             "ld.global.f32 %6, [%8+24576];\n\tld.global.f32 %7, [%8+28672];"
	             : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7])
	             : "l"(at)
	             : "memory");
#pragma unroll
	for (int i = 0; i < 8; i++)
		sum += v[i];
	return sum;
}

// Every CTA reads the same piece, `rounds` times.
__global__ void read_again(const float *data, int rounds, float *out)
{
	float sum = 0;
	for (int r = 0; r < rounds; r += 4) {
#pragma unroll
		for (int k = 0; k < 4; k++)
			sum += read_piece(data + threadIdx.x);
	}
	if (sum == 1)
		*out = sum;
}

// A CTA reads `pieces` pieces, from its own on, `pitch` pieces apart, of `all` pieces in a ring: together the CTAs pass
// through all of them, and none finds in its L1 what it read before.
__global__ void read_pieces(const float *data, int pieces, int pitch, int all, float *out)
{
	float sum = 0;
	for (int r = 0; r < pieces; r++)
		sum += read_piece(data + (size_t)((blockIdx.x + r * pitch) % all) * 8 * THREADS + threadIdx.x);
	if (sum == 1)
		*out = sum;
}

// All threads read `steps` neighbours together, step after step: a grid-stride loop.
__global__ void read_stream(const float *data, int steps, float *out)
{
	const float *at = data + blockIdx.x * THREADS + threadIdx.x;
	size_t pitch = (size_t)gridDim.x * THREADS;
	float sum = 0;
	for (int i = 0; i < steps; i += 4, at += 4 * pitch)
		sum += (at[0] + at[pitch]) + (at[2 * pitch] + at[3 * pitch]);
	if (sum == 1)
		*out = sum;
}

static void bandwidth()
{
	const int piece = 8 * THREADS, l2_pieces = 64; // 2 MB
	cudaDeviceProp gpu;
	if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess)
		fail("cudaGetDeviceProperties");
	int sms = gpu.multiProcessorCount, ctas = sms * (gpu.maxThreadsPerMultiProcessor / THREADS);
	float *out = (float *)device_memory(LINE);
	float *data = (float *)device_memory((size_t)l2_pieces * piece * sizeof *data);
	float *large = (float *)device_memory((size_t)ctas * 128 * THREADS * sizeof *large);
	read_again<<<sms, THREADS>>>(data, 16, out);
	read_again<<<sms, THREADS>>>(data, 48, out);
	read_pieces<<<ctas, THREADS>>>(data, 16, 21, l2_pieces, out); // fills L2, both partitions where there are two
	read_pieces<<<ctas, THREADS>>>(data, 4, 21, l2_pieces, out);
	read_pieces<<<ctas, THREADS>>>(data, 16, 21, l2_pieces, out);
	read_stream<<<ctas, THREADS>>>(large, 32, out);               // every line once
	read_stream<<<ctas, THREADS>>>(large + (size_t)ctas * 32 * THREADS, 96, out);
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "all";
	if (strcmp(part, "bandwidth"))
		latency();
	if (strcmp(part, "latency"))
		bandwidth();
	if (cudaDeviceSynchronize() != cudaSuccess)
		fail("a launch");
	return 0;
}
