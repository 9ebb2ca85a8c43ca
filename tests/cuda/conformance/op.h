/*
 * One PTX instruction as a test: OP() pairs a line of inline PTX with a host function; check_op() runs both
 * over corner and random values and compares to the bit (NaNs as one).
 */
#ifndef SLUICE_CONFORMANCE_OP_H
#define SLUICE_CONFORMANCE_OP_H

#include "check.h"

enum { OP_COUNT = 2048 };

/* The tests of a program, in order: each macro below enters one. */
struct op_entry {
	const char *name;
	void (*run)(const char *);
	struct op_entry *next;
	op_entry(const char *op_name, void (*op_run)(const char *)) : name(op_name), run(op_run), next(NULL)
	{
		static struct op_entry **last = &first();
		*last = this;
		last = &next;
	}
	static struct op_entry *&first()
	{
		static struct op_entry *entry;
		return entry;
	}
};

template <typename Op> static void check_op(const char *what);
#define OP_ENTRY(name) static struct op_entry name##_entry(#name, check_op<name>);

/* Types of operands by the letters of inline PTX, and s, q for signed r, l. */
#define OP_TYPE_h uint16_t
#define OP_TYPE_r uint32_t
#define OP_TYPE_s int32_t
#define OP_TYPE_l uint64_t
#define OP_TYPE_q int64_t
#define OP_TYPE_f float
#define OP_TYPE_d double
#define OP_LETTER_h "h"
#define OP_LETTER_r "r"
#define OP_LETTER_s "r"
#define OP_LETTER_l "l"
#define OP_LETTER_q "l"
#define OP_LETTER_f "f"
#define OP_LETTER_d "d"

/* An operation by what the device and the host compute from a, b and c. */
#define OP_FUNCTION(name, R, A, B, C, on_device, on_host)                                                    \
	struct name {                                                                                        \
		typedef R result;                                                                            \
		typedef A first;                                                                             \
		typedef B second;                                                                            \
		typedef C third;                                                                             \
		static __device__ R device(A a, B b, C c)                                                    \
		{                                                                                            \
			(void)a, (void)b, (void)c;                                                           \
			on_device;                                                                           \
		}                                                                                            \
		static R host(A a, B b, C c)                                                                 \
		{                                                                                            \
			(void)a, (void)b, (void)c;                                                           \
			return (R)(on_host);                                                                 \
		}                                                                                            \
	};                                                                                                   \
	OP_ENTRY(name)
/* Three operands of one type. */
#define FUNCTION(name, R, T, on_device, on_host) OP_FUNCTION(name, R, T, T, T, return on_device, on_host)
/* `ptx` reads %1, %2, %3 (a, b, c) and writes %0. */
#define OP(name, r, a, b, c, ptx, expression) OP_OF(name, r, a, b, c, ptx, expression)
#define OP_OF(name, rt, at, bt, ct, ptx, expression)                                                         \
	OP_FUNCTION(name, OP_TYPE_##rt, OP_TYPE_##at, OP_TYPE_##bt, OP_TYPE_##ct, OP_TYPE_##rt r;            \
	            asm volatile("{ .reg .pred p, q; " ptx " }"                                              \
	                         : "=" OP_LETTER_##rt(r)                                                     \
	                         : OP_LETTER_##at(a), OP_LETTER_##bt(b), OP_LETTER_##ct(c));                 \
	            return r, expression)
#define OP_SAME(name, t, ptx, expression) OP(name, t, t, t, t, ptx, expression)

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
	static typename Op::result want[OP_COUNT];
	for (size_t i = 0; i < OP_COUNT; i++) {
		a[i] = op_value<typename Op::first>(i < 529 ? i % 23 : i);
		b[i] = op_value<typename Op::second>(i < 529 ? i / 23 : i);
		c[i] = op_value<typename Op::third>(i < 529 ? (i * 5 + i / 23) % 23 : i);
		want[i] = Op::host(a[i], b[i], c[i]);
	}
	typename Op::result *out = zeros<typename Op::result>(OP_COUNT);
	auto *da = to_device(a);
	auto *db = to_device(b);
	auto *dc = to_device(c);
	op_kernel<Op><<<OP_COUNT / 256, 256>>>(out, da, db, dc);
	check_device(what, out, want);
	CUDA(cudaFree(da), cudaFree(db), cudaFree(dc));
}

static inline void check_ops(void)
{
	for (struct op_entry *entry = op_entry::first(); entry; entry = entry->next)
		entry->run(entry->name);
}
/* main() of a program of such tests alone. */
#define OPS(name)                                                                                            \
	int main(void)                                                                                       \
	{                                                                                                    \
		check_ops();                                                                                 \
		return check_finish(name);                                                                   \
	}

#endif
