/* Heat on a plate: several time steps per launch in shared memory, with a halo that shrinks; input from a file. */
#include "verify.h"

#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif
#define STEPS_PER_LAUNCH 2

__global__ void step(int steps, const float *src, float *dst, int cols, int rows, float k)
{
	__shared__ float now[BLOCK_SIZE][BLOCK_SIZE], next[BLOCK_SIZE][BLOCK_SIZE];
	int inner = BLOCK_SIZE - 2 * steps, tx = threadIdx.x, ty = threadIdx.y;
	int x = (int)blockIdx.x * inner - steps + tx, y = (int)blockIdx.y * inner - steps + ty;
	int cx = min(max(x, 0), cols - 1), cy = min(max(y, 0), rows - 1);
	bool valid = x >= 0 && x < cols && y >= 0 && y < rows, computed = false;
	now[ty][tx] = src[cy * cols + cx];
	__syncthreads();
	int W = x <= 0 ? tx : tx - 1, E = x >= cols - 1 ? tx : tx + 1, N = y <= 0 ? ty : ty - 1,
	    S = y >= rows - 1 ? ty : ty + 1;
	for (int i = 0; i < steps; i++) {
		computed = false;
		if (tx >= i + 1 && tx <= BLOCK_SIZE - 2 - i && ty >= i + 1 && ty <= BLOCK_SIZE - 2 - i &&
		    valid) {
			computed = true;
			next[ty][tx] = now[ty][tx] + k * (now[N][tx] + now[S][tx] + now[ty][W] + now[ty][E] -
			                                  4.0f * now[ty][tx]);
		}
		__syncthreads();
		if (i == steps - 1)
			break;
		if (computed)
			now[ty][tx] = next[ty][tx];
		__syncthreads();
	}
	if (computed)
		dst[y * cols + x] = next[ty][tx];
}

static void reference(float *a, int cols, int rows, int steps, float k)
{
	float *b = (float *)malloc(cols * rows * sizeof *b);
	for (int s = 0; s < steps; s++) {
		for (int y = 0; y < rows; y++)
			for (int x = 0; x < cols; x++) {
				float c = a[y * cols + x], n = a[(y ? y - 1 : y) * cols + x],
				      p = a[(y < rows - 1 ? y + 1 : y) * cols + x];
				float w = a[y * cols + (x ? x - 1 : x)],
				      e = a[y * cols + (x < cols - 1 ? x + 1 : x)];
				b[y * cols + x] = c + k * (n + p + w + e - 4.0f * c);
			}
		for (int i = 0; i < cols * rows; i++)
			a[i] = b[i];
	}
	free(b);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "input.txt";
	int cols, rows, steps = argc > 2 ? atoi(argv[2]) : 6;
	FILE *file = fopen(name, "r");
	if (!file || fscanf(file, "%d %d", &cols, &rows) != 2) {
		fprintf(stderr, "cannot read %s\n", name);
		return 1;
	}
	float *a = (float *)malloc(cols * rows * sizeof *a),
	      *want = (float *)malloc(cols * rows * sizeof *want), *d[2];
	for (int i = 0; i < cols * rows; i++) {
		if (fscanf(file, "%f", &a[i]) != 1)
			return 1;
		want[i] = a[i];
	}
	fclose(file);
	for (int i = 0; i < 2; i++)
		CHECK_CUDA(cudaMalloc((void **)&d[i], cols * rows * sizeof(float)));
	CHECK_CUDA(cudaMemcpy(d[0], a, cols * rows * sizeof(float), cudaMemcpyHostToDevice));
	int inner = BLOCK_SIZE - 2 * STEPS_PER_LAUNCH, from = 0;
	dim3 block(BLOCK_SIZE, BLOCK_SIZE), grid((cols + inner - 1) / inner, (rows + inner - 1) / inner);
	for (int t = 0; t < steps; t += STEPS_PER_LAUNCH, from ^= 1)
		step<<<grid, block>>>(STEPS_PER_LAUNCH, d[from], d[from ^ 1], cols, rows, 0.1f);
	CHECK_CUDA(cudaMemcpy(a, d[from], cols * rows * sizeof(float), cudaMemcpyDeviceToHost));
	reference(want, cols, rows, steps, 0.1f);
	return verify_result("stencil2d", verify_close(a, want, cols * rows, 1e-5));
}
