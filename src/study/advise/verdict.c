/*
 * The rules of advice, all of them (docs/advise.md says the same in a table).
 *
 * What binds is found by relaxing it: of the causes, the one whose removal makes the program fastest. Counters alone
 * decide only where no relaxation of memory helps, or where there is no work to speed up.
 *
 *  1. Most SM-cycles have no CTA: occupancy.
 *  2. Nothing in memory is worth MATTERS, not even an L1 in which every load hits: then the SM itself binds, and its
 *     counters say how: bank conflicts, barriers, issue slots and pipes, dependences, in this order.
 *  3. Else the cause with the largest speedup: L1 (by an unbounded one), MSHRs, bandwidth of L2, bandwidth of DRAM,
 *     latency. Latency must gain twice as much as the best of the other three: where those bind, a shorter latency frees
 *     what they lack. L1 goes first if it comes close to the largest, because misses that it could avoid also fill the
 *     queues, links and buses behind it. The cause is conflicts if a better set index gains most of what an unbounded L1
 *     gains, else capacity.
 */
#include <math.h>

#include "study/advise/advise.h"

const double ADVISE_NOTICEABLE = 0.03;

static const double MATTERS = 0.10;        /* least speedup that counts as a cause */
static const double MOSTLY_IDLE = 0.50;    /* SM-cycles without a CTA */
static const double CLOSE = 0.80;          /* of the largest gain: L1's comes first */
static const double LATENCY_TOO = 0.50;    /* of its gain, by MSHRs or bandwidth: then it is those */
static const double CONFLICTS = 0.50;      /* of an unbounded L1's gain, by a better set index */
static const double BANKS_BUSY = 0.40;     /* passes through shared memory per SM-cycle */
static const double MANY_CONFLICTS = 0.40; /* of those, due to conflicts */
static const double WAITS = 0.30;          /* of SM-cycles with a CTA, at barriers */
static const double ISSUES = 0.50;         /* of issue slots, or of SM-cycles for a pipe */

const char *const advise_bound_names[ADVISE_BOUNDS] = {
    [ADVISE_OCCUPANCY] = "occupancy",
    [ADVISE_ISSUE] = "issue",
    [ADVISE_SHARED_BANKS] = "shared-memory-banks",
    [ADVISE_BARRIERS] = "barriers",
    [ADVISE_CONFLICT] = "l1-conflict",
    [ADVISE_CAPACITY] = "l1-capacity",
    [ADVISE_MSHRS] = "mshrs",
    [ADVISE_L2] = "l2-bandwidth",
    [ADVISE_DRAM] = "dram-bandwidth",
    [ADVISE_LATENCY] = "memory-latency",
    [ADVISE_DEPENDENCE] = "dependence",
    [ADVISE_OTHER] = "other",
};
const char *const advise_bound_words[ADVISE_BOUNDS] = {
    [ADVISE_OCCUPANCY] = "a grid too small for the machine: most of the time its SMs have no CTA",
    [ADVISE_ISSUE] = "issue slots and arithmetic pipes",
    [ADVISE_SHARED_BANKS] = "bank conflicts in shared memory",
    [ADVISE_BARRIERS] = "barriers",
    [ADVISE_CONFLICT] = "conflicts in the sets of L1",
    [ADVISE_CAPACITY] = "the capacity of L1",
    [ADVISE_MSHRS] = "the number of misses that may be outstanding (MSHRs, miss queue)",
    [ADVISE_L2] = "the bandwidth of L2 and the links to it",
    [ADVISE_DRAM] = "the bandwidth of DRAM",
    [ADVISE_LATENCY] = "the latency of memory: too few warps are ready to hide it",
    [ADVISE_DEPENDENCE] = "dependences between instructions: too few warps are ready to hide their latency",
    [ADVISE_OTHER] = "nothing that stands out",
};

static double gain(double speedup)
{
	return isnan(speedup) ? 0 : speedup - 1;
}

static double larger(double a, double b)
{
	return isnan(b) || a > b ? a : b;
}

/* Rule 2. */
static enum advise_bound judge_sm(const struct advise_evidence *e)
{
	if (e->smem >= BANKS_BUSY && e->smem_conflicts >= MANY_CONFLICTS)
		return ADVISE_SHARED_BANKS;
	if (e->barriers >= WAITS)
		return ADVISE_BARRIERS;
	if (e->issue >= ISSUES || e->issue + e->pipes >= ISSUES)
		return ADVISE_ISSUE;
	return e->arithmetic >= WAITS ? ADVISE_DEPENDENCE : ADVISE_OTHER;
}

/* Rule 3; *best is the speedup without the cause. */
static enum advise_bound judge_memory(const struct advise_evidence *e, double *best)
{
	const struct {
		enum advise_bound bound;
		double speedup;
	} causes[] = {{ADVISE_MSHRS, e->mshrs}, {ADVISE_L2, e->l2}, {ADVISE_DRAM, e->dram}};
	enum advise_bound bound = ADVISE_OTHER;
	double largest = MATTERS, cached = larger(e->unbounded, e->set_index);
	*best = NAN;
	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
		if (gain(causes[i].speedup) >= largest) {
			largest = gain(causes[i].speedup);
			bound = causes[i].bound;
			*best = causes[i].speedup;
		}
	if (gain(e->latency) >= MATTERS &&
	    (bound == ADVISE_OTHER || gain(e->latency) * LATENCY_TOO > largest)) {
		largest = gain(e->latency);
		bound = ADVISE_LATENCY;
		*best = e->latency;
	}
	if (gain(cached) < MATTERS || gain(cached) < CLOSE * largest)
		return bound;
	*best = cached;
	return gain(e->set_index) >= MATTERS && gain(e->set_index) >= CONFLICTS * gain(cached)
	           ? ADVISE_CONFLICT
	           : ADVISE_CAPACITY;
}

struct advise_verdict advise_judge(const struct advise_evidence *e)
{
	struct advise_verdict v = {.relaxed = NAN};
	double memory = larger(larger(e->perfect_l1, e->dram), larger(larger(e->l2, e->mshrs), e->latency));
	v.possible = larger(larger(e->unbounded, e->interference_free), larger(e->min, e->set_index));
	if (isnan(v.possible) || v.possible < 1)
		v.possible = 1;
	if (e->idle >= MOSTLY_IDLE)
		v.bound = ADVISE_OCCUPANCY;
	else if (gain(memory) < MATTERS)
		v.bound = judge_sm(e);
	else
		v.bound = judge_memory(e, &v.relaxed);
	return v;
}

double advise_share(double speedup, double possible)
{
	return gain(possible) < ADVISE_NOTICEABLE ? NAN : gain(speedup) / gain(possible);
}
