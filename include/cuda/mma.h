/*
 * nvcuda::wmma: products of matrices by a whole warp, in terms of the wmma
 * instructions of PTX. Which element a lane holds is left open by CUDA; here it
 * is as on an H200.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__cplusplus)

#define SLUICE_WMMA static __inline__ __device__ __attribute__((unused))

namespace nvcuda
{
namespace wmma
{

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision
{
struct tf32;
}
namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* What lanes hold: `count` elements of type T, in `words` registers of 32 bits (of 64 if it is double). */
template <typename T, int count, int storage = count> struct __align__(8) sluice_fragment
{
	typedef T element_type;
	enum { num_elements = count, num_storage_elements = storage };
	T x[storage];
};
template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;

/* Registers of a fragment, whatever its elements are. */
typedef unsigned __attribute__((may_alias)) sluice_word;

/* Lists of operands, from number `i` on: of results, sources, and in the text. */
#define SLUICE_OUT1(c, r) "=" c(r[0])
#define SLUICE_OUT2(c, r) SLUICE_OUT1(c, r), "=" c(r[1])
#define SLUICE_OUT4(c, r) SLUICE_OUT2(c, r), "=" c(r[2]), "=" c(r[3])
#define SLUICE_OUT8(c, r) SLUICE_OUT4(c, r), "=" c(r[4]), "=" c(r[5]), "=" c(r[6]), "=" c(r[7])
#define SLUICE_IN1(c, r) c(r[0])
#define SLUICE_IN2(c, r) SLUICE_IN1(c, r), c(r[1])
#define SLUICE_IN4(c, r) SLUICE_IN2(c, r), c(r[2]), c(r[3])
#define SLUICE_IN8(c, r) SLUICE_IN4(c, r), c(r[4]), c(r[5]), c(r[6]), c(r[7])
#define SLUICE_LIST1_0 "{%0}"
#define SLUICE_LIST2_0 "{%0,%1}"
#define SLUICE_LIST4_0 "{%0,%1,%2,%3}"
#define SLUICE_LIST8_0 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define SLUICE_LIST1_1 "{%1}"
#define SLUICE_LIST2_1 "{%1,%2}"
#define SLUICE_LIST4_1 "{%1,%2,%3,%4}"
#define SLUICE_LIST8_1 "{%1,%2,%3,%4,%5,%6,%7,%8}"
#define SLUICE_ADDRESS_1 "[%1], %2"
#define SLUICE_ADDRESS_2 "[%2], %3"
#define SLUICE_ADDRESS_4 "[%4], %5"
#define SLUICE_ADDRESS_8 "[%8], %9"

/* ---- factors --------------------------------------------------------------------------------------------- */

/* One matrix: its fragment, and how it is loaded. W words hold its N elements of T, P in memory. */
#define SLUICE_FACTOR_LAYOUT(use, letter, M, N, K, T, P, ptx, elements, W, layout, c, word)                  \
	template <>                                                                                          \
	class fragment<matrix_##use, M, N, K, T, layout##_major> : public sluice_fragment<P, elements>       \
	{                                                                                                    \
	};                                                                                                   \
	SLUICE_WMMA void load_matrix_sync(fragment<matrix_##use, M, N, K, T, layout##_major> &f, const P *p, \
	                                  unsigned stride)                                                   \
	{                                                                                                    \
		word *r = reinterpret_cast<word *>(f.x);                                                     \
		asm volatile("wmma.load." #letter ".sync.aligned." #layout ".m" #M "n" #N "k" #K "." ptx     \
		             " " SLUICE_LIST##W##_0 ", " SLUICE_ADDRESS_##W ";"                              \
		             : SLUICE_OUT##W(c, r)                                                           \
		             : "l"(p), "r"(stride)                                                           \
		             : "memory");                                                                    \
	}
#define SLUICE_FACTOR(use, M, N, K, T, P, ptx, elements, W, c, word)                                         \
	SLUICE_FACTOR_LAYOUT(use, use, M, N, K, T, P, ptx, elements, W, row, c, word)                        \
	SLUICE_FACTOR_LAYOUT(use, use, M, N, K, T, P, ptx, elements, W, col, c, word)

#define SLUICE_SHAPES(X)                                                                                     \
	X(16, 16, 16, 4, 4, 2, 2)                                                                            \
	X(32, 8, 16, 8, 2, 4, 1)                                                                             \
	X(8, 32, 16, 2, 8, 1, 4)
#define SLUICE_HALF_FACTORS(M, N, K, ...)                                                                    \
	SLUICE_FACTOR(a, M, N, K, __half, __half, "f16", 16, 8, "r", sluice_word)                            \
	SLUICE_FACTOR(b, M, N, K, __half, __half, "f16", 16, 8, "r", sluice_word)
SLUICE_SHAPES(SLUICE_HALF_FACTORS)
#define SLUICE_TWICE2 4
#define SLUICE_TWICE4 8
#define SLUICE_TWICE8 16
#define SLUICE_FOUR1 4
#define SLUICE_FOUR2 8
#define SLUICE_FOUR4 16
#define SLUICE_BF16_FACTORS(M, N, K, wa, wb, ...)                                                            \
	SLUICE_FACTOR(a, M, N, K, __nv_bfloat16, __nv_bfloat16, "bf16", SLUICE_TWICE##wa, wa, "r",           \
	              sluice_word)                                                                           \
	SLUICE_FACTOR(b, M, N, K, __nv_bfloat16, __nv_bfloat16, "bf16", SLUICE_TWICE##wb, wb, "r",           \
	              sluice_word)
SLUICE_SHAPES(SLUICE_BF16_FACTORS)
#define SLUICE_BYTE_FACTORS(M, N, K, wa, wb, ba, bb)                                                         \
	SLUICE_FACTOR(a, M, N, K, signed char, signed char, "s8", SLUICE_FOUR##ba, ba, "r", sluice_word)     \
	SLUICE_FACTOR(b, M, N, K, signed char, signed char, "s8", SLUICE_FOUR##bb, bb, "r", sluice_word)     \
	SLUICE_FACTOR(a, M, N, K, unsigned char, unsigned char, "u8", SLUICE_FOUR##ba, ba, "r", sluice_word) \
	SLUICE_FACTOR(b, M, N, K, unsigned char, unsigned char, "u8", SLUICE_FOUR##bb, bb, "r", sluice_word)
SLUICE_SHAPES(SLUICE_BYTE_FACTORS)
SLUICE_FACTOR(a, 16, 16, 8, precision::tf32, float, "tf32", 4, 4, "r", sluice_word)
SLUICE_FACTOR(b, 16, 16, 8, precision::tf32, float, "tf32", 4, 4, "r", sluice_word)
SLUICE_FACTOR(a, 8, 8, 4, double, double, "f64", 1, 1, "d", double)
SLUICE_FACTOR(b, 8, 8, 4, double, double, "f64", 1, 1, "d", double)

/* Elements of less than a byte: A by rows, B by columns, addresses of words. */
#define SLUICE_PACKED_FACTOR(use, K, T, ptx, elements, layout)                                               \
	template <>                                                                                          \
	class fragment<matrix_##use, 8, 8, K, experimental::precision::T, layout##_major>                    \
	    : public sluice_fragment<unsigned, elements, 1>                                                  \
	{                                                                                                    \
	};                                                                                                   \
	SLUICE_WMMA void load_matrix_sync(                                                                   \
	    fragment<matrix_##use, 8, 8, K, experimental::precision::T, layout##_major> &f, const void *p,   \
	    unsigned stride)                                                                                 \
	{                                                                                                    \
		asm volatile("wmma.load." #use ".sync.aligned." #layout ".m8n8k" #K "." ptx                  \
		             " {%0}, [%1], %2;"                                                              \
		             : "=r"(f.x[0])                                                                  \
		             : "l"(p), "r"(stride)                                                           \
		             : "memory");                                                                    \
	}
SLUICE_PACKED_FACTOR(a, 32, s4, "s4", 8, row)
SLUICE_PACKED_FACTOR(b, 32, s4, "s4", 8, col)
SLUICE_PACKED_FACTOR(a, 32, u4, "u4", 8, row)
SLUICE_PACKED_FACTOR(b, 32, u4, "u4", 8, col)
SLUICE_PACKED_FACTOR(a, 128, b1, "b1", 32, row)
SLUICE_PACKED_FACTOR(b, 128, b1, "b1", 32, col)

/* ---- sums ------------------------------------------------------------------------------------------------ */

#define SLUICE_SUM_MOVES(M, N, K, T, ptx, W, layout, c, word)                                                \
	if (order == mem_##layout##_major)                                                                   \
	asm volatile("wmma.load.c.sync.aligned." #layout ".m" #M "n" #N "k" #K "." ptx                       \
	             " " SLUICE_LIST##W##_0 ", " SLUICE_ADDRESS_##W ";"                                      \
	             : SLUICE_OUT##W(c, r)                                                                   \
	             : "l"(p), "r"(stride)                                                                   \
	             : "memory")
#define SLUICE_SUM_STORES(M, N, K, T, ptx, W, layout, c, word)                                               \
	if (order == mem_##layout##_major)                                                                   \
	asm volatile("wmma.store.d.sync.aligned." #layout ".m" #M "n" #N "k" #K "." ptx                      \
	             " [%0], " SLUICE_LIST##W##_1 ", " SLUICE_STRIDE_AFTER_##W ";" ::"l"(p),                 \
	             SLUICE_IN##W(c, r), "r"(stride)                                                         \
	             : "memory")
#define SLUICE_STRIDE_AFTER_2 "%3"
#define SLUICE_STRIDE_AFTER_4 "%5"
#define SLUICE_STRIDE_AFTER_8 "%9"
#define SLUICE_SUM(M, N, K, T, ptx, elements, W, c, word)                                                    \
	template <> class fragment<accumulator, M, N, K, T, void> : public sluice_fragment<T, elements>      \
	{                                                                                                    \
	};                                                                                                   \
	SLUICE_WMMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned stride, \
	                                  layout_t order)                                                    \
	{                                                                                                    \
		word *r = reinterpret_cast<word *>(f.x);                                                     \
		SLUICE_SUM_MOVES(M, N, K, T, ptx, W, row, c, word);                                          \
		else SLUICE_SUM_MOVES(M, N, K, T, ptx, W, col, c, word);                                     \
	}                                                                                                    \
	SLUICE_WMMA void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,                 \
	                                   unsigned stride, layout_t order)                                  \
	{                                                                                                    \
		const word *r = reinterpret_cast<const word *>(f.x);                                         \
		SLUICE_SUM_STORES(M, N, K, T, ptx, W, row, c, word);                                         \
		else SLUICE_SUM_STORES(M, N, K, T, ptx, W, col, c, word);                                    \
	}
#define SLUICE_SUMS(M, N, K, ...)                                                                            \
	SLUICE_SUM(M, N, K, float, "f32", 8, 8, "f", float)                                                  \
	SLUICE_SUM(M, N, K, __half, "f16", 8, 4, "r", sluice_word)                                           \
	SLUICE_SUM(M, N, K, int, "s32", 8, 8, "r", int)
SLUICE_SHAPES(SLUICE_SUMS)
SLUICE_SUM(16, 16, 8, float, "f32", 8, 8, "f", float)
SLUICE_SUM(8, 8, 4, double, "f64", 2, 2, "d", double)
SLUICE_SUM(8, 8, 32, int, "s32", 2, 2, "r", int)
SLUICE_SUM(8, 8, 128, int, "s32", 2, 2, "r", int)

template <typename F, typename V> SLUICE_WMMA void sluice_fill(F &f, V value)
{
	for (int i = 0; i < (int)F::num_storage_elements; i++)
		f.x[i] = value;
}
template <typename Use, int m, int n, int k, typename T, typename Layout, typename V>
SLUICE_WMMA void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &value)
{
	sluice_fill(f, (typename fragment<Use, m, n, k, T, Layout>::element_type)value);
}

#include "sluice/wmma_products.h"

SLUICE_WMMA float __float_to_tf32(float f)
{
	unsigned bits;
	asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(f));
	return __uint_as_float(bits);
}

} // namespace wmma
} // namespace nvcuda

#endif
#endif
