/*
 * What every workload shares: its command line, its random numbers, memory
 * with a clear end when there is none, and the line it prints.
 *
 *	static struct workload_param param[] = {
 *		{"n", "rows and columns", 256, 1024, 4096, 32, 16384},
 *	};
 *
 *	int main(int argc, char **argv)
 *	{
 *		struct workload w = workload_open("atax", "y = A^T (A x)", param, 1, argc, argv);
 *		size_t n = workload_value(&w, "n");
 *		float *a = WORKLOAD_HOST(float, n * n), *device_a = WORKLOAD_DEVICE(float, n * n);
 *		...
 *		workload_start(&w);
 *		kernel<<<...>>>(...);
 *		workload_stop(&w);
 *		...
 *		return workload_close(&w, workload_same_floats("y", got, want, n, 1e-4));
 *	}
 *
 * Plain C as C++ compilers take it, so that nvcc and `sluice cc` both do.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <cuda_runtime.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A number that makes the input larger or smaller, at each size, and what it may be. */
struct workload_param {
	const char *name, *doc;
	long long tiny, small, paper;
	long long least, most;
	long long value;
};

struct workload {
	const char *name, *about;
	const char *size; /* "custom" once a parameter was given */
	struct workload_param *param;
	int params;
	uint64_t seed, state;
	struct timespec began;
	double seconds; /* between all starts and stops */
};

/* Wrong input and want of memory end the program so. */
enum { WORKLOAD_BAD_INPUT = 2 };

#define WORKLOAD_HOST(type, count) ((type *)workload_host(count, sizeof(type), #count))
#define WORKLOAD_DEVICE(type, count) ((type *)workload_device(count, sizeof(type), #count))
#define WORKLOAD_CUDA(call) workload_must(call, #call, __FILE__, __LINE__)

/* ---- the command line -------------------------------------------------------------------------------- */

static inline void workload_help(const struct workload *w)
{
	printf("%s: %s\n\nusage: %s [--size tiny|small|paper] [--seed N]", w->name, w->about, w->name);
	for (int i = 0; i < w->params; i++)
		printf(" [--%s N]", w->param[i].name);
	printf("\n\n%-14s %12s %12s %12s\n", "", "tiny", "small", "paper");
	for (int i = 0; i < w->params; i++)
		printf("--%-12s %12lld %12lld %12lld   %s, %lld to %lld\n", w->param[i].name,
		       w->param[i].tiny, w->param[i].small, w->param[i].paper, w->param[i].doc,
		       w->param[i].least, w->param[i].most);
}

static inline void workload_take_size(struct workload *w, const char *size)
{
	int column = !strcmp(size, "tiny") ? 0 : !strcmp(size, "small") ? 1 : !strcmp(size, "paper") ? 2 : -1;
	if (column < 0) {
		fprintf(stderr, "%s: no size '%s': tiny, small or paper\n", w->name, size);
		exit(WORKLOAD_BAD_INPUT);
	}
	w->size = size;
	for (int i = 0; i < w->params; i++)
		w->param[i].value = column == 0   ? w->param[i].tiny
		                    : column == 1 ? w->param[i].small
		                                  : w->param[i].paper;
}

static inline long long workload_number(const struct workload *w, const char *option, const char *text,
                                        long long least, long long most)
{
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	if (errno || end == text || *end || value < least || value > most) {
		fprintf(stderr, "%s: --%s %s: a number from %lld to %lld is wanted\n", w->name, option, text,
		        least, most);
		exit(WORKLOAD_BAD_INPUT);
	}
	return value;
}

static inline void workload_take_option(struct workload *w, const char *option, const char *text)
{
	if (!text) {
		fprintf(stderr, "%s: --%s wants a value\n", w->name, option);
		exit(WORKLOAD_BAD_INPUT);
	}
	if (!strcmp(option, "size"))
		return; /* taken before */
	if (!strcmp(option, "seed")) {
		w->seed = (uint64_t)workload_number(w, option, text, 0, INT64_MAX);
		return;
	}
	for (int i = 0; i < w->params; i++)
		if (!strcmp(option, w->param[i].name)) {
			w->param[i].value =
			    workload_number(w, option, text, w->param[i].least, w->param[i].most);
			w->size = "custom";
			return;
		}
	fprintf(stderr, "%s: no option '--%s'; --help lists them\n", w->name, option);
	exit(WORKLOAD_BAD_INPUT);
}

/* Reads the command line; ends the program with a message if it is wrong. */
static inline struct workload workload_open(const char *name, const char *about, struct workload_param *param,
                                            int params, int argc, char **argv)
{
	struct workload w = {};
	w.name = name;
	w.about = about;
	w.param = param;
	w.params = params;
	w.seed = 1;
	workload_take_size(&w, "small");
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			workload_help(&w);
			exit(0);
		}
		if (!strcmp(argv[i], "--size") && i + 1 < argc)
			workload_take_size(&w, argv[i + 1]);
	}
	for (int i = 1; i < argc; i += 2) {
		if (strncmp(argv[i], "--", 2)) {
			fprintf(stderr, "%s: what is '%s'? --help lists the options\n", name, argv[i]);
			exit(WORKLOAD_BAD_INPUT);
		}
		workload_take_option(&w, argv[i] + 2, i + 1 < argc ? argv[i + 1] : NULL);
	}
	w.state = w.seed;
	return w;
}

static inline long long workload_value(const struct workload *w, const char *name)
{
	for (int i = 0; i < w->params; i++)
		if (!strcmp(name, w->param[i].name))
			return w->param[i].value;
	fprintf(stderr, "%s: no parameter %s\n", w->name, name);
	abort();
}

/* ---- random numbers: the same everywhere ---------------------------------------------------------------- */

static inline uint64_t workload_random(struct workload *w)
{
	uint64_t z = w->state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* From 0 to limit - 1. */
static inline uint32_t workload_below(struct workload *w, uint32_t limit)
{
	return (uint32_t)((workload_random(w) >> 32) * limit >> 32);
}

/* In [0, 1), a multiple of 2^-24: exact in a float. */
static inline float workload_unit(struct workload *w)
{
	return (float)(workload_random(w) >> 40) / 16777216.0f;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static inline void workload_no_memory(const char *where, const char *what, size_t count, size_t bytes)
{
	fprintf(stderr, "no %s memory for %zu x %zu bytes (%s): choose a smaller size\n", where, count, bytes,
	        what);
	exit(WORKLOAD_BAD_INPUT);
}

static inline void workload_must(cudaError_t code, const char *call, const char *file, int line)
{
	if (code == cudaSuccess)
		return;
	fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(code));
	exit(code == cudaErrorMemoryAllocation ? WORKLOAD_BAD_INPUT : 1);
}

/* All zero. */
static inline void *workload_host(size_t count, size_t bytes, const char *what)
{
	void *p = calloc(count ? count : 1, bytes);
	if (!p)
		workload_no_memory("host", what, count, bytes);
	return p;
}

static inline void *workload_device(size_t count, size_t bytes, const char *what)
{
	void *p = NULL;
	if (count > SIZE_MAX / bytes)
		workload_no_memory("device", what, count, bytes);
	cudaError_t code = cudaMalloc(&p, count ? count * bytes : bytes);
	if (code == cudaErrorMemoryAllocation)
		workload_no_memory("device", what, count, bytes);
	WORKLOAD_CUDA(code);
	return p;
}

/* Fills the array with numbers from -0.5 to 0.5; a copy on the device. */
static inline float *workload_random_floats(struct workload *w, float *host, size_t count)
{
	float *device = WORKLOAD_DEVICE(float, count);
	for (size_t i = 0; i < count; i++)
		host[i] = workload_unit(w) - 0.5f;
	WORKLOAD_CUDA(cudaMemcpy(device, host, count * sizeof *host, cudaMemcpyHostToDevice));
	return device;
}

/* ---- time and the verdict -------------------------------------------------------------------------------- */

static inline void workload_start(struct workload *w)
{
	WORKLOAD_CUDA(cudaDeviceSynchronize());
	clock_gettime(CLOCK_MONOTONIC, &w->began);
}

/* Launch errors end here too. */
static inline void workload_stop(struct workload *w)
{
	struct timespec now;
	WORKLOAD_CUDA(cudaGetLastError());
	WORKLOAD_CUDA(cudaDeviceSynchronize());
	clock_gettime(CLOCK_MONOTONIC, &now);
	w->seconds +=
	    (double)(now.tv_sec - w->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - w->began.tv_nsec);
}

/* Within `tolerance` of the larger of |want| and 1; says where not. */
static inline bool workload_same_floats(const char *what, const float *got, const float *want, size_t count,
                                        double tolerance)
{
	for (size_t i = 0; i < count; i++) {
		double scale = fabs((double)want[i]) > 1 ? fabs((double)want[i]) : 1;
		if (!(fabs((double)got[i] - (double)want[i]) <= tolerance * scale)) {
			fprintf(stderr, "%s[%zu] is %.9g, not %.9g\n", what, i, got[i], want[i]);
			return false;
		}
	}
	return true;
}

static inline bool workload_same_ints(const char *what, const int *got, const int *want, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (got[i] != want[i]) {
			fprintf(stderr, "%s[%zu] is %d, not %d\n", what, i, got[i], want[i]);
			return false;
		}
	return true;
}

/* The line; returns what main() returns. */
static inline int workload_close(const struct workload *w, bool pass)
{
	printf("%s %s %.6f %s\n", w->name, w->size, w->seconds, pass ? "PASS" : "FAIL");
	return pass ? 0 : 1;
}

#endif
