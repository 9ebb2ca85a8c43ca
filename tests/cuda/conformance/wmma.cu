/*
 * nvcuda::wmma: half precision, bf16, tf32, double precision and bytes in their
 * shapes and layouts, from global and from shared memory.
 */
#include <mma.h>

#include "matrix.h"

using namespace nvcuda;

enum { STRIDE = 48 }; /* elements from row to row in memory */

/* D = A B + C, matrices in memory as `LA`, `LB` and `order` say. */
template <int M, int N, int K, typename T, typename P, typename S, typename LA, typename LB, int shared>
__global__ void product(S *d, const P *a, const P *b, const S *c, int row_major)
{
	wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
	wmma::fragment<wmma::accumulator, M, N, K, S> fc, fd;
	wmma::layout_t order = row_major ? wmma::mem_row_major : wmma::mem_col_major;
	if (shared) {
		__shared__ __align__(32) unsigned char room[2 * 32 * STRIDE * sizeof(P)];
		P *sa = (P *)room, *sb = sa + 32 * STRIDE;
		for (int i = threadIdx.x; i < 32 * STRIDE; i += 32) {
			sa[i] = a[i];
			sb[i] = b[i];
		}
		__syncthreads();
		wmma::load_matrix_sync(fa, sa, STRIDE);
		wmma::load_matrix_sync(fb, sb, STRIDE);
	} else {
		wmma::load_matrix_sync(fa, a, STRIDE);
		wmma::load_matrix_sync(fb, b, STRIDE);
	}
	wmma::load_matrix_sync(fc, c, STRIDE, order);
	wmma::mma_sync(fd, fa, fb, fc);
	/* An element is an element, wherever it is. */
	for (int i = 0; i < fd.num_elements; i++)
		fd.x[i] = fd.x[i] + fd.x[i];
	wmma::store_matrix_sync(d, fd, STRIDE, order);
}

template <typename T> struct type_of;
template <> struct type_of<__half> {
	static const enum matrix_type value = M_F16;
};
template <> struct type_of<__nv_bfloat16> {
	static const enum matrix_type value = M_BF16;
};
template <> struct type_of<wmma::precision::tf32> {
	static const enum matrix_type value = M_TF32;
};
template <> struct type_of<double> {
	static const enum matrix_type value = M_F64;
};
template <> struct type_of<signed char> {
	static const enum matrix_type value = M_S8;
};
template <> struct type_of<unsigned char> {
	static const enum matrix_type value = M_U8;
};
template <> struct type_of<float> {
	static const enum matrix_type value = M_F32;
};
template <> struct type_of<int> {
	static const enum matrix_type value = M_S32;
};

static uint64_t doubled(uint64_t bits, enum matrix_type t)
{
	if (t == M_S32)
		return (uint32_t)(2 * (uint32_t)bits);
	if (t == M_F64) {
		double twice = 2 * check_bits_f64(bits);
		memcpy(&bits, &twice, sizeof bits);
		return bits;
	}
	return matrix_pack(2 * matrix_value(bits, t), t);
}

static uint64_t expected(const uint64_t *a, const uint64_t *b, int k, uint64_t c, enum matrix_type tf,
                         enum matrix_type ts)
{
	double x[16], y[16];
	if (ts == M_S32) {
		uint32_t sum = (uint32_t)c;
		for (int i = 0; i < k; i++)
			sum += tf == M_S8 ? (uint32_t)((int8_t)a[i] * (int8_t)b[i]) : (uint32_t)(a[i] * b[i]);
		return sum;
	}
	for (int i = 0; i < k; i++) {
		x[i] = matrix_value(a[i], tf);
		y[i] = matrix_value(b[i], tf);
	}
	if (tf == M_TF32) { /* in two steps of four */
		uint64_t half = matrix_sum(x, y, 4, matrix_value(c, ts), tf, tf, ts, ts);
		return matrix_sum(x + 4, y + 4, 4, matrix_value(half, ts), tf, tf, ts, ts);
	}
	if (ts != M_F64)
		return matrix_sum(x, y, k, matrix_value(c, ts), tf, tf, ts, ts);
	double sum = check_bits_f64(c);
	for (int i = 0; i < k; i++)
		sum = fma(x[i], y[i], sum);
	uint64_t bits;
	memcpy(&bits, &sum, sizeof bits);
	return bits;
}

template <int M, int N, int K, typename T, typename P, typename S, typename LA, typename LB, int shared>
static void check(const char *name, int a_row, int b_row, int row_major)
{
	static P a[32 * STRIDE], b[32 * STRIDE];
	static S c[32 * STRIDE], want[32 * STRIDE];
	static uint64_t ma[32 * 16], mb[32 * 16];
	enum matrix_type tf = type_of<T>::value, ts = type_of<S>::value;
	memset((void *)c, 0, sizeof c);
	memset((void *)want, 0, sizeof want);
	for (int i = 0; i < M * K; i++) {
		int row = i / K, col = i % K;
		ma[i] = matrix_random(tf, 1);
		memcpy((void *)&a[a_row ? row * STRIDE + col : col * STRIDE + row], &ma[i], sizeof(P));
	}
	for (int i = 0; i < N * K; i++) {
		int col = i / K, row = i % K;
		mb[i] = matrix_random(tf, 1);
		memcpy((void *)&b[b_row ? row * STRIDE + col : col * STRIDE + row], &mb[i], sizeof(P));
	}
	for (int i = 0; i < M * N; i++) {
		int row = i / N, col = i % N, place = row_major ? row * STRIDE + col : col * STRIDE + row;
		uint64_t bits = matrix_random(ts, 1);
		memcpy((void *)&c[place], &bits, sizeof(S));
		bits = doubled(expected(ma + row * K, mb + col * K, K, bits, tf, ts), ts);
		memcpy((void *)&want[place], &bits, sizeof(S));
	}
	check_run(name, want, [&](S *out) {
		product<M, N, K, T, P, S, LA, LB, shared>
		    <<<1, 32>>>(out, to_device(a), to_device(b), to_device(c), row_major);
	});
}

#define LAYOUTS(M, N, K, T, P, S)                                                                            \
	check<M, N, K, T, P, S, wmma::row_major, wmma::col_major, 0>(#M "x" #N "x" #K " " #T " row col", 1,  \
	                                                             0, 1);                                  \
	check<M, N, K, T, P, S, wmma::col_major, wmma::row_major, 1>(#M "x" #N "x" #K " " #T " col row", 0,  \
	                                                             1, 0);
#define SHAPES(T, S) LAYOUTS(16, 16, 16, T, T, S) LAYOUTS(32, 8, 16, T, T, S) LAYOUTS(8, 32, 16, T, T, S)

int main(void)
{
	SHAPES(__half, float)
	SHAPES(__half, __half)
	SHAPES(__nv_bfloat16, float)
	SHAPES(signed char, int)
	SHAPES(unsigned char, int)
	LAYOUTS(16, 16, 8, wmma::precision::tf32, float, float)
	LAYOUTS(8, 8, 4, double, double, double)
	return check_finish("wmma");
}
