/*
 * A streaming multiprocessor: warps, schedulers, scoreboard, load/store unit
 * and L1, with its own clock.
 *
 * sm_run_until(t) advances it alone; it meets the world through its outboxes
 * (packets to L2 slices) and through replies and credits that the exchange
 * hands in, all time-stamped. Every warp knows the one cycle at which its next
 * instruction can issue; nothing looks at it again before then, and an SM with
 * nothing to do jumps to its next event.
 */
#ifndef SLUICE_SM_SM_H
#define SLUICE_SM_SM_H

#include "base/wheel.h"
#include "cache/mshr.h"
#include "cache/tags.h"
#include "icnt/packet.h"
#include "machine/machine.h"
#include "mem/partition.h"
#include "policy/hooks.h"
#include "sm/coalescer.h"
#include "stats/counters.h"
#include "trace/trace.h"

enum {
	SCHED_MAX = 8,
	SCHED_WARPS = 64,
	WAKE_SLOTS = 64,
	INSN_REGS = 24, /* registers one instruction may wait for */
};

/* What a warp waits for. The order is that of the stall_ counters. */
enum cause {
	CAUSE_IDLE,
	CAUSE_EXEC,
	CAUSE_MEMORY,
	CAUSE_SHARED,
	CAUSE_CONSTANT,
	CAUSE_BRANCH,
	CAUSE_FETCH,
	CAUSE_BARRIER,
	CAUSE_FENCE,
	CAUSE_PIPE,
	CAUSE_LSU,
	CAUSE_GATED,
	CAUSE_COUNT
};

/*
 * A time with its cause, comparable as one integer: the later wins, and what
 * it was waiting for comes along.
 */
typedef uint64_t due_t;
enum { DUE_SHIFT = 4 };
#define DUE_NEVER(cause) (~(uint64_t)15 | (cause))
static inline due_t due_at(cycle_t cycle, enum cause cause)
{
	return cycle << DUE_SHIFT | cause;
}
static inline cycle_t due_cycle(due_t due)
{
	return due >= DUE_NEVER(0) ? CYCLE_NEVER : due >> DUE_SHIFT;
}
static inline enum cause due_cause(due_t due)
{
	return (enum cause)(due & 15);
}

/* A static instruction as this machine sees it. */
struct decoded {
	uint64_t pc;
	uint32_t fetch_line;
	uint16_t flags;
	uint8_t op, space, unit, width;
	uint8_t work; /* enum counter: lanes_ of its class */
	uint16_t latency, interval;
	uint16_t hit_wait; /* from L1 look-up to result, on a hit */
	uint8_t least_passes;
	uint8_t dst, dst_span;
	uint8_t reg_count;
	uint8_t cause;          /* of those who wait for its result */
	uint8_t reg[INSN_REGS]; /* sources and destination */
};

/* A kernel launch, decoded once for all SMs. */
struct launch {
	const struct trace *trace;
	const struct trace_kernel *kernel;
	unsigned kernel_index;
	uint32_t pass; /* of several, for policies that need them */
	struct decoded *insn;
	uint32_t fetch_lines;
	uint64_t code_bytes;  /* from the first to the last executed instruction */
	bool flushes_l1;      /* has fences that empty L1 */
	uint32_t regs;        /* registers to reset when a warp starts */
	uint32_t cta_slots;   /* CTAs that fit on an SM */
	uint32_t l1_lines;    /* lines the data array can hold; UINT32_MAX: all */
	uint64_t smem_window; /* bytes of DRAM per SM for shared memory that a policy keeps there */
};

struct warp {
	struct warp_step step; /* next instruction */
	due_t due;             /* when it can issue, and what for it waits */
	due_t floor;           /* not before this, whatever its registers say: branches, barriers, fetches */
	due_t predicate, uniform;
	uint64_t active;     /* lanes of the last instruction that was not a branch */
	uint64_t generation; /* launch order on this SM, from 1; 0: slot empty */
	uint32_t cta_slot;
	uint32_t fetch_line;
	uint8_t sched, bit; /* its scheduler, its bit there: fixed for a slot */
	uint8_t unit;       /* of the next instruction */
	bool at_barrier;
	cycle_t started;
	struct warp_cursor cursor;
};

struct cta {
	uint64_t id;
	uint32_t live, arrived, warps;
	bool used;
	uint8_t *buffer; /* of its stream; kept from launch to launch */
	size_t buffer_bytes;
};

/* A load or atomic on its way. */
struct load {
	cycle_t done;
	uint64_t generation;
	uint32_t waiting; /* lines (through L1) and sectors (past it) still to come */
	uint32_t next_free;
	uint32_t bypassed; /* lines that went past L1 */
	uint32_t insn;
	uint32_t joined; /* requests that this one access serves: of the request window; 0: none */
	uint16_t warp;
	uint8_t dst, dst_span;
	uint8_t cause;
	bool open; /* the LSU has not handled all its lines yet */
};

/* A memory instruction in the LSU's queue. */
struct mem_insn {
	cycle_t ready;
	uint64_t generation;
	uint32_t insn;
	uint32_t first_line; /* in the line ring */
	uint16_t lines, next_line;
	uint16_t passes; /* cycles its data takes */
	uint16_t sectors;
	uint16_t warp;
	uint32_t load; /* once begun */
	cycle_t began, fail_since, last_lookup;
	uint8_t fail; /* enum l1_fail: what the next line waits for */
	uint8_t space;
	bool started, finished;
	bool closes; /* a load: the last look-up is its end, but for what is on its way */
};

struct scheduler {
	struct sched_view view; /* what policies see of it: kept up to date, not copied */
	uint64_t ready;         /* warps whose time has come */
	uint64_t distant;       /* parked at the wake wheel's end, due later */
	uint64_t occupied;      /* wake slots in use */
	cycle_t drained;        /* wake slots up to here have been emptied */
	cycle_t next;           /* look here again */
	cycle_t again;          /* it may issue again */
	uint32_t busy;          /* units that may be taken */
	uint32_t queued;        /* its instructions in the LSU queue */
	uint8_t blocked;        /* enum cause: why ready warps could not issue */
	uint64_t unit_warps[UNIT_COUNT];
	cycle_t unit_free[UNIT_COUNT];
	uint64_t wake[WAKE_SLOTS];
	uint64_t age[SCHED_WARPS], next_pc[SCHED_WARPS];
	uint8_t by_age[SCHED_WARPS];
	struct gate gate;
	bool gate_stands;  /* it need not be asked again: POLICY_UNTIL_WARPS */
	uint64_t observed; /* value of sm->progress when the gate was asked last */
};

struct sm {
	const struct machine *machine;
	const struct launch *launch;
	struct hooks hooks; /* the policies as this SM calls them */
	uint32_t id, worker, schedulers;
	cycle_t now, until; /* until: end of the quantum */
	struct counters counters;
	cycle_t accounted; /* every cycle before has an issue or a stall reason */

	struct scheduler sched[SCHED_MAX];
	struct warp *warp;
	due_t *regs;
	uint32_t resident_warps, resident_ctas;
	struct cta *cta;
	uint64_t *generations; /* per slot, for policies */
	uint64_t next_generation;
	uint32_t fetch_capacity;
	due_t *fetch; /* per instruction line: when it is here; 0: not asked for */
	due_t constant;

	/* launches handed in by the dispatcher, in order of time */
	struct {
		cycle_t when;
		uint64_t cta;
	} pending[64];
	uint32_t pending_head, pending_count;
	/* CTAs that ended, for the dispatcher */
	cycle_t ended[64];
	uint32_t ended_count;

	/* load/store unit */
	struct mem_insn *queue;
	uint32_t queue_head, queue_count, queue_mask;
	struct line_request *lines; /* of the queued instructions, each in one piece */
	uint32_t line_tail, line_capacity;
	cycle_t lsu_next, pipe_free, reply_next;
	struct memq *memq; /* request window before L1; NULL: no policy asks for one */
	struct load *loads;
	uint32_t free_load, free_loads, load_count, loads_used; /* free_load: chain of those given back */
	struct tags l1;
	uint32_t *l1_bytes; /* bytes valid per chunk of partial lines */
	uint32_t sector_chunks, l1_lines, l1_reclaim;
	bool l1_on;      /* in this launch: the machine has one, and shared memory left something of it */
	bool plain_hits; /* L1 is on and no policy wants to hear of hits */
	struct side
	    *side; /* a cache beside L1, and shared memory behind a cache; NULL: no policy asks for either */
	struct mshrs mshrs;
	fine_t fill_free;

	/* interconnect port */
	struct packet_box *out; /* per worker that owns the partition */
	fine_t port_free;
	fine_t header_fine, sector_fine, fill_fine; /* port time of a read, of a sector out, of a sector in */
	uint32_t credits;
	struct credit_ring *credit; /* per worker */
	struct packet_ring waiting; /* packets without a credit */
	cycle_t *departures;
	uint32_t departure_head, departure_count;

	/* replies, by time */
	struct wheel wheel;
	struct reply *reply;
	uint32_t *reply_link;
	uint32_t reply_capacity, free_reply;

	struct memory *memory;
	struct coalescer *coalescer; /* of the worker */
	struct trace_reader *reader; /* of the worker */
	uint64_t *pc_misses;         /* of the worker: L1 sectors missed, per static instruction */
	struct error *error;
	bool failed;
	bool active; /* has had a CTA in this launch */
	uint64_t l1_miss_cycles, l1_miss_done;
	/* Per policy, the next boundary in instructions and in cycles; the nearest of those; when to look for them. */
	uint64_t epoch_insns[CHAIN_MAX], next_epoch_insns;
	cycle_t epoch_cycle[CHAIN_MAX], next_epoch_cycle, epochs_due;
	double l2_busy, dram_busy;
	uint64_t progress; /* instructions and replies: the watchdog watches it */
};

void sm_init(struct sm *sm, const struct machine *machine, const struct chain *chain, struct memory *memory,
             uint32_t id, uint32_t workers);
void sm_free(struct sm *sm, uint32_t workers);
void sm_begin_launch(struct sm *sm, const struct launch *launch);
/* Hands in a CTA to start at `when`. */
void sm_push_cta(struct sm *sm, uint64_t cta, cycle_t when);
void sm_push_reply(struct sm *sm, const struct reply *reply);
/* Runs all cycles before `until`; false when the trace turned out damaged. */
void sm_run_until(struct sm *sm, cycle_t until);
/* The next cycle at which something can happen without anything coming in; CYCLE_NEVER if nothing can. */
cycle_t sm_next(struct sm *sm);
bool sm_idle(const struct sm *sm);
/* What policies see of it. */
struct sm_view sm_view_of(const struct sm *sm, cycle_t now);
/* Charges what is left of a launch of `cycles` cycles. */
void sm_end_launch(struct sm *sm, cycle_t cycles);

/* ---- between the files of src/sm ---------------------------------------------------------------------- */

/* warp.c */
void warp_start_cta(struct sm *sm, uint64_t cta, cycle_t now);
/* Moves on to the next instruction, which may issue at `floor` at the soonest; ends the warp after its last. */
void warp_advance(struct sm *sm, uint32_t slot, due_t floor, cycle_t now);
/* A result came: finds out anew when the warp can issue. */
void warp_wake(struct sm *sm, uint32_t slot, cycle_t now);
void warp_wait_barrier(struct sm *sm, uint32_t slot, cycle_t now);

/* issue.c */
bool scheduler_issue(struct sm *sm, uint32_t index, cycle_t now);

/* lsu.c */
bool lsu_full(struct sm *sm, const struct scheduler *sched);
void lsu_push(struct sm *sm, uint32_t slot, enum mem_space space, cycle_t now);
void lsu_step(struct sm *sm, cycle_t now);
/* Serves the head of the queue, an access to shared memory; false: it is not done yet. */
bool lsu_shared(struct sm *sm, struct mem_insn *mem, cycle_t now);
void load_finish(struct sm *sm, uint32_t load, cycle_t now);

/* l1d.c */
enum l1_fail l1d_load(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now);
enum l1_fail l1d_store(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now);
enum l1_fail l1d_atomic(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now);
void l1d_hit_done(struct sm *sm, const struct mem_insn *mem, cycle_t now);
/* So many parts of a load are here, the last at `done`. */
void l1d_parts_done(struct sm *sm, uint32_t load, uint32_t parts, cycle_t done, cycle_t now);
void l1d_reply(struct sm *sm, const struct reply *reply, cycle_t now);
/* Forgets all lines; what is on its way comes to nobody's line. */
void l1d_flush(struct sm *sm);

/* port.c */
bool port_has_room(struct sm *sm, cycle_t now);
cycle_t port_room_at(struct sm *sm);
void port_drain(struct sm *sm, cycle_t now);
cycle_t port_next_credit(struct sm *sm, cycle_t now);
void port_reset(struct sm *sm);
void port_collect(struct sm *sm, cycle_t now);

static inline void count(struct sm *sm, enum counter c, uint64_t n)
{
	sm->counters.value[c] += n;
}

#endif
