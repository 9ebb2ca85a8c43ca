/*
 * The policy interface: a mechanism is one `const struct policy`.
 *
 * A policy observes (on_*) and answers questions (the rest). It gets const views and returns values; it never
 * holds a pointer into the model and cannot change it. All its memory is a block per SM (and one per GPU)
 * that the chain hands to every hook; the block is zeroed, then given to init.
 *
 * Hooks left NULL cost nothing. When several policies of a chain answer one question, the table in
 * docs/policies.md says how the answers combine; two owners of a one-owner question are refused by name
 * before cycle 0.
 *
 * Warps are named by their slot in the SM. In scheduler masks, bit i is the i-th slot of that scheduler: slot
 * = i * schedulers + scheduler.
 */
#ifndef SLUICE_POLICY_POLICY_H
#define SLUICE_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/cta.h"
#include "policy/l2.h"
#include "policy/prefetch.h"

#define POLICY_ABI 6 /* changes whenever this file or hooks.def does; a .so made for another is refused */
#define POLICY_CYCLE_NEVER UINT64_MAX
#define POLICY_UNTIL_WARPS                                                                                   \
	(UINT64_MAX - 1) /* of a throttle; until a warp starts, ends, meets a barrier, or an epoch ends */

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
	/* Cycles without an issue, as far as they are accounted for: up to the last issue, for what its warp had waited. */
	uint64_t memory_cycles; /* for loads and atomics, or for room in the load/store queue */
	uint64_t idle_cycles;   /* there was no warp, or the warps waited for something else */
	uint32_t smem_bytes_used, smem_bytes;
	/* Cycles since the launch began in which a slice, a DRAM bus was busy, on average over all of them. */
	double l2_busy, dram_busy;
	const uint64_t *warp_generation; /* per slot: changes when the slot gets a new warp; 0: empty */
	uint32_t resident_ctas;
	uint64_t accounted;
	const uint64_t *reason_cycles; /* SM-cycles of issue, then of each stall, until `accounted` */
};

enum policy_space { POLICY_GLOBAL, POLICY_LOCAL, POLICY_SHARED };
enum l1_presence {
	L1_ABSENT,
	L1_PART,    /* some of the sectors asked for */
	L1_PENDING, /* the rest is on its way */
	L1_WHOLE,
};

/* One line request at the door of L1 (or of the auxiliary cache). */
struct l1_request {
	uint64_t cycle;
	uint64_t line, pc;
	uint32_t sm, warp, cta;
	uint32_t set;
	uint16_t index, count; /* which of how many line requests of the instruction */
	uint8_t space;         /* enum policy_space */
	uint8_t is_store, is_atomic;
	uint8_t presence; /* enum l1_presence; loads */
	uint8_t aux;      /* the auxiliary cache asks (l1_victim), not L1 */
	uint8_t prefetch; /* l1_victim: a prefetch needs the frame */
};

enum l1_fail { L1_FAIL_NONE, L1_FAIL_LINE_ALLOC, L1_FAIL_MSHR_ENTRY, L1_FAIL_MSHR_MERGE, L1_FAIL_MISS_QUEUE };

struct l1_event {
	uint64_t cycle;
	uint64_t line, pc;
	uint32_t sm, warp, cta;
	uint32_t frame;    /* set * ways + way: where the line lies */
	uint32_t owner;    /* evictions: warp that brought the line; else the requester */
	uint8_t feedback;  /* fills and replies: bits that L2 sent */
	uint8_t aux;       /* the auxiliary cache, not L1 */
	uint8_t shared;    /* a line of shared memory: only policies with smem_route hear of those */
	uint8_t is_store;  /* hits and misses of shared memory: a store */
	uint8_t whole;     /* such a store writes every byte of the line */
	uint8_t cta_ended; /* evictions of shared memory: the line goes with its CTA */
	uint32_t cta_line; /* of shared memory: number of the line in the memory of its CTA */
	uint8_t prefetch;  /* fills: of a prefetch that no load has joined; evictions: a prefetch causes it */
	/* Evictions from L1: what the line was. All but the first two only in chains where a policy sets frame_history. */
	uint8_t dirty;  /* sectors written and not sent on */
	uint8_t unused; /* a prefetch brought the line, and no load has used it */
	uint16_t
	    uses; /* loads that found it, present or in flight, after the one that missed; stops at UINT16_MAX */
	uint32_t owner_cta; /* CTA slot of the warp that brought it */
	uint64_t owner_pc;  /* the instruction that brought it */
};

/* One line frame offered as a victim. */
struct frame_view {
	uint32_t frame;
	uint64_t line;
	uint32_t owner;
	uint64_t recency; /* larger is more recent */
	uint8_t valid, reserved, dirty;
	uint8_t shared; /* a line of shared memory */
	uint8_t kept;   /* the machine would evict it behind those that are not (l1d.segmented) */
	uint8_t unused; /* a prefetch brought it, and no load has used it */
	uint16_t uses;  /* this and the PC as in struct l1_event: with frame_history alone */
	uint64_t owner_pc;
};

/* ---- answers ------------------------------------------------------------------------------------------- */

enum l1_route {
	L1_ROUTE_NONE,
	L1_ROUTE_CACHE,
	L1_ROUTE_BYPASS,       /* to L2, taking no line and no MSHR; a line that is wholly present is used */
	L1_ROUTE_FORCE_BYPASS, /* to L2, whatever L1 holds */
	L1_ROUTE_LATE,         /* a miss takes an MSHR but no line; l1_alloc decides when the data come */
	L1_ROUTE_HIT,          /* served at hit latency, nothing sent: a perfect L1 */
	L1_ROUTE_AUX,          /* to the auxiliary cache */
};
enum smem_route { SMEM_ROUTE_NONE, SMEM_ROUTE_ON_CHIP, SMEM_ROUTE_CACHED };
enum answer { ANSWER_NONE, ANSWER_YES, ANSWER_NO };

struct throttle {
	uint64_t issue; /* warps that may issue at all */
	uint64_t load;  /* warps that may issue loads */
	uint64_t until; /* the answer holds until this cycle, or until the next observed event */
};

#define POLICY_THROTTLE_NONE ((struct throttle){UINT64_MAX, UINT64_MAX, POLICY_UNTIL_WARPS})

/* The pre-L1 queue between coalescer and L1: what waits in it. */
struct prel1_item {
	uint64_t line, pc, arrival;
	uint32_t warp, order; /* order of arrival */
	uint8_t is_store;     /* or an atomic */
	uint8_t merged;       /* requests already joined to this one, at most 255 */
	uint8_t again;        /* of a request: the answer was PREL1_STALL before */
};
/*
 * Of an insertion: it waits in the queue, and its instruction may leave the LSU (prel1_items); the coalescer waits with
 * it; it goes straight to L1, and until L1 has served it nothing behind it enters. Of a pick: no request.
 */
enum { PREL1_APPEND = -1, PREL1_STALL = -2, PREL1_PASS = -3, PREL1_NONE = -1 };

/*
 * A second cache next to L1, in shared memory that CTAs leave free (CIAO) or of its own (OSM). Its lines are
 * those of L1; they are taken when the data arrive. The flags are about shared memory: global stores are
 * always written through.
 */
struct aux_shape {
	uint32_t sets, ways; /* sets 0: none; at most 256 ways */
	uint32_t hit_cycles; /* as l1d.hit_cycles of the machine */
	uint8_t write_back;
	uint8_t fetch_on_store_miss; /* a store to an absent line fetches the bytes that it does not write */
	uint8_t drop_at_cta_end;     /* a CTA's lines leave with it, unwritten */
	uint8_t past_l2;             /* misses and write-backs go to DRAM, past L2 */
};

#define POLICY_NO_AUX_CACHE ((struct aux_shape){0})
#define POLICY_SMEM_MAX (1u << 30)

/* Shared memory in a launch. */
struct smem_use {
	uint32_t cta_bytes;    /* of a CTA */
	uint32_t ctas;         /* that fit on an SM */
	uint32_t machine_ctas; /* that would fit without policies; 0: not one */
};

/* ---- parameters ---------------------------------------------------------------------------------------- */

/*
 * A policy keeps its parameters in a struct of its own, with members uint32_t, double or bool; a table of these rows says
 * what --policy name:member=value may put there. The struct is filled before anything is called.
 *
 *     struct swl_params { uint32_t n; };
 *     static const struct policy_param params[] = {
 *         PARAM_U32(struct swl_params, n, 2, 1, 64, "warps", "warps of a scheduler that may issue"),
 *     };
 *     ... POLICY_PARAMS(params, struct swl_params), ...
 *     const struct swl_params *given = env->params;
 */
enum param_type { PARAM_TYPE_U32, PARAM_TYPE_REAL, PARAM_TYPE_BOOL };
struct policy_param {
	const char *name;
	enum param_type type;
	double default_value, min, max;
	const char *unit, *doc;
	size_t offset; /* of the member */
};
#define PARAM_U32(type, member, ...)                                                                         \
	{                                                                                                    \
#member, PARAM_TYPE_U32, __VA_ARGS__, offsetof(type, member)                                 \
	}
#define PARAM_REAL(type, member, ...)                                                                        \
	{                                                                                                    \
#member, PARAM_TYPE_REAL, __VA_ARGS__, offsetof(type, member)                                \
	}
#define PARAM_BOOL(type, member, ...)                                                                        \
	{                                                                                                    \
#member, PARAM_TYPE_BOOL, __VA_ARGS__, offsetof(type, member)                                \
	}
#define POLICY_PARAMS(table, type)                                                                           \
	.params = (table), .param_count = sizeof(table) / sizeof *(table), .params_bytes = sizeof(type)

/* What a policy is told of its surroundings. */
struct policy_env {
	const void *params; /* the policy's own struct; NULL: it has none */
	uint32_t sm;        /* for sm_init */
	uint32_t pass;      /* for sm_init, of a policy with several */
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

/* What a hook gets before the parameters of hooks.def. */
#define POLICY_LIST(...) __VA_ARGS__
#define POLICY_SELF_SM void *sm
#define POLICY_SELF_L1 void *sm
#define POLICY_SELF_GPU void *gpu
#define POLICY_SELF_PURE const void *params
#define POLICY_SELF_SETUP const struct policy_env *env

/* ---- the mechanism -------------------------------------------------------------------------------------- */

struct policy {
	uint32_t abi; /* POLICY_ABI */
	const char *name, *title, *citation;
	/*
	 * A bundle is a name for others: "pric,dwt-cs:threshold=10". It has nothing but this, a title, a
	 * citation and parameters, which are those of its parts that have the same name.
	 */
	const char *bundle;
	const struct policy_param *params;
	uint32_t param_count;
	size_t params_bytes; /* of the struct that they fill */
	/* Why it cannot run on this machine with these parameters; NULL: it can. Before anything else is called. */
	const char *(*refuses)(const struct policy_env *env);
	/* Storage that it would take in hardware, in bits: per SM, and for the whole GPU. NULL: none. */
	uint64_t (*sm_bits)(const struct policy_env *env);
	uint64_t (*gpu_bits)(const struct policy_env *env);
	/* Energy that it adds to an L1 of 16 KB: per look-up and store, per fill (pJ), and all the time (mW). */
	double l1_access_pj, l1_fill_pj, l1_static_mw;
	size_t (*sm_bytes)(const struct policy_env *env);          /* NULL: none */
	size_t (*gpu_bytes)(const struct policy_env *env);         /* NULL: none */
	void (*sm_init)(void *sm, const struct policy_env *env);   /* at every launch */
	void (*gpu_init)(void *gpu, const struct policy_env *env); /* once per run */
	void (*sm_free)(void *sm); /* gives back what the block points to; at the end of the run */
	void (*gpu_free)(void *gpu);
	/*
	 * Simulate each launch so often from the same state of the caches; the last pass counts, env->pass
	 * says which it is (from 0). For oracles: what a pass learns stays in the blocks. 0: once.
	 */
	uint32_t passes;
	const char *const *stat_names; /* what it counts, reported per launch under its name */
	uint32_t stat_count;
	void (*stats)(const void *sm, uint64_t *sum);      /* adds an SM's values to sum[0 .. stat_count) */
	void (*gpu_stats)(const void *gpu, uint64_t *sum); /* adds what the GPU block holds */
	uint32_t epoch_insns,
	    epoch_cycles; /* periods of on_epoch; 0: none. Set by `configure` if parameters say so */
	/*
	 * Line requests that the window may hold for instructions that have left the LSU queue; the most in
	 * the chain counts. 0: an instruction keeps its place in the queue until L1 has served its last line.
	 */
	uint32_t prel1_items;
	/*
	 * Of order(): it answers view->last whenever that is eligible, and is not asked then, nor about a
	 * single warp; it looks at no warp's next instruction.
	 */
	bool order_keeps_last, order_looks_back_only;
	uint32_t prefetch_on; /* mask of enum prefetch_when: after what `prefetch` is asked */
	bool
	    frame_history; /* it reads uses, owner_cta and owner_pc of evictions and frames, which cost time to keep */
	bool l2_origin; /* it reads PC, warp, CTA and class of requests to L2 */
	bool smem_only; /* its hooks of L1 are about shared memory alone: not called in launches without */
	void (*configure)(struct policy *self, const struct policy_env *env);

	/* The hooks: contracts in hooks.def. NULL: none. */
#define HOOK(scope, combine, type, name, params, ...) type (*name)(POLICY_SELF_##scope POLICY_LIST params);
#define EVENT(scope, combine, name, params, ...) void (*name)(POLICY_SELF_##scope POLICY_LIST params);
#include "policy/hooks.def"
#undef HOOK
#undef EVENT
};

#endif
