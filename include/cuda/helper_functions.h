/* What sample programs include together: strings, timers, comparisons with a reference. Images are left out. */
#ifndef COMMON_HELPER_FUNCTIONS_H_
#define COMMON_HELPER_FUNCTIONS_H_

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helper_string.h"
#include "helper_timer.h"

/* No two elements may differ by more than epsilon, or for the L2 norm the whole by epsilon relative to the reference. */
template <class T, class S>
inline bool compareData(const T *reference, const T *data, const unsigned int count, const S epsilon,
                        const float threshold)
{
	unsigned int differing = 0;
	for (unsigned int i = 0; i < count; i++)
		differing += fabs((double)reference[i] - (double)data[i]) > (double)epsilon;
	return threshold == 0.0f ? differing == 0 : (float)differing <= threshold * (float)count;
}

inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int count,
                           const float epsilon)
{
	double error = 0, norm = 0;
	for (unsigned int i = 0; i < count; i++) {
		double difference = (double)reference[i] - (double)data[i];
		error += difference * difference;
		norm += (double)reference[i] * (double)reference[i];
	}
	return norm > 1e-7 * 1e-7 && sqrt(error) / sqrt(norm) < (double)epsilon;
}

#endif
