/*
 * libcufft against sums by the definition: lengths of every radix, prime lengths, lengths beyond shared memory, two and three
 * dimensions, real transforms, batches, strides, in place and not.
 * options: -lcufft.
 */
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include <cufft.h>

typedef std::complex<double> number;

static int failures;

static void check(bool holds, const char *claim, int detail)
{
	failures += !holds;
	if (!holds)
		printf("FAIL %s (%d)\n", claim, detail);
}

static std::vector<number> samples(size_t n, unsigned seed)
{
	std::vector<number> v(n);
	for (number &x : v) {
		double parts[2];
		for (double &p : parts)
			p = (double)((seed = seed * 1664525u + 1013904223u) >> 16) / 65536 - 0.5;
		x = number(parts[0], parts[1]);
	}
	return v;
}

/* Along one dimension of `shape`, by the definition. */
static std::vector<number> dft(const std::vector<number> &in, const std::vector<int> &shape, size_t dimension, int sign)
{
	std::vector<number> out(in.size());
	int n = shape[dimension];
	size_t step = 1;
	for (size_t d = dimension + 1; d < shape.size(); d++)
		step *= (size_t)shape[d];
	std::vector<number> roots((size_t)n);
	for (int k = 0; k < n; k++)
		roots[(size_t)k] = std::polar(1.0, sign * 2 * M_PI * k / n);
	for (size_t i = 0; i < in.size(); i++) {
		size_t k = i / step % (size_t)n, first = i - k * step;
		for (size_t j = 0; j < (size_t)n; j++)
			out[i] += in[first + j * step] * roots[j * k % (size_t)n];
	}
	return out;
}

static std::vector<number> dft(std::vector<number> v, const std::vector<int> &shape, int sign)
{
	for (size_t d = 0; d < shape.size(); d++)
		v = dft(v, shape, d, sign);
	return v;
}

static double error(const std::vector<number> &got, const std::vector<number> &want)
{
	double most = 0, size = 0;
	for (size_t i = 0; i < want.size(); i++) {
		if (std::isnan(std::abs(got[i])))
			return INFINITY;
		most = std::fmax(most, std::abs(got[i] - want[i]));
		size = std::fmax(size, std::abs(want[i]));
	}
	return most / (size + 1e-30);
}

/* ---- complex numbers ------------------------------------------------------------------------------------------------ */

template <class C, class R> static std::vector<number> from_device(const C *device, size_t n)
{
	std::vector<C> host(n);
	std::vector<number> v(n);
	cudaMemcpy(host.data(), device, n * sizeof(C), cudaMemcpyDeviceToHost);
	for (size_t i = 0; i < n; i++)
		v[i] = number(host[i].x, host[i].y);
	return v;
}

template <class C, class R> static C *to_device(const std::vector<number> &v)
{
	std::vector<C> host(v.size());
	for (size_t i = 0; i < v.size(); i++)
		host[i].x = (R)v[i].real(), host[i].y = (R)v[i].imag();
	C *device;
	cudaMalloc(&device, v.size() * sizeof(C));
	cudaMemcpy(device, host.data(), v.size() * sizeof(C), cudaMemcpyHostToDevice);
	return device;
}

static void one_dimension(int n, int batch)
{
	std::vector<number> v = samples((size_t)(n * batch), 1), want;
	std::vector<number> whole = dft(v, {batch, n}, 1, -1);
	cufftHandle plan;
	cufftDoubleComplex *in = to_device<cufftDoubleComplex, double>(v), *out = to_device<cufftDoubleComplex, double>(v);
	check(cufftPlan1d(&plan, n, CUFFT_Z2Z, batch) == CUFFT_SUCCESS, "a plan", n);
	check(cufftExecZ2Z(plan, in, out, CUFFT_FORWARD) == CUFFT_SUCCESS, "a transform", n);
	check(error(from_device<cufftDoubleComplex, double>(out, v.size()), whole) < 1e-12, "Z2Z", n);
	cufftExecZ2Z(plan, out, out, CUFFT_INVERSE);
	for (number &x : v)
		x *= n;
	check(error(from_device<cufftDoubleComplex, double>(out, v.size()), v) < 1e-12, "and back, in place", n);
	cufftDestroy(plan);
	cudaFree(in);
	cudaFree(out);
}

static void dimensions(std::vector<int> shape)
{
	size_t total = 1;
	for (int n : shape)
		total *= (size_t)n;
	std::vector<number> v = samples(total, 2);
	cufftComplex *data = to_device<cufftComplex, float>(v);
	cufftHandle plan;
	cufftResult made = shape.size() == 2 ? cufftPlan2d(&plan, shape[0], shape[1], CUFFT_C2C)
	                                     : cufftPlan3d(&plan, shape[0], shape[1], shape[2], CUFFT_C2C);
	check(made == CUFFT_SUCCESS, "a plan of dimensions", (int)total);
	cufftExecC2C(plan, data, data, CUFFT_INVERSE);
	check(error(from_device<cufftComplex, float>(data, total), dft(v, shape, 1)) < 1e-5, "C2C in dimensions", (int)total);
	cufftDestroy(plan);
	cudaFree(data);
}

/* ---- real numbers ----------------------------------------------------------------------------------------------------- */

static void reals(std::vector<int> shape, bool in_place)
{
	size_t rows = 1, n = (size_t)shape.back(), half = n / 2 + 1, pitch = in_place ? 2 * half : n;
	for (size_t d = 0; d + 1 < shape.size(); d++)
		rows *= (size_t)shape[d];
	std::vector<number> v = samples(rows * n, 3);
	std::vector<float> host(rows * pitch);
	for (size_t i = 0; i < v.size(); i++) {
		v[i] = v[i].real();
		host[i / n * pitch + i % n] = (float)v[i].real();
	}
	cufftReal *in;
	cufftComplex *out;
	cudaMalloc(&in, rows * 2 * half * sizeof *in);
	cudaMalloc(&out, rows * half * sizeof *out);
	cudaMemcpy(in, host.data(), host.size() * sizeof *in, cudaMemcpyHostToDevice);
	cufftHandle forward, backward;
	cufftPlanMany(&forward, (int)shape.size(), shape.data(), NULL, 1, 0, NULL, 1, 0, CUFFT_R2C, 1);
	cufftPlanMany(&backward, (int)shape.size(), shape.data(), NULL, 1, 0, NULL, 1, 0, CUFFT_C2R, 1);
	cufftComplex *spectrum = in_place ? (cufftComplex *)in : out;
	check(cufftExecR2C(forward, in, spectrum) == CUFFT_SUCCESS, "R2C runs", (int)v.size());
	std::vector<number> whole = dft(v, shape, -1), want, got = from_device<cufftComplex, float>(spectrum, rows * half);
	for (size_t i = 0; i < rows * half; i++)
		want.push_back(whole[i / half * n + i % half]);
	check(error(got, want) < 1e-5, "R2C", (int)v.size());
	cudaMemset(in_place ? out : (void *)in, 0, 4);
	check(cufftExecC2R(backward, spectrum, in) == CUFFT_SUCCESS, "C2R runs", (int)v.size());
	cudaMemcpy(host.data(), in, host.size() * sizeof *in, cudaMemcpyDeviceToHost);
	bool is_back = true;
	for (size_t i = 0; i < v.size(); i++)
		is_back = is_back && std::fabs(host[i / n * pitch + i % n] / (double)v.size() - v[i].real()) < 1e-5;
	check(is_back, "C2R brings it back", (int)v.size());
	cufftDestroy(forward);
	cufftDestroy(backward);
	cudaFree(in);
	cudaFree(out);
}

/* Columns of a matrix: elements apart, transforms next to one another. */
static void columns()
{
	int n = 15, count = 7, embed[] = {15};
	std::vector<number> v = samples((size_t)(n * count), 5);
	cufftDoubleComplex *data = to_device<cufftDoubleComplex, double>(v);
	cufftHandle plan;
	cufftPlanMany(&plan, 1, &n, embed, count, 1, embed, count, 1, CUFFT_Z2Z, count);
	cufftExecZ2Z(plan, data, data, CUFFT_FORWARD);
	check(error(from_device<cufftDoubleComplex, double>(data, v.size()), dft(v, {n, count}, 0, -1)) < 1e-13, "columns", n);
	check(cufftExecZ2Z(plan, data, data, 2) == CUFFT_INVALID_VALUE, "a direction that is none", 2);
	check(cufftExecC2C(plan, NULL, NULL, CUFFT_FORWARD) == CUFFT_INVALID_TYPE, "a plan of another type", 0);
	cufftDestroy(plan);
	check(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD) == CUFFT_INVALID_PLAN, "a plan that is gone", 0);
	check(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "a length of nothing", 0);
}

int main()
{
	for (int n : {1, 2, 3, 4, 5, 7, 8, 60, 105, 11, 17, 97, 1024})
		one_dimension(n, 3);
	for (int n : {1155, 1500, 2048}) /* Bluestein's by way of 4096; more than a block's memory */
		one_dimension(n, 1);
	dimensions({12, 10});
	dimensions({9, 22});
	dimensions({4, 6, 5});
	for (bool in_place : {false, true}) {
		reals({30}, in_place);
		reals({13}, in_place);
		reals({6, 8}, in_place);
		reals({3, 4, 10}, in_place);
	}
	columns();
	check(cudaGetLastError() == cudaSuccess, "no launch failed", 0);
	puts(failures ? "cufft_transforms FAIL" : "cufft_transforms PASS");
	return failures != 0;
}
