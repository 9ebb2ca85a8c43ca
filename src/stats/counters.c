#include "stats/counters.h"

#include <string.h>

const struct counter_info counter_infos[COUNTER_COUNT] = {
#define C(name, unit, ncu, doc) {#name, unit, ncu, doc},
#include "stats/counters.def"
};

void counters_add(struct counters *sum, const struct counters *part)
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		sum->value[i] += part->value[i];
}

int counter_find(const char *name)
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!strcmp(name, counter_infos[i].name) || !strcmp(name, counter_infos[i].ncu))
			return i;
	return -1;
}
