/*
 * libcublasLt against sums in double on the host: every epilogue, types, orientations, layouts by rows, batches, scalars on
 * both sides, and what it refuses.
 * options: -lcublasLt.
 */
#include <cmath>
#include <cstdio>
#include <vector>

#include <cublasLt.h>

static int failures;

static void check(bool holds, const char *claim)
{
	failures += !holds;
	if (!holds)
		printf("FAIL %s\n", claim);
}

#define OK(call) check((call) == CUBLAS_STATUS_SUCCESS, #call)
#define REFUSES(call) check((call) != CUBLAS_STATUS_SUCCESS, "refused: " #call)

static float as_float(float x) { return x; }
static double as_float(double x) { return x; }
static float as_float(__half x) { return __half2float(x); }
static float as_float(__nv_bfloat16 x) { return __bfloat162float(x); }
static float as_float(int x) { return (float)x; }
static float as_float(signed char x) { return x; }
static void set(float &to, float x) { to = x; }
static void set(double &to, float x) { to = x; }
static void set(__half &to, float x) { to = __float2half(x); }
static void set(__nv_bfloat16 &to, float x) { to = __float2bfloat16(x); }
static void set(int &to, float x) { to = (int)x; }
static void set(signed char &to, float x) { to = (signed char)(x * 4); }
static cudaDataType type_of(float) { return CUDA_R_32F; }
static cudaDataType type_of(double) { return CUDA_R_64F; }
static cudaDataType type_of(__half) { return CUDA_R_16F; }
static cudaDataType type_of(__nv_bfloat16) { return CUDA_R_16BF; }
static cudaDataType type_of(int) { return CUDA_R_32I; }
static cudaDataType type_of(signed char) { return CUDA_R_8I; }

template <class T> struct array {
	std::vector<T> host;
	T *device;

	explicit array(size_t n, unsigned seed = 1) : host(n)
	{
		for (T &x : host)
			set(x, (float)((int)((seed = seed * 1664525u + 1013904223u) >> 16) % 17 - 8) / 4);
		cudaMalloc(&device, n * sizeof(T));
		cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
	}
	~array()
	{
		cudaFree(device);
	}
	std::vector<T> get() const
	{
		std::vector<T> v(host.size());
		cudaMemcpy(v.data(), device, v.size() * sizeof(T), cudaMemcpyDeviceToHost);
		return v;
	}
};

static bool is_close(double got, double want, double tolerance)
{
	return std::fabs(got - want) <= tolerance * (1 + std::fabs(want));
}

static double gelu(double x)
{
	return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static double gelu_slope(double x)
{
	return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5;
}

struct problem {
	int m, n, k, batches;
	bool turns_a, turns_b, by_rows;
	unsigned epilogue;
	bool scalars_on_device;
};

template <class T> static void attribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which, const T &value)
{
	OK(cublasLtMatmulDescSetAttribute(desc, which, &value, sizeof value));
}

static cublasLtMatrixLayout_t layout_of(cudaDataType type, int rows, int columns, bool by_rows, int batches, long long stride)
{
	cublasLtMatrixLayout_t l;
	int32_t order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
	int64_t wide = stride;
	OK(cublasLtMatrixLayoutCreate(&l, type, rows, columns, (by_rows ? columns : rows) + 3));
	OK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
	OK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches));
	OK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &wide, sizeof wide));
	return l;
}

static long long at(bool by_rows, int rows, int columns, int i, int j)
{
	return by_rows ? i * (long long)(columns + 3) + j : i + j * (long long)(rows + 3);
}

static long long elements(int rows, int columns)
{
	return (long long)(rows + 3) * (columns + 3) + 5;
}

template <class In, class Out, class Scale>
static void product(const char *name, cublasComputeType_t compute, problem p, double tolerance)
{
	cublasLtHandle_t handle;
	cublasLtMatmulDesc_t desc;
	cublasLtMatmulPreference_t preference;
	int rows_a = p.turns_a ? p.k : p.m, columns_a = p.turns_a ? p.m : p.k;
	int rows_b = p.turns_b ? p.n : p.k, columns_b = p.turns_b ? p.k : p.n;
	array<In> a(elements(rows_a, columns_a) * p.batches, 3), b(elements(rows_b, columns_b) * p.batches, 5);
	array<Out> c(elements(p.m, p.n) * p.batches, 7), d(elements(p.m, p.n) * p.batches, 9), bias(p.m + p.n, 11);
	int ld_aux = (p.m + 127) / 128 * 128;
	array<Out> aux((size_t)ld_aux * p.n * p.batches, 13);
	array<Scale> scalars(2, 17);
	set(scalars.host[0], 0.5f), set(scalars.host[1], 2.0f);
	cudaMemcpy(scalars.device, scalars.host.data(), 2 * sizeof(Scale), cudaMemcpyHostToDevice);
	OK(cublasLtCreate(&handle));
	OK(cublasLtMatmulDescCreate(&desc, compute, type_of(Scale())));
	int32_t turned = CUBLAS_OP_T, mode = CUBLASLT_POINTER_MODE_DEVICE;
	if (p.turns_a)
		attribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, turned);
	if (p.turns_b)
		attribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, turned);
	if (p.scalars_on_device)
		attribute(desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, mode);
	attribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, p.epilogue);
	bool with_aux = p.epilogue != CUBLASLT_EPILOGUE_DEFAULT && p.epilogue & 128;
	bool is_mask = with_aux && p.epilogue & (2 | 8);
	void *places[] = {bias.device, aux.device};
	attribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, places[0]);
	if (with_aux) {
		attribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, places[1]);
		attribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, (int64_t)ld_aux);
		attribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, (int64_t)ld_aux * p.n);
	}
	cublasLtMatrixLayout_t la = layout_of(type_of(In()), rows_a, columns_a, p.by_rows, p.batches, elements(rows_a, columns_a));
	cublasLtMatrixLayout_t lb = layout_of(type_of(In()), rows_b, columns_b, false, p.batches, elements(rows_b, columns_b));
	cublasLtMatrixLayout_t lc = layout_of(type_of(Out()), p.m, p.n, p.by_rows, p.batches, elements(p.m, p.n));
	cublasLtMatrixLayout_t ld = layout_of(type_of(Out()), p.m, p.n, p.by_rows, p.batches, elements(p.m, p.n));
	cublasLtMatmulHeuristicResult_t found;
	int count = 0;
	OK(cublasLtMatmulPreferenceCreate(&preference));
	OK(cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, ld, preference, 1, &found, &count));
	check(count == 1 && found.workspaceSize == 0, "one algorithm without workspace");
	const Scale *s = p.scalars_on_device ? scalars.device : scalars.host.data();
	OK(cublasLtMatmul(handle, desc, s, a.device, la, b.device, lb, s + 1, c.device, lc, d.device, ld, &found.algo, nullptr,
	                  0, 0));
	std::vector<Out> got = d.get(), kept = aux.get(), sums = bias.get();
	double alpha = as_float(scalars.host[0]), beta = as_float(scalars.host[1]);
	bool holds = true;
	std::vector<double> of_rows(p.m), of_a(p.m), of_b(p.n);
	for (int z = 0; z < p.batches; z++)
		for (int i = 0; i < p.m; i++)
			for (int j = 0; j < p.n; j++) {
				double sum = 0;
				for (int k = 0; k < p.k; k++) {
					long long of_a_at = p.turns_a ? at(p.by_rows, rows_a, columns_a, k, i) : at(p.by_rows, rows_a, columns_a, i, k);
					long long of_b_at = p.turns_b ? at(false, rows_b, columns_b, j, k) : at(false, rows_b, columns_b, k, j);
					double x = as_float(a.host[of_a_at + z * elements(rows_a, columns_a)]);
					double y = as_float(b.host[of_b_at + z * elements(rows_b, columns_b)]);
					sum += x * y;
					of_a[i] += !z && !j ? x : 0;
					of_b[j] += !z && !i ? y : 0;
				}
				long long place = at(p.by_rows, p.m, p.n, i, j) + z * elements(p.m, p.n);
				long long aux_place = i + (j + (long long)z * p.n) * ld_aux;
				double x = alpha * sum + beta * as_float(c.host[place]);
				unsigned e = p.epilogue;
				const unsigned *bits = (const unsigned *)(is_mask ? kept.data() : nullptr);
				const unsigned *old_bits = (const unsigned *)(is_mask ? aux.host.data() : nullptr);
				if (e & 4)
					x += as_float(bias.host[i]);
				if (e & 2 && is_mask)
					holds = holds && (bits[aux_place >> 5] >> (aux_place & 31) & 1) == (x > 0);
				if (e == CUBLASLT_EPILOGUE_DEFAULT)
					;
				else if (e & 2)
					x = x > 0 ? x : 0;
				else if (e & 32) {
					if (with_aux)
						holds = holds && is_close(as_float(kept[aux_place]), x, tolerance);
					x = gelu(x);
				} else if (e & 8)
					x = old_bits[aux_place >> 5] >> (aux_place & 31) & 1 ? x : 0;
				else if (e & 64)
					x *= gelu_slope(as_float(aux.host[aux_place]));
				of_rows[i] += as_float(got[place]);
				holds = holds && is_close(as_float(got[place]), x, tolerance);
			}
	if (p.batches == 1 && p.epilogue & 16)
		for (int i = 0; i < p.m; i++)
			holds = holds && is_close(as_float(sums[i]), of_rows[i], tolerance * 4);
	if (p.epilogue & 256)
		for (int i = 0; i < p.m; i++)
			holds = holds && is_close(as_float(sums[i]), of_a[i], tolerance * 4);
	if (p.epilogue & 512)
		for (int j = 0; j < p.n; j++)
			holds = holds && is_close(as_float(sums[j]), of_b[j], tolerance * 4);
	char claim[200];
	snprintf(claim, sizeof claim, "%s, epilogue %u, %dx%dx%d, %d batches", name, p.epilogue, p.m, p.n, p.k, p.batches);
	check(holds, claim);
	OK(cublasLtMatmulPreferenceDestroy(preference));
	OK(cublasLtMatrixLayoutDestroy(la));
	OK(cublasLtMatrixLayoutDestroy(lb));
	OK(cublasLtMatrixLayoutDestroy(lc));
	OK(cublasLtMatrixLayoutDestroy(ld));
	OK(cublasLtMatmulDescDestroy(desc));
	OK(cublasLtDestroy(handle));
}

static void refusals()
{
	cublasLtHandle_t handle;
	cublasLtMatmulDesc_t desc;
	cublasLtMatrixLayout_t a, b, d, odd;
	cublasLtMatmulPreference_t preference;
	cublasLtMatmulHeuristicResult_t found;
	float one = 1;
	uint32_t epilogue = CUBLASLT_EPILOGUE_BIAS, unknown = 3000;
	int count = 1;
	size_t bytes = 0;
	array<float> x(64);
	OK(cublasLtCreate(&handle));
	OK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
	OK(cublasLtMatrixLayoutCreate(&a, CUDA_R_32F, 8, 4, 8));
	OK(cublasLtMatrixLayoutCreate(&b, CUDA_R_32F, 4, 8, 4));
	OK(cublasLtMatrixLayoutCreate(&d, CUDA_R_32F, 8, 8, 8));
	OK(cublasLtMatrixLayoutCreate(&odd, CUDA_R_16F, 4, 8, 4));
	OK(cublasLtMatmulPreferenceCreate(&preference));
	OK(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, nullptr, 0, &bytes));
	check(bytes == 4, "an attribute's size can be asked");
	REFUSES(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, 2));
	REFUSES(cublasLtMatmul(handle, desc, &one, x.device, b, x.device, b, &one, x.device, d, x.device, d, nullptr, nullptr, 0, 0));
	REFUSES(cublasLtMatmul(handle, desc, &one, nullptr, a, x.device, b, &one, x.device, d, x.device, d, nullptr, nullptr, 0, 0));
	check(cublasLtMatmulAlgoGetHeuristic(handle, desc, a, odd, d, d, preference, 1, &found, &count) ==
	              CUBLAS_STATUS_NOT_SUPPORTED &&
	          count == 0,
	      "types that do not go together have no algorithm");
	OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
	REFUSES(cublasLtMatmul(handle, desc, &one, x.device, a, x.device, b, &one, x.device, d, x.device, d, nullptr, nullptr, 0, 0));
	OK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &unknown, sizeof unknown));
	REFUSES(cublasLtMatmulAlgoGetHeuristic(handle, desc, a, b, d, d, preference, 1, &found, &count));
	REFUSES(cublasLtMatmulAlgoGetHeuristic(nullptr, desc, a, b, d, d, preference, 1, &found, &count));
}

int main()
{
	static const unsigned epilogues[] = {1, 2, 2 | 128, 4, 2 | 4, 2 | 128 | 4, 8 | 128, 8 | 128 | 16, 32, 32 | 128, 32 | 4,
	                                     32 | 128 | 4, 64 | 128, 64 | 128 | 16, 256, 512};
	for (unsigned e : epilogues)
		product<float, float, float>("f32", CUBLAS_COMPUTE_32F, {37, 21, 19, 1, false, false, false, e, false}, 1e-4);
	for (int turns = 0; turns < 4; turns++)
		for (int by_rows = 0; by_rows < 2; by_rows++)
			product<float, float, float>("turned", CUBLAS_COMPUTE_32F, {33, 34, 35, 2, (turns & 1) != 0, turns > 1, by_rows != 0, 1, true},
			                             1e-4);
	product<float, float, float>("rows", CUBLAS_COMPUTE_32F, {20, 9, 8, 1, true, false, true, 32 | 4, false}, 1e-4);
	product<double, double, double>("f64", CUBLAS_COMPUTE_64F, {17, 40, 33, 1, true, false, false, 32 | 4, false}, 1e-9);
	product<__half, __half, float>("f16", CUBLAS_COMPUTE_32F, {40, 24, 48, 2, true, false, false, 1, false}, 4e-3);
	product<__half, __half, __half>("f16 scalars", CUBLAS_COMPUTE_16F, {16, 8, 16, 1, false, false, false, 1, false}, 4e-3);
	product<__half, float, float>("f16 to f32", CUBLAS_COMPUTE_32F, {24, 40, 16, 1, false, true, false, 4, true}, 1e-3);
	product<__nv_bfloat16, __nv_bfloat16, float>("bf16", CUBLAS_COMPUTE_32F, {48, 16, 32, 1, true, false, false, 32 | 128 | 4, false},
	                                             3e-2);
	product<signed char, int, int>("s8", CUBLAS_COMPUTE_32I, {16, 24, 32, 1, true, false, false, 1, false}, 0.51);
	refusals();
	printf(failures ? "cublaslt FAIL\n" : "cublaslt PASS\n");
	return failures != 0;
}
