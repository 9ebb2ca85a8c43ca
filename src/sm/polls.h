/*
 * Warps that wait for a word of memory (trace/poll.h), and what an SM's writes to such words are told of.
 *
 * A poll goes past L1. When its data are back, it is judged by what had been written when the slice read the word: with
 * the writes that it needs the warp goes on as after a load, else it polls again once the other instructions of the loop
 * have passed. The warp stays at the poll meanwhile; rounds that fail are counted apart and are no progress.
 *
 * Measured on an H200 (probes waiting): rounds take no longer for words whose home is the other half of L2, so the near
 * half serves them from its copy. A write must reach that copy, and the first read afterwards fetches the word anew: a
 * wait for a far word ends later by that. Atomics are always performed at home.
 *
 * A write to a watched word carries a notice, whose number travels with the packet; the slice says when it performed it,
 * and the GPU puts that into the watch table between two quanta. An atomic that polls writes only in the round that ends
 * the wait, which its SM alone can tell: its write counts from the cycle in which the reply was there, no later than the
 * warp can do anything with it.
 */
#ifndef SLUICE_SM_POLLS_H
#define SLUICE_SM_POLLS_H

#include "icnt/crossbar.h"
#include "icnt/packet.h"
#include "sm/launch.h"
#include "sm/watch.h"

enum { POLL_SPAN = 254 }; /* of a load's result: no registers, the poll of its warp */

/* The wait of a warp. */
struct poll {
	bool waits, again; /* again: a round has failed */
	bool own;          /* the warp wrote there itself, far away */
	bool far;          /* a word of it has its home in the other L2 partition */
	uint16_t needed;   /* writes, as the trace says it */
	uint64_t own_line; /* that the warp wrote last, far away: */
	cycle_t own_back;  /* its copy is old until then */
	cycle_t read;      /* writes performed by then were there when it read what has come of this round */
};

/* Lanes of an instruction that write a watched word. Those of one line are a chain and leave in one packet. */
struct notice {
	uint64_t line;
	uint32_t word;
	uint16_t lanes;
	uint16_t next;  /* of the chain; 0: the last */
	uint16_t later; /* the first of the next chain that has not left; 0: none */
	uint16_t owner; /* the instruction's number */
};

/* A write that its SM performs, as far as the watch table can tell. */
struct own_write {
	cycle_t when;
	uint32_t word, lanes;
};

struct polls {
	const struct watch *watch; /* NULL: nothing waits in this launch, and nothing else is used */
	struct poll *poll;         /* per warp slot; owned */
	struct notice *notice;     /* number 0 is none; owned */
	uint32_t used, capacity;
	uint16_t first_free;   /* chain of those given back */
	uint16_t first, last;  /* of the chains that have not left */
	uint16_t instructions; /* numbers given */
	struct own_write *own; /* the GPU empties it; owned */
	uint32_t own_count, own_capacity;
	uint32_t line_shift;
	/* wiring */
	const struct crossbar *crossbar;
	uint32_t sm;
};

void polls_init(struct polls *polls, const struct crossbar *crossbar, uint32_t sm, uint32_t slots);
void polls_free(struct polls *polls);
void polls_begin_launch(struct polls *polls, const struct watch *watch);

/* ---- writes -------------------------------------------------------------------------------------------------- */

/* The step writes `width` bytes per lane. Returns the number by which its notices are known; 0: it needs none. */
uint16_t polls_write(struct polls *polls, const struct warp_step *step, uint32_t width);
/* The notice to send with the packet of this line; 0: none. */
uint16_t polls_take(struct polls *polls, uint16_t number, uint64_t line);
/* All packets of the instruction have left: what did not leave with them is done at `when`. */
void polls_settle(struct polls *polls, uint16_t number, cycle_t when);
/* Puts what was written into the watch table: a notice that was performed; all of the SM's own. */
void polls_performed(struct polls *polls, uint16_t notice, cycle_t when, struct watch *watch);
void polls_tell_own(struct polls *polls, struct watch *watch);

/*
 * The step has written watched words: a poll of them by the same warp follows the write home and back if that is far away.
 * (Measured, probe waiting: a grid barrier whose word is far takes some 500 cycles longer.)
 */
void polls_own(struct polls *polls, uint32_t slot, const struct warp_step *step, cycle_t now);
bool polls_follow_own(struct polls *polls, uint32_t slot, const struct warp_step *step, cycle_t now);

/* ---- waits --------------------------------------------------------------------------------------------------- */

/* The step, which executes `insn`, polls. False: it waits for nothing and is an ordinary access. */
bool polls_begin(struct polls *polls, uint32_t slot, struct warp_step *step, const struct decoded *insn);
/* A part of the poll's data is back. */
void polls_reply(struct polls *polls, uint32_t slot, bool atomic, const struct reply *reply);
/*
 * All of it is: whether the wait is over. If so, what the poll itself wrote is written `now`, and the data are there
 * *later cycles after they came.
 */
bool polls_judge(struct polls *polls, uint32_t slot, const struct warp_step *step, const struct decoded *insn,
                 cycle_t now, cycle_t *later);

/* What a waiting warp waits for: the first word that lacks writes, for reports. False: none does. */
struct poll_lack {
	uint64_t address;
	uint64_t needed, written;
};
bool polls_lack(const struct polls *polls, uint32_t slot, const struct warp_step *step, uint32_t width,
                struct poll_lack *lack);

#endif
