/*
 * What the files of libcufft share: lines of a transform, and how they lie in
 * memory. A dimension is transformed line by line; the lines of all other
 * indices, and of the batch, are counted through.
 */
#ifndef SLUICE_LIBS_FFT_H
#define SLUICE_LIBS_FFT_H

#include <cufft.h>

enum { FACTORS_MAX = 32, RADIX_MAX = 7, RANK_MAX = 3 };

/* Where line l begins, and how far apart its elements are; in elements. */
struct lines {
	long long count[RANK_MAX],
	    stride[RANK_MAX]; /* of the indices that a line's number is made of, fastest first */
	long long step;

	__host__ __device__ long long start(long long line) const
	{
		long long at = 0;
		for (int i = 0; i < RANK_MAX; i++) {
			at += line % count[i] * stride[i];
			line /= count[i];
		}
		return at;
	}
};

/* How a line is read and written: real numbers have no imaginary part; half a line is told by the other half. */
enum form { COMPLEX, REAL, HALF };

template <class T> struct complex {
	T x, y;
};

template <class T> __device__ inline complex<T> operator*(complex<T> a, complex<T> b)
{
	complex<T> c = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
	return c;
}

template <class T> __device__ inline complex<T> operator+(complex<T> a, complex<T> b)
{
	complex<T> c = {a.x + b.x, a.y + b.y};
	return c;
}

struct factors {
	int radix[FACTORS_MAX], count;
};

/* One side of the transform of a dimension. */
template <class T> struct side {
	T *base; /* of real numbers or of pairs */
	lines at;
	form how;
};

/* A length: what its lines are made with, on the device. */
template <class T> struct length {
	int n;
	factors parts;         /* of n, or of `padded` */
	int padded;            /* 0: n has no prime factor beyond 7; else Bluestein's length */
	complex<T> *roots;     /* exp(-2 pi i k / (padded or n)) */
	complex<T> *chirp;     /* exp(-pi i k^2 / n) */
	complex<T> *chirp_fft; /* transform of the conjugate chirp, divided by padded */
};

/* Makes what a length needs; false: no memory. */
template <class T> bool length_make(length<T> *l, int n);
template <class T> void length_free(length<T> *l);
long long length_work(int n); /* elements per line that transform_lines() needs in each work buffer */

/* Transforms `count` lines from `in` to `out`, which may be the same; `work` has two buffers of count * length_work(). */
template <class T>
void transform_lines(const length<T> *l, long long count, bool is_inverse, side<T> in, side<T> out,
                     complex<T> *work[2], cudaStream_t stream);

#endif
