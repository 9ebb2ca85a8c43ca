/*
 * A streaming multiprocessor: the composition of its parts, with its own clock.
 *
 * sm_run_until(t) advances it alone; it meets the world through its port
 * (packets to L2 slices) and through replies and credits that arrive, all
 * time-stamped. An SM with nothing to do jumps to its next event. Data flow one
 * way: scheduler -> issue -> LSU -> L1 -> port ... replies -> L1 -> loads ->
 * warps -> scheduler; each part calls the next, none calls back. Each part
 * writes its own fields alone; what it says to others it returns or puts into
 * an output. All count in the account.
 */
#ifndef SLUICE_SM_SM_H
#define SLUICE_SM_SM_H

#include "icnt/port.h"
#include "icnt/replies.h"
#include "policy/hooks.h"
#include "sm/account.h"
#include "sm/aux_cache.h"
#include "sm/epochs.h"
#include "sm/ifetch.h"
#include "sm/l1.h"
#include "sm/loads.h"
#include "sm/lsu.h"
#include "sm/prel1.h"
#include "sm/scheduler.h"
#include "sm/warps.h"

/* CTAs handed in by the dispatcher, in order of time. */
struct cta_queue {
	struct {
		cycle_t when;
		uint64_t cta;
	} item[CTA_SLOTS];
	uint32_t head, count;
};

/* Components to notify when a warp issues. */
enum issue_mode {
	ISSUE_PLAIN,   /* none */
	ISSUE_WATCHED, /* observers, which decide nothing */
	ISSUE_ASKING,  /* policies, or an auxiliary cache */
};

struct sm {
	const struct machine *machine;
	const struct crossbar *crossbar;
	const struct index *l1_index; /* of all SMs */
	struct region *region;        /* of the GPU */
	const struct launch *launch;
	uint32_t id, worker;
	cycle_t now, until; /* until: end of the quantum */
	struct hooks hooks;
	struct account account;
	struct cta_queue ctas;
	struct warps warps;
	struct scheduler sched[SCHED_MAX];
	struct sched_alarm alarm; /* of the schedulers */
	struct ifetch ifetch;
	struct lsu lsu;
	struct prel1 *prel1; /* NULL: no policy asks for one */
	struct loads loads;
	struct l1 l1;
	struct aux_cache *aux; /* NULL: no policy asks for one */
	struct icnt_port port;
	struct replies replies;
	struct epochs epochs;
	double l2_busy, dram_busy;  /* for policies, as the GPU measures them */
	bool failed;                /* the trace is damaged, or a policy answered what it must not */
	enum issue_mode issue_mode; /* of this launch */
	bool active;                /* has had a CTA in this launch */
	bool built;                 /* or in one before: its parts are there */
};

void sm_init(struct sm *sm, const struct machine *machine, const struct chain *chain,
             const struct crossbar *crossbar, const struct index *l1_index, struct region *region,
             uint32_t id);
void sm_free(struct sm *sm);

/* What a worker lends the SMs that it runs in a launch. */
struct sm_worker {
	struct coalescer *coalescer;
	struct trace_reader *reader;
	struct error *error;
	uint64_t *pc_misses;
	struct profile_insn *profile; /* NULL: not asked for */
};
/* Before each launch, active in it or not. */
void sm_lend(struct sm *sm, uint32_t worker, const struct sm_worker *lent);
/* The first CTA of a launch is about to come. */
void sm_begin_launch(struct sm *sm, const struct launch *launch);
/* Hands in a CTA to start at `when`. */
void sm_push_cta(struct sm *sm, uint64_t cta, cycle_t when);
/* CTAs that it holds or will. */
uint32_t sm_ctas(const struct sm *sm);
/* Hands in a reply; it arrives at reply->when. */
static inline void sm_push_reply(struct sm *sm, const struct reply *reply)
{
	replies_push(&sm->replies, reply, sm->now);
}
/*
 * Have the host fetch what replies that arrive before `until` will need: their MSHRs first, then the sets that they fill
 * and the loads that wait. Call it ahead of sm_run_until().
 */
void sm_expect(const struct sm *sm, cycle_t until);
/* Runs all cycles before `until`, or up to a failure. */
void sm_run_until(struct sm *sm, cycle_t until);
/* The next cycle at which something can happen without anything coming in; CYCLE_NEVER if nothing can. */
cycle_t sm_next(struct sm *sm);
bool sm_idle(const struct sm *sm);
/* What policies see of it. */
struct sm_view sm_view_of(const struct sm *sm, cycle_t now);
/* Charges what is left of a launch of `cycles` cycles. */
void sm_end_launch(struct sm *sm, cycle_t cycles);

/* Tell the auxiliary cache of the CTAs that ended, from number `from` on. */
void sm_tell_ended(struct sm *sm, uint32_t from, cycle_t now);

#endif
