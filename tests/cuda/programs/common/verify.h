/* Comparing with a host reference, and the line that the test driver looks for. */
#ifndef VERIFY_H
#define VERIFY_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_CUDA(call)                                                                                     \
	do {                                                                                                 \
		cudaError_t err_ = (call);                                                                   \
		if (err_ != cudaSuccess) {                                                                   \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));        \
			exit(EXIT_FAILURE);                                                                  \
		}                                                                                            \
	} while (0)

static inline int verify_close(const float *got, const float *want, int n, double tolerance)
{
	int i, wrong = 0;
	for (i = 0; i < n; i++) {
		double difference = fabs((double)got[i] - (double)want[i]);
		if (!(difference <= tolerance * (1.0 + fabs((double)want[i])))) {
			if (wrong++ < 3)
				printf("element %d is %g, expected %g\n", i, got[i], want[i]);
		}
	}
	return wrong;
}

static inline int verify_result(const char *name, int wrong)
{
	printf("%s %s\n", name, wrong ? "FAIL" : "PASS");
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
