/*
 * Copies of structures of all kinds, whole and with a field changed, between
 * all memories: every field must arrive, whatever loads and stores it took.
 */
#include <cuda_fp16.h>

#include "check.h"

#define BOTH __host__ __device__

enum { N = 64 };

/* ---- the structures: fill() gives every field a value, change() changes one, sum() depends on all */

struct plain {
	float a, b, c, d;
};
struct padded {
	char c;
	double d;
	short s;
	int i;
};
struct bits {
	unsigned a : 5, b : 20, c : 12;
	short d : 3;
	signed char e;
};
struct __align__(16) rows
{
	float a[8];
};
struct arrays {
	int n;
	float a[3];
	char c[4];
	double d[2];
};
union number {
	float f;
	int i;
	double d;
};
struct tagged {
	union number n;
	int kind;
};
struct nested {
	float4 p;
	struct {
		short2 s;
		uchar4 c;
	} in;
	struct plain q;
};
struct pointers {
	const float *first;
	int n;
	const int *list[2];
};
struct __attribute__((packed)) tight {
	char c;
	int i;
	short s;
};
struct large {
	double d[20];
	int i;
};
struct mixed {
	short a;
	unsigned char b, c;
	float f;
};

#define FOUR(type, kind)                                                                                     \
	BOTH void fill(type &v, int i)                                                                       \
	{                                                                                                    \
		v.x = (kind)i, v.y = (kind)(i + 1), v.z = (kind)(i + 2), v.w = (kind)(i + 3);                \
	}                                                                                                    \
	BOTH void change(type &v)                                                                            \
	{                                                                                                    \
		v.z = (kind)(v.z + 1);                                                                       \
	}                                                                                                    \
	BOTH double sum(const type &v)                                                                       \
	{                                                                                                    \
		return v.x + 3.0 * v.y + 7.0 * v.z + 11.0 * v.w;                                             \
	}
FOUR(float4, float)
FOUR(int4, int)
FOUR(uchar4, unsigned char)
FOUR(short4, short)

/* A structure by what is done to its fields. */
#define KIND(type, filling, changing, adding)                                                                \
	BOTH void fill(type &v, int i)                                                                       \
	{                                                                                                    \
		filling;                                                                                     \
	}                                                                                                    \
	BOTH void change(type &v)                                                                            \
	{                                                                                                    \
		changing;                                                                                    \
	}                                                                                                    \
	BOTH double sum(const type &v)                                                                       \
	{                                                                                                    \
		return adding;                                                                               \
	}
KIND(float2, (v.x = i, v.y = i + 0.5f), v.y += 2, v.x + 3 * v.y)
KIND(float3, (v.x = i, v.y = i + 0.5f, v.z = i * 2), v.y += 2, v.x + 3 * v.y + 7 * v.z)
KIND(double2, (v.x = i, v.y = i + 0.25), v.x += 2, v.x + 3 * v.y)
KIND(half2, v = __floats2half2_rn(i, i + 1), v.x = v.y, __low2float(v) + 3 * __high2float(v))
KIND(plain, (v.a = i, v.b = i + 1, v.c = i + 2, v.d = i + 3), v.b *= 2, v.a + 3 * v.b + 7 * v.c + 11 * v.d)
KIND(padded, (v.c = (char)i, v.d = i * 0.5, v.s = (short)-i, v.i = i * i), v.s++,
     v.c + 3 * v.d + 7 * v.s + 11.0 * v.i)
KIND(bits, (v.a = i & 31, v.b = i * 1000, v.c = i * 7, v.d = i & 3, v.e = (signed char)-i), v.b++,
     v.a + 3.0 * v.b + 7 * v.c + 11 * v.d + 13 * v.e)
KIND(rows, for (int k = 0; k < 8; k++) v.a[k] = i + k, v.a[0] += 1,
     v.a[0] + 2 * v.a[1] + 3 * v.a[2] + 4 * v.a[3] + 5 * v.a[4] + 6 * v.a[5] + 7 * v.a[6] + 8 * v.a[7])
KIND(arrays,
     (v.n = i, v.a[0] = i + 1, v.a[1] = i + 2, v.a[2] = i + 3, v.c[0] = v.c[1] = 1, v.c[2] = (char)i,
      v.c[3] = 2, v.d[0] = i * 0.5, v.d[1] = -i),
     v.a[v.n % 3] += 1,
     v.n + 2 * v.a[0] + 3 * v.a[1] + 5 * v.a[2] + v.c[0] + v.c[1] + 7 * v.c[2] + v.c[3] + 9 * v.d[0] + v.d[1])
KIND(number, v.d = i * 1.5, v.i ^= 1, v.d)
KIND(tagged, (v.n.d = i * 1.5, v.kind = i), v.kind++, v.n.d + 3 * v.kind)
KIND(nested, (fill(v.p, i), v.in.s.x = (short)i, v.in.s.y = 5, fill(v.in.c, i), fill(v.q, i)), change(v.in.c),
     sum(v.p) + v.in.s.x + 3 * v.in.s.y + 5 * sum(v.in.c) + 7 * sum(v.q))
KIND(pointers,
     (v.first = (const float *)0 + i, v.n = i, v.list[0] = (const int *)0 + i,
      v.list[1] = (const int *)0 + 2 * i),
     v.n++, (double)(size_t)v.first + 3 * v.n + 5.0 * (size_t)v.list[0] + 7.0 * (size_t)v.list[1])
KIND(tight, (v.c = (char)i, v.i = i * 3, v.s = (short)-i), v.i++, v.c + 3 * v.i + 7 * v.s)
KIND(large, for (int k = 0; k < 20; k++) v.d[k] = i + k;
     v.i = i, v.d[7] += 1, v.d[0] + 3 * v.d[7] + 7 * v.d[19] + 11 * v.i)
KIND(mixed, (v.a = (short)-i, v.b = 1, v.c = (unsigned char)i, v.f = i), v.b++,
     v.a + 3 * v.b + 7 * v.c + 11 * v.f)

/* ---- what is done with them */

template <class T> BOTH T changed(T v)
{
	change(v);
	return v;
}

template <class T> __device__ __noinline__ T changed_by_call(T v)
{
	change(v);
	return v;
}

/* What a copy may do: to[WAY * N + i] is element i, or one that belongs to it. */
enum { WHOLE, CHANGED, CALLED, SHARED, INDEXED, ONTO_ITSELF, WAYS };

template <class T> __global__ void copy(const T *from, T *to, T by_value, int one)
{
	__shared__ T shared[N];
	int i = threadIdx.x;
	to[WHOLE * N + i] = from[i];
	T v = from[i];
	change(v);
	to[CHANGED * N + i] = v;
	to[CALLED * N + i] = changed_by_call(changed(from[i]));
	shared[i] = from[i];
	__syncthreads();
	to[SHARED * N + i] = i & 1 ? shared[N - 1 - i] : by_value;
	T few[3];
	for (int k = 0; k < 3; k++)
		few[k] = from[(i + k) % N];
	to[INDEXED * N + i] = few[i % 3];
	T *p = &to[ONTO_ITSELF * N + i], *q = &to[ONTO_ITSELF * N + i * one];
	*p = from[i];
	*p = *q;
}

template <class T> static void expect(T *want, const T *from, const T &by_value)
{
	for (int i = 0; i < N; i++) {
		want[WHOLE * N + i] = from[i];
		want[CHANGED * N + i] = changed(from[i]);
		want[CALLED * N + i] = changed(changed(from[i]));
		want[SHARED * N + i] = i & 1 ? from[N - 1 - i] : by_value;
		want[INDEXED * N + i] = from[(i + i % 3) % N];
		want[ONTO_ITSELF * N + i] = from[i];
	}
}

template <class T> static void run(const char *what)
{
	static T from[N], got[WAYS * N], want[WAYS * N];
	static double got_sum[WAYS * N], want_sum[WAYS * N];
	T by_value;
	for (int i = 0; i < N; i++)
		fill(from[i], i);
	fill(by_value, 100);
	expect(want, from, by_value);
	T *to = zeros_like(got);
	copy<<<1, N>>>(to_device(from), to, by_value, 1);
	check_from_device(got, to, sizeof got);
	for (int i = 0; i < WAYS * N; i++) {
		got_sum[i] = sum(got[i]);
		want_sum[i] = sum(want[i]);
	}
	check_values(what, got_sum, want_sum, WAYS * N);
}

int main(void)
{
	run<float2>("float2"), run<float3>("float3"), run<float4>("float4"), run<double2>("double2");
	run<int4>("int4"), run<uchar4>("uchar4"), run<short4>("short4"), run<half2>("half2");
	run<plain>("four floats"), run<padded>("padding"), run<bits>("bit-fields"),
	    run<rows>("an aligned array");
	run<arrays>("arrays"), run<number>("a union"), run<tagged>("a union and its tag"),
	    run<nested>("nested");
	run<pointers>("pointers"), run<tight>("packed"), run<large>("large"), run<mixed>("bytes and halves");
	return check_finish("struct_copies");
}
