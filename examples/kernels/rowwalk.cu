// rowwalk [ROWS [COLUMNS [PITCH]]]: y += A * x, one thread per row of A, as in the first kernel of PolyBench's ATAX.
//
// Every thread walks along its own row, so a warp's load of A[i][j] touches 32 lines, and each line is used again by
// the next 31 iterations, if it lives that long. With a pitch of 4096 floats a warp's lines lie 128 lines apart: they
// share a few sets of a cache that is indexed in sequence, and few warps fill it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void rowwalk(const float *a, const float *x, float *y, int rows, int columns, int pitch)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows)
		return;
#pragma unroll 1 // the loop as it stands, with its sum in memory
	for (int j = 0; j < columns; j++)
		y[i] += a[(size_t)i * pitch + j] * x[j];
}

static int wrong(const std::vector<float> &a, const std::vector<float> &x, const std::vector<float> &y, int pitch)
{
	int count = 0;
	for (size_t i = 0; i < y.size(); i++) {
		double sum = 0;
		for (size_t j = 0; j < x.size(); j++)
			sum += (double)a[i * pitch + j] * x[j];
		count += !(std::fabs(y[i] - sum) <= 1e-4 * (1 + std::fabs(sum)));
	}
	return count;
}

int main(int argc, char **argv)
{
	int rows = argc > 1 ? atoi(argv[1]) : 7680, columns = argc > 2 ? atoi(argv[2]) : 128;
	int pitch = argc > 3 ? atoi(argv[3]) : 4096;
	if (rows < 1 || columns < 1 || pitch < columns) {
		fprintf(stderr, "usage: rowwalk [ROWS [COLUMNS [PITCH]]], PITCH >= COLUMNS\n");
		return 2;
	}
	std::vector<float> a((size_t)rows * pitch), x(columns), y(rows);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			a[(size_t)i * pitch + j] = (float)((i * 5 + j * 7) % 13) / 13;
	for (int j = 0; j < columns; j++)
		x[j] = (float)(j % 17) / 17;
	float *da, *dx, *dy;
	cudaMalloc(&da, a.size() * sizeof(float));
	cudaMalloc(&dx, x.size() * sizeof(float));
	cudaMalloc(&dy, y.size() * sizeof(float));
	cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(dx, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemset(dy, 0, y.size() * sizeof(float));
	rowwalk<<<(rows + 255) / 256, 256>>>(da, dx, dy, rows, columns, pitch);
	cudaMemcpy(y.data(), dy, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
	int errors = cudaGetLastError() != cudaSuccess ? 1 : wrong(a, x, y, pitch);
	printf("rowwalk: %d rows, %d columns, pitch %d: %s\n", rows, columns, pitch, errors ? "WRONG" : "correct");
	cudaFree(da);
	cudaFree(dx);
	cudaFree(dy);
	return errors != 0;
}
