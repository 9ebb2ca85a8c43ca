/*
 * libcublas against sums in double on the host: vectors with steps, gemv, ger, geam, gemm in every orientation, with edges
 * that no tile meets, batched, strided and in mixed types, scalars on both sides.
 * options: -lcublas.
 */
#include <cmath>
#include <cstdio>
#include <vector>

#include <cublas_v2.h>

static int failures;

static void check(bool holds, const char *claim)
{
	failures += !holds;
	if (!holds)
		printf("FAIL %s\n", claim);
}

#define OK(call) check((call) == CUBLAS_STATUS_SUCCESS, #call)

template <class T> struct array {
	std::vector<T> host;
	T *device;

	explicit array(size_t n, unsigned seed = 1) : host(n)
	{
		for (T &x : host)
			x = (T)((float)((int)((seed = seed * 1664525u + 1013904223u) >> 16) % 17 - 8) / 4);
		cudaMalloc(&device, n * sizeof(T));
		put();
	}
	~array()
	{
		cudaFree(device);
	}
	void put()
	{
		cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
	}
	std::vector<T> get() const
	{
		std::vector<T> v(host.size());
		cudaMemcpy(v.data(), device, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
		return v;
	}
};

template <class T> static bool is_close(const std::vector<T> &got, const std::vector<double> &want, double tolerance)
{
	for (size_t i = 0; i < want.size(); i++)
		if (!(std::fabs((double)(float)got[i] - want[i]) <= tolerance * (1 + std::fabs(want[i]))))
			return false;
	return true;
}

/* ---- vectors --------------------------------------------------------------------------------------------------- */

static void vectors(cublasHandle_t handle)
{
	const int n = 1000, step = 3;
	array<double> x(n * step, 1), y(n, 2);
	array<float> z(n, 3);
	double sum = 0, magnitudes = 0, squares = 0, result = 0, alpha = 1.5;
	int most = 0, least = 0, index = 0;
	for (int i = 0; i < n; i++) {
		double a = x.host[i * step];
		sum += a * y.host[i];
		magnitudes += std::fabs(a);
		squares += a * a;
		most = std::fabs(a) > std::fabs(x.host[most * step]) ? i : most;
		least = std::fabs(a) < std::fabs(x.host[least * step]) ? i : least;
	}
	OK(cublasDdot(handle, n, x.device, step, y.device, 1, &result));
	check(result == sum, "dot");
	OK(cublasDasum(handle, n, x.device, step, &result));
	check(result == magnitudes, "asum");
	OK(cublasDnrm2(handle, n, x.device, step, &result));
	check(std::fabs(result - std::sqrt(squares)) < 1e-12, "nrm2");
	OK(cublasIdamax(handle, n, x.device, step, &index));
	check(index == most + 1, "amax is the first, counted from 1");
	OK(cublasIdamin(handle, n, x.device, step, &index));
	check(index == least + 1, "amin");
	std::vector<double> want(n);
	for (int i = 0; i < n; i++)
		want[i] = y.host[i] + alpha * x.host[(n - 1 - i) * step];
	OK(cublasDaxpy(handle, n, &alpha, x.device, -step, y.device, 1));
	check(is_close(y.get(), want, 0), "axpy, from the end of x");
	OK(cublasDscal(handle, n, &alpha, y.device, 1));
	for (double &w : want)
		w *= alpha;
	check(is_close(y.get(), want, 0), "scal");

	x.host[0] = 1e200, x.host[step] = 1e200;
	x.put();
	OK(cublasDnrm2(handle, 2, x.device, step, &result));
	check(std::fabs(result / (1e200 * std::sqrt(2.0)) - 1) < 1e-14, "nrm2 does not overflow");
	float f = 0, *on_device;
	cudaMalloc(&on_device, sizeof f);
	OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
	OK(cublasSasum(handle, n, z.device, 1, on_device));
	cudaMemcpy(&f, on_device, sizeof f, cudaMemcpyDeviceToHost);
	OK(cublasSscal(handle, n, on_device, z.device, 1));
	OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
	magnitudes = 0;
	for (float v : z.host)
		magnitudes += std::fabs(v);
	check(f == (float)magnitudes && z.get()[5] == z.host[5] * f, "results and scalars on the device");
	OK(cublasSasum(handle, 0, z.device, 1, &f));
	check(f == 0, "an empty vector");
}

/* ---- matrices -------------------------------------------------------------------------------------------------- */

static void matrix_and_vector(cublasHandle_t handle)
{
	const int m = 70, n = 45, lda = 75;
	const float alpha = 2, beta = -1;
	array<float> a(lda * n, 1), x(2 * m, 2), y(m, 3), c(n * m);
	std::vector<double> want(m), turned(n);
	for (int i = 0; i < m; i++) {
		want[i] = beta * y.host[i];
		for (int j = 0; j < n; j++)
			want[i] += alpha * a.host[i + j * lda] * x.host[2 * j];
	}
	for (int j = 0; j < n; j++) {
		turned[j] = 0;
		for (int i = 0; i < m; i++)
			turned[j] += alpha * a.host[i + j * lda] * x.host[2 * i];
	}
	OK(cublasSgemv(handle, CUBLAS_OP_N, m, n, &alpha, a.device, lda, x.device, 2, &beta, y.device, 1));
	check(is_close(y.get(), want, 1e-5), "gemv");
	const float zero = 0;
	OK(cublasSgemv(handle, CUBLAS_OP_T, m, n, &alpha, a.device, lda, x.device, 2, &zero, y.device, 1));
	check(is_close(y.get(), turned, 1e-5), "gemv of the transposed");
	std::vector<double> flipped(n * m);
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++)
			flipped[j + i * n] = alpha * a.host[i + j * lda];
	OK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &alpha, a.device, lda, &zero, (const float *)nullptr, n, c.device, n));
	check(is_close(c.get(), flipped, 0), "geam transposes");
	std::vector<double> grown(lda * n);
	for (int i = 0; i < lda * n; i++)
		grown[i] = a.host[i] + (i % lda < m ? alpha * x.host[i % lda] * x.host[i / lda] : 0);
	OK(cublasSger(handle, m, n, &alpha, x.device, 1, x.device, 1, a.device, lda));
	check(is_close(a.get(), grown, 1e-6), "ger");
}

template <class In, class Out>
static std::vector<double> product(const array<In> &a, const array<In> &b, const array<Out> &c, cublasOperation_t ta,
                                   cublasOperation_t tb, int m, int n, int k, int lda, int ldb, int ldc, double alpha,
                                   double beta, size_t at = 0)
{
	std::vector<double> want;
	for (Out x : c.host)
		want.push_back((double)(float)x);
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int l = 0; l < k; l++)
				sum += (double)(float)a.host[at + (ta == CUBLAS_OP_N ? i + l * lda : l + i * lda)] *
				       (double)(float)b.host[at + (tb == CUBLAS_OP_N ? l + j * ldb : j + l * ldb)];
			want[at + i + j * ldc] = alpha * sum + beta * want[at + i + j * ldc];
		}
	return want;
}

static void products(cublasHandle_t handle)
{
	const cublasOperation_t kinds[] = {CUBLAS_OP_N, CUBLAS_OP_T};
	const int m = 67, n = 35, k = 21, ld = 70;
	const float alpha = 0.5f, beta = 2;
	for (cublasOperation_t ta : kinds)
		for (cublasOperation_t tb : kinds) {
			array<float> a(ld * ld, 1), b(ld * ld, 2), c(ld * n, 3);
			std::vector<double> want = product(a, b, c, ta, tb, m, n, k, ld, ld, ld, alpha, beta);
			OK(cublasSgemm(handle, ta, tb, m, n, k, &alpha, a.device, ld, b.device, ld, &beta, c.device, ld));
			check(is_close(c.get(), want, 1e-5), "sgemm");
		}
	const double one = 1, none = 0;
	array<double> a(ld * ld, 4), b(ld * ld, 5), c(ld * n, 6);
	c.host[3] = NAN; /* what beta 0 must not read */
	c.put();
	std::vector<double> want = product(a, b, array<double>(ld * n, 6), CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, ld, ld, ld, 1, 0);
	OK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a.device, ld, b.device, ld, &none, c.device, ld));
	check(is_close(c.get(), want, 1e-13), "dgemm with beta 0 over NaN");
	check(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a.device, m - 1, b.device, ld, &none, c.device, ld) ==
	          CUBLAS_STATUS_INVALID_VALUE,
	      "a leading dimension that is too small is refused");
}

static void batches(cublasHandle_t handle)
{
	const int m = 10, count = 3, stride = m * m;
	const float alpha = 1, beta = 1;
	array<float> a(stride * count, 1), b(stride * count, 2), c(stride * count, 3), d(stride * count, 3);
	std::vector<double> want;
	for (int i = 0; i < count; i++) {
		std::vector<double> w = product(a, b, c, CUBLAS_OP_N, CUBLAS_OP_T, m, m, m, m, m, m, 1, 1, (size_t)i * stride);
		want.insert(want.end(), w.begin() + i * stride, w.begin() + (i + 1) * stride);
	}
	OK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, m, &alpha, a.device, m, stride, b.device, m, stride, &beta,
	                             c.device, m, stride, count));
	check(is_close(c.get(), want, 1e-5), "gemmStridedBatched");
	const float *pa[count], *pb[count], **pointers;
	float *pc[count];
	for (int i = 0; i < count; i++)
		pa[i] = a.device + i * stride, pb[i] = b.device + i * stride, pc[i] = d.device + i * stride;
	cudaMalloc(&pointers, 3 * sizeof pa);
	cudaMemcpy(pointers, pa, sizeof pa, cudaMemcpyHostToDevice);
	cudaMemcpy(pointers + count, pb, sizeof pa, cudaMemcpyHostToDevice);
	cudaMemcpy(pointers + 2 * count, pc, sizeof pa, cudaMemcpyHostToDevice);
	OK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, m, &alpha, pointers, m, pointers + count, m, &beta,
	                      (float *const *)(pointers + 2 * count), m, count));
	check(is_close(d.get(), want, 1e-5), "gemmBatched");
}

static void mixed(cublasHandle_t handle)
{
	const int m = 33;
	const float alpha = 1, beta = 0.5f;
	array<__half> a(m * m, 1), b(m * m, 2), c(m * m, 3);
	array<float> d(m * m, 4);
	std::vector<double> want = product(a, b, d, CUBLAS_OP_T, CUBLAS_OP_N, m, m, m, m, m, m, 1, 0.5);
	OK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, m, m, &alpha, a.device, CUDA_R_16F, m, b.device, CUDA_R_16F, m, &beta,
	                d.device, CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
	check(is_close(d.get(), want, 1e-5), "gemmEx of halves into floats");
	const __half one = __float2half(1), zero = __float2half(0);
	want = product(a, b, c, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, m, m, m, 1, 0);
	OK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, a.device, m, b.device, m, &zero, c.device, m));
	check(is_close(c.get(), want, 1e-3), "hgemm");
	array<__nv_bfloat16> p(m * m, 5), q(m * m, 6), r(m * m, 7);
	want = product(p, q, r, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, m, m, m, 1, 0.5);
	OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &alpha, p.device, CUDA_R_16BF, m, q.device, CUDA_R_16BF, m, &beta,
	                r.device, CUDA_R_16BF, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
	check(is_close(r.get(), want, 1e-2), "gemmEx of bfloat16");
	array<signed char> s(m * m, 8), t(m * m, 9);
	array<int> u(m * m, 1);
	const int whole = 2, nothing = 0;
	want = product(s, t, u, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, m, m, m, 2, 0);
	OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &whole, s.device, CUDA_R_8I, m, t.device, CUDA_R_8I, m, &nothing,
	                u.device, CUDA_R_32I, m, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
	check(is_close(u.get(), want, 0), "gemmEx of integers");
	check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &alpha, a.device, CUDA_C_32F, m, b.device, CUDA_C_32F, m, &beta,
	                   d.device, CUDA_C_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED,
	      "types that are not there are refused");
}

int main()
{
	cublasHandle_t handle;
	cudaStream_t stream;
	cudaStreamCreate(&stream);
	OK(cublasCreate(&handle));
	vectors(handle);
	OK(cublasSetStream(handle, stream));
	matrix_and_vector(handle);
	products(handle);
	batches(handle);
	mixed(handle);
	check(cudaGetLastError() == cudaSuccess, "no launch failed");
	OK(cublasDestroy(handle));
	puts(failures ? "cublas_v2 FAIL" : "cublas_v2 PASS");
	return failures != 0;
}
