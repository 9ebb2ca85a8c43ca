/*
 * Prefetches: a policy names lines after what it asks to hear of; they take the resources of a miss or are dropped, count
 * apart from loads, and what became of each is counted once.
 */
#include "lib/core_fixture.h"
#include "test.h"

#define SMALL UNDIVIDED " l1d.sets=2 l1d.ways=2 l1d.mshr_entries=4 l1d.mshr_merge=2"

/* What the policy answers, and what it has heard. */
static struct prefetch answer[PREFETCH_MOST];
static uint32_t answers;
static struct prefetch_cause heard[64];
static uint32_t heard_count;
static enum prefetch_outcome outcome[64];
static uint32_t outcomes;
static struct l1_event evicted;

static uint32_t say(void *sm, const struct prefetch_cause *cause, struct prefetch *out)
{
	(void)sm;
	heard[heard_count++ % 64] = *cause;
	memcpy(out, answer, sizeof answer);
	return answers;
}

static void hear(void *sm, uint64_t line, uint64_t pc, enum prefetch_outcome what, uint64_t cycle)
{
	(void)sm, (void)line, (void)pc, (void)cycle;
	outcome[outcomes++ % 64] = what;
}

static void see(void *sm, const struct l1_event *event)
{
	(void)sm;
	evicted = *event;
}

static const struct policy prefetches = {.abi = POLICY_ABI,
                                         .name = "prefetches",
                                         .prefetch_on = PREFETCH_ON_MISS,
                                         .frame_history = true,
                                         .prefetch = say,
                                         .on_prefetch = hear,
                                         .on_l1_evict = see};

static struct core *open_for(const struct policy *policy, const char *changes)
{
	heard_count = outcomes = answers = 0;
	return core_open(
	    (struct bench_setup){.machine = "gtx480-khairy", .changes = changes, .extra = policy},
	    core_memory_trace(32, 0));
}

static void will_say(uint64_t line, enum prefetch_priority priority)
{
	answer[0] = (struct prefetch){.line = line, .priority = (uint8_t)priority};
	answers = 1;
}

/* A load of line 6 that misses, after which the policy names another line; both are sent. */
static struct core *after_a_miss(uint64_t line)
{
	struct core *c = open_for(&prefetches, SMALL);
	will_say(line, PREFETCH_HIGH);
	core_load_line(c, 6, 0x1, 10);
	answers = 0;
	return c;
}

static uint64_t settled(const struct core *c)
{
	return core_count(c, COUNT_l1_prefetch_accurate) + core_count(c, COUNT_l1_prefetch_late) +
	       core_count(c, COUNT_l1_prefetch_early) + core_count(c, COUNT_l1_prefetch_useless);
}

TEST(a_prefetch_is_sent_after_the_miss_that_caused_it_and_its_line_hits)
{
	CORE c = after_a_miss(7);
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_packet(c, 1)->line, 7);
	CHECK_EQ(heard[0].line, 6);
	CHECK_EQ(heard[0].when, PREFETCH_ON_MISS);
	core_answer(c, 0, 0x1, 200);
	core_answer(c, 1, 0x1, 201);
	CHECK_EQ(core_load_line(c, 7, 0x1, 300), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_count(c, COUNT_l1_hits), 1);
	CHECK_EQ(core_count(c, COUNT_l1_misses), 1);
	CHECK_EQ(core_count(c, COUNT_l1_accesses), 2);
	CHECK_EQ(core_count(c, COUNT_l1_prefetches), 1);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_accurate), 1);
	core_load_line(c, 7, 0x1, 301); /* once is enough */
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_accurate), 1);
	CHECK_EQ(outcomes, 2);
	CHECK(outcome[0] == PREFETCH_ISSUED && outcome[1] == PREFETCH_ACCURATE);
	CHECK_EQ(c->sm->account.misses, 1); /* its latency is not that of a miss */
}

TEST(a_load_that_joins_a_prefetch_in_flight_is_a_pending_hit_and_the_prefetch_late)
{
	CORE c = after_a_miss(7);
	CHECK_EQ(core_load_line(c, 7, 0x1, 20), L1_FAIL_NONE);
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_count(c, COUNT_l1_pending_hits), 1);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_late), 1);
	core_answer(c, 0, 0x1, 200);
	core_answer(c, 1, 0x1, 201);
	CHECK(loads_idle(&c->sm->loads));
	core_load_line(c, 7, 0x1, 300);
	CHECK_EQ(settled(c), 1);
}

TEST(a_line_evicted_unused_is_useless_until_a_load_misses_it)
{
	CORE c = after_a_miss(7);
	core_answer(c, 0, 0x1, 200);
	core_answer(c, 1, 0x1, 201);
	for (uint64_t i = 0; i < 3; i++) { /* lines of the set of line 7: two ways */
		core_load_line(c, 9 + 2 * i, 0x1, 300 + i);
		core_answer(c, 2 + (uint32_t)i, 0x1, 400 + i);
	}
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_useless), 1);
	core_load_line(c, 7, 0x1, 500);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_useless), 0);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_early), 1);
	CHECK_EQ(settled(c), 1);
	CHECK(outcome[1] == PREFETCH_USELESS && outcome[2] == PREFETCH_EARLY);
}

TEST(what_is_unused_when_the_launch_ends_or_l1_is_emptied_is_useless)
{
	CORE c = after_a_miss(7);
	core_answer(c, 0, 0x1, 200);
	core_answer(c, 1, 0x1, 201);
	sm_end_launch(c->sm, 1000);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_useless), 1);
	CORE d = after_a_miss(7);
	l1_flush(&d->sm->l1); /* in flight: its line is gone when the data come */
	core_answer(d, 1, 0x1, 201);
	CHECK_EQ(core_count(d, COUNT_l1_prefetch_useless), 1);
	CHECK_EQ(d->sm->l1.mshrs.free_entries, 3);
}

TEST(a_line_that_is_there_or_in_flight_is_not_fetched_again)
{
	CORE c = after_a_miss(6);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_redundant), 1);
	core_answer(c, 0, 0x1, 200);
	will_say(6, PREFETCH_HIGH);
	core_load_line(c, 8, 0x1, 300);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_redundant), 2);
	CHECK_EQ(core_count(c, COUNT_l1_prefetches), 0);
}

TEST(a_low_priority_leaves_half_of_the_mshrs_to_loads)
{
	CORE c = open_for(&prefetches, UNDIVIDED " l1d.sets=8 l1d.ways=4 l1d.mshr_entries=4");
	for (uint32_t i = 0; i < 3; i++)
		answer[i] = (struct prefetch){.line = 20 + i, .priority = PREFETCH_LOW};
	answers = 3;
	core_load_line(c, 6, 0x1, 10); /* one MSHR of four; one more may go */
	CHECK_EQ(core_count(c, COUNT_l1_prefetches), 1);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_dropped), 2);
	CHECK_EQ(c->sm->l1.mshrs.free_entries, 2);
	will_say(31, PREFETCH_HIGH);
	core_load_line(c, 8, 0x1, 11);
	CHECK_EQ(c->sm->l1.mshrs.free_entries, 0);
	CHECK_EQ(core_load_line(c, 9, 0x1, 12), L1_FAIL_MSHR_ENTRY);
}

TEST(a_prefetch_into_l2_takes_nothing_of_l1_and_wants_no_reply)
{
	CORE c = open_for(&prefetches, SMALL);
	answer[0] = (struct prefetch){.line = 40, .level = PREFETCH_L2};
	answers = 1;
	core_load_line(c, 6, 0x1, 10);
	CHECK_EQ(core_sent(c), 2);
	CHECK_EQ(core_packet(c, 1)->flags & PACKET_NO_REPLY, PACKET_NO_REPLY);
	CHECK_EQ(c->sm->l1.mshrs.free_entries, 3);
	CHECK_EQ(core_count(c, COUNT_l2_prefetches), 1);
	CHECK_EQ(core_count(c, COUNT_l1_prefetches), 0);
}

TEST(an_address_beyond_all_memory_is_dropped)
{
	CORE c = after_a_miss(PREFETCH_LINE_END);
	CHECK_EQ(core_sent(c), 1);
	CHECK_EQ(core_count(c, COUNT_l1_prefetch_dropped), 1);
}

/* The policy hears of what it asked for, and says nothing. */
TEST(a_policy_is_asked_after_what_it_names)
{
	struct policy all = prefetches;
	all.prefetch_on = PREFETCH_ON_ACCESS | PREFETCH_ON_FILL;
	CORE c = open_for(&all, SMALL);
	core_load_line(c, 6, 0x1, 10);
	core_load_line(c, 6, 0x1, 11);
	core_answer(c, 0, 0x1, 200);
	core_load_line(c, 6, 0x1, 300);
	static const enum prefetch_when want[] = {PREFETCH_ON_MISS, PREFETCH_ON_PENDING, PREFETCH_ON_FILL,
	                                          PREFETCH_ON_HIT};
	CHECK_EQ(heard_count, 4);
	for (uint32_t i = 0; i < 4; i++)
		CHECK(heard[i].when == want[i] && heard[i].line == 6);
}

TEST(an_eviction_says_what_the_line_was)
{
	CORE c = open_for(&prefetches, SMALL);
	core_load_line(c, 6, 0x1, 10);
	core_load_line(c, 6, 0x1, 11); /* in flight: a use */
	core_answer(c, 0, 0x1, 200);
	core_load_line(c, 6, 0x1, 201);
	for (uint64_t i = 0; i < 2; i++) {
		core_load_line(c, 8 + 2 * i, 0x1, 300 + i);
		core_answer(c, 1 + (uint32_t)i, 0x1, 400 + i);
	}
	CHECK_EQ(evicted.line, 6);
	CHECK_EQ(evicted.uses, 2);
	CHECK_EQ(evicted.owner_pc, c->launch->insn[CORE_LOAD].pc);
	CHECK_EQ(evicted.unused, 0);
	CHECK_EQ(evicted.dirty, 0);
}

/* Each of some policies alone, on a GPU with all its parts: the counters of loads add up, and those of prefetches. */
static uint32_t next_two(void *sm, const struct prefetch_cause *cause, struct prefetch *out)
{
	(void)sm;
	out[0] = (struct prefetch){.line = cause->line + 1, .priority = PREFETCH_HIGH};
	out[1] = (struct prefetch){.line = cause->line + 2, .level = PREFETCH_L2};
	return 2;
}

TEST(the_counters_of_any_launch_add_up)
{
	static const char *const machines[] = {"gtx480-khairy", "h200", "v100-osm"};
	struct policy two = {
	    .abi = POLICY_ABI, .name = "two", .prefetch = next_two, .prefetch_on = UINT32_MAX};
	for (size_t m = 0; m < 3; m++)
		for (unsigned i = 0; synth_cases[i].name; i++) {
			struct trace *trace = synth_make(synth_cases[i].name, 32);
			struct bench_setup setup = {.machine = machines[m], .extra = &two};
			struct bench b = bench_open(setup);
			struct counters got = bench_run(&b, trace, 0, true);
			struct recount recount = bench_recount(trace, 0, b.machine);
			const uint64_t *v = got.value;
			CHECK(bench_adds_up(synth_cases[i].name, b.machine, v, &recount));
			CHECK(bench_equal(synth_cases[i].name, machines[m], v[COUNT_l1_prefetches],
			                  v[COUNT_l1_prefetch_accurate] + v[COUNT_l1_prefetch_late] +
			                      v[COUNT_l1_prefetch_early] + v[COUNT_l1_prefetch_useless]));
			bench_close(&b);
			trace_close(trace);
		}
}

TEST_RUN_ALL(true)
