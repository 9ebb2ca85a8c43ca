/* The observers of time, of bypasses and of shared memory. */
#include "fixture.h"
#include "policy/look/bypass.h"
#include "policy/look/series.h"
#include "policy/look/shared.h"

/* ---- series ------------------------------------------------------------------------------------------------ */

TEST(a_sample_has_the_sums_and_the_warps_of_its_period)
{
	struct observer o;
	observer_open(&o, &look_series, 1000);
	struct look_series *b = o.sm;
	look_series.on_issue(o.sm, 0, 0, 32, 1);
	look_series.on_issue(o.sm, 0, 0, 32, 2);
	look_series.on_issue(o.sm, 2, 0, 32, 3);
	struct l1_event event = event_of(1, 5, 0);
	look_series.on_l1_evict(o.sm, &event); /* its own line */
	event.owner = 3;
	look_series.on_l1_evict(o.sm, &event);
	event.aux = 1;
	look_series.on_l1_hit(o.sm, &event);
	struct sm_view view = {
	    .cycle = 1000, .warp_insns = 3, .resident_warps = 4, .l1_accesses = 9, .l1_misses = 2};
	look_series.on_epoch(o.sm, &view);
	view = (struct sm_view){.cycle = 2000, .warp_insns = 5, .resident_warps = 4, .l1_accesses = 9};
	look_series.on_epoch(o.sm, &view);
	CHECK_EQ(b->count, 2);
	CHECK_EQ(b->sample[0].issued, 2);
	CHECK_EQ(b->sample[0].interference, 1);
	CHECK_EQ(b->sample[0].aux, 1);
	CHECK_EQ(b->sample[1].issued, 0);
	CHECK_EQ(look_series_at(b, 0).warp_insns, 3);
	CHECK_EQ(look_series_at(b, 1).warp_insns, 5);
	CHECK_EQ(look_series_at(b, 9).warp_insns, 5);
	CHECK_EQ(look_series_at(b, 9).resident, 0);
	observer_close(&o);
}

TEST(what_an_sm_did_last_belongs_to_the_period_of_its_last_warp)
{
	struct observer o;
	observer_open(&o, &look_series, 1000);
	struct look_series *b = o.sm;
	struct sm_view view = {.cycle = 1000, .warp_insns = 10};
	look_series.on_epoch(o.sm, &view);
	look_series.on_warp_exit(o.sm, 0, 1400);
	struct sm_view end = {.cycle = 90000, .warp_insns = 17};
	look_series_close(b, &end);
	CHECK_EQ(look_series_at(b, 0).warp_insns, 10);
	CHECK_EQ(look_series_at(b, 1).warp_insns, 17);
	observer_close(&o);
}

TEST(samples_without_room_are_counted)
{
	struct observer o;
	observer_open(&o, &look_series, 1000);
	o.param[1] = 1;
	policy_fill_params(o.policy, o.param, o.params);
	look_series.sm_init(o.sm, &o.env);
	struct look_series *b = o.sm;
	struct sm_view view = {.cycle = 1000};
	look_series.on_epoch(o.sm, &view);
	look_series.on_epoch(o.sm, &view);
	CHECK_EQ(b->count, 1);
	CHECK_EQ(b->dropped, 1);
	observer_close(&o);
}

/* ---- bypasses ----------------------------------------------------------------------------------------------- */

static void send(struct observer *o, uint64_t line, uint32_t set)
{
	struct l1_request request = {.line = line, .set = set};
	if (look_bypass.l1_feedback(o->sm, &request))
		exit(1); /* an observer has no answer */
}

static void send_miss(struct observer *o, uint64_t line, uint32_t set)
{
	send(o, line, set);
	struct l1_event event = event_of(0, line, 0);
	look_bypass.on_l1_miss(o->sm, &event);
}

TEST(a_request_without_a_miss_went_past_l1)
{
	struct observer o;
	observer_open(&o, &look_bypass, 0);
	struct look_bypass *b = o.sm;
	send_miss(&o, 1, 0);
	send(&o, 2, 0);
	send(&o, 3, 0);
	send_miss(&o, 4, 0);
	struct l1_request store = {.line = 5, .is_store = 1};
	look_bypass.l1_feedback(o.sm, &store);
	look_bypass_close(b);
	CHECK_EQ(b->misses, 2);
	CHECK_EQ(b->bypasses, 2);
	CHECK_EQ(b->regretted, 0);
	observer_close(&o);
}

TEST(a_bypass_is_false_if_the_line_comes_back_while_it_would_be_there)
{
	struct observer o;
	observer_open(&o, &look_bypass, 0);
	struct look_bypass *b = o.sm;
	send(&o, 2, 0);
	send(&o, 4, 0);
	send(&o, 2, 0); /* the shadow still has it: the first bypass was wrong */
	send_miss(&o, 6, 0);
	look_bypass_close(b);
	CHECK_EQ(b->regretted, 1);
	send(&o, 8, 0); /* two ways: 2 and 4 were evicted */
	send(&o, 2, 0);
	look_bypass_close(b);
	CHECK_EQ(b->regretted, 1);
	send_miss(&o, 8, 0); /* a miss finds out, too */
	CHECK_EQ(b->regretted, 2);
	send_miss(&o, 8, 0); /* it no longer bypasses L1 */
	CHECK_EQ(b->regretted, 2);
	observer_close(&o);
}

TEST(a_miss_whose_data_are_not_kept_is_a_bypass)
{
	struct observer o;
	observer_open(&o, &look_bypass, 0);
	struct look_bypass *b = o.sm;
	struct l1_event event = event_of(0, 2, UINT32_MAX);
	for (int i = 0; i < 2; i++) {
		send(&o, 2, 0);
		event.frame = UINT32_MAX;
		look_bypass.on_l1_miss(o.sm, &event);
		look_bypass.on_reply(o.sm, &event);
		event.frame = 1;
		if (i)
			look_bypass.on_l1_fill(o.sm, &event); /* the second time they are */
	}
	look_bypass_close(b);
	CHECK_EQ(b->bypasses, 1);
	CHECK_EQ(b->late, 1);
	CHECK_EQ(b->misses, 1);
	CHECK_EQ(b->regretted, 1);
	observer_close(&o);
}

/* ---- shared memory -------------------------------------------------------------------------------------------- */

static void access_shared(struct observer *o, uint64_t line, bool store, uint64_t cycle)
{
	struct l1_request request = {.line = line, .cycle = cycle, .is_store = store, .space = POLICY_SHARED};
	if (look_shared.smem_route(o->sm, &request) != SMEM_ROUTE_NONE)
		exit(1);
}

TEST(a_live_range_is_from_the_first_write_to_the_last_read)
{
	struct observer o;
	observer_open(&o, &look_shared, 0);
	struct look_shared *b = o.sm;
	look_shared.on_warp_start(o.sm, 0, 0, 0);
	access_shared(&o, 7, true, 100);
	access_shared(&o, 7, true, 110); /* before any read: the same range */
	access_shared(&o, 7, false, 150);
	access_shared(&o, 7, false, 180);
	CHECK_EQ(b->ranges, 0);
	access_shared(&o, 7, true, 300); /* a new one */
	CHECK_EQ(b->ranges, 1);
	CHECK_EQ(b->lifetime, 80);
	CHECK_EQ(b->bin[2], 1);
	look_shared.on_warp_exit(o.sm, 0, 400);
	look_shared_close(b);
	CHECK_EQ(b->ranges, 2);
	CHECK_EQ(b->unread, 1);
	CHECK_EQ(b->longest, 80);
	CHECK_EQ(b->cta_cycles, 400);
	observer_close(&o);
}

TEST(ranges_end_with_their_cta)
{
	struct observer o;
	observer_open(&o, &look_shared, 0);
	struct look_shared *b = o.sm;
	look_shared.on_warp_start(o.sm, 0, 0, 0);
	access_shared(&o, 7, true, 10);
	access_shared(&o, 7, false, 30);
	look_shared.on_warp_exit(o.sm, 0, 50);
	look_shared.on_warp_start(o.sm, 0, 0, 60);
	access_shared(&o, 7, false, 70); /* another CTA's: it has written nothing */
	look_shared_close(b);
	CHECK_EQ(b->ranges, 1);
	CHECK_EQ(b->lifetime, 20);
	CHECK_EQ(b->bin[1], 1);
	observer_close(&o);
}

TEST(residency_is_the_time_in_the_cache)
{
	struct observer o;
	observer_open(&o, &look_shared, 0);
	struct look_shared *b = o.sm;
	look_shared.on_warp_start(o.sm, 0, 0, 0);
	struct l1_event event = event_of(0, 7, 0);
	event.shared = event.aux = event.is_store = 1;
	event.cycle = 10;
	look_shared.on_l1_miss(o.sm, &event); /* a store brings the line */
	event.is_store = 0;
	event.cycle = 60;
	look_shared.on_l1_hit(o.sm, &event);
	event.cycle = 110;
	look_shared.on_l1_evict(o.sm, &event);
	CHECK_EQ(b->stays, 1);
	CHECK_EQ(b->residency, 100);
	look_shared_close(b);
	CHECK_EQ(b->lifetime, 50); /* residency / lifetime is 2: it stayed too long */
	CHECK_EQ(b->evicted_ranges, 1);
	CHECK_EQ(b->evicted_residency, 100);
	CHECK_EQ(b->evicted_lifetime, 50);
	observer_close(&o);
}

TEST_RUN_ALL(true)
