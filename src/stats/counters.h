/* Counters: one table, one array per component, summed at the end of a launch. */
#ifndef SLUICE_STATS_COUNTERS_H
#define SLUICE_STATS_COUNTERS_H

#include <stdint.h>

enum counter {
#define C(name, unit, ncu, doc) COUNT_##name,
#include "stats/counters.def"
	COUNTER_COUNT
};

struct counters {
	uint64_t value[COUNTER_COUNT];
};

struct counter_info {
	const char *name, *unit, *ncu, *doc; /* ncu: Nsight Compute's name, "" where there is none */
};
extern const struct counter_info counter_infos[COUNTER_COUNT];

void counters_add(struct counters *sum, const struct counters *part);
/* Index of a counter by its plain or its Nsight Compute name; -1 if there is none. */
int counter_find(const char *name);

#endif
