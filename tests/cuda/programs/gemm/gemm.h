#ifndef GEMM_H
#define GEMM_H

typedef struct {
	int width, height, stride;
	float *elements;
} Matrix;

#ifdef __cplusplus
extern "C" {
#endif
void reference_gemm(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta);
#ifdef __cplusplus
}
#endif

void device_gemm(Matrix a, Matrix b, Matrix c, float alpha, float beta);

#endif
