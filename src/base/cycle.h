/* Units of time. */
#ifndef SLUICE_BASE_CYCLE_H
#define SLUICE_BASE_CYCLE_H

#include <stdint.h>

typedef uint64_t cycle_t; /* core-clock cycles since the launch began */
typedef uint64_t fine_t;  /* the same in 1/256 cycle, for clocks that are not multiples of the core's */

enum { FINE_SHIFT = 8, FINE_PER_CYCLE = 1 << FINE_SHIFT };
#define CYCLE_NEVER UINT64_MAX

static inline fine_t fine_of(cycle_t cycle)
{
	return cycle << FINE_SHIFT;
}
/* The first cycle that is not before `fine`. */
static inline cycle_t cycle_of(fine_t fine)
{
	return (fine + FINE_PER_CYCLE - 1) >> FINE_SHIFT;
}

#endif
