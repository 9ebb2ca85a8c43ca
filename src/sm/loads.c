#include "sm/loads.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "sm/phase_waits.h"

enum { LOADS_FIRST = 4096 };
static_assert(sizeof(struct load) == 32, "two of them lie in a host cache line");

void loads_init(struct loads *loads)
{
	loads->load = memory_zeroed(LOADS_FIRST, sizeof *loads->load);
	loads->capacity = LOADS_FIRST;
	loads->first_free = loads->served = LOAD_NONE;
}

void loads_free(struct loads *loads)
{
	free(loads->load);
}

void loads_grow(struct loads *loads)
{
	loads->capacity *= 2;
	loads->load = memory_grow(loads->load, loads->capacity, sizeof *loads->load);
}

static void give_back(struct loads *loads, uint32_t index)
{
	loads->load[index].next_free = loads->first_free;
	loads->first_free = index;
	loads->in_flight--;
}

/* Others than its warp wait for it: requests that it served, or an mbarrier. */
static __attribute__((noinline)) void finish_shared(struct loads *loads, uint32_t index, cycle_t now)
{
	struct load *load = &loads->load[index];
	if (!(load->merged & LOAD_REPORTS)) {
		load->next_free = loads->served;
		loads->served = index;
		return;
	}
	uint32_t cta_slot = (load->merged & ~LOAD_REPORTS) >> LOAD_CTA_SHIFT;
	give_back(loads, index);
	phase_waits_landed(loads->warps, cta_slot, load->generation, (uint16_t)load->merged, load->done, now);
}

bool loads_take_served(struct loads *loads, uint32_t *first, cycle_t *done)
{
	uint32_t index = loads->served;
	if (index == LOAD_NONE)
		return false;
	const struct load *load = &loads->load[index];
	*first = load->merged;
	*done = load->done;
	loads->served = load->next_free;
	give_back(loads, index);
	return true;
}

void loads_finish(struct loads *loads, uint32_t index, cycle_t now)
{
	struct load *load = &loads->load[index];
	count(loads->account, COUNT_l1_replies, load->bypassed);
	warps_result(loads->warps, load->warp, load->generation, load->dst, load->dst_span,
	             ready_at(load->done, (enum stall)load->stall), now);
	if (__builtin_expect(load->merged, 0))
		finish_shared(loads, index, now);
	else
		give_back(loads, index);
}
