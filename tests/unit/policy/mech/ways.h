/* One set of L1 with a replacement policy: what L1 would do, with lines named by numbers. */
#ifndef SLUICE_TESTS_UNIT_POLICY_MECH_WAYS_H
#define SLUICE_TESTS_UNIT_POLICY_MECH_WAYS_H

#include "lib/policy_probe.h"

struct set {
	struct probe h;
	struct frame_view way[8];
	uint32_t ways, number;
	uint64_t clock;
};

static inline void set_empty(struct set *s)
{
	for (uint32_t i = 0; i < s->ways; i++)
		s->way[i] = (struct frame_view){.frame = s->number * s->ways + i};
}

/* Set `number` of a cache of 32 sets with so many ways. */
static inline void set_open(struct set *s, const char *policy, uint32_t ways, uint32_t number)
{
	*s = (struct set){.h = probe_open(policy), .ways = ways, .number = number};
	s->h.env.l1_ways = ways;
	if (s->h.policy->sm_bytes)
		probe_start(&s->h);
	set_empty(s);
}

static inline void set_close(struct set *s)
{
	if (s->h.policy->sm_free)
		s->h.policy->sm_free(s->h.sm);
}

static inline uint32_t set_victim(struct set *s)
{
	struct l1_request request = {.set = s->number};
	return s->h.policy->l1_victim(s->h.sm, &request, s->way, s->ways);
}

static inline void set_tell(struct set *s, void (*hook)(void *, const struct l1_event *), uint32_t way,
                            uint64_t line)
{
	struct l1_event event = {.line = line, .frame = s->way[way].frame};
	if (hook)
		hook(s->h.sm, &event);
}

/* Returns whether it hit. */
static inline bool set_use(struct set *s, uint64_t line)
{
	const struct policy *p = s->h.policy;
	for (uint32_t i = 0; i < s->ways; i++)
		if (s->way[i].valid && s->way[i].line == line) {
			s->way[i].recency = ++s->clock;
			set_tell(s, p->on_l1_hit, i, line);
			return true;
		}
	uint32_t victim = set_victim(s);
	if (victim >= s->ways || victim != set_victim(s)) { /* asked twice, it answers the same */
		printf("# %s changes its mind\n", p->name);
		exit(1);
	}
	if (s->way[victim].valid)
		set_tell(s, p->on_l1_evict, victim, s->way[victim].line);
	s->way[victim] = (struct frame_view){
	    .frame = s->way[victim].frame, .line = line, .recency = ++s->clock, .valid = 1};
	set_tell(s, p->on_l1_miss, victim, line);
	set_tell(s, p->on_l1_fill, victim, line);
	return false;
}

#endif
