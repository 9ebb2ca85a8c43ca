/* What the executor holds while a launch runs: paths, frames, warps, CTAs. Private to src/cuda/executor. */
#ifndef SLUICE_CUDA_EXECUTOR_RUN_H
#define SLUICE_CUDA_EXECUTOR_RUN_H

#include "cuda/executor/code.h"
#include "cuda/executor/exec.h"
#include "cuda/lanes/memory.h"

enum {
	LANE_ARRAY_BYTES = LANES_MAX * 8,
	BARRIERS = 16,
	ALL_BARRIERS = BARRIERS + 8, /* behind them those of warp groups, see barrier.c */
	CLUSTER_MAX = 16,
	WHOLE_INSN = INT32_MAX, /* pieces, see struct run */
	NOT_RECORDED = INT32_MAX - 1,
	/* Warp instructions without progress after which other warps and CTAs are let in, at first. */
	IDLE_INSNS = 1 << 15,
	SPIN_UNPROVEN_FACTOR = 100 /* budgets that pass before a spin without proof is reported */
};

/*
 * Progress of a launch: anything that could end a wait, such as a change of
 * memory or the end of a warp. Loops that wait are told from loops that compute
 * by their reads: a waiting loop reads the same place again and again.
 */
struct progress {
	uint64_t idle_insns; /* warp instructions since the last progress */
	uint64_t patience;   /* others are let in when idle_insns exceeds this */
	bool is_watched;     /* accesses fill the fields below; only when nothing has happened for a while */
	bool changed;        /* a store or atomic has changed memory */
	bool changed_own;    /* a thread has changed its own local memory in this turn */
	uint64_t repeated, fresh; /* reads of this turn: where the instruction read last, elsewhere */
	bool waits, computes; /* some turn since the last progress looked like a wait, like a computation */
	uint64_t epoch;       /* counts progress */
};

/*
 * Of a warp: the state (registers, paths) it had some turns ago. A warp that
 * comes to that state again while memory does not change is in a loop that only
 * others can end: a spin.
 */
struct spin {
	uint64_t epoch; /* of progress; in any other epoch the fields below mean nothing */
	uint64_t state; /* hash */
	uint64_t age,
	    age_limit; /* in turns; the state is replaced when it gets too old (Brent's algorithm) */
	bool is_proven;
};

/*
 * Lanes that run together. A path whose lanes diverged waits as an inner node
 * until all its children have arrived or left; its mask holds the lanes that
 * have arrived. `reconverge` is where this path joins its parent.
 */
enum path_state { PATH_FREE, PATH_READY, PATH_INNER, PATH_BARRIER, PATH_SYNC, PATH_PHASE, PATH_PARKED };
struct path {
	uint64_t mask;
	uint32_t pc, reconverge;
	uint32_t frame, parent;
	uint32_t children;
	uint32_t callee; /* frame that ends with the children, PTX_NONE: no call */
	uint32_t round;  /* of a loop that waits (wait.h); 0: none */
	uint8_t state, barrier;
	bool gives_up; /* its wait for a phase ends although the phase has not: no warp could run */
};

struct frame {
	uint8_t *registers;
	uint32_t function; /* of the kernel's table */
	uint32_t parent, call_node;
	uint32_t local_base; /* of the thread's stack */
	const struct call *call;
	uint32_t next_free;
};

struct warp {
	uint8_t *base[PLACE_BASES];
	uint64_t live;
	uint32_t current; /* path */
	uint32_t index;   /* in the CTA */
	struct cta *cta;
	uint64_t issued;
	struct path *paths;
	uint32_t path_count, path_capacity, free_path;
	uint32_t ready[LANES_MAX + 1], ready_count;
	struct frame *frames;
	uint32_t frame_count, frame_capacity;
	uint32_t *free_frame;              /* by function */
	uint32_t waiting;                  /* paths at barriers, mbarriers or warp-level synchronization */
	uint32_t phase_waiting;            /* of them, at mbarriers, the cluster's barrier, or parked */
	uint32_t cluster_phase[LANES_MAX]; /* at which a lane arrived there */
	uint64_t barrier_mask[ALL_BARRIERS];
	uint8_t *specials;
	uint32_t epoch; /* of warp-level synchronization, for the race check */
	struct spin spin;
	uint64_t time,
	    delay;       /* of a wave (pace.h): when the warp runs on; in this turn, what accesses took */
	bool has_stored; /* to shared memory, in this turn */
	bool has_fenced; /* the store that it is at has waited for those before it */
	bool has_taken;  /* some lanes have left a loop that waits by changing memory: a lock, maybe */
};

struct barrier {
	uint32_t arrived, expected; /* lanes; expected 0: all that live */
	uint32_t popc;
	bool some_false, some_true;
};

struct cta {
	uint64_t linear;
	uint32_t id[3];
	bool is_open;
	uint32_t cluster_first; /* slot of its cluster's first CTA */
	uint32_t cluster_rank;
	/* Of the first CTA: lanes at the cluster's barrier, and how often it was complete. */
	uint32_t cluster_arrived, cluster_phase;
	uint32_t live_warps, live_threads;
	struct warp *warps;
	uint8_t *shared, *local;
	size_t local_bytes;
	struct barrier barriers[ALL_BARRIERS];
	struct recorder_cta *recorded;
	uint32_t epoch;
	struct race_shadow *shadow;
	struct mbarrier_book *books; /* of its mbarriers; NULL: none is recorded */
};

struct run {
	struct exec *exec;
	const struct exec_launch *launch;
	struct exec_kernel *kernel;
	struct device_memory *memory;
	const struct lane_memory *host;
	uint32_t lanes, warps_per_cta, threads, shared_bytes;
	uint8_t *launch_pool, *param_block;
	struct cta *ctas; /* slots */
	uint32_t cta_slots;
	struct trace_dim cluster;
	uint32_t cluster_size; /* CTAs that lie in slots side by side; 1 without clusters */
	uint64_t next_cta, cta_total;
	uint32_t open_ctas, max_open;
	bool interleaved;             /* CTAs wait for one another: open CTAs take turns */
	struct global_shadow *shadow; /* NULL: races in global memory are not looked for */
	struct waits *waits;          /* NULL: the kernel has no loops that wait */
	uint32_t wave;   /* CTAs that run side by side from the start, in such a kernel; else 0 */
	uint64_t window; /* of a wave: warps run up to this time */
	struct progress progress;
	uint64_t clock;
	enum exec_status status;
	struct error *report;
	/* scratch lane arrays: results to be blended, inverted predicates, addresses */
	_Alignas(64) uint8_t scratch[6][LANE_ARRAY_BYTES];
	_Alignas(64) uint64_t address[LANES_MAX], translated[LANES_MAX], traced[LANES_MAX];
	uint64_t local_lanes; /* of the last access to any space */
	uint32_t piece; /* of an instruction that makes several accesses: which of them; else WHOLE_INSN */
	uint8_t overwritten[LANES_MAX * 16]; /* by a store, while progress is watched */
};

struct texture_slot {
	struct texture texture;
	bool is_used;
};

struct exec {
	struct device_memory *memory;
	struct exec_options options;
	struct texture_slot **textures;
	uint32_t texture_count;
	uint32_t module_count;
	struct heap *heap;
	struct exec_totals totals;
	struct race_list *races;
	const struct access **lenient_sites; /* instructions that were warned of */
	uint32_t lenient_count;
	uint32_t child_error; /* of the last launch by a kernel that failed */
};

/* The address of a function of the module; and back: PTX_NONE: no function is there. */
static inline uint64_t function_address(const struct loaded_module *module, uint64_t index)
{
	return FUNCTION_WINDOW + ((uint64_t)module->id << FUNCTION_MODULE_SHIFT) + 16 * index;
}

static inline uint32_t function_index(const struct loaded_module *module, uint64_t address)
{
	uint64_t offset = address - function_address(module, 0);
	return offset % 16 || offset / 16 >= module->ptx->function_count ? PTX_NONE : (uint32_t)(offset / 16);
}

static inline const struct ptx_insn *insn_of(const struct run *run, const struct code *op)
{
	return &run->kernel->module->ptx->insns[op->insn];
}

static inline uint8_t *place(const struct warp *w, uint32_t p)
{
	return w->base[p >> 30] + (p & PLACE_OFFSET_MASK);
}

#endif
