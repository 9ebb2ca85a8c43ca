/* The cheapest way down a grid: several rows per launch in shared memory, with a halo on both sides. */
#include "verify.h"

#define HALO 1
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

__global__ void dynproc_kernel(int iteration, const int *gpuWall, const int *gpuSrc, int *gpuResults,
                               int cols, int rows, int startStep, int border)
{
	__shared__ int prev[BLOCK_SIZE], result[BLOCK_SIZE];
	int tx = threadIdx.x, small_block_cols = BLOCK_SIZE - iteration * HALO * 2;
	int blkX = small_block_cols * (int)blockIdx.x - border, blkXmax = blkX + BLOCK_SIZE - 1,
	    xidx = blkX + tx;
	int validXmin = blkX < 0 ? -blkX : 0,
	    validXmax = blkXmax > cols - 1 ? BLOCK_SIZE - 1 - (blkXmax - cols + 1) : BLOCK_SIZE - 1;
	int W = tx - 1 < validXmin ? validXmin : tx - 1, E = tx + 1 > validXmax ? validXmax : tx + 1;
	bool isValid = IN_RANGE(tx, validXmin, validXmax), computed = false;
	if (IN_RANGE(xidx, 0, cols - 1))
		prev[tx] = gpuSrc[xidx];
	__syncthreads();
	for (int i = 0; i < iteration; i++) {
		computed = false;
		if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && isValid) {
			computed = true;
			int shortest = MIN(prev[W], prev[tx]);
			shortest = MIN(shortest, prev[E]);
			result[tx] = shortest + gpuWall[cols * (startStep + i) + xidx];
		}
		__syncthreads();
		if (i == iteration - 1)
			break;
		if (computed)
			prev[tx] = result[tx];
		__syncthreads();
	}
	if (computed)
		gpuResults[xidx] = result[tx];
}

int main(int argc, char **argv)
{
	int cols = 500, rows = 21, pyramid_height = 4, wrong = 0, src = 0;
	if (argc == 4) {
		cols = atoi(argv[1]);
		rows = atoi(argv[2]);
		pyramid_height = atoi(argv[3]);
	} else if (argc != 1) {
		printf("Usage: pathfinder col_len row_len pyramid_height\n");
		exit(1);
	}
	int *wall = (int *)malloc(sizeof(int) * rows * cols), *got = (int *)malloc(sizeof(int) * cols);
	int *now = (int *)malloc(sizeof(int) * cols), *next = (int *)malloc(sizeof(int) * cols), *d_wall,
	    *d_result[2];
	srand(7);
	for (int i = 0; i < rows * cols; i++)
		wall[i] = rand() % 10;
	CHECK_CUDA(cudaMalloc((void **)&d_result[0], sizeof(int) * cols));
	CHECK_CUDA(cudaMalloc((void **)&d_result[1], sizeof(int) * cols));
	CHECK_CUDA(cudaMalloc((void **)&d_wall, sizeof(int) * (rows - 1) * cols));
	CHECK_CUDA(cudaMemcpy(d_result[0], wall, sizeof(int) * cols, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_wall, wall + cols, sizeof(int) * (rows - 1) * cols, cudaMemcpyHostToDevice));
	int border = pyramid_height * HALO, inner = BLOCK_SIZE - pyramid_height * HALO * 2;
	dim3 dimBlock(BLOCK_SIZE), dimGrid((cols + inner - 1) / inner);
	for (int t = 0; t < rows - 1; t += pyramid_height, src ^= 1)
		dynproc_kernel<<<dimGrid, dimBlock>>>(MIN(pyramid_height, rows - t - 1), d_wall,
		                                      d_result[src], d_result[src ^ 1], cols, rows, t,
		                                      border);
	CHECK_CUDA(cudaMemcpy(got, d_result[src], sizeof(int) * cols, cudaMemcpyDeviceToHost));
	for (int x = 0; x < cols; x++)
		now[x] = wall[x];
	for (int y = 1; y < rows; y++) {
		for (int x = 0; x < cols; x++) {
			int best = now[x];
			if (x > 0)
				best = MIN(best, now[x - 1]);
			if (x < cols - 1)
				best = MIN(best, now[x + 1]);
			next[x] = wall[y * cols + x] + best;
		}
		int *t = now;
		now = next;
		next = t;
	}
	for (int x = 0; x < cols; x++)
		wrong += got[x] != now[x];
	return verify_result("pathfinder", wrong);
}
