/*
 * mbarriers of the CTAs on an SM: what has happened at each, and which warps wait for a phase to end.
 *
 * A wait says what must have happened (trace/mbarrier.h): so many changes by lanes of the CTA, so many pieces of its bulk
 * copies landed. An arrival of LDGSTS copies (cp.async.mbarrier.arrive) is a change that happens when the copies are there
 * which its warp issued before. A recording counts what happened before the wait, so what a wait waits for always comes. Left out:
 * arrivals from other CTAs of a cluster, and how long an arrival is under way inside shared memory.
 *
 * Owns a table of objects per CTA slot, found by address. It grows to what the kernel's CTAs use, within the first of
 * them; kernels without waits (launch->has_phase_waits) have none and ask nothing.
 */
#ifndef SLUICE_SM_MBARRIERS_H
#define SLUICE_SM_MBARRIERS_H

#include "base/cycle.h"
#include "sm/launch.h"
#include "trace/mbarrier.h"

struct mbarrier {
	cycle_t when; /* of the last that happened */
	uint32_t key; /* 1 + its number in shared memory; 0: free */
	struct phase_counts counts;
};

struct mbarrier_table {
	struct mbarrier *object; /* owned; hashed by number, one behind the other */
	uint32_t mask, used;
	uint64_t first_warp; /* generations of the CTA's warps: these and `warps` - 1 more */
	uint32_t warps;
	uint32_t waiting; /* of them, at mbarriers */
};

/*
 * Measured on an H200 (probe waiting, pair): two warps that wake each other take 118 cycles each time, and seven more such
 * pairs on an SM 44 cycles more: an operation takes the pipe for 3 cycles, however many of its lanes arrive.
 */
enum { MBARRIER_WAVEFRONTS = 3, MBARRIER_SEEN_CYCLES = 46 };

enum { COPY_STAGES = 8 }; /* with more arrivals of a warp to come, the next one happens at once */

/* Copies of a warp, by the arrival that waits for them and for all before. */
struct copy_stages {
	uint32_t first, next; /* arrivals [first, next) are still to come; copies join stage `next` */
	uint16_t under_way[COPY_STAGES];
	uint16_t lanes[COPY_STAGES]; /* that arrive, at the object of this number */
	uint32_t number[COPY_STAGES];
};

struct phase_wait {
	uint32_t number; /* of the object in shared memory */
	struct phase_counts counts;
};

struct mbarriers {
	struct mbarrier_table *cta; /* per CTA slot; NULL: no launch has had waits */
	struct phase_wait *wait;    /* per warp slot: what it waits for */
	struct copy_stages *stages; /* per warp slot */
	uint32_t cta_slots;
	uint32_t objects; /* that shared memory has room for */
	bool in_use;      /* in this launch */
};

void mbarriers_begin_launch(struct mbarriers *m, const struct launch *launch, uint32_t warp_slots,
                            uint32_t cta_slots);
void mbarriers_free(struct mbarriers *m);
/* A CTA of `warps` warps begins; generations of its warps start with first_warp. Forgets the slot's last CTA. */
void mbarriers_begin_cta(struct mbarriers *m, uint32_t cta_slot, uint64_t first_warp, uint32_t warps);

/* Lanes of the step change objects; true: warps of the CTA wait and are to look again. */
bool mbarriers_change(struct mbarriers *m, uint32_t cta_slot, const struct warp_step *step, cycle_t now);
/*
 * The same of lanes that arrive when the warp's copies are there. A copy is issued: the stage that it joins, for
 * mbarriers_copied(), when it is there. A warp begins or ends: what it had under way is forgotten, or happens.
 */
bool mbarriers_change_after_copies(struct mbarriers *m, uint32_t cta_slot, uint32_t slot,
                                   const struct warp_step *step, cycle_t now);
uint32_t mbarriers_copy(struct mbarriers *m, uint32_t slot);
bool mbarriers_copied(struct mbarriers *m, uint32_t cta_slot, uint32_t slot, uint32_t stage, cycle_t done);
void mbarriers_begin_warp(struct mbarriers *m, uint32_t slot);
bool mbarriers_end_warp(struct mbarriers *m, uint32_t cta_slot, uint32_t slot, cycle_t now);
/*
 * A piece that a warp of this generation copied has landed; `object` as in its mark. True as above; false also if the
 * slot has another CTA by now.
 */
bool mbarriers_land(struct mbarriers *m, uint32_t cta_slot, uint32_t generation, uint32_t object,
                    cycle_t done);

/* The warp issues a wait: at `address`, with the mark of its record. */
void mbarriers_wait(struct mbarriers *m, uint32_t slot, uint64_t address, uint64_t mark);
/* Whether what the warp waits for has happened; *when: the last of it. */
bool mbarriers_is_over(struct mbarriers *m, uint32_t cta_slot, uint32_t slot, cycle_t *when);

#endif
