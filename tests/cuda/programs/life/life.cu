/* Conway's game on a torus, in managed memory; cells packed 32 to a word in a second version, counted by ballots. */
#include "verify.h"
#include <string.h>

#define W 96
#define H 40

__global__ void generation(const unsigned char *__restrict__ now, unsigned char *next)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int l = (x + W - 1) % W, r = (x + 1) % W, u = (y + H - 1) % H, d = (y + 1) % H;
	int n = now[u * W + l] + now[u * W + x] + now[u * W + r] + now[y * W + l] + now[y * W + r] +
	        now[d * W + l] + now[d * W + x] + now[d * W + r];
	next[y * W + x] = n == 3 || (n == 2 && now[y * W + x]);
}

__global__ void pack(const unsigned char *cells, unsigned *words, unsigned *alive)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned word = __ballot_sync(0xffffffff, cells[i]);
	if ((threadIdx.x & 31) == 0) {
		words[i / 32] = word;
		atomicAdd(alive, __popc(word));
	}
}

int main(int argc, char **argv)
{
	int generations = argc > 1 ? atoi(argv[1]) : 8, wrong = 0, count = 0;
	unsigned char *a, *b, want[W * H], next[W * H];
	unsigned *words, *alive;
	CHECK_CUDA(cudaMallocManaged(&a, W * H));
	CHECK_CUDA(cudaMallocManaged(&b, W * H));
	CHECK_CUDA(cudaMallocManaged(&words, W * H / 8));
	CHECK_CUDA(cudaMallocManaged(&alive, sizeof *alive));
	*alive = 0;
	for (int i = 0; i < W * H; i++)
		a[i] = want[i] = (i * 7919 >> 3) % 3 == 0;
	for (int g = 0; g < generations; g++) {
		generation<<<dim3(W / 32, H / 4), dim3(32, 4)>>>(a, b);
		CHECK_CUDA(cudaDeviceSynchronize());
		unsigned char *t = a;
		a = b;
		b = t;
		for (int i = 0; i < W * H; i++) {
			int x = i % W, y = i / W, n = 0;
			for (int dy = -1; dy <= 1; dy++)
				for (int dx = -1; dx <= 1; dx++)
					n += (dx || dy) && want[(y + dy + H) % H * W + (x + dx + W) % W];
			next[i] = n == 3 || (n == 2 && want[i]);
		}
		memcpy(want, next, sizeof want);
	}
	pack<<<W * H / 128, 128>>>(a, words, alive);
	CHECK_CUDA(cudaDeviceSynchronize());
	for (int i = 0; i < W * H; i++) {
		count += want[i];
		wrong += a[i] != want[i] || (words[i / 32] >> (i % 32) & 1) != want[i];
	}
	return verify_result("life", wrong + (count != (int)*alive));
}
