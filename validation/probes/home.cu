/*
 * Which half of L2 a block of 4 KiB lives in: atomics are done at home, so an SM near to it has its answer sooner than one
 * on the other side.
 *
 *	nvcc -O3 -arch=sm_90 home.cu -o home && ./home
 *
 * Prints a row per buffer: its size and address, then a character per block, '0' if it is near to SM 0, '1' if near to SM 2; of
 * a large one also a character per page of 2 MiB. `home NAME BYTES...` does so for buffers that are allocated in this order.
 */
#include <cstdio>
#include <string>
#include <vector>
#include <cuda_runtime.h>

__global__ void ask(char *buffer, int blocks, size_t stride, unsigned wanted, unsigned *cycles)
{
	unsigned sm;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (sm != wanted || threadIdx.x)
		return;
	for (int b = 0; b < blocks; b++) {
		unsigned least = ~0u;
		for (int i = 0; i < 3; i++) {
			unsigned before, after, old;
			asm volatile("mov.u32 %0, %%clock;" : "=r"(before)::"memory");
			asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(old) : "l"(buffer + b * stride) : "memory");
			if (old == 12345)
				asm volatile("trap;");
			asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
			least = min(least, after - before);
		}
		cycles[b] = least;
	}
}

static unsigned *seen;

static void show(const char *name, void *buffer, size_t bytes, size_t stride)
{
	int blocks = (int)((bytes + stride - 1) / stride);
	std::vector<unsigned> a((size_t)blocks), b((size_t)blocks);
	ask<<<132, 32>>>((char *)buffer, blocks, stride, 0, seen);
	cudaMemcpy(a.data(), seen, a.size() * 4, cudaMemcpyDeviceToHost);
	ask<<<132, 32>>>((char *)buffer, blocks, stride, 2, seen);
	cudaMemcpy(b.data(), seen, b.size() * 4, cudaMemcpyDeviceToHost);
	std::string text;
	double near = 0, far = 0;
	for (int i = 0; i < blocks; i++) {
		text += a[i] < b[i] ? '0' : '1';
		near += a[i] < b[i] ? a[i] : b[i];
		far += a[i] < b[i] ? b[i] : a[i];
	}
	printf("%s %zu %p near %.0f far %.0f %s\n", name, bytes, buffer, near / blocks, far / blocks, text.c_str());
}


int main(int argc, char **argv)
{
	if (argc < 2) {
		cudaMalloc(&seen, 16384 * 4);
		char *large;
		size_t bytes = (size_t)16 << 30;
		cudaMalloc(&large, bytes);
		show("blocks", large, (size_t)64 << 20, 4096);
		show("pages", large, bytes, 2 << 20);
		return cudaDeviceSynchronize() != cudaSuccess;
	}
	std::vector<size_t> sizes;
	for (int i = 2; i < argc; i++)
		sizes.push_back((size_t)atol(argv[i]));
	std::vector<void *> buffers;
	for (size_t size : sizes) {
		void *buffer;
		cudaMalloc(&buffer, size);
		cudaMemset(buffer, 0, size);
		buffers.push_back(buffer);
	}
	cudaMalloc(&seen, 16384 * 4);
	for (size_t i = 0; i < sizes.size(); i++)
		if (sizes[i] <= 65536)
			show(argv[1], buffers[i], sizes[i], 4096);
	return cudaDeviceSynchronize() != cudaSuccess;
}
