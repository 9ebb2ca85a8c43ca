/*
 * Asynchronous copies of warps (LDGSTS): they write shared memory and hold no register, so nothing waits for one of
 * them. A warp's copies join a group until it commits it, and it may wait until all but its last so many groups are
 * there; copies of other warps it learns of by a barrier.
 *
 * Measured on an H200 (clock to clock): a commit and a wait for nothing take 42 cycles; a copy and a wait take 12 cycles
 * more than a load and a use from L2, where writing shared memory is hidden in part, and 22 more from L1.
 */
#ifndef SLUICE_SM_COPIES_H
#define SLUICE_SM_COPIES_H

#include "sm/launch.h"
#include "sm/ready.h"

enum {
	COPY_GROUPS =
	    8, /* that are told apart; a group that is so much younger shares the books of an older one */
	COPY_SPAN = 255, /* of a load's result: no registers, a copy of group `dst` mod COPY_GROUPS */
	COPY_WRITE_CYCLES = 12,
	COPY_COMMIT_CYCLES = 36,
	COPY_ALL = 255 /* what a wait says that waits for copies without a commit, too */
};

struct copies {
	cycle_t done[COPY_GROUPS];     /* all that have come are there */
	uint16_t waiting[COPY_GROUPS]; /* still to come */
	uint32_t group;                /* that copies join now */
};

static inline bool is_copy(const struct decoded *insn)
{
	return (insn->flags & (INSN_ASYNC_COPY | INSN_BULK | INSN_MEMORY)) == (INSN_ASYNC_COPY | INSN_MEMORY);
}
static inline bool is_copy_commit(const struct decoded *insn)
{
	return (insn->flags & (INSN_ASYNC_COPY | INSN_MEMORY)) == INSN_ASYNC_COPY && !insn->width;
}
/* A wait for groups of copies, or of products (OP_RECONVERGE). */
static inline bool is_group_wait(const struct decoded *insn)
{
	return (insn->flags & (INSN_ASYNC_COPY | INSN_MEMORY)) == INSN_ASYNC_COPY && insn->width &&
	       insn->op != OP_TENSOR;
}

/* A copy is issued; the group that it joins. */
static inline uint8_t copies_begin(struct copies *c)
{
	c->waiting[c->group % COPY_GROUPS]++;
	return (uint8_t)(c->group % COPY_GROUPS);
}

static inline void copies_end(struct copies *c, uint32_t group, cycle_t done)
{
	c->waiting[group]--;
	if (done + COPY_WRITE_CYCLES > c->done[group])
		c->done[group] = done + COPY_WRITE_CYCLES;
}

static inline void copies_commit(struct copies *c, cycle_t now)
{
	cycle_t *done = &c->done[c->group % COPY_GROUPS];
	if (now + COPY_COMMIT_CYCLES > *done)
		*done = now + COPY_COMMIT_CYCLES;
	c->group++;
}

/* When the groups are there that `insn` waits for. */
static inline ready_t copies_ready(const struct copies *c, const struct decoded *insn)
{
	uint32_t end = insn->width == COPY_ALL ? c->group + 1 : c->group - insn->width + 1, count = 0;
	/* The books of younger groups, which the wait is not for: those of the last so many, and of the open one. */
	uint32_t younger = insn->width < COPY_GROUPS ? insn->width : 0;
	ready_t ready = 0;
	if (insn->width != COPY_ALL && insn->width > c->group)
		return 0;
	for (; end-- && count < COPY_GROUPS - younger; count++) {
		uint32_t group = end % COPY_GROUPS;
		if (c->waiting[group])
			return READY_NEVER(STALL_LONG_SCOREBOARD);
		ready = ready_later(ready, ready_at(c->done[group], STALL_LONG_SCOREBOARD));
	}
	return ready;
}

#endif
