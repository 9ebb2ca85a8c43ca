/*
 * Bypassing L2: shared memory that lies in DRAM. No other SM knows these lines, so tags and pipe of the slice are not
 * used; a read takes one of its MSHRs until the data come.
 */
#include "mem/bypass.h"

#include "mem/answer.h"
#include "mem/fetch.h"

static void write_bypass(struct mem_event *ev, const struct packet *p)
{
	uint32_t sectors = bits_count(p->sectors);
	mem_count(ev, COUNT_l2_bypass_write_sectors, sectors);
	slice_send_credit(ev, p->sm, ev->now);
	if (ev->now > ev->partition->last_write)
		ev->partition->last_write = ev->now;
	fetch_traffic(ev, p->line, sectors * ev->memory->sector_bytes, true, ev->now);
}

bool bypass_request(struct mem_event *ev, const struct packet *p)
{
	if (p->op == PACKET_WRITE) {
		write_bypass(ev, p);
		return true;
	}
	struct mshr_table *mshrs = &ev->slice->mshrs;
	uint32_t index = mshr_find(mshrs, p->line);
	if (mshr_room(mshrs, index, ev->memory->kept_mshrs) != MSHR_ROOM)
		return false;
	if (index == MSHR_NONE) {
		index = mshr_allocate(mshrs, p->line);
		mshrs->entry[index].since = ev->now;
		mshrs->entry[index].flags = true; /* takes no line */
	}
	mem_count(ev, COUNT_l2_bypass_read_sectors, bits_count(p->sectors));
	slice_send_credit(ev, p->sm, ev->now);
	struct waiter *waiter = mshr_wait(mshrs, index, p->sectors);
	waiter->who = p->token;
	waiter->from = p->sm;
	waiter->feedback = 0;
	struct mshr *mshr = &mshrs->entry[index];
	uint8_t wanted = fetch_blocks(ev, p->sectors) & (uint8_t)~mshr->pending;
	mshr->pending |= wanted;
	cycle_t bridge = p->flags & PACKET_CROSSES ? 2 * ev->memory->machine->l2_partition_cycles : 0;
	fetch_sectors(ev, p->line, index, wanted, ev->now + bridge);
	return true;
}
