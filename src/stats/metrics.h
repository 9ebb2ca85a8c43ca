/* Metrics: what is derived from counters, defined once for the terminal, the JSON and sluice validate. */
#ifndef SLUICE_STATS_METRICS_H
#define SLUICE_STATS_METRICS_H

#include "machine/machine.h"
#include "stats/counters.h"

enum metric {
#define M(name, unit, ncu, doc) METRIC_##name,
#include "stats/metrics.def"
	METRIC_COUNT
};

extern const struct counter_info metric_infos[METRIC_COUNT];

/* NaN where the denominator is zero. */
double metric_value(enum metric metric, const struct counters *counters, const struct machine *machine);
/* part / whole in percent, NaN where the whole is zero. */
double metric_percent(double part, double whole);

#endif
