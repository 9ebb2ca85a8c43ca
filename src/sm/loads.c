#include "sm/loads.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "sm/phase_waits.h"
#include "sm/prel1.h"

enum { LOADS = 4096 };
static_assert(sizeof(struct load) == 32, "two of them lie in a host cache line");

void loads_init(struct loads *loads)
{
	loads->load = memory_zeroed(LOADS, sizeof *loads->load);
	loads->free = loads->total = LOADS;
	loads->first_free = UINT32_MAX;
}

void loads_free(struct loads *loads)
{
	free(loads->load);
}

/* Others than its warp: requests that it served, or an mbarrier. */
static __attribute__((noinline)) void tell_others(struct loads *loads, const struct load *load, cycle_t now)
{
	if (!(load->merged & LOAD_REPORTS)) {
		prel1_merged_done(loads->prel1, load->merged, load->done, now);
		return;
	}
	uint32_t cta_slot = (load->merged & ~LOAD_REPORTS) >> LOAD_CTA_SHIFT;
	phase_waits_landed(loads->warps, cta_slot, load->generation, (uint16_t)load->merged, load->done, now);
}

void loads_finish(struct loads *loads, uint32_t index, cycle_t now)
{
	struct load *load = &loads->load[index];
	count(loads->account, COUNT_l1_replies, load->bypassed);
	warps_result(loads->warps, load->warp, load->generation, load->dst, load->dst_span,
	             ready_at(load->done, (enum stall)load->stall), now);
	load->next_free = loads->first_free;
	loads->first_free = index;
	loads->free++;
	if (__builtin_expect(load->merged, 0))
		tell_others(loads, load, now);
}
