/*
 * What every conformance program shares: calls that must succeed, memory of the device, comparing results, a digest of
 * the exact ones, and input values that reach the corners of each type.
 *
 * A program prints one PASS or FAIL line per claim, then "digest NAME 0x...", and exits with 0 or 1. The digest covers
 * results that the PTX manual or the CUDA documentation defines to the bit, so a GPU and the simulator must agree on it.
 */
#ifndef SLUICE_CONFORMANCE_CHECK_H
#define SLUICE_CONFORMANCE_CHECK_H

#include <cuda_runtime.h>
#include <initializer_list>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>

#define CHECK_UNUSED __attribute__((unused))

static unsigned check_failures;
static uint64_t check_digest = UINT64_C(0xcbf29ce484222325);

/* ---- calls --------------------------------------------------------------------------------------------- */

static struct {
	const char *file, *calls;
	int line, number;
} check_place;

/* What one call of either API returned: an error ends the program. The codes of both APIs are the same. */
struct check_call {
	template <typename Error> check_call(Error error)
	{
		check_place.number++;
		if (error == (Error)0)
			return;
		printf("FAIL %s:%d: call %d of %s: %s\n", check_place.file, check_place.line,
		       check_place.number, check_place.calls, cudaGetErrorName((cudaError_t)error));
		exit(1);
	}
};
CHECK_UNUSED static void check_calls(std::initializer_list<check_call>)
{
}

/* Calls that must succeed, in order. */
#define CUDA(...) (check_place = {__FILE__, #__VA_ARGS__, __LINE__, 0}, check_calls({__VA_ARGS__}))
#define SYNC() CUDA(cudaGetLastError(), cudaDeviceSynchronize())

/* ---- claims -------------------------------------------------------------------------------------------- */

/* FNV-1a. */
CHECK_UNUSED static void check_add_to_digest(const void *data, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)data;
	for (size_t i = 0; i < bytes; i++)
		check_digest = (check_digest ^ p[i]) * UINT64_C(0x100000001b3);
}

CHECK_UNUSED static void check_that(const char *what, int holds)
{
	printf("%s %s\n", holds ? "PASS" : "FAIL", what);
	check_failures += !holds;
}

static void check_print_element(const char *label, const void *data, size_t size, size_t i)
{
	const unsigned char *p = (const unsigned char *)data + i * size;
	printf("%s0x", label);
	for (size_t b = size; b-- > 0;)
		printf("%02x", p[b]);
}

/* Elements of `size` bytes, to the bit; `got` goes into the digest. */
CHECK_UNUSED static void check_same(const char *what, const void *got, const void *want, size_t size,
                                    size_t count)
{
	size_t wrong = 0;
	for (size_t i = 0; i < count; i++) {
		if (memcmp((const char *)got + i * size, (const char *)want + i * size, size) == 0)
			continue;
		if (wrong++ < 4) {
			printf("  %s[%zu]", what, i);
			check_print_element(" is ", got, size, i);
			check_print_element(", expected ", want, size, i);
			printf("\n");
		}
	}
	check_add_to_digest(got, size * count);
	printf("%s %s (%zu values, %zu wrong)\n", wrong ? "FAIL" : "PASS", what, count, wrong);
	check_failures += wrong != 0;
}

/* All NaNs of IEEE values are one. */
template <typename T> static void check_one_nan(T *, size_t)
{
}
template <> void check_one_nan(float *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] = values[i] != values[i] ? NAN : values[i];
}
template <> void check_one_nan(double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] = values[i] != values[i] ? (double)NAN : values[i];
}

/* check_same() with one NaN; changes `got` and `want`. */
template <typename T> static void check_values(const char *what, T *got, T *want, size_t count)
{
	check_one_nan(got, count);
	check_one_nan(want, count);
	check_same(what, got, want, sizeof *got, count);
}

CHECK_UNUSED static void check_equal(const char *what, long long got, long long want)
{
	check_same(what, &got, &want, sizeof got, 1);
}

/* What a call of either API returned; the runtime's last error is forgotten. */
template <typename Error> static void expect(const char *what, Error got, Error want)
{
	if (got != want)
		printf("  %s: %s, expected %s\n", what, cudaGetErrorName((cudaError_t)got),
		       cudaGetErrorName((cudaError_t)want));
	check_equal(what, got, want);
	cudaGetLastError();
}

CHECK_UNUSED static int check_finish(const char *name)
{
	printf("digest %s 0x%016llx\n", name, (unsigned long long)check_digest);
	return check_failures != 0;
}

/* ---- device memory ------------------------------------------------------------------------------------- */

CHECK_UNUSED static void *check_to_device(const void *host, size_t bytes)
{
	void *device;
	CUDA(cudaMalloc(&device, bytes), cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
	return device;
}

CHECK_UNUSED static void *check_zeros(size_t bytes)
{
	void *device;
	CUDA(cudaMalloc(&device, bytes), cudaMemset(device, 0, bytes));
	return device;
}

/* Waits for the device and frees what it copied. */
CHECK_UNUSED static void check_from_device(void *host, void *device, size_t bytes)
{
	SYNC();
	CUDA(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), cudaFree(device));
}

/* The type of the elements of an array of any dimensions, or of what a pointer points to. */
template <typename A>
using check_element = typename std::remove_cv<
    typename std::remove_all_extents<typename std::remove_pointer<A>::type>::type>::type;

/* A copy of an array of the host. */
template <typename A> static check_element<A> *to_device(const A &host)
{
	return (check_element<A> *)check_to_device(host, sizeof host);
}

template <typename T> static T *zeros(size_t count)
{
	return (T *)check_zeros(count * sizeof(T));
}

template <typename A> static check_element<A> *zeros_like(const A &array)
{
	return (check_element<A> *)check_zeros(sizeof array);
}

/* The first `count` elements of the device's memory are those of `want`; 0: all of an array. */
template <typename A>
static void check_kept(const char *what, check_element<A> *device, const A &want, size_t count = 0)
{
	typedef check_element<A> element;
	size_t n = count ? count : sizeof want / sizeof(element), bytes = n * sizeof(element);
	element *got = (element *)malloc(bytes), *expected = (element *)malloc(bytes);
	SYNC();
	CUDA(cudaMemcpy(got, device, bytes, cudaMemcpyDeviceToHost));
	memcpy((void *)expected, (const void *)want, bytes);
	check_values(what, got, expected, n);
	free(got);
	free(expected);
}

/* The same, and frees it. */
template <typename A>
static void check_device(const char *what, check_element<A> *device, const A &want, size_t count = 0)
{
	check_kept(what, device, want, count);
	CUDA(cudaFree(device));
}

/* The value there, which is freed. */
template <typename T> static T from_device(T *device)
{
	T value;
	check_from_device(&value, device, sizeof value);
	return value;
}

/* launch() gets zeros of the size of `want` for its kernel's results. */
template <typename A, typename Launch>
static void check_run(const char *what, const A &want, Launch launch, size_t count = 0)
{
	typedef check_element<A> element;
	element *out = zeros<element>(std::is_array<A>::value ? sizeof want / sizeof(element) : count);
	launch(out);
	check_device(what, out, want, count);
}

__device__ CHECK_UNUSED static uint32_t shared_address(const void *p)
{
	return (uint32_t)__cvta_generic_to_shared(p);
}

/* ---- values -------------------------------------------------------------------------------------------- */

static uint64_t check_random_state = UINT64_C(0x9e3779b97f4a7c15);

CHECK_UNUSED static uint64_t check_random(void)
{
	check_random_state ^= check_random_state << 13;
	check_random_state ^= check_random_state >> 7;
	check_random_state ^= check_random_state << 17;
	return check_random_state * UINT64_C(0x2545f4914f6cdd1d);
}

static const uint64_t check_corner[] = {0,
                                        1,
                                        2,
                                        31,
                                        32,
                                        33,
                                        63,
                                        64,
                                        0x7f,
                                        0x80,
                                        0xff,
                                        0x7fff,
                                        0x8000,
                                        0xffff,
                                        UINT64_C(0x7fffffff),
                                        UINT64_C(0x80000000),
                                        UINT64_C(0xffffffff),
                                        UINT64_C(0x100000000),
                                        UINT64_C(0x7fffffffffffffff),
                                        UINT64_C(0x8000000000000000),
                                        UINT64_C(0xffffffffffffffff),
                                        UINT64_C(0xffffffffffffff80),
                                        UINT64_C(0xffffffff80000000),
                                        UINT64_C(0xffffffffffff8000)};

/* Integers: each corner once, then random bits of random length. */
CHECK_UNUSED static uint64_t check_integer(size_t i)
{
	const size_t corners = sizeof check_corner / sizeof *check_corner;
	if (i < corners)
		return check_corner[i];
	if (check_random() % 4 == 0)
		return check_corner[check_random() % corners];
	return (uint64_t)((int64_t)check_random() >> (check_random() % 64));
}

CHECK_UNUSED static float check_bits_f32(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

CHECK_UNUSED static double check_bits_f64(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Zeros, denormals, ones, largest, infinities, NaN, halves; then random exponents. */
CHECK_UNUSED static float check_f32(size_t i)
{
	static const uint32_t corner[] = {
	    0,          0x80000000, 1,          0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000,
	    0xbf000000, 0x3fc00000, 0x40200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
	    0x4f000000, 0xcf000000, 0x4effffff, 0x5f000000, 0x33800000, 0x42280000};
	const size_t corners = sizeof corner / sizeof *corner;
	if (i < corners || check_random() % 8 == 0)
		return check_bits_f32(corner[(i < corners ? i : check_random()) % corners]);
	uint32_t bits = (uint32_t)check_random();
	if (check_random() % 2)
		bits = (bits & 0x807fffff) | (uint32_t)(117 + check_random() % 22) << 23;
	return check_bits_f32(bits);
}

CHECK_UNUSED static double check_f64(size_t i)
{
	static const uint64_t corner[] = {0,
	                                  UINT64_C(1) << 63,
	                                  1,
	                                  UINT64_C(0x800fffffffffffff),
	                                  UINT64_C(0x0010000000000000),
	                                  UINT64_C(0x3ff0000000000000),
	                                  UINT64_C(0xbff0000000000000),
	                                  UINT64_C(0x3fe0000000000000),
	                                  UINT64_C(0x3ff8000000000000),
	                                  UINT64_C(0x7fefffffffffffff),
	                                  UINT64_C(0xffefffffffffffff),
	                                  UINT64_C(0x7ff0000000000000),
	                                  UINT64_C(0xfff0000000000000),
	                                  UINT64_C(0x7ff8000000000000),
	                                  UINT64_C(0x41e0000000000000),
	                                  UINT64_C(0xc1e0000000200000),
	                                  UINT64_C(0x43e0000000000000),
	                                  UINT64_C(0x43f0000000000000),
	                                  UINT64_C(0x380fffffe0000000),
	                                  UINT64_C(0x36a0000000000000)};
	const size_t corners = sizeof corner / sizeof *corner;
	if (i < corners || check_random() % 8 == 0)
		return check_bits_f64(corner[(i < corners ? i : check_random()) % corners]);
	uint64_t bits = check_random();
	if (check_random() % 2)
		bits = (bits & UINT64_C(0x800fffffffffffff)) | (1013 + check_random() % 22) << 52;
	return check_bits_f64(bits);
}

#endif
