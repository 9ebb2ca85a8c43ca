/*
 * D = epilogue(alpha A B + beta C): a block computes a tile of 32 x 32, a thread 2 x 2 of it, from slices of 16 in shared
 * memory; products of halves and bfloat16s are added as floats, those of eight-bit integers as integers. Types of C, D,
 * bias and auxiliary matrix are looked up where they are touched. Gradients of biases are sums of their own behind it.
 */
#include "lt.h"

enum { TILE = 32, DEPTH = 16, SIDE = 16, EACH = TILE / SIDE, THREADS = SIDE * SIDE };

template <class Acc> static __device__ Acc load(const void *from, int type, long long i)
{
	switch (type) {
	case CUDA_R_64F:
		return (Acc)((const double *)from)[i];
	case CUDA_R_16F:
		return (Acc)__half2float(((const __half *)from)[i]);
	case CUDA_R_16BF:
		return (Acc)__bfloat162float(((const __nv_bfloat16 *)from)[i]);
	case CUDA_R_8I:
		return (Acc)((const signed char *)from)[i];
	case CUDA_R_32I:
		return (Acc)((const int *)from)[i];
	default:
		return (Acc)((const float *)from)[i];
	}
}

static __device__ void store(void *to, int type, long long i, double value)
{
	switch (type) {
	case CUDA_R_64F:
		((double *)to)[i] = value;
		break;
	case CUDA_R_16F:
		((__half *)to)[i] = __float2half((float)value);
		break;
	case CUDA_R_16BF:
		((__nv_bfloat16 *)to)[i] = __float2bfloat16((float)value);
		break;
	case CUDA_R_8I:
		((signed char *)to)[i] = (signed char)fmin(fmax(rint(value), -128.0), 127.0);
		break;
	case CUDA_R_32I:
		((int *)to)[i] = (int)rint(value);
		break;
	default:
		((float *)to)[i] = (float)value;
	}
}

static __device__ long long place(const matrix &x, long long i, long long j, int batch)
{
	return i * x.row + j * x.column + batch * x.stride;
}

template <class Acc> static __device__ Acc scalar(double value, const void *at, int type, long long i)
{
	return at ? load<Acc>(at, type, i) : (Acc)value;
}

/* ---- epilogues ------------------------------------------------------------------------------------------------ */

/* The approximation by tanh. */
template <class Acc> static __device__ Acc gelu(Acc x)
{
	const Acc s = (Acc)0.7978845608028654;
	return (Acc)0.5 * x * (1 + tanh(s * (x + (Acc)0.044715 * x * x * x)));
}

template <class Acc> static __device__ Acc gelu_slope(Acc x)
{
	const Acc s = (Acc)0.7978845608028654, c = (Acc)0.044715;
	Acc t = tanh(s * (x + c * x * x * x));
	return (Acc)0.5 * (1 + t) + (Acc)0.5 * x * (1 - t * t) * s * (1 + 3 * c * x * x);
}

static __device__ unsigned *mask_word(const product &p, long long i, long long j, int batch)
{
	return (unsigned *)p.aux.at + ((i + j * p.aux.column) >> 5) + (batch * p.aux.stride >> 5);
}

/* Whole words are written by their own bits; several threads share one. */
static __device__ void keep_bit(const product &p, long long i, long long j, int batch, bool bit)
{
	unsigned *word = mask_word(p, i, j, batch), one = 1u << (i & 31);
	if (bit)
		atomicOr(word, one);
	else
		atomicAnd(word, ~one);
}

template <class Acc> static __device__ Acc finish(const product &p, Acc x, long long i, long long j, int batch)
{
	unsigned e = p.epilogue;
	if (e & CUBLASLT_EPILOGUE_BIAS)
		x += load<Acc>(p.bias, p.bias_type, i + batch * p.bias_stride);
	if (e & CUBLASLT_EPILOGUE_RELU) {
		if (p.aux_is_mask)
			keep_bit(p, i, j, batch, x > 0);
		return x > 0 ? x : (Acc)0;
	}
	if (e & CUBLASLT_EPILOGUE_GELU) {
		if (p.aux.at)
			store(p.aux.at, p.aux.type, place(p.aux, i, j, batch), (double)x);
		return gelu(x);
	}
	if ((e & CUBLASLT_EPILOGUE_DRELU) == CUBLASLT_EPILOGUE_DRELU)
		return *mask_word(p, i, j, batch) >> (i & 31) & 1 ? x : (Acc)0;
	if ((e & CUBLASLT_EPILOGUE_DGELU) == CUBLASLT_EPILOGUE_DGELU)
		return x * gelu_slope(load<Acc>(p.aux.at, p.aux.type, place(p.aux, i, j, batch)));
	return x;
}

/* ---- the product ---------------------------------------------------------------------------------------------- */

/* Sums are of type Sum; alpha, beta and the epilogue are computed in Acc. */
template <class Sum, class Acc> static __global__ __launch_bounds__(THREADS) void matmul(product p)
{
	__shared__ Sum from_a[DEPTH][TILE + 1], from_b[DEPTH][TILE + 1];
	int row = blockIdx.x * TILE, column = blockIdx.y * TILE, batch = blockIdx.z;
	int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
	Sum sum[EACH][EACH] = {};
	for (int depth = 0; depth < p.k; depth += DEPTH) {
		for (int t = threadIdx.x; t < TILE * DEPTH; t += THREADS) {
			int line = t % TILE, d = t / TILE;
			bool in_depth = depth + d < p.k;
			from_a[d][line] =
			    in_depth && row + line < p.m
			        ? load<Sum>(p.a.at, p.a.type, place(p.a, row + line, depth + d, batch))
			        : Sum(0);
			from_b[d][line] =
			    in_depth && column + line < p.n
			        ? load<Sum>(p.b.at, p.b.type, place(p.b, depth + d, column + line, batch))
			        : Sum(0);
		}
		__syncthreads();
#pragma unroll
		for (int d = 0; d < DEPTH; d++)
#pragma unroll
			for (int i = 0; i < EACH; i++)
#pragma unroll
				for (int j = 0; j < EACH; j++)
					sum[i][j] += from_a[d][x + i * SIDE] * from_b[d][y + j * SIDE];
		__syncthreads();
	}
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			int r = row + x + i * SIDE, c = column + y + j * SIDE;
			if (r >= p.m || c >= p.n)
				continue;
			Acc value = scalar<Acc>(p.alpha, p.alpha_at, p.scale, p.alpha_is_vector ? r : 0) * (Acc)sum[i][j];
			if (p.has_c)
				value += scalar<Acc>(p.beta, p.beta_at, p.scale, 0) *
				         load<Acc>(p.c.at, p.c.type, place(p.c, r, c, batch));
			store(p.d.at, p.d.type, place(p.d, r, c, batch), (double)finish(p, value, r, c, batch));
		}
}

/* ---- gradients of biases ---------------------------------------------------------------------------------------- */

/* out[i] = the sum of x(i, j) over j. */
template <class Acc>
static __global__ void sum_rows(matrix x, int rows, int columns, void *out, int type, long long stride)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
	Acc sum = 0;
	if (i >= rows)
		return;
	for (int j = 0; j < columns; j++)
		sum += load<Acc>(x.at, x.type, place(x, i, j, batch));
	store(out, type, i + batch * stride, (double)sum);
}

static matrix turned(matrix x)
{
	long long row = x.row;
	x.row = x.column;
	x.column = row;
	return x;
}

template <class Sum, class Acc> static void run(const product &p, cudaStream_t stream)
{
	dim3 grid((p.m + TILE - 1) / TILE, (p.n + TILE - 1) / TILE, p.batches);
	matmul<Sum, Acc><<<grid, THREADS, 0, stream>>>(p);
	bool of_d = p.epilogue & 16, of_a = p.epilogue & CUBLASLT_EPILOGUE_BGRADA,
	     of_b = p.epilogue & CUBLASLT_EPILOGUE_BGRADB;
	if (!of_d && !of_a && !of_b)
		return;
	matrix x = of_d ? p.d : of_a ? p.a : turned(p.b);
	int rows = of_b ? p.n : p.m, columns = of_d ? p.n : p.k;
	sum_rows<Acc><<<dim3((rows + 127) / 128, p.batches), 128, 0, stream>>>(x, rows, columns, p.bias, p.bias_type,
	                                                                      p.bias_stride);
}

cublasStatus_t product_run(const product &p, cudaStream_t stream)
{
	if (!p.m || !p.n || !p.batches)
		return CUBLAS_STATUS_SUCCESS;
	if (p.a.type == CUDA_R_64F)
		run<double, double>(p, stream);
	else if (p.a.type == CUDA_R_8I)
		run<int, double>(p, stream);
	else
		run<float, float>(p, stream);
	return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
