/* Which launches of a trace to simulate: "1,3,5-7", numbered from 1 as `sluice trace info` does. */
#ifndef SLUICE_RUN_KERNELS_H
#define SLUICE_RUN_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { KERNELS_MAX_RANGES = 256 };

struct kernels {
	struct {
		uint64_t first, last;
	} range[KERNELS_MAX_RANGES];
	size_t count; /* 0: all launches */
};

bool kernels_parse(struct kernels *kernels, const char *text, struct error *err);
/* Every launch that was asked for is among the trace's `launches`. */
bool kernels_check(const struct kernels *kernels, uint64_t launches, struct error *err);
bool kernels_has(const struct kernels *kernels, uint64_t number);

#endif
