/*
 * The pre-L1 queue between coalescer and L1: line requests of global and local
 * memory wait here in order of arrival, so that policies may merge loads of one
 * line (prel1_insert: the inter-warp coalescing of LCM) or send others first
 * (prel1_pick: MRPB). It exists only if a policy has one of these hooks, and then
 * takes the place of the LSU's in-order walk.
 *
 * It is a part of the LSU: it advances the instructions of the LSU's queue (load, started, next_line, finished) and uses
 * the pipe by the LSU's own functions, which do not call it in turn.
 */
#ifndef SLUICE_SM_PREL1_H
#define SLUICE_SM_PREL1_H

#include "sm/l1.h"
#include "sm/lsu.h"

/* A line request that waits. */
struct prel1_request {
	struct line_request line;
	uint64_t tried;  /* value of changes when L1 refused it; 0: not yet */
	uint32_t insn;   /* of insn[] */
	uint32_t merged; /* first of member[], itself among them; 0: it is alone */
	uint32_t next_free;
	uint8_t fail; /* enum l1_fail: what it waits for */
};

/* A memory instruction with lines in the queue. */
struct prel1_insn {
	struct mem_insn mem;
	cycle_t paused; /* when another instruction got the pipe */
	uint32_t left;  /* lines that L1 has not served yet */
	uint32_t place; /* in the LSU queue, until it has left it */
	uint32_t next_free;
	bool opened; /* its load is, where it has one */
	bool passes; /* a line of it passes by the policy's queues: it keeps its place in the LSU queue */
	bool away;   /* it has left the LSU queue */
};

/* One of several requests that a single access serves. */
struct prel1_member {
	uint32_t insn, load; /* load: once the access is under way */
	uint32_t next;       /* 0: the last */
};

struct prel1 {
	/* what policies see, in order of arrival, and the requests behind it: [first, first + count) */
	struct prel1_item *item;
	uint32_t *handle;
	uint32_t first, count, capacity;
	uint32_t order; /* of the next arrival */
	struct prel1_request *request;
	struct prel1_insn *insn;
	struct prel1_member *member; /* from 1 */
	uint32_t free_request, free_insn, free_member, free_members;
	uint32_t fed;       /* instructions at the head of the LSU queue with all lines in */
	uint32_t own_items; /* lines it may hold for instructions that have left the queue */
	uint32_t away;      /* lines it holds for them */
	uint32_t passing; /* instructions that pass by, and that L1 has not served: none behind them enters */
	uint32_t turn;    /* instruction that has the pipe; UINT32_MAX: none */
	cycle_t cycle;    /* of the budgets: lines that may still enter, and go to L1, in it */
	uint32_t enter_budget, leave_budget;
	uint64_t changes;   /* how often something happened that may help a refused request */
	uint32_t refused;   /* requests refused since the last change */
	cycle_t held;       /* a store waits until then for the one before it */
	cycle_t room_at;    /* the miss queue is full until then */
	bool short_of_room; /* a request was refused for want of it */
	bool rests;         /* the pick was refused before, and nothing has changed since */
	bool full;          /* the next line found no place; nothing has left since */
	bool asked;         /* a policy said so of that line */
	uint8_t fail;       /* enum l1_fail: why the request picked last could not go */
	cycle_t fail_since;
	struct lsu *lsu; /* wiring */
};

/* NULL if no policy of the chain asks for one. */
struct prel1 *prel1_new(const struct chain *chain, struct lsu *lsu);
void prel1_free(struct prel1 *q);
/* Empties it, at the start of a launch. */
void prel1_reset(struct prel1 *q);

/*
 * What the LSU calls in place of its in-order walk: take lines in, send lines to L1, let instructions leave the LSU's
 * queue. Returns when to call it next. The LSU serves accesses to shared memory itself, before.
 */
cycle_t prel1_step(struct prel1 *q, cycle_t now);
/* A reply came: merged requests whose access is over end. Returns whether something may go on now. */
bool prel1_filled(struct prel1 *q, cycle_t now);
/* A credit came. Returns when a request that waits for room in the miss queue may go; CYCLE_NEVER: none does. */
cycle_t prel1_credited(struct prel1 *q, cycle_t now);

#endif
