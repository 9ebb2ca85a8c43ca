/*
 * Asynchronous products of warp groups (HGMMA, QGMMA, IGMMA): no instruction waits for their registers. A warp's products
 * join a group until one closes it, and it waits until all but its last so many groups are done (WARPGROUP.DEPBAR). They
 * queue before the matrix pipe of their scheduler, while the warp goes on.
 *
 * Measured on an H200 (docs/lowering.md): one product of 64 x n alone takes 76 + n / 2 cycles, the next can start after
 * max(16 + n / 4, n / 2).
 */
#ifndef SLUICE_SM_PRODUCTS_H
#define SLUICE_SM_PRODUCTS_H

#include "sm/launch.h"
#include "sm/ready.h"

enum {
	PRODUCT_GROUPS =
	    8 /* that are told apart; a younger one shares the place of an older one, which is done first */
};

struct products {
	cycle_t done[PRODUCT_GROUPS];
	uint32_t group; /* that products join now */
};

static inline bool is_group_product(const struct decoded *insn)
{
	return insn->op == OP_TENSOR && insn->flags & INSN_ASYNC_COPY;
}

/* A product is issued: the matrix pipe, which others may keep until `free`, takes it in its turn. */
static inline void products_add(struct products *p, cycle_t *free, const struct decoded *insn, cycle_t now)
{
	cycle_t *done = &p->done[p->group % PRODUCT_GROUPS], start = now > *free ? now : *free;
	cycle_t end = start + insn_latency(insn);
	*free = start + insn->hit_wait;
	*done = end > *done ? end : *done;
	p->group += insn->width != 0;
}

/* When the groups are done that `insn` waits for. What no instruction has closed is not among them. */
static inline ready_t products_ready(const struct products *p, const struct decoded *insn)
{
	uint32_t end = p->group + 1 - insn->width, count = 0;
	uint32_t younger = insn->width < PRODUCT_GROUPS ? insn->width : 0; /* and the open one */
	ready_t ready = 0;
	if (insn->width > p->group)
		return 0;
	for (; end-- && count < PRODUCT_GROUPS - younger; count++)
		ready = ready_later(ready, ready_at(p->done[end % PRODUCT_GROUPS], STALL_FIXED_LATENCY));
	return ready;
}

#endif
