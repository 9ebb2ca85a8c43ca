/*
 * Past L2: shared memory that lies in DRAM. No other SM knows these lines, so tags and pipe of the slice are passed by;
 * a read takes one of its MSHRs until the data come.
 */
#include "mem/slice.h"

static void write_past(struct context *x, const struct packet *p)
{
	uint32_t sectors = bits_count(p->sectors);
	*slice_counter(x, COUNT_l2_bypass_write_sectors) += sectors;
	slice_send_credit(x, p->sm, x->now);
	if (x->now > x->partition->last_write)
		x->partition->last_write = x->now;
	fetch_traffic(x, p->line, sectors * x->memory->sector_bytes, true, x->now);
}

/* The MSHR of the line, or a new one; MSHR_NONE: there is no room. With two sides, some are the other side's. */
static uint32_t take_mshr(struct context *x, const struct packet *p)
{
	struct mshrs *mshrs = &x->slice->mshrs;
	uint32_t kept = x->memory->map.sides == 1 ? 0 : (mshrs->entries + 3) / 4;
	uint32_t index = mshrs_find(mshrs, p->line);
	if (!mshrs->free_waiters)
		return MSHR_NONE;
	if (index != MSHR_NONE)
		return mshrs->entry[index].waiters < x->memory->machine->l2_mshr_merge ? index : MSHR_NONE;
	if (mshrs->free_entries <= kept)
		return MSHR_NONE;
	index = mshrs_take(mshrs, p->line);
	mshrs->entry[index].since = x->now;
	mshrs->entry[index].flags = true; /* takes no line */
	return index;
}

bool past_serve(struct context *x, const struct packet *p)
{
	if (p->op == PACKET_WRITE) {
		write_past(x, p);
		return true;
	}
	uint32_t index = take_mshr(x, p);
	if (index == MSHR_NONE)
		return false;
	*slice_counter(x, COUNT_l2_bypass_read_sectors) += bits_count(p->sectors);
	slice_send_credit(x, p->sm, x->now);
	struct waiter *waiter = mshrs_wait(&x->slice->mshrs, index);
	waiter->who = p->token;
	waiter->from = p->sm;
	waiter->sectors = p->sectors;
	waiter->feedback = 0;
	struct mshr *mshr = &x->slice->mshrs.entry[index];
	uint8_t wanted = slice_fetch_blocks(x, p->sectors) & (uint8_t)~mshr->pending;
	mshr->pending |= wanted;
	cycle_t bridge = p->flags & PACKET_CROSSES ? 2 * x->memory->machine->l2_partition_cycles : 0;
	fetch_sectors(x, p->line, index, wanted, x->now + bridge);
	return true;
}
