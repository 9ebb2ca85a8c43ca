/*
 * Transforms of lines: Stockham's algorithm with radices 2 to 7, in shared
 * memory where a line fits, else a launch per radix; Bluestein's for lengths
 * with larger prime factors.
 */
#include "fft.h"

#include <cmath>
#include <vector>

enum { THREADS = 128, SHARED_MAX = 1024, BLOCKS_MAX = 1 << 16 };

/* ---- elements ------------------------------------------------------------------------------------------------------- */

template <class T> __device__ complex<T> load(const side<T> &s, long long start, int i, int n)
{
	complex<T> v;
	if (s.how == REAL) {
		v.x = s.base[start + i * s.at.step];
		v.y = 0;
		return v;
	}
	bool is_mirrored = s.how == HALF && i > n / 2;
	v = ((const complex<T> *)s.base)[start + (is_mirrored ? n - i : i) * s.at.step];
	v.y = is_mirrored ? -v.y : v.y;
	return v;
}

template <class T> __device__ void store(const side<T> &s, long long start, int i, int n, complex<T> v)
{
	if (s.how == REAL)
		s.base[start + i * s.at.step] = v.x;
	else if (s.how == COMPLEX || i <= n / 2)
		((complex<T> *)s.base)[start + i * s.at.step] = v;
}

/* Root k of n; the inverse goes the other way round. */
template <class T> __device__ complex<T> root(const complex<T> *roots, long long k, int n, bool is_inverse)
{
	complex<T> w = roots[k % n];
	w.y = is_inverse ? -w.y : w.y;
	return w;
}

/* Butterfly j of n / radix, after `done` of the length: v in, v out, by the definition. */
template <class T>
__device__ void butterfly(complex<T> *v, int radix, int j, int done, int n, const complex<T> *roots, bool is_inverse)
{
	complex<T> in[RADIX_MAX];
	for (int r = 0; r < radix; r++)
		in[r] = v[r] * root(roots, (long long)(j % done) * r * (n / (done * radix)), n, is_inverse);
	for (int k = 0; k < radix; k++) {
		complex<T> sum = in[0];
		for (int r = 1; r < radix; r++)
			sum = sum + in[r] * root(roots, (long long)(k * r % radix) * (n / radix), n, is_inverse);
		v[k] = sum;
	}
}

/* ---- a block a line ------------------------------------------------------------------------------------------------- */

template <class T>
__global__ void transform_shared(int n, factors parts, const complex<T> *roots, bool is_inverse, long long count, side<T> in, side<T> out)
{
	extern __shared__ double room[];
	for (long long line = blockIdx.x; line < count; line += gridDim.x) {
		complex<T> *from = (complex<T> *)room, *to = from + n;
		long long start = in.at.start(line);
		for (int i = threadIdx.x; i < n; i += blockDim.x)
			from[i] = load(in, start, i, n);
		__syncthreads();
		for (int f = 0, done = 1; f < parts.count; f++) {
			int radix = parts.radix[f];
			for (int j = threadIdx.x; j < n / radix; j += blockDim.x) {
				complex<T> v[RADIX_MAX];
				for (int r = 0; r < radix; r++)
					v[r] = from[j + r * (n / radix)];
				butterfly(v, radix, j, done, n, roots, is_inverse);
				for (int r = 0; r < radix; r++)
					to[j / done * done * radix + j % done + r * done] = v[r];
			}
			done *= radix;
			complex<T> *t = from;
			from = to;
			to = t;
			__syncthreads();
		}
		start = out.at.start(line);
		for (int i = threadIdx.x; i < n; i += blockDim.x)
			store(out, start, i, n, from[i]);
		__syncthreads();
	}
}

/* ---- a launch a radix ------------------------------------------------------------------------------------------------- */

template <class T>
__global__ void transform_stage(int n, int radix, int done, const complex<T> *roots, bool is_inverse, long long count, side<T> in,
                                side<T> out)
{
	long long each = n / radix, total = count * each;
	for (long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x; t < total; t += (long long)gridDim.x * blockDim.x) {
		long long line = t / each, from = in.at.start(line), to = out.at.start(line);
		int j = (int)(t % each);
		complex<T> v[RADIX_MAX];
		for (int r = 0; r < radix; r++)
			v[r] = load(in, from, j + r * (int)each, n);
		butterfly(v, radix, j, done, n, roots, is_inverse);
		for (int r = 0; r < radix; r++)
			store(out, to, j / done * done * radix + j % done + r * done, n, v[r]);
	}
}

static int blocks_for(long long threads)
{
	long long blocks = (threads + THREADS - 1) / THREADS;
	return (int)(blocks < BLOCKS_MAX ? blocks : BLOCKS_MAX);
}

/* Lines one after the other in a buffer. */
template <class T> static side<T> packed(complex<T> *buffer, int n)
{
	side<T> s = {(T *)buffer, {{1ll << 62, 1, 1}, {n, 0, 0}, 1}, COMPLEX};
	return s;
}

template <class T>
static void transform_smooth(int n, const factors &parts, const complex<T> *roots, long long count, bool is_inverse, side<T> in,
                             side<T> out, complex<T> *work[2], cudaStream_t stream)
{
	if (n <= SHARED_MAX) {
		int blocks = (int)(count < BLOCKS_MAX ? count : BLOCKS_MAX);
		size_t bytes = 2 * n * sizeof(complex<T>);
		transform_shared<<<blocks, THREADS, bytes, stream>>>(n, parts, roots, is_inverse, count, in, out);
		return;
	}
	/* A number of launches that is at least two, so that no launch reads what it writes. */
	side<T> from = in;
	for (int f = 0, done = 1; f < parts.count; f++) {
		side<T> to = f + 1 == parts.count ? out : packed(work[f % 2], n);
		transform_stage<<<blocks_for(count * (n / parts.radix[f])), THREADS, 0, stream>>>(n, parts.radix[f], done, roots,
		                                                                                  is_inverse, count, from, to);
		done *= parts.radix[f];
		from = to;
	}
}

/* ---- Bluestein ----------------------------------------------------------------------------------------------------------- */

/* x times the chirp, with zeros up to the padded length. */
template <class T>
__global__ void chirp_in(int n, int padded, const complex<T> *chirp, bool is_inverse, long long count, side<T> in, complex<T> *out)
{
	long long total = count * padded;
	for (long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x; t < total; t += (long long)gridDim.x * blockDim.x) {
		int i = (int)(t % padded);
		complex<T> v = {0, 0};
		if (i < n) {
			v = load(in, in.at.start(t / padded), i, n);
			v.y = is_inverse ? -v.y : v.y; /* the inverse is the conjugate's forward, conjugated */
			v = v * chirp[i];
		}
		out[t] = v;
	}
}

template <class T> __global__ void multiply(int padded, const complex<T> *by, long long count, complex<T> *p)
{
	long long total = count * padded;
	for (long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x; t < total; t += (long long)gridDim.x * blockDim.x)
		p[t] = p[t] * by[t % padded];
}

template <class T>
__global__ void chirp_out(int n, int padded, const complex<T> *chirp, bool is_inverse, long long count, const complex<T> *in, side<T> out)
{
	long long total = count * n;
	for (long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x; t < total; t += (long long)gridDim.x * blockDim.x) {
		int i = (int)(t % n);
		complex<T> v = in[t / n * padded + i] * chirp[i];
		v.y = is_inverse ? -v.y : v.y;
		store(out, out.at.start(t / n), i, n, v);
	}
}

template <class T>
void transform_lines(const length<T> *l, long long count, bool is_inverse, side<T> in, side<T> out, complex<T> *work[2],
                     cudaStream_t stream)
{
	if (!l->padded) {
		transform_smooth(l->n, l->parts, l->roots, count, is_inverse, in, out, work, stream);
		return;
	}
	int m = l->padded, blocks = blocks_for(count * m);
	complex<T> *spare[2] = {work[1], work[1] + count * m};
	side<T> padded = packed(work[0], m);
	chirp_in<<<blocks, THREADS, 0, stream>>>(l->n, m, l->chirp, is_inverse, count, in, work[0]);
	transform_smooth(m, l->parts, l->roots, count, false, padded, padded, spare, stream);
	multiply<<<blocks, THREADS, 0, stream>>>(m, l->chirp_fft, count, work[0]);
	transform_smooth(m, l->parts, l->roots, count, true, padded, padded, spare, stream);
	chirp_out<<<blocks, THREADS, 0, stream>>>(l->n, m, l->chirp, is_inverse, count, work[0], out);
}

/* ---- lengths -------------------------------------------------------------------------------------------------------------- */

/* Largest radices first; false: a prime factor is too large. */
static bool factorize(int n, factors *parts)
{
	static const int radices[] = {7, 5, 4, 3, 2};
	parts->count = 0;
	for (int i = 0; i < 5; i++)
		for (; n % radices[i] == 0; n /= radices[i])
			parts->radix[parts->count++] = radices[i];
	return n == 1;
}

static int padded_length(int n)
{
	int m = 1;
	while (m < 2 * n - 1)
		m *= 2;
	return m;
}

long long length_work(int n)
{
	factors parts;
	return factorize(n, &parts) ? n : 2ll * padded_length(n);
}

template <class T> static complex<T> *to_device(const std::vector<complex<double>> &values)
{
	std::vector<complex<T>> narrow(values.size());
	for (size_t i = 0; i < values.size(); i++)
		narrow[i].x = (T)values[i].x, narrow[i].y = (T)values[i].y;
	complex<T> *device = nullptr;
	if (cudaMalloc(&device, narrow.size() * sizeof *device) == cudaSuccess)
		cudaMemcpy(device, narrow.data(), narrow.size() * sizeof *device, cudaMemcpyHostToDevice);
	return device;
}

static complex<double> turn(double part)
{
	complex<double> c = {cos(2 * M_PI * part), -sin(2 * M_PI * part)};
	return c;
}

static std::vector<complex<double>> roots_of(int n)
{
	std::vector<complex<double>> v(n);
	for (int k = 0; k < n; k++)
		v[k] = turn((double)k / n);
	return v;
}

template <class T> static bool make_chirp(length<T> *l)
{
	int n = l->n, m = l->padded;
	std::vector<complex<double>> chirp(n), mirrored(m);
	for (long long k = 0; k < n; k++)
		chirp[k] = turn((double)(k * k % (2 * n)) / (2 * n));
	for (int k = 0; k < n; k++) {
		mirrored[k].x = mirrored[(m - k) % m].x = chirp[k].x / m;
		mirrored[k].y = mirrored[(m - k) % m].y = -chirp[k].y / m;
	}
	l->chirp = to_device<T>(chirp);
	l->chirp_fft = to_device<T>(mirrored);
	complex<T> *work[2] = {nullptr, nullptr};
	if (!l->chirp || !l->chirp_fft || cudaMalloc(&work[0], 2 * m * sizeof **work) != cudaSuccess)
		return false;
	work[1] = work[0] + m;
	side<T> line = packed(l->chirp_fft, m);
	transform_smooth(m, l->parts, l->roots, 1, false, line, line, work, 0);
	return cudaStreamSynchronize(0) == cudaSuccess && cudaFree(work[0]) == cudaSuccess;
}

template <class T> bool length_make(length<T> *l, int n)
{
	l->n = n;
	l->padded = factorize(n, &l->parts) ? 0 : padded_length(n);
	if (l->padded)
		factorize(l->padded, &l->parts);
	l->roots = to_device<T>(roots_of(l->padded ? l->padded : n));
	l->chirp = l->chirp_fft = nullptr;
	return l->roots && (!l->padded || make_chirp(l));
}

template <class T> void length_free(length<T> *l)
{
	cudaFree(l->roots);
	cudaFree(l->chirp);
	cudaFree(l->chirp_fft);
}

#define INSTANCES(T)                                                                                         \
	template void transform_lines<T>(const length<T> *, long long, bool, side<T>, side<T>,               \
	                                 complex<T> *[2], cudaStream_t);                                     \
	template bool length_make<T>(length<T> *, int);                                                      \
	template void length_free<T>(length<T> *);
INSTANCES(float)
INSTANCES(double)
