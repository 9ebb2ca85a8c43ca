#include "sm/expect.h"

#include "cache/expect.h"

static void expect_load(const struct sm *sm, uint32_t index)
{
	cpu_fetch(loads_get(&sm->loads, index));
}

static void expect_fill(const struct sm *sm, const struct mshr *mshr)
{
	tags_expect(&sm->l1.tags, mshr->set);
	mshr_expect(&sm->l1.mshrs, mshr->line);
	if (mshr->waiters)
		expect_load(sm, mshr->first.who);
}

void sm_expect(const struct sm *sm, cycle_t until)
{
	enum { MOST = 64 };
	const struct mshr *mshr = sm->l1.mshrs.entry;
	uint32_t token[MOST], count = replies_before(&sm->replies, until, token, MOST);
	for (uint32_t i = 0; i < count; i++)
		if (token[i] & TOKEN_LOAD)
			expect_load(sm, token[i] & ~TOKEN_LOAD);
		else
			cpu_fetch(&mshr[token[i]]);
	for (uint32_t i = 0; i < count; i++)
		if (!(token[i] & TOKEN_LOAD))
			expect_fill(sm, &mshr[token[i]]);
}
