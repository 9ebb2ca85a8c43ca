/*
 * OpenMP's functions for .cu files where clang has no OpenMP of its own. If
 * other files of the program brought gcc's along, these are gcc's; in a
 * program without, there is one thread.
 */
#ifndef SLUICE_OMP_H
#define SLUICE_OMP_H

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
extern void omp_set_num_threads(int threads) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_get_thread_num(void) __attribute__((weak));
extern int omp_get_num_procs(void) __attribute__((weak));
extern int omp_in_parallel(void) __attribute__((weak));
extern void omp_set_dynamic(int dynamic) __attribute__((weak));
extern void omp_set_nested(int nested) __attribute__((weak));
#ifdef __cplusplus
}
#endif

#define omp_set_num_threads(n) (omp_set_num_threads ? omp_set_num_threads(n) : (void)(n))
#define omp_get_num_threads() (omp_get_num_threads ? omp_get_num_threads() : 1)
#define omp_get_max_threads() (omp_get_max_threads ? omp_get_max_threads() : 1)
#define omp_get_thread_num() (omp_get_thread_num ? omp_get_thread_num() : 0)
#define omp_get_num_procs() (omp_get_num_procs ? omp_get_num_procs() : 1)
#define omp_in_parallel() (omp_in_parallel ? omp_in_parallel() : 0)
#define omp_set_dynamic(n) (omp_set_dynamic ? omp_set_dynamic(n) : (void)(n))
#define omp_set_nested(n) (omp_set_nested ? omp_set_nested(n) : (void)(n))

static __inline__ __attribute__((unused)) double omp_get_wtime(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
