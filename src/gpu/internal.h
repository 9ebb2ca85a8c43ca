/* What the files of src/gpu share. */
#ifndef SLUICE_GPU_INTERNAL_H
#define SLUICE_GPU_INTERNAL_H

#include <pthread.h>

#include "gpu/gpu.h"
#include "gpu/pace.h"
#include "mem/partition.h"
#include "sm/sm.h"

struct worker {
	struct gpu *gpu;
	uint32_t id;
	pthread_t thread;
	struct memory_worker memory;
	struct coalescer *coalescer;
	struct trace_reader *reader;
	struct error error;
	bool failed; /* on the memory side */
	uint64_t *pc_misses;
};

/* Workers meet here: they spin a little, then sleep. */
struct meeting {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t parties;
	_Atomic uint32_t arrived, round;
};

/* CTAs still to start, and where. */
struct dispatcher {
	uint64_t next, total;
	fine_t retire_free; /* the front end can notice the next CTA's end */
	cycle_t last_retired;
	uint32_t *order; /* SMs in order of the first fill */
	uint32_t order_count;
	struct ended {
		cycle_t when;
		uint32_t sm;
	} * ended;
	uint32_t ended_count;
};

struct gpu {
	const struct machine *machine;
	const struct chain *chain;
	struct hooks hooks;
	bool failed;      /* at an exchange, or before the first cycle */
	uint32_t threads; /* workers there are */
	uint32_t workers; /* of them share this launch: all, or only the first */
	uint32_t quantum;
	struct memory memory;
	struct sm *sm;
	uint16_t *sm_cluster;
	uint8_t *sm_side;
	struct worker *worker;
	uint32_t *active; /* SMs of this launch, ascending */
	uint32_t active_count;
	struct dispatcher dispatch;
	struct launch launch;
	struct sm_view *view; /* scratch for on_gpu_epoch */
	void **block;

	cycle_t start, end; /* of the quantum */
	struct pace pace;
	struct meeting meeting;
	bool threads_started;
	bool unclean; /* the last launch did not run to its end */
	enum { RUN_PHASES, RUN_STOP } order;
};

/* occupancy.c */
/* Lines L1 can hold beside the shared memory of that many CTAs; UINT32_MAX: all its tags can name. */
uint32_t occupancy_l1_lines(const struct machine *machine, const struct hooks *hooks,
                            const struct trace_kernel *kernel, uint32_t ctas);
/* DRAM that an SM gets for shared memory that a policy keeps there: all that CTAs may fill, in whole lines per CTA. */
uint64_t occupancy_smem_window(const struct machine *machine, const struct hooks *hooks,
                               const struct trace_kernel *kernel, uint32_t ctas);

/* decode.c */
bool decode_kernel(struct launch *launch, const struct machine *machine, struct error *err);

/* dispatch.c */
void dispatch_begin(struct gpu *gpu);
/* At an exchange: replaces CTAs that ended. */
void dispatch_refill(struct gpu *gpu);

/* workers.c */
void workers_stop(struct gpu *gpu);
/* Both phases of the quantum [start, end), on all threads or on this one, as the pace says. */
void workers_run_quantum(struct gpu *gpu);

/* watchdog.c */
char *watchdog_report(struct gpu *gpu, cycle_t now);

#endif
