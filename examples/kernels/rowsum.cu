// rowsum [ROWS [COLUMNS]]: sums of the rows of a matrix, one thread per row, and nothing else in memory.
//
// Every thread walks along its own row, so a warp's load touches 32 lines, each used by the next 31 iterations. Rows of
// 4096 floats lie 128 lines apart: under Fermi's set index two warps fill 16 sets of four ways to the last line, and a
// third finds no room (see docs/mechanisms/swl.md; rowwalk.cu is the same walk with two more vectors).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void rowsum(const float *a, float *sums, int rows, int columns)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows)
		return;
	float sum = 0;
#pragma unroll 1
	for (int j = 0; j < columns; j++)
		sum += a[(size_t)i * columns + j];
	sums[i] = sum;
}

int main(int argc, char **argv)
{
	int rows = argc > 1 ? atoi(argv[1]) : 4096, columns = argc > 2 ? atoi(argv[2]) : 4096;
	if (rows < 1 || columns < 1) {
		fprintf(stderr, "usage: rowsum [ROWS [COLUMNS]]\n");
		return 2;
	}
	std::vector<float> a((size_t)rows * columns), sums(rows);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			a[(size_t)i * columns + j] = (float)((i * 5 + j * 7) % 13) / 13;
	float *da, *dsums;
	cudaMalloc(&da, a.size() * sizeof(float));
	cudaMalloc(&dsums, sums.size() * sizeof(float));
	cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
	rowsum<<<(rows + 255) / 256, 256>>>(da, dsums, rows, columns);
	cudaMemcpy(sums.data(), dsums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
	int wrong = 0;
	for (int i = 0; i < rows; i++) {
		double sum = 0;
		for (int j = 0; j < columns; j++)
			sum += a[(size_t)i * columns + j];
		wrong += !(std::fabs(sums[i] - sum) <= 1e-4 * (1 + std::fabs(sum)));
	}
	printf("rowsum: %d rows, %d columns: %s\n", rows, columns, wrong ? "WRONG" : "correct");
	return wrong != 0;
}
