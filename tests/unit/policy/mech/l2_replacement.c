/* drrip and ship: examples of the RRIP and SHiP papers on one set of L2, and whole launches. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

enum { WAYS = 4, SETS = 64, SLICES = 2 };

/* A set of slice 1, driven as a slice would. */
struct l2_set {
	struct probe h;
	void *gpu;
	struct l2_frame way[WAYS];
	uint32_t set;
};

static void set_start(struct l2_set *s, const char *name, uint32_t set)
{
	*s = (struct l2_set){.h = probe_open(name), .set = set};
	s->h.env.l2_slices = SLICES;
	s->h.env.l2_sets = SETS;
	s->h.env.l2_ways = WAYS;
	if (!strcmp(name, "drrip"))
		probe_set(&s->h, "leaders", 2);
	probe_params(&s->h);
	s->gpu = probe_block(s->h.policy->gpu_bytes(&s->h.env));
	s->h.policy->gpu_init(s->gpu, &s->h.env);
	for (uint32_t i = 0; i < WAYS; i++)
		s->way[i].frame = set * WAYS + i;
}

/* A load of `line` by `pc`; returns whether it hits. */
static bool use(struct l2_set *s, uint64_t line, uint32_t pc)
{
	struct l2_request request = {
	    .slice = 1, .line = line, .pc = pc, .frame = UINT32_MAX, .kind = L2_LOAD};
	for (uint32_t i = 0; i < WAYS; i++)
		if (s->way[i].valid && s->way[i].line == line)
			request.frame = s->way[i].frame;
	request.hit = request.frame != UINT32_MAX;
	s->h.policy->on_l2_access(s->gpu, &request);
	if (request.hit)
		return true;
	uint32_t way = s->h.policy->l2_victim(s->gpu, &request, s->way, WAYS, 0);
	request.frame = s->way[way].frame;
	if (s->way[way].valid && s->h.policy->on_l2_evict) {
		struct l2_request gone = {.slice = 1, .line = s->way[way].line, .frame = request.frame};
		s->h.policy->on_l2_evict(s->gpu, &gone);
	}
	s->way[way].valid = 1;
	s->way[way].line = line;
	s->h.policy->on_l2_fill(s->gpu, &request);
	return false;
}

/* RRIP, figure 3: a1 a2 a2 a1 b1 b2 b3 b4 a1 a2 has four hits with two bits. Set 0 leads for SRRIP. */
TEST(sets_that_lead_for_srrip_keep_a_working_set_through_a_scan)
{
	static const uint64_t pattern[] = {1, 2, 2, 1, 11, 12, 13, 14, 1, 2};
	struct l2_set s;
	set_start(&s, "drrip", 0);
	uint32_t hits = 0;
	for (size_t i = 0; i < 10; i++)
		hits += use(&s, pattern[i], 1);
	CHECK_EQ(hits, 4);
}

/* Section 4.2: of a cyclic pattern larger than the set, SRRIP hits nothing and BRRIP keeps a part. */
static uint32_t hits_of_a_cycle(uint32_t set)
{
	struct l2_set s;
	set_start(&s, "drrip", set);
	uint32_t hits = 0;
	for (uint32_t i = 0; i < 600; i++)
		hits += use(&s, 1 + i % 6, 1);
	return hits;
}

TEST(sets_that_lead_for_brrip_keep_a_part_of_what_thrashes)
{
	CHECK_EQ(hits_of_a_cycle(0), 0);
	CHECK(hits_of_a_cycle(31) > 100);
}

TEST(other_sets_follow_the_leaders_that_miss_less)
{
	struct l2_set leader, follower;
	set_start(&leader, "drrip", 0);
	set_start(&follower, "drrip", 5);
	follower.gpu = leader.gpu;
	for (uint32_t i = 0; i < 600; i++)
		use(&leader, 1 + i % 6, 1); /* SRRIP's leaders miss and miss */
	uint32_t hits = 0;
	for (uint32_t i = 0; i < 600; i++)
		hits += use(&follower, 1 + i % 6, 1);
	CHECK(hits > 100);
}

/* SHiP, section 3: a scan by one instruction does not push out what another uses, once the scan is known. */
TEST(lines_of_an_instruction_whose_lines_are_not_used_go_first)
{
	struct l2_set s;
	set_start(&s, "ship", 3);
	uint32_t hits = 0;
	uint64_t scanned = 1000;
	for (uint32_t round = 0; round < 50; round++) {
		for (uint64_t i = 0; i < 4; i++)
			hits += use(&s, 1 + i % 2, 0x100);
		for (uint32_t i = 0; i < 8; i++)
			use(&s, scanned++, 0x200);
	}
	CHECK(hits >= 190);
}

/* The same under SRRIP: eight scanned lines age those that were used out of the set. */
TEST(without_signatures_a_long_scan_takes_all)
{
	struct l2_set s;
	set_start(&s, "drrip", 0);
	uint32_t hits = 0;
	uint64_t scanned = 1000;
	for (uint32_t round = 0; round < 50; round++) {
		for (uint64_t i = 0; i < 4; i++)
			hits += use(&s, 1 + i % 2, 0x100);
		for (uint32_t i = 0; i < 8; i++)
			use(&s, scanned++, 0x200);
	}
	CHECK_EQ(hits, 100);
}

TEST(any_launch_adds_up)
{
	static const char *const policy[] = {"drrip", "ship", "next-line:l2=yes,ship"};
	static const char *const machine[] = {"gtx480-khairy", "h200"};
	for (size_t m = 0; m < 2; m++)
		for (size_t p = 0; p < 3; p++)
			for (unsigned i = 0; synth_cases[i].name; i++) {
				struct trace *trace = synth_make(synth_cases[i].name, 32);
				struct bench b = bench_open(
				    (struct bench_setup){.machine = machine[m], .policy = policy[p]});
				struct counters got = bench_run(&b, trace, 0, true);
				struct recount recount = bench_recount(trace, 0, b.machine);
				CHECK(bench_adds_up(policy[p], b.machine, got.value, &recount));
				bench_close(&b);
				trace_close(trace);
			}
}

TEST_RUN_ALL(true)
