/* What the executor holds while a launch runs: paths, frames, warps, CTAs. Shared by exec_*.c only. */
#ifndef SLUICE_CUDA_EXEC_STATE_H
#define SLUICE_CUDA_EXEC_STATE_H

#include "cuda/executor/exec.h"
#include "cuda/executor/exec_code.h"
#include "cuda/executor/exec_progress.h"
#include "cuda/executor/exec_spin.h"
#include "cuda/executor/exec_windows.h"
#include "cuda/lanes/lanes_memory.h"

enum {
	LANE_ARRAY_BYTES = LANES_MAX * 8,
	BARRIERS = 16,
	CLUSTER_MAX = 16,
	WHOLE_INSN = INT32_MAX, /* pieces, see struct run */
	NOT_RECORDED = INT32_MAX - 1,
	WARP_TURN_INSNS = 64,     /* a warp's turn: to the first access or taken branch from there on */
	WARP_SLICE_INSNS = 20000, /* if it is the CTA's last warp, or warps seem to wait */
	SPIN_SLICE_INSNS = 500,   /* and when CTAs wait for one another */
	IDLE_INSNS = 1 << 15,     /* warp instructions without progress after which others are let in */
	IDLE_AGAIN_INSNS = 8192,  /* and once that has happened */
	SPIN_UNPROVEN_FACTOR = 100
};

/*
 * Lanes that run together. A path whose lanes went different ways waits as an
 * inner node until all its children have arrived or left; its mask then counts
 * who has arrived. `reconverge` is where this path joins its parent.
 */
enum path_state { PATH_FREE, PATH_READY, PATH_INNER, PATH_BARRIER, PATH_SYNC, PATH_PHASE };
struct path {
	uint64_t mask;
	uint32_t pc, reconverge;
	uint32_t frame, parent;
	uint32_t children;
	uint32_t callee; /* frame that ends with the children, PTX_NONE: no call */
	uint8_t state, barrier;
	bool gives_up; /* has waited for a phase while nobody could run */
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
	uint32_t waiting;                  /* paths at barriers, mbarriers or warp-level synchronisation */
	uint32_t phase_waiting;            /* of them, at mbarriers or the cluster's barrier */
	uint32_t cluster_phase[LANES_MAX]; /* at which a lane arrived there */
	uint64_t barrier_mask[BARRIERS];
	uint8_t *specials;
	uint32_t epoch; /* of warp-level synchronisation, for the race check */
	struct spin spin;
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
	struct barrier barriers[BARRIERS];
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
	bool interleaved;
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

static inline uint8_t *place(const struct warp *w, uint32_t p)
{
	return w->base[p >> 30] + (p & PLACE_OFFSET_MASK);
}

#endif
