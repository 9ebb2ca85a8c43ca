#include "gpu/placement.h"

#include "machine/gpcs.h"

/* SMs in the order in which CTAs go to them. */
struct plan {
	uint32_t *sm;
	uint32_t count;
};

struct groups {
	struct sm_group group[GROUPS_MAX];
	uint32_t count, ahead; /* the first `ahead` of them go ahead */
};

/* ---- GPCs that take turns ---------------------------------------------------------------------------------------- */

/* The first round uses one SM per TPC while that is enough, consecutive CTAs inside a GPC. */
static void plan_round(struct plan *plan, const struct machine *m, const struct groups *groups, uint64_t ctas)
{
	uint32_t tpcs = (m->sm_count + m->sm_sms_per_tpc - 1) / m->sm_sms_per_tpc;
	uint32_t step = ctas <= tpcs ? m->sm_sms_per_tpc : 1;
	uint32_t wanted = ctas < m->sm_count ? (uint32_t)ctas : m->sm_count;
	for (uint32_t g = 0, given = 0; g < groups->count; g++) {
		uint32_t first =
		    (groups->group[g].first + step - 1) / step * step; /* no TPC is cut by a GPC's border */
		uint32_t quota = (uint32_t)((uint64_t)wanted * (g + 1) / groups->count) - given;
		for (uint32_t sm = first; sm < groups->group[g].end && quota; sm += step, quota--, given++)
			plan->sm[plan->count++] = sm;
	}
	/* What rounding left over. */
	for (uint32_t sm = 0; sm < m->sm_count && plan->count < wanted; sm++) {
		bool used = false;
		for (uint32_t i = 0; i < plan->count; i++)
			used |= plan->sm[i] == sm;
		if (!used)
			plan->sm[plan->count++] = sm;
	}
}

static void plan_evenly(struct plan *plan, const struct machine *m, const struct groups *groups,
                        uint64_t ctas, uint32_t slots)
{
	plan_round(plan, m, groups, ctas);
	uint32_t round = plan->count;
	for (uint32_t i = round; i < round * slots; i++)
		plan->sm[plan->count++] = plan->sm[i - round];
}

/* ---- groups that go ahead ------------------------------------------------------------------------------------------ */

/*
 * CTAs that the other groups of an H200 have got when those that go ahead take their next, and between that and the one
 * after; they take them between two groups. Their last round is the same as everybody's.
 */
enum { AHEAD_FIRST = 72, AHEAD_EVERY = 93 };

static void add_group(struct plan *plan, const struct sm_group *group)
{
	for (uint32_t sm = group->first; sm < group->end; sm++)
		plan->sm[plan->count++] = sm;
}

static void add_ahead(struct plan *plan, const struct groups *groups)
{
	for (uint32_t g = 0; g < groups->ahead; g++)
		add_group(plan, &groups->group[g]);
}

/* So many CTAs for every SM. */
static void plan_full(struct plan *plan, const struct groups *groups, uint32_t rounds)
{
	uint32_t others = 0, due = 0, ahead = rounds;
	for (uint32_t round = 0; round < rounds; round++)
		for (uint32_t g = groups->ahead; g < groups->count; g++) {
			if (ahead && others >= due) {
				add_ahead(plan, groups);
				ahead--;
				due = due ? due + AHEAD_EVERY : AHEAD_FIRST;
			}
			add_group(plan, &groups->group[g]);
			others += groups->group[g].end - groups->group[g].first;
		}
}

static uint32_t tpcs_of(const struct sm_group *group)
{
	return (group->end - group->first) / 2;
}

/*
 * How many SMs of each group get a CTA, when there are fewer CTAs than SMs: the groups that go ahead first; of the others
 * one SM per turn, beginning with the second half of the groups. One of every TPC before a second of any.
 */
static void share(const struct groups *groups, uint32_t ctas, uint32_t quota[GROUPS_MAX])
{
	for (uint32_t g = 0; g < groups->count; g++)
		quota[g] = 0;
	for (uint32_t pass = 1; pass <= 2; pass++)
		for (uint32_t g = 0; g < groups->ahead; g++)
			for (; ctas && quota[g] < pass * tpcs_of(&groups->group[g]); ctas--)
				quota[g]++;
	uint32_t others = groups->count - groups->ahead;
	for (uint32_t pass = 1; pass <= 2; pass++)
		for (bool more = true; more && ctas;) {
			more = false;
			for (uint32_t i = 0; i < others && ctas; i++) {
				uint32_t g = groups->ahead + (i + others / 2) % others;
				if (quota[g] == pass * tpcs_of(&groups->group[g]))
					continue;
				quota[g]++;
				ctas--;
				more = true;
			}
		}
}

/* The CTAs that are fewer than SMs. */
static void plan_rest(struct plan *plan, const struct groups *groups, uint32_t ctas)
{
	uint32_t quota[GROUPS_MAX];
	share(groups, ctas, quota);
	for (uint32_t g = 0; g < groups->count; g++) {
		uint32_t tpcs = tpcs_of(&groups->group[g]), whole = quota[g] > tpcs ? quota[g] - tpcs : 0;
		for (uint32_t tpc = 0, first = groups->group[g].first; tpc < quota[g] - whole; tpc++) {
			plan->sm[plan->count++] = first + 2 * tpc;
			if (tpc < whole)
				plan->sm[plan->count++] = first + 2 * tpc + 1;
		}
	}
}

uint32_t placement_plan(const struct machine *m, uint64_t ctas, uint32_t slots, uint32_t *sm)
{
	struct plan plan = {.sm = sm};
	struct groups groups = {0};
	groups.count = machine_groups(m, groups.group);
	while (groups.ahead < groups.count && groups.group[groups.ahead].ahead)
		groups.ahead++;
	if (!groups.ahead) {
		plan_evenly(&plan, m, &groups, ctas, slots);
		return plan.count;
	}
	uint64_t rounds = ctas / m->sm_count;
	plan_full(&plan, &groups, (uint32_t)(rounds < slots ? rounds : slots));
	if (rounds < slots)
		plan_rest(&plan, &groups, (uint32_t)(ctas % m->sm_count));
	return plan.count;
}
