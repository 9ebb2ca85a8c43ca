/* The GPU: SMs, memory, dispatcher, and the quantum loop that drives them. */
#ifndef SLUICE_GPU_GPU_H
#define SLUICE_GPU_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cycle.h"
#include "base/error.h"
#include "machine/machine.h"
#include "policy/chain.h"
#include "stats/profile.h"
#include "trace/trace.h"

struct gpu;

/* threads: workers at most; no result depends on it. quantum: 0 takes the machine's. */
struct gpu *gpu_new(const struct machine *machine, const struct chain *chain, uint32_t threads,
                    uint32_t quantum, struct error *err);
void gpu_free(struct gpu *gpu);

enum launch_status {
	LAUNCH_DONE,
	LAUNCH_TRUNCATED,  /* max_insns reached, or progress() returned false */
	LAUNCH_DEADLOCKED, /* no progress: `report` says what every warp waits for */
	LAUNCH_FAILED,     /* damaged trace: the error says where */
};

struct launch_options {
	bool flush_l2;      /* start with cold L2 and L3 */
	bool always_share;  /* use all threads even for launches that cannot gain from them, for tests */
	uint64_t max_insns; /* 0: no limit */
	/* Called every few thousand quanta; false cuts the launch off. May be NULL. */
	bool (*progress)(void *user, uint64_t warp_insns, cycle_t cycle);
	void *user;
};

struct policy_stat {
	const char *policy, *name; /* of the chain */
	uint64_t value;
};

struct launch_result {
	enum launch_status status;
	struct counters counters;
	uint32_t ctas_per_sm; /* occupancy limit */
	uint32_t warps_per_sm;
	uint64_t *pc_misses; /* L1 sectors missed per static instruction; free() it */
	struct profile_insn
	    *profile;              /* per static instruction, if the chain profiles; else NULL; free() it */
	struct policy_stat *stats; /* what policies counted; free() it */
	uint32_t stat_count;
	char *report; /* of a deadlocked launch; free() it */
};

/* Simulates one launch. False only on LAUNCH_FAILED or a launch that cannot run (err says why). */
bool gpu_run(struct gpu *gpu, const struct trace *trace, unsigned kernel,
             const struct launch_options *options, struct launch_result *result, struct error *err);

/*
 * After a launch: return the block of policy `link` on an SM, and the SM's view in *view. NULL: the SM had no
 * CTA.
 */
void *gpu_policy_block(const struct gpu *gpu, uint32_t link, uint32_t sm, struct sm_view *view);
/* After a launch: the counters of an SM; NULL: it had no CTA. Valid until the next launch. */
const struct counters *gpu_sm_counters(const struct gpu *gpu, uint32_t sm);
/* The same of a DRAM channel and the slices of L2 in front of it; NULL: no such channel. */
const struct counters *gpu_channel_counters(const struct gpu *gpu, uint32_t channel);

#endif
