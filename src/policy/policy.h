/*
 * The policy interface: a mechanism is one `const struct policy`.
 *
 * A policy observes (on_*) and answers questions (the rest). It gets const
 * views and returns values; it never holds a pointer into the model and cannot
 * change it. All its memory is a block per SM (and one per GPU) that the chain
 * hands to every hook; the block is zeroed, then given to init.
 *
 * Hooks left NULL cost nothing. When several policies of a chain answer one
 * question, the table in docs/policies.md says how the answers combine; two
 * owners of a one-owner question are refused by name before cycle 0.
 *
 * Warps are named by their slot in the SM. In scheduler masks, bit i is the
 * i-th slot of that scheduler: slot = i * schedulers + scheduler.
 */
#ifndef SLUICE_POLICY_POLICY_H
#define SLUICE_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POLICY_ABI 3
#define POLICY_CYCLE_NEVER UINT64_MAX
#define POLICY_UNTIL_WARPS                                                                                   \
	(UINT64_MAX - 1) /* of a gate; until a warp starts, ends, meets a barrier, or an epoch ends */

/* ---- what a policy may look at ------------------------------------------------------------------------ */

/* One scheduler at one cycle. Arrays are indexed by the bit of the scheduler's masks. */
struct sched_view {
	uint64_t cycle;
	uint32_t sm, scheduler;
	uint64_t resident;        /* warps with instructions left */
	uint64_t waiting_barrier; /* of those, at a barrier */
	uint64_t waiting_memory;  /* of those, waiting for a load or atomic that has no time yet */
	uint64_t next_is_load;    /* of those, next instruction is a global or local load */
	const uint64_t *age;      /* launch order: smaller is older; unique */
	const uint8_t *by_age;    /* bits of resident warps, oldest first */
	uint32_t by_age_count;
	const uint64_t *next_pc; /* PC of each warp's next instruction */
	uint32_t last;           /* bit that issued last; UINT32_MAX at first */
};

/* Counters of one SM since the launch began. */
struct sm_view {
	uint64_t cycle;
	uint32_t sm, sm_count, schedulers, warps; /* warps: slots */
	uint64_t warp_insns, thread_insns, l1_accesses, l1_misses;
	uint64_t l1_miss_cycles; /* latency of completed misses, summed */
	uint64_t l1_miss_done;
	uint32_t resident_warps;
	uint32_t smem_bytes_used, smem_bytes;
	/* Cycles since the launch began in which a slice, a DRAM bus was busy, on average over all of them. */
	double l2_busy, dram_busy;
	const uint64_t *warp_generation; /* per slot: changes when the slot gets a new warp; 0: empty */
};

enum policy_space { POLICY_GLOBAL, POLICY_LOCAL, POLICY_SHARED };
enum l1_presence {
	L1_ABSENT,
	L1_PART,    /* some of the sectors asked for */
	L1_PENDING, /* the rest is on its way */
	L1_WHOLE,
};

/* One line request at the door of L1 (or of the side cache). */
struct l1_request {
	uint64_t cycle;
	uint64_t line, pc;
	uint32_t sm, warp, cta;
	uint32_t set;
	uint16_t index, count; /* which of how many line requests of the instruction */
	uint8_t space;         /* enum policy_space */
	uint8_t is_store, is_atomic;
	uint8_t presence; /* enum l1_presence; loads */
	uint8_t side;     /* the side cache asks (l1_victim), not L1 */
};

enum l1_fail { L1_FAIL_NONE, L1_FAIL_LINE_ALLOC, L1_FAIL_MSHR_ENTRY, L1_FAIL_MSHR_MERGE, L1_FAIL_MISS_QUEUE };

struct l1_event {
	uint64_t cycle;
	uint64_t line, pc;
	uint32_t sm, warp, cta;
	uint32_t frame;    /* set * ways + way: where the line lies */
	uint32_t owner;    /* evictions: warp that brought the line; else the requester */
	uint8_t feedback;  /* fills and replies: bits that L2 sent */
	uint8_t side;      /* the side cache, not L1 */
	uint8_t shared;    /* a line of shared memory: only policies with smem_route hear of those */
	uint8_t is_store;  /* hits and misses of shared memory: a store */
	uint8_t whole;     /* such a store writes every byte of the line */
	uint8_t cta_ended; /* evictions of shared memory: the line goes with its CTA */
	uint32_t cta_line; /* of shared memory: number of the line in the memory of its CTA */
};

/* One line frame offered as a victim. */
struct frame_view {
	uint32_t frame;
	uint64_t line;
	uint32_t owner;
	uint64_t recency; /* larger is more recent */
	uint8_t valid, reserved, dirty;
	uint8_t shared; /* a line of shared memory */
};

struct l2_request {
	uint64_t cycle, line;
	uint32_t slice, sm;
	uint8_t is_write, hit;
	uint8_t feedback; /* bits that the request (fills: the one that missed first) brought from L1 */
	uint32_t frame;   /* set * ways + way in the slice; UINT32_MAX: the line is not there */
};

/* ---- answers ------------------------------------------------------------------------------------------- */

enum l1_route {
	L1_ROUTE_PASS,
	L1_ROUTE_CACHE,
	L1_ROUTE_BYPASS, /* to L2, taking no line and no MSHR; a line that is wholly present is used */
	L1_ROUTE_SKIP,   /* to L2, whatever L1 holds */
	L1_ROUTE_LATE,   /* a miss takes an MSHR but no line; l1_alloc decides when the data come */
	L1_ROUTE_HIT,    /* served at hit latency, nothing sent: a perfect L1 */
	L1_ROUTE_SMEM,   /* to the side cache */
};
enum l2_route {
	L2_ROUTE_PASS,
	L2_ROUTE_CACHE,
	L2_ROUTE_BYPASS, /* to DRAM without taking a line; a line that is present is used */
	L2_ROUTE_SKIP, /* to DRAM, whatever the slice holds; a line that is present is dropped, dirty data written */
};
enum smem_route { SMEM_ROUTE_PASS, SMEM_ROUTE_ON_CHIP, SMEM_ROUTE_CACHED };
enum answer { ANSWER_PASS, ANSWER_YES, ANSWER_NO };

struct gate {
	uint64_t issue; /* warps that may issue at all */
	uint64_t load;  /* warps that may issue loads */
	uint64_t until; /* the answer holds until this cycle, or until the next observed event */
};

/* The request window between coalescer and L1: what waits in it. */
struct memq_item {
	uint64_t line, pc, arrival;
	uint32_t warp, order; /* order of arrival */
	uint8_t is_store;     /* or an atomic */
	uint8_t merged;       /* requests already joined to this one, at most 255 */
	uint8_t again;        /* of a request: the answer was MEMQ_STALL before */
};
enum { MEMQ_APPEND = -1, MEMQ_STALL = -2, MEMQ_NONE = -1 };

/*
 * A second cache beside L1, in shared memory that CTAs leave free (CIAO) or of its own (OSM). Its lines are those of
 * L1; they are taken when the data come. The flags are about shared memory: global stores are always written through.
 */
struct side_cache {
	uint32_t sets, ways; /* sets 0: none; at most 256 ways */
	uint32_t hit_cycles; /* as l1d.hit_cycles of the machine */
	uint8_t write_back;
	uint8_t fetch_on_store_miss; /* a store to an absent line fetches the bytes that it does not write */
	uint8_t drop_at_cta_end;     /* a CTA's lines leave with it, unwritten */
	uint8_t past_l2;             /* misses and write-backs go to DRAM, past L2 */
};

/* Shared memory in a launch. */
struct smem_use {
	uint32_t cta_bytes;    /* of a CTA */
	uint32_t ctas;         /* that fit on an SM */
	uint32_t machine_ctas; /* that would fit without policies; 0: not one */
};

/* ---- parameters ---------------------------------------------------------------------------------------- */

enum param_type { PARAM_U32, PARAM_REAL, PARAM_BOOL };
struct policy_param {
	const char *name;
	enum param_type type;
	double default_value, min, max;
	const char *unit, *doc;
};

/* What a policy is told of its surroundings. */
struct policy_env {
	const double *param; /* values in the order of the table */
	uint32_t sm;         /* for sm_init */
	uint32_t pass;       /* for sm_init, of a policy with several */
	const char *machine;
	uint32_t sm_count, schedulers, warps, warp_size; /* warps: slots of an SM */
	uint32_t l1_sets, l1_ways, l1_line_bytes, l1_mshrs;
	uint32_t l2_slices, slices_per_partition, l2_sets, l2_ways; /* sets and ways of a slice */
	uint32_t l2_round_trip_cycles;                              /* of a hit, unloaded */
	uint32_t smem_bytes;                                        /* shared memory of an SM */
	uint32_t smem_cycles;                                       /* its latency */
	uint32_t unified_bytes; /* array that L1 and shared memory divide; 0: each has its own */
	bool allocates_on_fill; /* L1 takes a line when the data come, not at the miss */
};

/* ---- the mechanism -------------------------------------------------------------------------------------- */

struct policy {
	uint32_t abi; /* POLICY_ABI */
	const char *name, *title, *citation;
	/*
	 * A bundle is a name for others: "pric,dwt-cs:threshold=10". It has nothing but this, a title, a citation
	 * and parameters, which are those of its parts that have the same name.
	 */
	const char *bundle;
	const struct policy_param *params;
	uint32_t param_count;
	/* Why it cannot run on this machine with these parameters; NULL: it can. Before anything else is called. */
	const char *(*refuses)(const struct policy_env *env);
	/* Storage that it would take in hardware, in bits: per SM, and for the whole GPU. NULL: none. */
	uint64_t (*sm_bits)(const struct policy_env *env);
	uint64_t (*gpu_bits)(const struct policy_env *env);
	size_t (*sm_bytes)(const struct policy_env *env);          /* NULL: none */
	size_t (*gpu_bytes)(const struct policy_env *env);         /* NULL: none */
	void (*sm_init)(void *sm, const struct policy_env *env);   /* at every launch */
	void (*gpu_init)(void *gpu, const struct policy_env *env); /* once per run */
	void (*sm_free)(void *sm); /* gives back what the block points to; at the end of the run */
	void (*gpu_free)(void *gpu);
	/*
	 * Simulate each launch so often from the same state of the caches; the last pass counts, env->pass says
	 * which it is (from 0). For oracles: what a pass learns stays in the blocks. 0: once.
	 */
	uint32_t passes;
	const char *const *stat_names; /* what it counts, reported per launch under its name */
	uint32_t stat_count;
	void (*stats)(const void *sm, uint64_t *sum);      /* adds an SM's values to sum[0 .. stat_count) */
	void (*gpu_stats)(const void *gpu, uint64_t *sum); /* adds what the GPU block holds */
	uint32_t epoch_insns,
	    epoch_cycles; /* periods of on_epoch; 0: none. Set by `configure` if parameters say so */
	/*
	 * Line requests that the window may hold for instructions that have left the LSU queue; the most in the
	 * chain counts. 0: an instruction keeps its place in the queue until L1 has served its last line.
	 */
	uint32_t memq_items;
	bool smem_only; /* its hooks of L1 are about shared memory alone: not called in launches without */
	void (*configure)(struct policy *self, const struct policy_env *env);

	/* Which of the eligible warps issues? Returns its bit; eligible is never 0. One owner. Called once per issue. */
	uint32_t (*order)(void *sm, const struct sched_view *view, uint64_t eligible);
	/* Which warps may issue, and issue loads? All policies must agree (AND). */
	struct gate (*gate)(void *sm, const struct sched_view *view);
	/* How many CTAs may be resident? The least answer counts. UINT32_MAX: no opinion. */
	uint32_t (*cta_limit)(void *sm, const struct sm_view *view);
	/*
	 * Into the window: index of the item to merge with, MEMQ_APPEND or MEMQ_STALL, which is asked again when something
	 * has left the window. First that is not MEMQ_APPEND.
	 */
	int (*memq_insert)(void *sm, const struct memq_item *window, uint32_t count,
	                   const struct memq_item *request);
	/*
	 * Out of the window: index of the item to try, or MEMQ_NONE for none in this cycle. One that L1 has refused is not
	 * tried, nor is the question asked again, before something changes. One owner.
	 */
	int (*memq_pick)(void *sm, const struct memq_item *window, uint32_t count);
	/* Shared memory per SM to count with when CTAs are admitted; 0: the machine's. The largest answer counts. */
	uint32_t (*smem_capacity)(const struct policy_env *env);
	/* Bytes of the unified array that L1 gets, 0: it is off. First that is not UINT32_MAX, which leaves it to the machine. */
	uint32_t (*l1_capacity)(const struct policy_env *env, const struct smem_use *use);
	/*
	 * Cache, bypass, or redirect? Asked for loads and stores, first with
	 * L1_FAIL_NONE, and at once again with the cause when a resource is missing,
	 * and whenever the request is retried. Stores: a bypass takes no line.
	 */
	enum l1_route (*l1_route)(void *sm, const struct l1_request *request, enum l1_fail fail);
	/* Bits that a request carries to L2. All are ORed. */
	uint8_t (*l1_feedback)(void *sm, const struct l1_request *request);
	/* Pure function of the line number and the warp's slot. One owner. */
	uint32_t (*set_index)(const double *param, uint64_t line, uint32_t sets, uint32_t warp);
	/* Take a line for this reply? First that is not ANSWER_PASS. */
	enum answer (*l1_alloc)(void *sm, const struct l1_event *fill);
	/* Which way is replaced? One owner. Returns an index into ways, or UINT32_MAX: none may go. */
	uint32_t (*l1_victim)(void *sm, const struct l1_request *request, const struct frame_view *ways,
	                      uint32_t count);
	/* Is L1 to be emptied now? Asked after each on_epoch of the policy. */
	bool (*l1_flush)(void *sm);
	/* The side cache, asked at every launch and whenever the CTAs of an SM change; and its index function. */
	struct side_cache (*side_cache)(void *sm, const struct sm_view *view);
	uint32_t (*side_index)(const double *param, uint64_t line, uint32_t sets);
	/*
	 * Shared-memory access: on chip, or through a cache to memory of its own in DRAM? Asked once per instruction,
	 * with the first of its lines. First that is not SMEM_ROUTE_PASS. The cache is the side cache, or L1 where
	 * there is none.
	 */
	enum smem_route (*smem_route)(void *sm, const struct l1_request *request);
	/* A dirty line of shared memory makes room: are its data dead, need they not be written? Any policy may say so. */
	bool (*smem_dead)(void *sm, const struct l1_event *evict);
	/*
	 * Memory side. Slices run in parallel: a policy divides its GPU block by
	 * slice and touches only the part of the slice it is asked about. A bypass
	 * goes to DRAM and takes no line; a line that is present is still used.
	 */
	enum l2_route (*l2_route)(void *gpu, const struct l2_request *request);
	uint8_t (*l2_reply)(void *gpu, const struct l2_request *request); /* bits back to L1, ORed */
	void (*on_l2_fill)(void *gpu, const struct l2_request *request);  /* frame now holds line */
	void (*on_l2_evict)(void *gpu, const struct l2_request *request); /* frame held line */

	void (*on_issue)(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle);
	void (*on_warp_start)(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle);
	void (*on_warp_exit)(void *sm, uint32_t warp, uint64_t cycle);
	void (*on_l1_hit)(void *sm, const struct l1_event *event);
	void (*on_l1_pending)(void *sm, const struct l1_event *event);
	void (*on_l1_miss)(void *sm, const struct l1_event *event);
	void (*on_l1_evict)(void *sm, const struct l1_event *event); /* warp caused it, owner lost the line */
	void (*on_l1_fill)(void *sm, const struct l1_event *event);
	void (*on_reply)(void *sm, const struct l1_event *event); /* also replies that bypass L1 */
	void (*on_epoch)(void *sm, const struct sm_view *view);
	void (*on_kernel_begin)(void *gpu, const char *kernel, uint64_t ctas);
	void (*on_kernel_end)(void *gpu, uint64_t cycle);
	/* The only place where SMs meet: after an exchange, all SM blocks and views in order. */
	void (*on_gpu_epoch)(void *gpu, void *const *sm, const struct sm_view *view, uint32_t count);
};

#endif
