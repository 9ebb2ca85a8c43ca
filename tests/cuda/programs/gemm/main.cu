/* C = alpha A B + beta C for sizes that are not multiples of the tile. */
#include "gemm.h"
#include "verify.h"
#include <vector>

static Matrix upload(const std::vector<float> &host, int height, int width)
{
	Matrix m = {width, height, width, NULL};
	CHECK_CUDA(cudaMalloc(&m.elements, host.size() * sizeof(float)));
	CHECK_CUDA(cudaMemcpy(m.elements, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
	return m;
}

int main(int argc, char **argv)
{
	int m = argc > 1 ? atoi(argv[1]) : 70, n = argc > 2 ? atoi(argv[2]) : 90,
	    k = argc > 3 ? atoi(argv[3]) : 100;
	std::vector<float> a(m * k), b(k * n), c(m * n), want;
	for (size_t i = 0; i < a.size(); i++)
		a[i] = (float)(i % 13) / 13;
	for (size_t i = 0; i < b.size(); i++)
		b[i] = (float)(i % 17) / 17 - 0.5f;
	for (size_t i = 0; i < c.size(); i++)
		c[i] = (float)(i % 5);
	want = c;
	Matrix da = upload(a, m, k), db = upload(b, k, n), dc = upload(c, m, n);
	device_gemm(da, db, dc, 1.5f, 0.25f);
	CHECK_CUDA(cudaGetLastError());
	CHECK_CUDA(cudaMemcpy(c.data(), dc.elements, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
	reference_gemm(a.data(), b.data(), want.data(), m, n, k, 1.5f, 0.25f);
	return verify_result("gemm", verify_close(c.data(), want.data(), m * n, 1e-4));
}
