/* The host's side of the comparison, in C. */
#include "gemm.h"

void reference_gemm(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta)
{
	int i, j, p;
	for (i = 0; i < m; i++)
		for (j = 0; j < n; j++) {
			double sum = 0;
			for (p = 0; p < k; p++)
				sum += (double)a[i * k + p] * b[p * n + j];
			c[i * n + j] = (float)(alpha * sum + beta * c[i * n + j]);
		}
}
