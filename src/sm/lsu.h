/*
 * The load/store unit: a queue of memory instructions in order of issue, one
 * pipe through L1 tags and data banks, shared memory on the same pipe.
 *
 * Instructions are coalesced when they enter. `next` says when the unit can do
 * something; the SM reports what it waits for from outside (a fill, a credit).
 * If a policy asks for a pre-L1 queue, that takes the place of the in-order
 * walk (sm/prel1.h).
 */
#ifndef SLUICE_SM_LSU_H
#define SLUICE_SM_LSU_H

#include "sm/account.h"
#include "sm/coalescer.h"
#include "sm/launch.h"

enum { SCHED_MAX = 8 };

struct aux_cache;
struct hooks;
struct l1;
struct loads;
struct prel1;
struct warp;
struct warps;

/* What of a store leaves with the store before it (sm/store_merge.h). */
struct store_joined {
	uint8_t lines, sectors;
};

/* A memory instruction in the queue. */
struct mem_insn {
	cycle_t ready;
	cycle_t began, fail_since, last_lookup;
	uint32_t generation; /* of the warp, as struct load has it */
	uint32_t insn;
	uint32_t load;       /* once begun */
	uint32_t first_line; /* in the line ring */
	uint16_t lines, next_line;
	uint16_t wavefronts; /* cycles its data takes */
	uint16_t sectors;
	uint16_t passes; /* of an atomic (struct coalesced) */
	uint16_t warp;
	uint8_t scheduler;
	uint8_t fail; /* enum l1_fail: what the next line waits for */
	uint8_t space;
	struct store_joined joined; /* of a store: they take no time of their own if it has several lines */
	uint8_t copy_group;         /* of an asynchronous copy */
	uint8_t cta_slot;           /* of a piece of a bulk copy that reports to */
	uint16_t mbarrier;          /* this one, as in its mark; 0: none */
	uint16_t notice;            /* of its writes to watched words (sm/polls.h); 0: none */
	bool far_shared;            /* shared memory of another CTA of the cluster */
	bool polls;                 /* its warp waits for watched words */
	bool started, finished;
	bool closes; /* a load: the last look-up is its end, but for what is in flight */
};

struct lsu {
	cycle_t next;      /* it can do something then */
	cycle_t pipe_free; /* the pipe takes the next instruction */
	cycle_t horizon;   /* nothing from outside happens before: of the current lsu_step() */
	struct mem_insn *queue;
	uint32_t head, count, mask;
	uint32_t roomy; /* with fewer instructions in the queue there is room for one of any scheduler */
	uint32_t line_tail, line_capacity;
	struct line_request *lines; /* of the queued instructions, each in one piece */
	uint32_t queued[SCHED_MAX]; /* instructions per scheduler */
	bool refused;               /* a scheduler found no room since the last instruction left */
	bool popped;                /* an instruction has left since a scheduler found no room */
	/* wiring */
	const struct machine *machine;
	const struct launch *launch;
	struct account *account;
	struct hooks *hooks;
	struct coalescer *coalescer; /* of the worker */
	struct loads *loads;
	struct l1 *l1;
	struct aux_cache *aux; /* NULL: none */
	struct prel1 *prel1;   /* NULL: none */
	struct warps *warps;
};

void lsu_init(struct lsu *lsu, const struct machine *machine);
void lsu_free(struct lsu *lsu);
void lsu_begin_launch(struct lsu *lsu, const struct launch *launch);

/* decoded.requests of an instruction class. */
uint8_t lsu_requests_counter(uint8_t op);

/* Whether any scheduler may push. A quick answer, which may be false although there is room; never the reverse. */
static inline bool lsu_has_room(const struct lsu *lsu)
{
	return lsu->count < lsu->roomy;
}
/* Whether there is no room for an instruction of this scheduler. If so, lsu_take_room() says later when there is. */
bool lsu_full(struct lsu *lsu, uint32_t scheduler);
/* Put the warp's instruction into the queue, which must have room. Returns its place, valid until the next call. */
struct mem_insn *lsu_push(struct lsu *lsu, const struct warp *warp, uint32_t slot, enum mem_space space,
                          cycle_t now);
/* Go on as far as possible in this cycle. Nothing from outside (a reply, an epoch, a new quantum) happens before `horizon`. */
void lsu_step(struct lsu *lsu, cycle_t now, cycle_t horizon);
/* Return whether there is room again that a scheduler waited for; false until the next time. */
static inline bool lsu_take_room(struct lsu *lsu)
{
	bool popped = lsu->popped;
	lsu->popped = false;
	return popped;
}

/* Fills came, or credits: a request that lacked them may go on. */
void lsu_filled(struct lsu *lsu, cycle_t now);
void lsu_credited(struct lsu *lsu, cycle_t now);

/* ---- for the pre-L1 queue ------------------------------------------------------------------------------------ */

/* The head of the queue leaves it. */
static inline void lsu_pop(struct lsu *lsu)
{
	lsu->queued[lsu->queue[lsu->head].scheduler]--;
	lsu->head = (lsu->head + 1) & lsu->mask;
	lsu->count--;
	lsu->popped |= lsu->refused;
	lsu->refused = false;
}
/* Takes the pipe for the data of an instruction. */
static inline void lsu_take_pipe(struct lsu *lsu, const struct mem_insn *mem, cycle_t cycles, cycle_t now)
{
	cycle_t end = mem->began + cycles;
	lsu->pipe_free = end > now + 1 ? end : now + 1;
}
/* Cycles a store's data take: a line per wavefront costs its sectors; more lines than that cost extra each. */
cycle_t lsu_store_cycles(const struct lsu *lsu, const struct mem_insn *mem);
/* The lines of a store have been looked up: takes the pipe for as long as it needs it. */
void lsu_end_store(struct lsu *lsu, const struct mem_insn *mem, cycle_t now);
/* All lines of a write have been served: its notices have left. */
void lsu_settle(struct lsu *lsu, const struct mem_insn *mem, cycle_t now);
/* Open a load for the instruction. */
void lsu_open_load(struct lsu *lsu, struct mem_insn *mem, enum stall stall);
/* Cycles that a request failed for this cause. */
void lsu_count_fail(struct lsu *lsu, uint32_t fail, cycle_t cycles);

#endif
