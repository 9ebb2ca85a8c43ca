/* C++ in kernels: templates by type, value and functor, lambdas, classes with operators, overloads, constexpr, auto. */
#include "check.h"

enum { N = 128 };

template <typename T, int UNROLL, typename F> __global__ void map(T *out, const T *in, F f)
{
	int base = (int)(blockIdx.x * blockDim.x + threadIdx.x) * UNROLL;
#pragma unroll
	for (int k = 0; k < UNROLL; k++)
		out[base + k] = f(in[base + k]);
}

struct affine {
	int a, b;
	__host__ __device__ int operator()(int x) const
	{
		return a * x + b;
	}
	__host__ __device__ double operator()(double x) const
	{
		return a * x + b;
	}
};

template <int P> struct power {
	template <typename T> __host__ __device__ static T of(T x)
	{
		return x * power<P - 1>::of(x);
	}
};
template <> struct power<0> {
	template <typename T> __host__ __device__ static T of(T)
	{
		return T(1);
	}
};

class complex_number
{
	float re, im;

      public:
	__host__ __device__ complex_number(float r = 0, float i = 0) : re(r), im(i)
	{
	}
	__host__ __device__ complex_number operator*(const complex_number &o) const
	{
		return complex_number(re * o.re - im * o.im, re * o.im + im * o.re);
	}
	__host__ __device__ complex_number operator+(const complex_number &o) const
	{
		return complex_number(re + o.re, im + o.im);
	}
	__host__ __device__ float norm() const
	{
		return re * re + im * im;
	}
};

__host__ __device__ constexpr int cube(int x)
{
	return x * x * x;
}

__host__ __device__ static int kind(int)
{
	return 1;
}
__host__ __device__ static int kind(float)
{
	return 2;
}
__host__ __device__ static int kind(const void *)
{
	return 3;
}

/* Small integers, so that contraction into fma changes nothing. */
__host__ __device__ static float mixture(int i)
{
	complex_number z((float)(i % 5), (float)(i % 3));
	z = z * z + complex_number(1, 2);
	auto twice = [](float x) { return 2 * x; };
	int captured = i & 7;
	auto add = [=](int x) { return x + captured; };
	auto bump = [&](int x) { captured += x; };
	bump(3);
	const int list[] = {3, 1, 2};
	int total = 0;
	for (auto x : list)
		total += x * cube(2);
	return z.norm() + twice((float)add(1)) + (float)captured + (float)total +
	       (float)(kind(1) + kind(1.0f) * 10 + kind(&i) * 100) + (float)power<3>::of(i % 4);
}

__global__ void mixtures(float *out)
{
	int i = threadIdx.x;
	out[i] = mixture(i);
}

int main(void)
{
	static int in[N], got[N], want[N];
	static double din[N], dwant[N];
	affine f = {3, -7};
	int offset = 11;
	for (int i = 0; i < N; i++) {
		in[i] = i * i % 50;
		din[i] = i * 0.25;
		want[i] = f(in[i]);
		dwant[i] = f(din[i]);
	}
	check_run("functor over int", want,
	          [&](int *out) { map<int, 4><<<1, N / 4>>>(out, to_device(in), f); });
	check_run("functor over double", dwant,
	          [&](double *out) { map<double, 2><<<N / 2 / 32, 32>>>(out, to_device(din), f); });

	int *device = to_device(in), *out = zeros_like(want);
	map<int, 1><<<1, N>>>(out, device, [=] __device__(int x) { return x * 2 + offset; });
	for (int i = 0; i < N; i++)
		want[i] = in[i] * 2 + 11;
	check_device("lambda as kernel argument", out, want);

	static float fwant[N];
	for (int i = 0; i < N; i++)
		fwant[i] = mixture(i);
	check_run("classes, overloads, lambdas in device code", fwant,
	          [&](float *fout) { mixtures<<<1, N>>>(fout); });
	return check_finish("templates");
}
