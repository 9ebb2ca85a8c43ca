/* Vector loads and stores (v2, v4 of 8, 16, 32, 64 bits), make_ functions, read-only loads, cache hints. */
#include "check.h"

enum { N = 128 };

template <typename V> __global__ void swap_ends(V *out, const V *in)
{
	int i = threadIdx.x;
	V v = in[i];
	auto t = v.x;
	v.x = v.y;
	v.y = t;
	out[N - 1 - i] = v;
}

template <typename V> static void test(const char *what)
{
	static V in[N], want[N];
	unsigned char *bytes = (unsigned char *)in;
	for (size_t i = 0; i < sizeof in; i++)
		bytes[i] = (unsigned char)check_random();
	for (int i = 0; i < N; i++) {
		V v = in[i];
		v.x = in[i].y;
		v.y = in[i].x;
		want[N - 1 - i] = v;
	}
	check_run(what, want, [&](V *out) { swap_ends<V><<<1, N>>>(out, to_device(in)); });
}

__global__ void hints(int *out, const int *__restrict__ in, volatile int *v)
{
	int i = threadIdx.x, a, b, c, d;
	int4 q = __ldg((const int4 *)in + i / 4);
	asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(a) : "l"(in + i));
	asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(b) : "l"(in + (i ^ 1)));
	asm volatile("ld.global.cs.u32 %0, [%1+4];" : "=r"(c) : "l"(in + (i & ~1)));
	asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(d) : "l"(in));
	asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i));
	v[i] = a + 1;
	int again = v[i];
	asm volatile("st.global.cg.s32 [%0], %1;" ::"l"(out + i),
	             "r"(a + 2 * b + 3 * c + 4 * d + q.y + again + __ldg(in + i)));
}

__global__ void pieces(float4 *out)
{
	int i = threadIdx.x;
	float4 v = make_float4((float)i, (float)i + 0.5f, -(float)i, 1.0f);
	uchar4 b = make_uchar4((unsigned char)i, 2, 3, 4);
	short2 s = make_short2((short)-i, (short)i);
	v.w += b.x + b.w + s.x + s.y;
	out[i] = v;
	((float *)&out[i])[1] += 1.0f;
}

int main(void)
{
	test<char2>("char2");
	test<uchar4>("uchar4");
	test<short2>("short2");
	test<ushort4>("ushort4");
	test<int2>("int2");
	test<int3>("int3");
	test<uint4>("uint4");
	test<float2>("float2");
	test<float4>("float4");
	test<double2>("double2");
	test<longlong2>("longlong2");

	static int in[N], want[N];
	for (int i = 0; i < N; i++)
		in[i] = (int)(check_random() % 1000);
	for (int i = 0; i < N; i++)
		want[i] =
		    in[i] + 2 * in[i ^ 1] + 3 * in[i | 1] + 4 * in[0] + in[i / 4 * 4 + 1] + in[i] + 1 + in[i];
	check_run("cache hints", want,
	          [&](int *out) { hints<<<1, N>>>(out, to_device(in), (int *)check_zeros(sizeof in)); });

	static float4 expected[N];
	for (int i = 0; i < N; i++)
		expected[i] =
		    make_float4((float)i, (float)i + 1.5f, -(float)i, 5.0f + (float)(unsigned char)i);
	check_run("make_ functions", expected, [&](float4 *out) { pieces<<<1, N>>>(out); });
	return check_finish("vector_types");
}
