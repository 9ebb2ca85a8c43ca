// share [CTAS [COLUMNS]]: y[i] = a[i] * sum of w, with all warps of a CTA walking along the same lines of w.
//
// Each load of w touches one line, and the other warps of the CTA ask for the same line at about the same time: nothing
// is gained by a warp alone, and much by warps together.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void share(const float *a, const float *w, float *y, int columns)
{
	int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	const float *row = w + (size_t)blockIdx.x * columns * 32;
	float sum = 0;
#pragma unroll 1
	for (int j = 0; j < columns; j++)
		sum += row[j * 32 + lane];
	y[thread] = a[thread] * sum;
}

int main(int argc, char **argv)
{
	int ctas = argc > 1 ? atoi(argv[1]) : 64, columns = argc > 2 ? atoi(argv[2]) : 128;
	if (ctas < 1 || columns < 1) {
		fprintf(stderr, "usage: share [CTAS [COLUMNS]]\n");
		return 2;
	}
	enum { THREADS = 512 };
	std::vector<float> a((size_t)ctas * THREADS), w((size_t)ctas * columns * 32), y(a.size());
	for (size_t i = 0; i < a.size(); i++)
		a[i] = (float)(i % 7);
	for (size_t i = 0; i < w.size(); i++)
		w[i] = (float)(i % 29) / 32;
	float *da, *dw, *dy;
	cudaMalloc(&da, a.size() * sizeof(float));
	cudaMalloc(&dw, w.size() * sizeof(float));
	cudaMalloc(&dy, y.size() * sizeof(float));
	cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(dw, w.data(), w.size() * sizeof(float), cudaMemcpyHostToDevice);
	share<<<ctas, THREADS>>>(da, dw, dy, columns);
	cudaMemcpy(y.data(), dy, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
	int errors = cudaGetLastError() != cudaSuccess;
	for (size_t i = 0; i < y.size(); i++) {
		float sum = 0;
		for (int j = 0; j < columns; j++)
			sum += w[(i / THREADS * columns + j) * 32 + i % 32];
		errors += std::fabs(y[i] - a[i] * sum) > 1e-3f * (1 + std::fabs(a[i] * sum));
	}
	printf("share: %d CTAs, %d columns: %s\n", ctas, columns, errors ? "WRONG" : "correct");
	cudaFree(da);
	cudaFree(dw);
	cudaFree(dy);
	return errors != 0;
}
