/*
 * The soak: random programs on random machines under random chains of policies
 * with random numbers of threads. A case depends on the seed and its number
 * alone, so that what is found can be run again.
 */
#ifndef SLUICE_TESTS_SOAK_H
#define SLUICE_TESTS_SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/synth.h"

/* One of 0 .. n-1; n is not 0. */
static inline uint32_t soak_choose(uint64_t *random, uint32_t n)
{
	return (uint32_t)(synth_random(random) % n);
}

/* A trace written instruction by instruction: one to three launches. Close it. */
struct trace *soak_trace(uint64_t *random, uint32_t warp_size);

/*
 * PTX that is parsed, executed twice (the second time recorded) and must leave
 * the same memory both times; the recording is the trace. NULL: `why` says what
 * is wrong with it, as far as it has room.
 */
struct trace *soak_ptx(uint64_t *random, uint32_t warp_size, char *why, size_t size);

#endif
