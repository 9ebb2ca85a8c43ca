/*
 * One PTX instruction as a test: OP() pairs a line of inline PTX with a host
 * function; check_op() runs both over corner and random values and compares to
 * the bit (NaNs as one).
 */
#ifndef SLUICE_CONFORMANCE_OP_H
#define SLUICE_CONFORMANCE_OP_H

#include "check.h"

enum { OP_COUNT = 2048 };

/* `ptx` reads %1, %2, %3 (a, b, c) and writes %0; letters are those of inline PTX: h r l f d. */
#define OP(name, R, rl, A, al, B, bl, C, cl, ptx, expression)                                                \
	struct name {                                                                                        \
		typedef R result;                                                                            \
		typedef A first;                                                                             \
		typedef B second;                                                                            \
		typedef C third;                                                                             \
		static __device__ R device(A a, B b, C c)                                                    \
		{                                                                                            \
			R r;                                                                                 \
			asm volatile("{ .reg .pred p, q; " ptx " }" : "=" rl(r) : al(a), bl(b), cl(c));      \
			return r;                                                                            \
		}                                                                                            \
		static R host(A a, B b, C c)                                                                 \
		{                                                                                            \
			(void)a, (void)b, (void)c;                                                           \
			return (R)(expression);                                                              \
		}                                                                                            \
	};

/* Three operands of one type. */
#define OP_SAME(name, T, l, ptx, expression) OP(name, T, l, T, l, T, l, T, l, ptx, expression)

template <typename T> static inline T op_value(size_t i)
{
	return (T)check_integer(i);
}
template <> inline float op_value<float>(size_t i)
{
	return check_f32(i);
}
template <> inline double op_value<double>(size_t i)
{
	return check_f64(i);
}

template <typename T> static inline void op_compare(const char *what, T *got, T *want)
{
	check_same(what, got, want, sizeof *got, OP_COUNT);
}
template <> inline void op_compare<float>(const char *what, float *got, float *want)
{
	check_same_f32(what, got, want, OP_COUNT);
}
template <> inline void op_compare<double>(const char *what, double *got, double *want)
{
	check_same_f64(what, got, want, OP_COUNT);
}

template <typename Op>
__global__ void op_kernel(typename Op::result *out, const typename Op::first *a, const typename Op::second *b,
                          const typename Op::third *c)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = Op::device(a[i], b[i], c[i]);
}

/* Corners of a meet corners of b: index i walks both at different strides before values turn random. */
template <typename Op> static void check_op(const char *what)
{
	static typename Op::first a[OP_COUNT];
	static typename Op::second b[OP_COUNT];
	static typename Op::third c[OP_COUNT];
	static typename Op::result got[OP_COUNT], want[OP_COUNT];
	for (size_t i = 0; i < OP_COUNT; i++) {
		a[i] = op_value<typename Op::first>(i < 529 ? i % 23 : i);
		b[i] = op_value<typename Op::second>(i < 529 ? i / 23 : i);
		c[i] = op_value<typename Op::third>(i < 529 ? (i * 5 + i / 23) % 23 : i);
		want[i] = Op::host(a[i], b[i], c[i]);
	}
	typename Op::result *out = (typename Op::result *)check_zeros(sizeof got);
	void *da = check_to_device(a, sizeof a), *db = check_to_device(b, sizeof b),
	     *dc = check_to_device(c, sizeof c);
	op_kernel<Op><<<OP_COUNT / 256, 256>>>(out, (typename Op::first *)da, (typename Op::second *)db,
	                                       (typename Op::third *)dc);
	check_from_device(got, out, sizeof got);
	CUDA(cudaFree(da));
	CUDA(cudaFree(db));
	CUDA(cudaFree(dc));
	op_compare(what, got, want);
}

#define CHECK_OP(name) check_op<name>(#name)

#endif
