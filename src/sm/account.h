/*
 * An SM's books: counters, which every part adds to, and the one stall reason
 * of every cycle without issue.
 */
#ifndef SLUICE_SM_ACCOUNT_H
#define SLUICE_SM_ACCOUNT_H

#include <assert.h>
#include <string.h>

#include "sm/ready.h"
#include "stats/profile.h"

struct account {
	struct counters counters;
	cycle_t accounted;            /* every cycle before has an issue or a stall reason */
	uint64_t progress;            /* instructions and replies: the watchdog watches it */
	uint64_t miss_cycles, misses; /* latency of completed L1 misses, summed; how many */
	uint64_t *pc_misses;          /* of the worker: L1 sectors missed, per static instruction */
	struct profile_insn *profile; /* of the worker, per static instruction; NULL: not asked for */
	cycle_t *since;               /* per warp slot: the cycle after its last issue; for the profile */
};

static inline void account_reset(struct account *account)
{
	memset(&account->counters, 0, sizeof account->counters);
	account->accounted = 0;
	account->miss_cycles = account->misses = 0;
}

static inline void count(struct account *account, enum counter counter, uint64_t n)
{
	account->counters.value[counter] += n;
}

/*
 * An instruction issues. Cycles without issue since the last are charged to
 * what its warp was waiting for, and from the moment it was ready to what held
 * it back then.
 */
static inline void account_issue(struct account *account, enum stall held, ready_t ready, cycle_t now)
{
	if (account->accounted > now)
		return; /* another scheduler issued in this cycle */
	if (account->accounted < now) {
		cycle_t at = ready_cycle(ready);
		cycle_t split = at < account->accounted ? account->accounted : at > now ? now : at;
		count(account, (enum counter)(COUNT_stall_idle + ready_stall(ready)),
		      split - account->accounted);
		count(account, (enum counter)(COUNT_stall_idle + held), now - split);
	}
	count(account, COUNT_issue_cycles, 1);
	account->accounted = now + 1;
}

/*
 * Warp `slot`, resident since `started`, issues instruction `insn`. Its wait since its instruction before is charged to
 * what it waited for last; from when it was ready, to its scheduler's last issue of another warp, then to what held it.
 */
static_assert((int)PROFILE_REASONS == (int)STALL_COUNT, "reasons are stalls");
static inline void account_profile(struct account *account, uint32_t insn, uint32_t slot, uint32_t lanes,
                                   cycle_t started, cycle_t scheduler_issued, enum stall held, ready_t ready,
                                   cycle_t now)
{
	struct profile_insn *own = &account->profile[insn];
	cycle_t from = account->since[slot] > started ? account->since[slot] : started;
	own->issued++;
	own->lanes += lanes;
	account->since[slot] = now + 1;
	if (from == now)
		return;
	cycle_t at = ready_cycle(ready);
	cycle_t split = at < from ? from : at > now ? now : at;
	cycle_t other = scheduler_issued < split ? split : scheduler_issued > now ? now : scheduler_issued;
	own->waited[ready_stall(ready)] += split - from;
	own->waited[PROFILE_NOT_SELECTED] += other - split;
	own->waited[held] += now - other;
}

/* No warp is resident up to `cycle`. */
static inline void account_idle(struct account *account, cycle_t cycle)
{
	if (cycle > account->accounted)
		count(account, COUNT_stall_idle, cycle - account->accounted);
	account->accounted = cycle;
}

#endif
