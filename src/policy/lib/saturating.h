/* Counters that stop at their least and largest value, as predictors in hardware do. */
#ifndef SLUICE_POLICY_LIB_SATURATING_H
#define SLUICE_POLICY_LIB_SATURATING_H

#include <stdint.h>

/* Return the value after one step up, which is not above `most`. */
static inline uint8_t saturating_up(uint8_t value, uint8_t most)
{
	return (uint8_t)(value < most ? value + 1 : most);
}

/* Return the value after one step down, which is not below 0. */
static inline uint8_t saturating_down(uint8_t value)
{
	return (uint8_t)(value ? value - 1 : 0);
}

#endif
