/* Mean, quantile, correlation. */
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

double statistics_mean(const double *value, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += value[i];
	return n ? sum / (double)n : NAN;
}

static int compare_reals(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return a < b ? -1 : a > b;
}

double statistics_quantile(const double *value, size_t n, double q)
{
	if (!n)
		return NAN;
	double *sorted = memory_zeroed(n, sizeof *sorted);
	memcpy(sorted, value, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_reals);
	double position = q * (double)(n - 1);
	size_t below = (size_t)position;
	size_t above = below + 1 < n ? below + 1 : below;
	double result = sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
	free(sorted);
	return result;
}

double statistics_pearson(const double *x, const double *y, size_t n)
{
	double mean_x = statistics_mean(x, n), mean_y = statistics_mean(y, n);
	double xx = 0, yy = 0, xy = 0;
	for (size_t i = 0; i < n; i++) {
		double dx = x[i] - mean_x, dy = y[i] - mean_y;
		xx += dx * dx;
		yy += dy * dy;
		xy += dx * dy;
	}
	return n >= 2 && xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

double statistics_log_pearson(const double *x, const double *y, size_t n)
{
	double *logs = memory_zeroed(2 * n + 1, sizeof *logs);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (x[i] <= 0 || y[i] <= 0)
			continue;
		logs[kept] = log(x[i]);
		logs[n + kept++] = log(y[i]);
	}
	double result = statistics_pearson(logs, logs + n, kept);
	free(logs);
	return result;
}
