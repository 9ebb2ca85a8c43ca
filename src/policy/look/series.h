/* The observer behind the time series: the counters of every SM and of memory at the end of each period. */
#ifndef SLUICE_POLICY_LOOK_SERIES_H
#define SLUICE_POLICY_LOOK_SERIES_H

#include "policy/policy.h"
#include "stats/counters.h"

/* issue_cycles and the stall reasons after it. */
enum { SERIES_REASONS = COUNT_stall_policy_throttle - COUNT_issue_cycles + 1 };

/* Sums since the launch began, and how many warps were in which state in the period that ended. */
struct series_sample {
	uint64_t cycle;
	uint64_t warp_insns, thread_insns, l1_accesses, l1_misses;
	uint64_t interference;                                   /* lines that a warp lost to another */
	uint64_t resident_sum, issued_sum, stalled_sum, aux_sum; /* warps, added up over the periods so far */
	uint64_t accounted;                                      /* `reason` is up to this cycle */
	uint32_t reason[SERIES_REASONS]; /* SM-cycles of issue and of each stall reason; modulo 2^32 */
	uint16_t ctas;                   /* resident at the end */
	uint16_t resident, issued, aux;  /* warps: at the end; that issued; that used the auxiliary cache */
};

enum { SERIES_WARP_WORDS = 8 };

/* An SM's block; the samples follow. */
struct look_series {
	uint64_t issued[SERIES_WARP_WORDS], aux[SERIES_WARP_WORDS]; /* warp slots, in this period */
	uint64_t interference;
	uint32_t count, most, period;
	uint32_t dropped;        /* samples that found no room */
	uint32_t level;          /* a sample stands for 2^level periods */
	bool folds;              /* when there is no room, keep every other sample */
	uint64_t last_exit;      /* cycle of a warp's last end */
	uint32_t resident;       /* warps on the SM */
	uint64_t cta_start;      /* when the last CTA came, */
	uint32_t cta, cta_warps; /* its slot, and how many warps each has */
	uint32_t
	    leaving; /* of those, at the last start of a warp in this period, or at its begin: before the last CTAs left */
	uint64_t summed; /* number of the period that was added to the sums last */
	uint64_t resident_sum, issued_sum, stalled_sum, aux_sum;
	struct series_sample sample[];
};

extern const struct policy look_series;

/* Cycles that a sample stands for. */
static inline uint64_t look_series_period(const struct look_series *series)
{
	return (uint64_t)series->period << series->level;
}
/* After the launch: make samples stand for 2^level periods, so that all SMs have the same. */
void look_series_fold(struct look_series *series, uint32_t level);
/*
 * After the launch: what the SM did since its last sample is added to the period of its last warp. Its warps are those before
 * the last CTAs left: at the end there are none, which would say nothing about the period.
 */
void look_series_close(struct look_series *series, const struct sm_view *end);
/* Sums as of the end of period `index` (from 0) of look_series_period(); a launch that is over keeps its last values. */
struct series_sample look_series_at(const struct look_series *series, uint64_t index);
/*
 * SM-cycles of each reason up to the end of period `index`. A stall is counted when it ends; one that goes on at the
 * period's end is spread over what the SM counted next.
 */
void look_series_reasons(const struct look_series *series, uint64_t index, double reason[SERIES_REASONS]);

/* ---- memory ------------------------------------------------------------------------------------------------- */

/*
 * What memory did by the end of each period, per memory partition. The worker that owns a partition writes its track.
 */

/* Sums since the launch began. */
struct memory_sample {
	uint64_t l2_reads, l2_read_hits;  /* sectors */
	uint64_t dram_reads, dram_writes; /* bytes */
};

struct memory_track {
	uint32_t count, level; /* sample i is of cycle (i + 1) x (period << level) */
	uint32_t dropped;
	struct memory_sample end; /* of the launch */
	struct memory_sample *sample;
};

/* The GPU's block; samples follow the tracks. */
struct look_memory {
	uint32_t partitions, most, period;
	bool folds; /* when there is no room, keep every other sample */
	struct memory_track track[];
};

size_t look_memory_bytes(uint32_t partitions, uint32_t samples);
void look_memory_init(struct look_memory *memory, uint32_t partitions, uint32_t samples, uint32_t period,
                      bool folds);
/* Call when a launch begins. */
void look_memory_clear(struct look_memory *memory);
/* For chain.memory_watch: the counters of a partition as of `cycle`, a multiple of the period, or of the end. */
void look_memory_sample(void *gpu, uint32_t partition, uint64_t cycle, const struct counters *counters);
/* The most periods that a sample of a track stands for, as a power of two. */
uint32_t look_memory_level(const struct look_memory *memory);
/* Whether samples were dropped for want of room. */
bool look_memory_is_cut(const struct look_memory *memory);
/* All partitions together as of `cycle`, a multiple of (period << look_memory_level()); UINT64_MAX: the end. */
struct memory_sample look_memory_at(const struct look_memory *memory, uint64_t cycle);

#endif
