/*
 * The utility library of the first CUDA samples, as far as benchmark programs
 * use it: error checks, timers, command lines, comparisons, files of numbers.
 * C89 as well: old programs compile their C files so.
 */
#ifndef _CUTIL_H_
#define _CUTIL_H_

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "cuda_runtime.h"

typedef enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 } CUTBoolean;

#define SLUICE_CUTIL static __inline__ __attribute__((unused))

/* ---- checks: a failure ends the program ------------------------------------------------------------------------ */

SLUICE_CUTIL void sluice_cut_check(cudaError_t error, const char *what, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "Cuda error: %s in file '%s' in line %d : %s.\n", what, file, line,
	        cudaGetErrorString(error));
	exit(EXIT_FAILURE);
}

SLUICE_CUTIL void sluice_cut_require(int holds, const char *what, const char *file, int line)
{
	if (holds)
		return;
	fprintf(stderr, "Cut error: %s in file '%s' in line %d.\n", what, file, line);
	exit(EXIT_FAILURE);
}

#define CUDA_SAFE_CALL_NO_SYNC(call) sluice_cut_check((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define CUT_SAFE_CALL(call) sluice_cut_require((call) == CUTTrue, #call, __FILE__, __LINE__)
#define CU_SAFE_CALL_NO_SYNC(call) sluice_cut_require((call) == 0, #call, __FILE__, __LINE__)
#define CU_SAFE_CALL(call) CU_SAFE_CALL_NO_SYNC(call)
#define CUDA_ERRCK CUT_CHECK_ERROR("earlier call")
#define CUT_CHECK_ERROR(text)                                                                                \
	do {                                                                                                 \
		sluice_cut_check(cudaGetLastError(), text, __FILE__, __LINE__);                              \
		sluice_cut_check(cudaDeviceSynchronize(), text, __FILE__, __LINE__);                         \
	} while (0)
#define CUT_CONDITION(value) sluice_cut_require((value) != 0, #value, __FILE__, __LINE__)
#define CUT_SAFE_MALLOC(call) sluice_cut_require((call) != NULL, #call, __FILE__, __LINE__)

#define CUT_BANK_CHECKER(array, index) array[index]
#define CUT_DEVICE_INIT(argc, argv) sluice_cut_check(cudaSetDevice(0), "cudaSetDevice", __FILE__, __LINE__)
#define CUT_DEVICE_INIT_DRV(device, argc, argv) ((device) = 0)
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define CUTExit(argc, argv) CUT_EXIT(argc, argv)

/* ---- timers: host time in milliseconds, by number --------------------------------------------------------------- */

struct sluice_cut_timer {
	double begin, total;
	unsigned int sessions;
	int is_running, is_used;
};
enum { SLUICE_CUT_TIMERS = 256 };

SLUICE_CUTIL struct sluice_cut_timer *sluice_cut_timers(void)
{
	static struct sluice_cut_timer timers[SLUICE_CUT_TIMERS];
	return timers;
}

SLUICE_CUTIL double sluice_cut_now(void)
{
	struct timeval t;
	gettimeofday(&t, NULL);
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec * 1e-3;
}

/* Number 0 is never given: programs start their variables with it. */
SLUICE_CUTIL CUTBoolean cutCreateTimer(unsigned int *timer)
{
	for (*timer = 1; *timer < SLUICE_CUT_TIMERS; ++*timer) {
		struct sluice_cut_timer *t = &sluice_cut_timers()[*timer];
		if (t->is_used)
			continue;
		memset(t, 0, sizeof *t);
		t->is_used = 1;
		return CUTTrue;
	}
	return CUTFalse;
}
SLUICE_CUTIL CUTBoolean cutDeleteTimer(unsigned int timer)
{
	sluice_cut_timers()[timer].is_used = 0;
	return CUTTrue;
}
SLUICE_CUTIL CUTBoolean cutStartTimer(unsigned int timer)
{
	sluice_cut_timers()[timer].begin = sluice_cut_now();
	sluice_cut_timers()[timer].is_running = 1;
	return CUTTrue;
}
SLUICE_CUTIL CUTBoolean cutStopTimer(unsigned int timer)
{
	struct sluice_cut_timer *t = &sluice_cut_timers()[timer];
	t->total += sluice_cut_now() - t->begin;
	t->sessions++;
	t->is_running = 0;
	return CUTTrue;
}
SLUICE_CUTIL CUTBoolean cutResetTimer(unsigned int timer)
{
	struct sluice_cut_timer *t = &sluice_cut_timers()[timer];
	t->total = 0;
	t->sessions = 0;
	t->begin = sluice_cut_now();
	return CUTTrue;
}
SLUICE_CUTIL float cutGetTimerValue(unsigned int timer)
{
	const struct sluice_cut_timer *t = &sluice_cut_timers()[timer];
	return (float)(t->total + (t->is_running ? sluice_cut_now() - t->begin : 0));
}
SLUICE_CUTIL float cutGetAverageTimerValue(unsigned int timer)
{
	const struct sluice_cut_timer *t = &sluice_cut_timers()[timer];
	return t->sessions ? (float)(t->total / t->sessions) : 0.0f;
}

SLUICE_CUTIL char *sluice_cut_copy(const char *text)
{
	char *copy = (char *)malloc(strlen(text) + 1);
	return copy ? strcpy(copy, text) : NULL;
}

/* ---- command lines: -name, --name, -name=value --------------------------------------------------------------------- */

SLUICE_CUTIL const char *sluice_cut_find(int argc, const char **argv, const char *name)
{
	size_t length = strlen(name);
	int i;
	for (i = 1; i < argc; i++) {
		const char *arg = argv[i] + strspn(argv[i], "-");
		if (arg != argv[i] && !strncmp(arg, name, length) && (!arg[length] || arg[length] == '='))
			return arg + length;
	}
	return NULL;
}
SLUICE_CUTIL CUTBoolean cutCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
	return sluice_cut_find(argc, argv, name) ? CUTTrue : CUTFalse;
}
SLUICE_CUTIL CUTBoolean cutGetCmdLineArgumenti(int argc, const char **argv, const char *name, int *value)
{
	const char *text = sluice_cut_find(argc, argv, name);
	if (!text || !*text)
		return CUTFalse;
	*value = atoi(text + 1);
	return CUTTrue;
}
SLUICE_CUTIL CUTBoolean cutGetCmdLineArgumentf(int argc, const char **argv, const char *name, float *value)
{
	const char *text = sluice_cut_find(argc, argv, name);
	if (!text || !*text)
		return CUTFalse;
	*value = (float)atof(text + 1);
	return CUTTrue;
}
SLUICE_CUTIL CUTBoolean cutGetCmdLineArgumentstr(int argc, const char **argv, const char *name, char **value)
{
	const char *text = sluice_cut_find(argc, argv, name);
	if (!text || !*text)
		return CUTFalse;
	*value = sluice_cut_copy(text + 1);
	return CUTTrue;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------ */

#define SLUICE_CUT_COMPARE(name, type)                                                                       \
	SLUICE_CUTIL CUTBoolean cutCompare##name(const type *reference, const type *data,                    \
	                                         const unsigned int count)                                   \
	{                                                                                                    \
		unsigned int i;                                                                              \
		for (i = 0; i < count; i++)                                                                  \
			if (reference[i] != data[i])                                                         \
				return CUTFalse;                                                             \
		return CUTTrue;                                                                              \
	}
SLUICE_CUT_COMPARE(f, float)
SLUICE_CUT_COMPARE(i, int)
SLUICE_CUT_COMPARE(ub, unsigned char)
#undef SLUICE_CUT_COMPARE

SLUICE_CUTIL CUTBoolean cutComparefe(const float *reference, const float *data, const unsigned int count,
                                     const float epsilon)
{
	unsigned int i;
	for (i = 0; i < count; i++)
		if (!(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon))
			return CUTFalse;
	return CUTTrue;
}
SLUICE_CUTIL CUTBoolean cutCompareL2fe(const float *reference, const float *data, const unsigned int count,
                                       const float epsilon)
{
	double error = 0, norm = 0;
	unsigned int i;
	for (i = 0; i < count; i++) {
		double difference = (double)reference[i] - (double)data[i];
		error += difference * difference;
		norm += (double)reference[i] * (double)reference[i];
	}
	return norm > 1e-14 && sqrt(error / norm) < (double)epsilon ? CUTTrue : CUTFalse;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* As named, or in data/; NULL: nowhere. The caller frees it. */
SLUICE_CUTIL char *cutFindFilePath(const char *name, const char *program)
{
	char path[4096];
	int i;
	(void)program;
	for (i = 0; i < 2; i++) {
		FILE *file;
		snprintf(path, sizeof path, "%s%s", i ? "data/" : "", name);
		file = fopen(path, "rb");
		if (!file)
			continue;
		fclose(file);
		return sluice_cut_copy(path);
	}
	return NULL;
}

/* Numbers separated by white space; *data is allocated where it is NULL. */
SLUICE_CUTIL CUTBoolean cutReadFilef(const char *name, float **data, unsigned int *count, int is_verbose)
{
	FILE *file = fopen(name, "r");
	float value, *values = NULL;
	unsigned int found = 0, room = 0;
	(void)is_verbose;
	if (!file)
		return CUTFalse;
	while (fscanf(file, "%f", &value) == 1) {
		if (found == room)
			values = (float *)realloc(values, (room = room * 2 + 1024) * sizeof *values);
		values[found++] = value;
	}
	fclose(file);
	if (*data) {
		unsigned int wanted = found < *count ? found : *count;
		memcpy(*data, values, wanted * sizeof *values);
		free(values);
	} else {
		*data = values;
		*count = found;
	}
	return CUTTrue;
}
SLUICE_CUTIL CUTBoolean cutWriteFilef(const char *name, const float *data, unsigned int count,
                                      const float epsilon)
{
	FILE *file = fopen(name, "w");
	unsigned int i;
	(void)epsilon;
	if (!file)
		return CUTFalse;
	for (i = 0; i < count; i++)
		fprintf(file, "%g ", (double)data[i]);
	fputc('\n', file);
	return fclose(file) == 0 ? CUTTrue : CUTFalse;
}
SLUICE_CUTIL void cutFree(void *address)
{
	free(address);
}

#undef SLUICE_CUTIL

#endif
