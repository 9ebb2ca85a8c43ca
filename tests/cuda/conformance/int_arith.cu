/* Integer add, sub, mul (lo, hi, wide), mad, div, rem, neg, abs, min, max on 16, 32 and 64 bits. */
#include "check.h"

enum { N = 1024 };

template <typename T, typename W> struct results {
	T add, sub, mul, mad, div, rem, neg, abs, min, max;
	W wide;
};

/* Unsigned twin, so that the host's arithmetic wraps. */
template <typename T> struct twin;
template <> struct twin<int16_t> {
	typedef uint16_t type;
};
template <> struct twin<uint16_t> {
	typedef uint16_t type;
};
template <> struct twin<int32_t> {
	typedef uint32_t type;
};
template <> struct twin<uint32_t> {
	typedef uint32_t type;
};
template <> struct twin<int64_t> {
	typedef uint64_t type;
};
template <> struct twin<uint64_t> {
	typedef uint64_t type;
};

template <typename T, typename W>
__host__ __device__ void compute(struct results<T, W> *r, T a, T b, T c, T divisor)
{
	typedef typename twin<T>::type U;
	r->add = (T)((U)a + (U)b);
	r->sub = (T)((U)a - (U)b);
	r->mul = (T)((uint64_t)(U)a * (uint64_t)(U)b);
	r->mad = (T)((uint64_t)(U)a * (uint64_t)(U)b + (uint64_t)(U)c);
	r->div = (T)(a / divisor);
	r->rem = (T)(a % divisor);
	r->neg = (T)(0 - (U)a);
	r->abs = a > (T)0 ? a : (T)(0 - (U)a);
	r->min = a < b ? a : b;
	r->max = a > b ? a : b;
	r->wide = (W)((uint64_t)(W)a * (uint64_t)(W)b);
}

template <typename T, typename W>
__global__ void run(struct results<T, W> *out, const T *a, const T *b, const T *c, const T *divisor)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	compute<T, W>(&out[i], a[i], b[i], c[i], divisor[i]);
}

template <typename T, typename W> void test(const char *what)
{
	static T a[N], b[N], c[N], divisor[N];
	static struct results<T, W> got[N], want[N];
	memset(want, 0, sizeof want);
	for (int i = 0; i < N; i++) {
		a[i] = (T)check_integer(i);
		b[i] = (T)check_integer(i * 7 % 24);
		if (i >= 24)
			b[i] = (T)check_integer(i);
		c[i] = (T)check_integer(i);
		divisor[i] = (T)check_integer(i);
		if (divisor[i] == 0 || divisor[i] == (T)-1)
			divisor[i] = 3;
		compute<T, W>(&want[i], a[i], b[i], c[i], divisor[i]);
	}
	check_run(what, want, [&](struct results<T, W> *out) {
		run<T, W>
		    <<<N / 128, 128>>>(out, to_device(a), to_device(b), to_device(c), to_device(divisor));
	});
}

__global__ void run_high(int *s32, unsigned *u32, long long *s64, unsigned long long *u64, const int *a32,
                         const int *b32, const long long *a64, const long long *b64)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s32[i] = __mulhi(a32[i], b32[i]);
	u32[i] = __umulhi((unsigned)a32[i], (unsigned)b32[i]);
	s64[i] = __mul64hi(a64[i], b64[i]);
	u64[i] = __umul64hi((unsigned long long)a64[i], (unsigned long long)b64[i]);
}

static void test_high(void)
{
	static int a32[N], b32[N], s32[N], want_s32[N];
	static unsigned want_u32[N];
	static long long a64[N], b64[N], want_s64[N];
	static unsigned long long want_u64[N];
	for (int i = 0; i < N; i++) {
		a32[i] = (int)(a64[i] = (long long)check_integer(i));
		b32[i] = (int)(b64[i] = (long long)check_integer(N - i));
		want_s32[i] = (int)(((int64_t)a32[i] * b32[i]) >> 32);
		want_u32[i] = (unsigned)(((uint64_t)(unsigned)a32[i] * (unsigned)b32[i]) >> 32);
		want_s64[i] = (long long)(((__int128)a64[i] * b64[i]) >> 64);
		want_u64[i] =
		    (unsigned long long)(((unsigned __int128)(uint64_t)a64[i] * (uint64_t)b64[i]) >> 64);
	}
	unsigned *u32 = zeros_like(want_u32);
	long long *s64 = zeros_like(want_s64);
	unsigned long long *u64 = zeros_like(want_u64);
	check_run("mul.hi.s32", want_s32, [&](int *s32) {
		run_high<<<N / 128, 128>>>(s32, u32, s64, u64, to_device(a32), to_device(b32), to_device(a64),
		                           to_device(b64));
	});
	check_device("mul.hi.u32", u32, want_u32);
	check_device("mul.hi.s64", s64, want_s64);
	check_device("mul.hi.u64", u64, want_u64);
}

int main(void)
{
	test<int16_t, int32_t>("s16");
	test<uint16_t, uint32_t>("u16");
	test<int32_t, int64_t>("s32");
	test<uint32_t, uint64_t>("u32");
	test<int64_t, int64_t>("s64");
	test<uint64_t, uint64_t>("u64");
	test_high();
	return check_finish("int_arith");
}
