/*
 * libcusparse against sums on the host: CSR, CSC and COO, turned and not, both bases, both widths of indexes, vectors and
 * matrices by columns and by rows, scalars on both sides, empty rows, and what it refuses.
 * options: -lcusparse.
 */
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <cusparse.h>

static int failures;

static void check(bool holds, const char *claim)
{
	failures += !holds;
	if (!holds)
		printf("FAIL %s\n", claim);
}

#define OK(call) check((call) == CUSPARSE_STATUS_SUCCESS, #call)

template <class T> static T *put(const std::vector<T> &v)
{
	T *at;
	cudaMalloc(&at, (v.size() + 1) * sizeof(T));
	cudaMemcpy(at, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
	return at;
}

static unsigned seed = 1;
static double number()
{
	return ((int)((seed = seed * 1664525u + 1013904223u) >> 16) % 17 - 8) / 4.0;
}

static cudaDataType type_of(float)
{
	return CUDA_R_32F;
}
static cudaDataType type_of(double)
{
	return CUDA_R_64F;
}
static cusparseIndexType_t index_of(int)
{
	return CUSPARSE_INDEX_32I;
}
static cusparseIndexType_t index_of(long long)
{
	return CUSPARSE_INDEX_64I;
}

/* Rows 3, 13, ... are empty; row 5 is full. */
template <class T> static std::vector<T> make(int rows, int columns)
{
	std::vector<T> a(rows * columns);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			a[i * columns + j] = i % 10 == 3 ? 0 : i == 5 || (i * 7 + j * 3) % 5 == 0 ? (T)number() : 0;
	return a;
}

template <class T, class I>
static cusparseSpMatDescr_t sparse(cusparseFormat_t format, const std::vector<T> &a, int rows, int columns, int base)
{
	std::vector<I> lines, indexes;
	std::vector<T> values;
	bool by_columns = format == CUSPARSE_FORMAT_CSC;
	for (int l = 0; l < (by_columns ? columns : rows); l++) {
		if (format != CUSPARSE_FORMAT_COO)
			lines.push_back((I)values.size() + base);
		for (int k = 0; k < (by_columns ? rows : columns); k++) {
			T x = by_columns ? a[k * columns + l] : a[l * columns + k];
			if (x == 0)
				continue;
			if (format == CUSPARSE_FORMAT_COO)
				lines.push_back(l + base);
			indexes.push_back(k + base);
			values.push_back(x);
		}
	}
	if (format != CUSPARSE_FORMAT_COO)
		lines.push_back((I)values.size() + base);
	cusparseSpMatDescr_t out = nullptr;
	I *at_lines = put(lines), *at_indexes = put(indexes);
	T *at_values = put(values);
	cusparseIndexType_t width = index_of(I());
	if (format == CUSPARSE_FORMAT_CSR)
		OK(cusparseCreateCsr(&out, rows, columns, values.size(), at_lines, at_indexes, at_values, width, width,
		                     (cusparseIndexBase_t)base, type_of(T())));
	else if (format == CUSPARSE_FORMAT_CSC)
		OK(cusparseCreateCsc(&out, rows, columns, values.size(), at_lines, at_indexes, at_values, width, width,
		                     (cusparseIndexBase_t)base, type_of(T())));
	else
		OK(cusparseCreateCoo(&out, rows, columns, values.size(), at_lines, at_indexes, at_values, width,
		                     (cusparseIndexBase_t)base, type_of(T())));
	return out;
}

template <class T> static bool is_close(T got, double want)
{
	return std::fabs(got - want) <= (sizeof(T) == 4 ? 1e-4 : 1e-10) * (1 + std::fabs(want));
}

template <class T, class I>
static void product(cusparseHandle_t handle, cusparseFormat_t format, bool turned, int wide, bool b_by_rows, bool b_turned,
                    bool c_by_rows, bool on_device, int base)
{
	const int rows = 47, columns = 31, m = turned ? columns : rows, k = turned ? rows : columns;
	std::vector<T> a = make<T>(rows, columns), b(k * wide), c(m * wide), got(m * wide);
	for (T &x : b)
		x = (T)number();
	T s[2] = {2, on_device ? (T)0 : (T)0.5};
	for (T &x : c)
		x = s[1] == 0 ? std::numeric_limits<T>::quiet_NaN() : (T)number();
	cusparseSpMatDescr_t matrix = sparse<T, I>(format, a, rows, columns, base);
	T *at_b = put(b), *at_c = put(c), *at_s = put(std::vector<T>(s, s + 2));
	const T *scalars = on_device ? at_s : s;
	OK(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
	cusparseOperation_t op = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
	cudaDataType type = type_of(T());
	size_t bytes = 7;
	if (wide == 1) {
		cusparseDnVecDescr_t x, y;
		OK(cusparseCreateDnVec(&x, k, at_b, type));
		OK(cusparseCreateDnVec(&y, m, at_c, type));
		OK(cusparseSpMV_bufferSize(handle, op, scalars, matrix, x, scalars + 1, y, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
		OK(cusparseSpMV(handle, op, scalars, matrix, x, scalars + 1, y, type, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
		OK(cusparseDestroyDnVec(x));
		OK(cusparseDestroyDnVec(y));
	} else {
		cusparseDnMatDescr_t x, y;
		int x_rows = b_turned ? wide : k, x_columns = b_turned ? k : wide;
		cusparseOperation_t op_b = b_turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
		OK(cusparseCreateDnMat(&x, x_rows, x_columns, b_by_rows ? x_columns : x_rows, at_b, type,
		                       b_by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
		OK(cusparseCreateDnMat(&y, m, wide, c_by_rows ? wide : m, at_c, type,
		                       c_by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
		OK(cusparseSpMM_bufferSize(handle, op, op_b, scalars, matrix, x, scalars + 1, y, type, CUSPARSE_SPMM_ALG_DEFAULT,
		                           &bytes));
		OK(cusparseSpMM(handle, op, op_b, scalars, matrix, x, scalars + 1, y, type, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
		OK(cusparseDestroyDnMat(x));
		OK(cusparseDestroyDnMat(y));
	}
	cudaMemcpy(got.data(), at_c, got.size() * sizeof(T), cudaMemcpyDeviceToHost);
	bool holds = bytes == 0, b_rows = b_by_rows != b_turned;
	for (int i = 0; i < m; i++)
		for (int j = 0; j < wide; j++) {
			double sum = 0;
			for (int l = 0; l < k; l++)
				sum += (double)a[turned ? l * columns + i : i * columns + l] * b[b_rows ? l * wide + j : l + j * k];
			int place = c_by_rows ? i * wide + j : i + j * m;
			double want = s[0] * sum + (s[1] == 0 ? 0 : (double)s[1] * c[place]);
			holds = holds && is_close(got[place], want);
		}
	char claim[160];
	snprintf(claim, sizeof claim, "format %d, turned %d, %d columns, rows %d %d %d, base %d, %zu-byte values", (int)format, turned,
	         wide, b_by_rows, b_turned, c_by_rows, base, sizeof(T));
	check(holds, claim);
	OK(cusparseDestroySpMat(matrix));
}

static void refusals(cusparseHandle_t handle)
{
	cusparseSpMatDescr_t a;
	cusparseDnVecDescr_t x, y, odd;
	float s = 1, *memory;
	cudaMalloc(&memory, 4096);
	OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
	OK(cusparseCreateCsr(&a, 4, 8, 4, memory, memory, memory, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
	                     CUDA_R_32F));
	OK(cusparseCreateDnVec(&x, 8, memory, CUDA_R_32F));
	OK(cusparseCreateDnVec(&y, 4, memory, CUDA_R_32F));
	OK(cusparseCreateDnVec(&odd, 8, memory, CUDA_R_64F));
	cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
	check(cusparseSpMV(handle, plain, &s, a, y, &s, x, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
	          CUSPARSE_STATUS_INVALID_VALUE,
	      "sizes must fit");
	check(cusparseSpMV(handle, plain, &s, a, odd, &s, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
	          CUSPARSE_STATUS_NOT_SUPPORTED,
	      "types must be the same");
	check(cusparseSpMV(nullptr, plain, &s, a, x, &s, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr) ==
	          CUSPARSE_STATUS_NOT_INITIALIZED,
	      "a handle is needed");
	check(cusparseCreateCsr(&a, 4, 8, 4, memory, memory, memory, CUSPARSE_INDEX_16U, CUSPARSE_INDEX_32I,
	                        CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) == CUSPARSE_STATUS_NOT_SUPPORTED,
	      "indexes of 16 bits are not supported");
}

int main()
{
	cusparseHandle_t handle;
	OK(cusparseCreate(&handle));
	static const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};
	for (cusparseFormat_t format : formats)
		for (int turned = 0; turned < 2; turned++) {
			product<float, int>(handle, format, turned, 1, false, false, false, false, 0);
			product<double, long long>(handle, format, turned, 1, false, false, false, true, 1);
			product<float, long long>(handle, format, turned, 5, false, true, true, true, 1);
			product<double, int>(handle, format, turned, 6, true, false, false, false, 0);
		}
	refusals(handle);
	OK(cusparseDestroy(handle));
	printf(failures ? "cusparse FAIL\n" : "cusparse PASS\n");
	return failures != 0;
}
