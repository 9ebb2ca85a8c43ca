/* A kernel launch as SMs see it: instructions decoded once for all, and what fits on an SM. */
#ifndef SLUICE_SM_LAUNCH_H
#define SLUICE_SM_LAUNCH_H

#include "sm/ready.h"
#include "trace/trace.h"

enum {
	INSN_REGS = 24, /* registers one instruction may wait for */
	REG_END = 0,    /* place of no register: its value is always there */
};
/* The place of a register in the scoreboard. */
static inline uint32_t reg_place(uint32_t reg)
{
	return reg + 1;
}

/* What an instruction has to do with asynchronous copies, mbarriers and waits for memory. */
enum async_role {
	ASYNC_NONE,
	ASYNC_COPY,        /* LDGSTS: sm/copies.h */
	ASYNC_BULK,        /* a piece of a bulk copy */
	ASYNC_PHASE_WAIT,  /* sm/mbarriers.h */
	ASYNC_CHANGE,      /* changes an mbarrier */
	ASYNC_COPY_ARRIVE, /* does so when the warp's copies are there */
	ASYNC_POLL,        /* waits for writes of watched words: sm/polls.h */
	ASYNC_WRITE,       /* may write watched words */
};

/* What an instruction does when it issues, in addition to computing a result. */
enum effect {
	EFFECT_PREDICATE = 1, /* sets a predicate */
	EFFECT_CONSTANT = 2,  /* its result waits for constants */
	EFFECT_UNIFORM = 4,   /* sets a uniform register, from constants */
	EFFECT_EMPTIES = 8,   /* a fence that only empties L1 */
	EFFECT_ACCESS = 64,   /* accesses memory through the LSU, and does nothing else */
	EFFECT_OTHER = 128,   /* more than that, or something else */
};

/* A static instruction on this machine. One host cache line. */
struct decoded {
	uint64_t pc;
	uint32_t fetch_line;
	uint32_t
	    result; /* ready_at() of its latency, with the stall reason of instructions that wait for it */
	uint16_t flags;
	uint16_t interval;
	uint16_t
	    hit_wait; /* from L1 look-up to result, on a hit; of a warp group's product: until the next */
	uint16_t dst; /* place of its destination; if it has none, one that no instruction waits for */
	uint8_t op, space, unit, width;
	uint8_t work;             /* enum counter: lanes_ of its class */
	uint8_t least_wavefronts; /* that its width takes */
	uint8_t dst_span;
	uint8_t async;    /* enum async_role */
	uint8_t effects;  /* enum effect; most have none */
	uint8_t pipe;     /* unit, with PIPE_LOAD if it loads from global or local memory */
	uint8_t shape;    /* of an access: coalesce_shape() */
	uint8_t counted;  /* enum counter: insns_ of its class and space; 0: none */
	uint8_t requests; /* enum counter: l1_*_requests of its class, and its sectors next; 0: none */
	uint8_t slot;     /* of an access: trace_insn.slot */
	uint8_t round;    /* of a poll: instructions of one round of its loop */
	uint8_t reg[INSN_REGS + 1]; /* places of sources and destination, then REG_END, once at least */
} __attribute__((aligned(64)));

static inline uint32_t insn_latency(const struct decoded *insn)
{
	return insn->result >> READY_SHIFT;
}

/* Constant while the launch runs; owned by the GPU. */
struct launch {
	const struct trace *trace;
	const struct trace_kernel *kernel;
	unsigned kernel_index;
	uint32_t pass; /* of several, for policies that need them */
	struct decoded *insn;
	uint32_t fetch_lines;
	uint64_t code_bytes;       /* from the first to the last executed instruction */
	bool flushes_l1;           /* has fences that empty L1 */
	bool has_phase_waits;      /* waits at mbarriers */
	uint32_t reg_places;       /* of a warp, in the scoreboard */
	uint32_t cta_slots;        /* CTAs that fit on an SM */
	uint32_t l1_lines;         /* lines the data array can hold; UINT32_MAX: all */
	const struct watch *watch; /* words that polls wait for; NULL: none */
	uint64_t smem_window;      /* bytes of DRAM per SM for shared memory that a policy keeps there */
};

#endif
