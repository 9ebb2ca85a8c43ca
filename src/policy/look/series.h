/* The observer behind the time series: what an SM's counters were at the end of each period. */
#ifndef SLUICE_POLICY_LOOK_SERIES_H
#define SLUICE_POLICY_LOOK_SERIES_H

#include "policy/look/memory_series.h"
#include "policy/policy.h"

/* Sums since the launch began, and how many warps were in which state in the period that ended. */
struct series_sample {
	uint64_t cycle;
	uint64_t warp_insns, thread_insns, l1_accesses, l1_misses;
	uint64_t interference;                                   /* lines that a warp lost to another */
	uint64_t resident_sum, issued_sum, stalled_sum, aux_sum; /* warps, added up over the periods so far */
	uint16_t resident, issued, aux; /* warps: at the end; that issued; that used the auxiliary cache */
};

enum { SERIES_WARP_WORDS = 8 };

/* An SM's block; the samples follow. */
struct look_series {
	uint64_t issued[SERIES_WARP_WORDS], aux[SERIES_WARP_WORDS]; /* warp slots, in this period */
	uint64_t interference;
	uint32_t count, most, period;
	uint32_t dropped;   /* samples that found no room */
	uint32_t level;     /* a sample stands for 2^level periods */
	bool folds;         /* instead of dropping samples, keeps every other one */
	uint64_t last_exit; /* cycle of a warp's last end */
	uint64_t summed;    /* number of the period that was added to the sums last */
	uint64_t resident_sum, issued_sum, stalled_sum, aux_sum;
	struct series_sample sample[];
};

extern const struct policy look_series;

/* Cycles that a sample stands for. */
static inline uint64_t look_series_period(const struct look_series *series)
{
	return (uint64_t)series->period << series->level;
}
/* Makes a sample stand for 2^level periods; after the launch, so that all SMs have the same. */
void look_series_fold(struct look_series *series, uint32_t level);
/* After the launch: what the SM did since its last sample belongs to the period of its last warp. */
void look_series_close(struct look_series *series, const struct sm_view *end);
/* Sums as of the end of period `index` (from 0) of look_series_period(); a launch that is over keeps its last values. */
struct series_sample look_series_at(const struct look_series *series, uint64_t index);

#endif
