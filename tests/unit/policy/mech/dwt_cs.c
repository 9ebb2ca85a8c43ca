/* DWT-CS and DWT-PRIC: the schedules of the thesis, period by period. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

enum { SMS = 15, PERIOD = 10000 };

/* A GPU of 15 SMs as the policy sees it after an exchange. */
struct fixture {
	struct probe h;
	void *gpu, *sm[SMS];
	struct sm_view view[SMS];
};

static void begin(struct fixture *r, const char *kernel)
{
	memset(r->view, 0, sizeof r->view);
	r->h.policy->on_kernel_begin(r->gpu, kernel, 100);
	for (uint32_t i = 0; i < SMS; i++)
		r->h.policy->sm_init(r->sm[i], &r->h.env);
}

static void start(struct fixture *r, const char *policy)
{
	r->h = probe_open(policy);
	probe_params(&r->h);
	r->gpu = probe_block(r->h.policy->gpu_bytes(&r->h.env));
	r->h.policy->gpu_init(r->gpu, &r->h.env);
	for (uint32_t i = 0; i < SMS; i++)
		r->sm[i] = probe_block(r->h.policy->sm_bytes(&r->h.env));
	begin(r, "kernel");
}

/* One period in which SM i commits insns(i) thread instructions, and all miss at this rate. */
static void period(struct fixture *r, uint64_t mpki, uint64_t (*insns)(uint32_t sm))
{
	for (uint32_t i = 0; i < SMS; i++) {
		r->view[i].cycle += PERIOD;
		r->view[i].thread_insns += insns(i);
		r->view[i].l1_misses += insns(i) * mpki / 1000;
		r->view[i].resident_warps = 48;
	}
	r->h.policy->on_gpu_epoch(r->gpu, r->sm, r->view, SMS);
}

static void periods(struct fixture *r, uint32_t count, uint64_t mpki, uint64_t (*insns)(uint32_t sm))
{
	for (uint32_t i = 0; i < count; i++)
		period(r, mpki, insns);
}

/* Warps that may issue on a scheduler of this SM, of 24. */
static uint32_t allowed(struct fixture *r, uint32_t sm)
{
	struct probe_view v;
	probe_view_full(&v, 0);
	struct throttle gate = r->h.policy->throttle(r->sm[sm], &v.view);
	uint64_t warps = gate.issue & gate.load & v.view.resident;
	/* The oldest, that is here the lowest. */
	return warps & (warps + 1) ? UINT32_MAX : (uint32_t)__builtin_popcountll(warps);
}

static bool all_allow(struct fixture *r, uint32_t warps)
{
	for (uint32_t i = 0; i < SMS; i++)
		if (allowed(r, i) != warps)
			return false;
	return true;
}

static uint64_t stat(struct fixture *r, uint32_t which)
{
	uint64_t sum[3] = {0};
	r->h.policy->gpu_stats(r->gpu, sum);
	return sum[which];
}

static uint64_t even(uint32_t sm)
{
	(void)sm;
	return 100000;
}
/* The seventh SM commits most, as for BFS. */
static uint64_t peak_at_7(uint32_t sm)
{
	return 100000 - 1000 * (sm > 6 ? sm - 6 : 6 - sm);
}
static uint64_t peak_at_2(uint32_t sm)
{
	return 100000 - 1000 * (sm > 1 ? sm - 1 : 1 - sm);
}
static uint64_t two_peaks(uint32_t sm)
{
	return sm == 3 || sm == 9 ? 100000 : 90000;
}
static uint64_t rising(uint32_t sm)
{
	return 100000 + 1000 * sm;
}
/* In the second round SM 3 tries 19 warps and beats what 15 did. */
static uint64_t peak_at_19(uint32_t sm)
{
	return 200000 - 1000 * (sm > 3 ? sm - 3 : 3 - sm);
}
static uint64_t worse(uint32_t sm)
{
	return 1000 + sm;
}

static struct fixture r;

TEST(three_thrashing_periods_three_of_sampling_then_the_winner_everywhere)
{
	start(&r, "dwt-cs");
	for (int i = 0; i < 3; i++) {
		CHECK(all_allow(&r, 24));
		period(&r, 40, even);
	}
	for (int i = 0; i < 3; i++) {
		for (uint32_t sm = 0; sm < SMS; sm++)
			CHECK_EQ(allowed(&r, sm), sm + 1);
		period(&r, 40, peak_at_7);
	}
	CHECK_EQ(r.view[0].cycle, 60000);
	for (int i = 0; i < 5; i++) {
		CHECK(all_allow(&r, 7));
		period(&r, 40, even);
	}
	CHECK_EQ(stat(&r, 1), 1);
	CHECK_EQ(stat(&r, 2), 7);
}

TEST(the_periods_must_thrash_in_a_row)
{
	start(&r, "dwt-cs");
	static const uint64_t mpki[] = {40, 40, 10, 11, 11, 10, 40, 40, 40};
	for (size_t i = 0; i < sizeof mpki / sizeof *mpki; i++) {
		CHECK(all_allow(&r, 24));
		period(&r, mpki[i], even); /* 10 is not above 10 */
	}
	CHECK_EQ(allowed(&r, 4), 5);
}

TEST(the_misses_of_all_sms_count_together)
{
	start(&r, "dwt-cs");
	for (int i = 0; i < 3; i++) { /* one SM thrashes at 120, all together at 8 */
		r.view[0].l1_misses += 12000;
		period(&r, 0, even);
	}
	CHECK(all_allow(&r, 24));
}

TEST(of_equal_numbers_the_smaller_wins)
{
	start(&r, "dwt-cs");
	periods(&r, 3, 40, even);
	periods(&r, 3, 40, two_peaks);
	CHECK(all_allow(&r, 4));
}

TEST(if_the_last_core_wins_16_to_24_are_tried_too)
{
	start(&r, "dwt-cs");
	periods(&r, 3, 40, even);
	periods(&r, 3, 40, rising);
	for (uint32_t sm = 0; sm < SMS; sm++)
		CHECK_EQ(allowed(&r, sm), sm < 9 ? 16 + sm : 24);
	periods(&r, 3, 40, peak_at_19);
	CHECK(all_allow(&r, 19));
	CHECK_EQ(stat(&r, 1), 2);
	start(&r, "dwt-cs");
	periods(&r, 3, 40, even);
	periods(&r, 3, 40, rising);
	periods(&r, 3, 40, worse);
	CHECK(all_allow(&r, 15)); /* the best of both rounds */
}

TEST(a_kernel_that_comes_again_is_not_sampled_again)
{
	start(&r, "dwt-cs");
	periods(&r, 6, 40, peak_at_7);
	r.h.policy->on_kernel_end(r.gpu, 60000);
	begin(&r, "kernel");
	CHECK(all_allow(&r, 24));
	periods(&r, 3, 40, even);
	CHECK(all_allow(&r, 7));
	CHECK_EQ(stat(&r, 1), 0);
	r.h.policy->on_kernel_end(r.gpu, 30000);
	begin(&r, "another");
	periods(&r, 3, 40, even);
	CHECK_EQ(allowed(&r, 2), 3);
}

TEST(short_launches_of_a_kernel_add_up)
{
	start(&r, "dwt-cs");
	for (int launch = 0; launch < 3; launch++) {
		period(&r, 40, even);
		if (launch == 2)
			break;
		r.h.policy->on_kernel_end(r.gpu, PERIOD);
		begin(&r, "kernel");
	}
	CHECK_EQ(allowed(&r, 2), 3);
}

TEST(an_sm_without_work_does_not_count_and_one_that_ends_early_counts_by_the_cycle)
{
	start(&r, "dwt-cs");
	periods(&r, 3, 40, even);
	for (int i = 0; i < 3; i++) {
		for (uint32_t sm = 0; sm < SMS; sm++) {
			r.view[sm].cycle += PERIOD;
			bool works =
			    sm == 11 ? i == 0 : sm != 4; /* SM 11 works one period, at the best rate */
			r.view[sm].resident_warps = works ? 48 : 0;
			r.view[sm].thread_insns += works ? sm == 11 ? 120000 : 100000 : 0;
		}
		r.h.policy->on_gpu_epoch(r.gpu, r.sm, r.view, SMS);
	}
	CHECK(all_allow(&r, 12));
}

TEST(storage_is_two_counters_and_a_limit_of_5_bits_per_scheduler)
{
	struct probe h = probe_open("dwt-cs");
	probe_params(&h);
	CHECK_EQ(h.policy->sm_bits(&h.env), 2 * 32 + 2 * 5);
	CHECK_EQ(h.policy->gpu_bits(&h.env), 16 * (32 + 5));
}

/* ---- DWT-PRIC ---------------------------------------------------------------------------------------------- */

/* Where those behind it may bypass: 1 for L1, 2 for L2, 3 for both. */
static int may_bypass(void)
{
	struct l1_request l1 = {0};
	struct l2_request l2 = {0};
	bool at_l1 = r.h.policy->l1_route(r.sm[3], &l1, L1_FAIL_NONE) == L1_ROUTE_NONE;
	bool at_l2 = r.h.policy->l2_route(r.gpu, &l2) == L2_ROUTE_NONE;
	return at_l1 + 2 * at_l2;
}

TEST(dbsa_has_to_wait_until_the_sampling_is_over)
{
	static const uint64_t mpki[] = {40, 42, 38};
	start(&r, "dwt-cs-hold");
	for (int i = 0; i < 6; i++) {
		CHECK_EQ(may_bypass(), 0);
		period(&r, mpki[i % 3], i < 3 ? even : two_peaks);
	}
	CHECK_EQ(may_bypass(), 3);
	CHECK(all_allow(&r, 4));
}

/* A period of 100 loads of SM 3, so many of them misses, as the chain dwt-cs-hold,dbsa-l1 routes them; was L1 on? */
static bool l1_was_on(struct probe *dbsa, uint32_t misses)
{
	static uint64_t line;
	enum l1_route route = L1_ROUTE_NONE;
	for (uint32_t i = 0; i < 100; i++) {
		struct l1_request load = {.line = 1, .presence = L1_WHOLE};
		if (i < misses) {
			line++;
			load = (struct l1_request){.line = 100 + line, .set = (uint32_t)(1 + line % 31)};
		}
		route = r.h.policy->l1_route(r.sm[3], &load, L1_FAIL_NONE);
		if (route == L1_ROUTE_NONE)
			route = dbsa->policy->l1_route(dbsa->sm, &load, L1_FAIL_NONE);
	}
	dbsa->policy->on_epoch(dbsa->sm, r.view);
	return route != L1_ROUTE_FORCE_BYPASS;
}

/* The example of figure 5.14: MPKI of 40, 42 and 38, sampling in periods 4 to 6, and a miss rate of 0.30 in period 7. */
TEST(a_thrashing_kernel_keeps_its_l1_and_gets_a_limit)
{
	static const uint64_t mpki[] = {40, 42, 38};
	struct probe dbsa = probe_begin("dbsa-l1");
	start(&r, "dwt-cs-hold");
	for (int i = 0; i < 6; i++) { /* nearly every load misses, as in a stream */
		CHECK(l1_was_on(&dbsa, 99));
		period(&r, mpki[i % 3], i < 3 ? even : peak_at_2);
	}
	CHECK_EQ(r.view[0].cycle, 60000);
	CHECK(all_allow(&r, 2));
	CHECK(l1_was_on(&dbsa, 30));
	period(&r, 5, even);
	CHECK(l1_was_on(&dbsa, 30));
}

/* Its other half: MPKI of 5, no sampling; a miss rate of 0.99 in period 4 switches L1 off in period 5. */
TEST(a_streaming_kernel_loses_its_l1_in_period_5)
{
	struct probe dbsa = probe_begin("dbsa-l1");
	start(&r, "dwt-cs-hold");
	for (int i = 0; i < 4; i++) {
		CHECK(l1_was_on(&dbsa, 99));
		period(&r, 5, even);
	}
	CHECK(!l1_was_on(&dbsa, 99));
	CHECK(all_allow(&r, 24));
}

TEST(a_streaming_kernel_is_left_to_dbsa_after_the_first_periods)
{
	start(&r, "dwt-cs-hold");
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(may_bypass(), 0);
		period(&r, 5, even);
	}
	for (int i = 0; i < 6; i++) {
		CHECK_EQ(may_bypass(), 3);
		CHECK(all_allow(&r, 24));
		period(&r, 5, even);
	}
}

/* SYRK: its first two periods have few misses. */
TEST(a_kernel_that_begins_to_thrash_after_a_while_is_sampled_before_dbsa_sees_it)
{
	static const uint64_t mpki[] = {1, 9, 40, 40, 40};
	start(&r, "dwt-cs-hold");
	for (int i = 0; i < 5; i++) {
		CHECK_EQ(may_bypass(), 0);
		CHECK(all_allow(&r, 24));
		period(&r, mpki[i], even);
	}
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(may_bypass(), 0);
		CHECK_EQ(allowed(&r, 4), 5);
		period(&r, 40, two_peaks);
	}
	CHECK_EQ(may_bypass(), 3);
	CHECK(all_allow(&r, 4));
}

TEST(dbsa_waits_while_a_streaming_kernel_begins_to_thrash)
{
	start(&r, "dwt-cs-hold");
	periods(&r, 5, 5, even);
	CHECK_EQ(may_bypass(), 3);
	period(&r, 40, even);
	CHECK_EQ(may_bypass(), 0);
	period(&r, 5, even); /* it does not after all */
	CHECK_EQ(may_bypass(), 3);
}

TEST(by_the_letter_of_section_5_4_only_the_first_periods_count)
{
	start(&r, "dwt-cs-hold");
	probe_set(&r.h, "first", 1);
	r.h.policy->gpu_init(r.gpu, &r.h.env);
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(may_bypass(), 0);
		period(&r, i ? 40 : 5, even);
	}
	for (int i = 0; i < 6; i++) { /* what thrashes later is DBSA's */
		CHECK_EQ(may_bypass(), 3);
		CHECK(all_allow(&r, 24));
		period(&r, 40, even);
	}
}

TEST(dwt_pric_is_pric_then_sampling_then_dbsa)
{
	struct bench b = bench_open((struct bench_setup){.machine = "gtx480-khairy", .policy = "dwt-pric"});
	static const char *const parts[] = {"pric", "dwt-cs-hold", "dbsa-l1", "dbsa-l2"};
	for (uint32_t i = 0; i < 4; i++)
		CHECK(!strcmp(b.chain->link[i].policy.name, parts[i]));
	bench_close(&b);
}

/* SYRK in small: rows 32 lines apart, and more warps than L1 can serve even if they spread over all sets. */
TEST(pric_and_dwt_cs_together_beat_each_alone)
{
	struct trace *trace = synth_row_walk(30, 8, 32, 4096, 160);
	uint64_t cycles[4];
	static const char *const policies[4] = {"gto", "pric", "dwt-cs:period=500", "pric,dwt-cs:period=500"};
	for (int i = 0; i < 4; i++)
		cycles[i] =
		    bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = policies[i]}, trace)
		        .value[COUNT_cycles];
	CHECK(4 * cycles[3] < cycles[0]);
	CHECK(cycles[3] < cycles[1]);
	CHECK(cycles[3] < cycles[2]);
	trace_close(trace);
}

TEST_RUN_ALL(true)
