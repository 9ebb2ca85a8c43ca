#include "BlackScholes_kernel.cuh"
#include "verify.h"
#include <vector>

static double cnd(double d)
{
	return 0.5 * erfc(-d / sqrt(2.0));
}

int main(void)
{
	const int N = 20000;
	const float R = 0.02f, V = 0.30f;
	std::vector<float> S(N), X(N), T(N), call(N), put(N), want_call(N), want_put(N);
	float *d[5];
	for (int i = 0; i < N; i++) {
		S[i] = 5.0f + (float)(i * 7919u % 2500) / 100;
		X[i] = 1.0f + (float)(i * 104729u % 9900) / 100;
		T[i] = 0.25f + (float)(i * 1299709u % 975) / 100;
		double root = sqrt((double)T[i]),
		       d1 = (log((double)S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * root),
		       d2 = d1 - V * root;
		double discount = exp(-(double)R * T[i]);
		want_call[i] = (float)(S[i] * cnd(d1) - X[i] * discount * cnd(d2));
		want_put[i] = (float)(X[i] * discount * cnd(-d2) - S[i] * cnd(-d1));
	}
	for (int k = 0; k < 5; k++)
		CHECK_CUDA(cudaMalloc((void **)&d[k], N * sizeof(float)));
	CHECK_CUDA(cudaMemcpy(d[2], S.data(), N * sizeof(float), cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d[3], X.data(), N * sizeof(float), cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d[4], T.data(), N * sizeof(float), cudaMemcpyHostToDevice));
	BlackScholesGPU<<<(N / 2 + 127) / 128, 128>>>((float2 *)d[0], (float2 *)d[1], (float2 *)d[2],
	                                              (float2 *)d[3], (float2 *)d[4], R, V, N);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy(call.data(), d[0], N * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaMemcpy(put.data(), d[1], N * sizeof(float), cudaMemcpyDeviceToHost));
	return verify_result("blackscholes", verify_close(call.data(), want_call.data(), N, 1e-4) +
	                                         verify_close(put.data(), want_put.data(), N, 1e-4));
}
