/*
 * Tables of API calls and what each must answer.
 *
 *	ANSWERS(ROW(cudaErrorInvalidValue, cudaGraphCreate(NULL, 0)), ROW(...))
 *
 * The calls of one table are independent of each other. An error must also be the thread's last error.
 */
#ifndef SLUICE_TESTS_UNIT_CUDART_ROWS_H
#define SLUICE_TESTS_UNIT_CUDART_ROWS_H

#include "checks.h"
#include "cudart/calls.h"

struct answer {
	const char *call;
	long long want, got;
};

/* The error itself, or something that is none if it did not become the last one. */
static inline long long seen(cudaError_t error)
{
	cudaError_t last = cudaGetLastError();
	return last == error ? (long long)error : -1000 - (long long)last;
}

#define ROW(want, call)                                                                                      \
	{                                                                                                    \
#call, want, seen(call)                                                                      \
	}
#define QUIET(want, call)                                                                                    \
	{                                                                                                    \
#call, want, (long long)(call)                                                               \
	}

/* How many are wrong; each is named. */
static inline unsigned answers_wrong(const struct answer *answers, size_t count)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < count; i++)
		if (answers[i].got != answers[i].want) {
			printf("# %s is %lld, expected %lld\n", answers[i].call, answers[i].got,
			       answers[i].want);
			wrong++;
		}
	return wrong;
}

#define ANSWERS(...)                                                                                         \
	do {                                                                                                 \
		const struct answer answers_[] = {__VA_ARGS__};                                              \
		CHECK_EQ(answers_wrong(answers_, sizeof answers_ / sizeof *answers_), 0);                    \
	} while (0)

#endif
