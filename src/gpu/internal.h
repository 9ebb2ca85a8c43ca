/* The GPU as the files of src/gpu know it: SMs, crossbar and memory, and the workers that run them. */
#ifndef SLUICE_GPU_INTERNAL_H
#define SLUICE_GPU_INTERNAL_H

#include <pthread.h>

#include "gpu/dispatch.h"
#include "gpu/gpu.h"
#include "gpu/thread_tuner.h"
#include "gpu/workers.h"
#include "icnt/crossbar.h"
#include "mem/worker.h"
#include "sm/sm.h"

struct worker {
	struct gpu *gpu;
	uint32_t id;
	pthread_t thread;
	struct memory_worker memory;
	struct coalescer *coalescer;
	struct trace_reader *reader;
	struct error error;
	bool failed;      /* on the memory side */
	cycle_t watch_at; /* the next sample for an observer of memory */
	cycle_t until;    /* memory has run up to here */
	uint64_t *pc_misses;
	struct profile_insn *profile; /* if the chain profiles */
};

struct gpu {
	const struct machine *machine;
	const struct chain *chain;
	struct hooks hooks;
	bool failed;      /* at an exchange, or before the first cycle */
	uint32_t threads; /* workers there are */
	uint32_t workers; /* workers that share this launch: all, or only the first */
	uint32_t quantum;
	bool own_quantum;     /* it is the machine's, not the caller's */
	struct region region; /* memory of all SMs and slices */
	struct crossbar crossbar;
	struct index l1_index; /* of all SMs */
	struct memory memory;
	struct sm *sm;
	struct worker *worker;
	uint32_t *active; /* SMs of this launch, ascending */
	uint32_t active_count;
	bool replies_held; /* in the crossbar, at the end of the last quantum */
	struct dispatcher dispatch;
	struct launch launch;
	struct watch *watch;  /* of the launch, if something waits in it; owned */
	struct sm_view *view; /* scratch for on_gpu_epoch */
	void **block;

	cycle_t start, end;               /* SMs run from here to there */
	cycle_t memory_start, memory_end; /* and memory, in steps of a quantum */
	bool pairs;                       /* this launch may run two quanta at once */
	struct thread_tuner tuner;
	struct barrier barrier;
	bool threads_started;
	/* The launch runs inside trap_run(), so other threads pass their traps to the main thread. */
	bool trapped;
	_Atomic int trap_end; /* enum trap_end of a worker, the first of them if several */
	struct error trap_error;
	bool unclean; /* the last launch did not run to its end */
	enum { RUN_PHASES, RUN_STOP } order;
};

#endif
