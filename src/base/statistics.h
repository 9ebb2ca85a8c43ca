/* The few statistics that a comparison needs; NaN where there are too few values. */
#ifndef SLUICE_BASE_STATISTICS_H
#define SLUICE_BASE_STATISTICS_H

#include <stddef.h>

double statistics_mean(const double *value, size_t n);
/*
 * The value below which a share q (0 to 1) of the others lies; between two
 * values by linear interpolation, position q * (n - 1). `value` need not be sorted.
 */
double statistics_quantile(const double *value, size_t n, double q);
/* Pearson's correlation; NaN if one side does not vary. */
double statistics_pearson(const double *x, const double *y, size_t n);
/* The same for the logarithms of the pairs in which both are positive. */
double statistics_log_pearson(const double *x, const double *y, size_t n);

#endif
