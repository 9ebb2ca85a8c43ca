// syrk [ROWS [COLUMNS [PITCH]]]: C = A * A^T + C, one thread per element of C, as in PolyBench's SYRK.
//
// A warp holds 32 neighbouring columns of C, so its load of A[j][k] touches 32 rows, PITCH floats apart. With a pitch
// of 1024 floats these are 32 lines, 32 lines apart: one set of a cache of 32 sets that are indexed in sequence. Each
// line is used again by the next 31 iterations, if it lives that long.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void syrk(const float *a, float *c, int rows, int columns, int pitch)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= rows || j >= rows)
		return;
	float sum = c[i * rows + j];
#pragma unroll 1 // as it stands: a scheduler would bring the loads of one line together, and leave little to lose
	for (int k = 0; k < columns; k++)
		sum += a[i * pitch + k] * a[j * pitch + k];
	c[i * rows + j] = sum;
}

static int wrong(const std::vector<float> &a, const std::vector<float> &c, int rows, int columns, int pitch)
{
	int count = 0;
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < rows; j++) {
			double sum = 1;
			for (int k = 0; k < columns; k++)
				sum += (double)a[i * pitch + k] * a[j * pitch + k];
			count += std::fabs(c[i * rows + j] - sum) > 1e-4 * (1 + std::fabs(sum));
		}
	return count;
}

int main(int argc, char **argv)
{
	int rows = argc > 1 ? atoi(argv[1]) : 256, columns = argc > 2 ? atoi(argv[2]) : 128;
	int pitch = argc > 3 ? atoi(argv[3]) : 1024;
	if (rows < 1 || columns < 1 || pitch < columns) {
		fprintf(stderr, "usage: syrk [ROWS [COLUMNS [PITCH]]], PITCH >= COLUMNS\n");
		return 2;
	}
	std::vector<float> a((size_t)rows * pitch), c((size_t)rows * rows, 1.0f);
	for (size_t i = 0; i < a.size(); i++)
		a[i] = (float)(i * 7 % 13) / 13;
	float *da, *dc;
	cudaMalloc(&da, a.size() * sizeof(float));
	cudaMalloc(&dc, c.size() * sizeof(float));
	cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(dc, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
	dim3 block(32, 8), grid((rows + 31) / 32, (rows + 7) / 8);
	syrk<<<grid, block>>>(da, dc, rows, columns, pitch);
	cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
	int errors = cudaGetLastError() != cudaSuccess ? 1 : wrong(a, c, rows, columns, pitch);
	printf("syrk: %d rows, %d columns, pitch %d: %s\n", rows, columns, pitch, errors ? "WRONG" : "correct");
	cudaFree(da);
	cudaFree(dc);
	return errors != 0;
}
