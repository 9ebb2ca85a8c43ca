/*
 * Lists of launches: "1,3,5-7", numbered from 1 in the order in which a program launched them, or as `sluice trace info`
 * lists them. "5-" is 5 and all later ones.
 */
#ifndef SLUICE_WINDOW_KERNELS_H
#define SLUICE_WINDOW_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { KERNELS_MAX_RANGES = 256 };

struct kernels {
	struct {
		uint64_t first, last; /* UINT64_MAX: open */
	} range[KERNELS_MAX_RANGES];
	size_t count; /* 0: all launches */
};

/* `option` names the list in messages: "--kernel". */
bool kernels_parse(struct kernels *kernels, const char *option, const char *text, struct error *err);
/* Every launch that was asked for is among `launches`; `whose` had them: "the trace has". */
bool kernels_check(const struct kernels *kernels, const char *option, const char *whose, uint64_t launches,
                   struct error *err);
bool kernels_has(const struct kernels *kernels, uint64_t number);
/* The last launch that can be in the list. */
uint64_t kernels_last(const struct kernels *kernels);

#endif
