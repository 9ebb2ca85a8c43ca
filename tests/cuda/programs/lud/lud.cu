#include "verify.h"
#include <vector>

extern void lud_cuda(float *m, int matrix_dim);

/* The product of the factors must be the matrix again. */
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64, wrong = 0;
	std::vector<float> a(n * n), lu;
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++)
			a[y * n + x] = (float)((y * 31 + x * 17) % 23) / 23 + (x == y ? n : 0);
	lu = a;
	float *d;
	CHECK_CUDA(cudaMalloc((void **)&d, n * n * sizeof(float)));
	CHECK_CUDA(cudaMemcpy(d, lu.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
	lud_cuda(d, n);
	CHECK_CUDA(cudaMemcpy(lu.data(), d, n * n * sizeof(float), cudaMemcpyDeviceToHost));
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++) {
			double sum = 0;
			for (int k = 0; k <= (x < y ? x : y); k++)
				sum += (k == y ? 1.0 : lu[y * n + k]) * lu[k * n + x];
			wrong += fabs(sum - a[y * n + x]) > 1e-3;
		}
	return verify_result("lud", wrong);
}
