/* The timing wheel: events come out by cycle, first in first out within one, near and far ones alike. */
#include "base/wheel.h"

#include "lib/synth.h"
#include "test.h"

enum { EVENTS = 4000 };

static struct wheel wheel;
static uint32_t link[EVENTS];

/* Cycle of each event as it must come out, and the order in which it was pushed; UINT64_MAX: not in the wheel. */
static uint64_t due[EVENTS];
static uint32_t pushed[EVENTS], pushes;

static void push(uint32_t event, cycle_t when)
{
	wheel_push(&wheel, link, when, event);
	due[event] = when;
	pushed[event] = pushes++;
}

static cycle_t soonest(void)
{
	uint64_t soonest = CYCLE_NEVER;
	for (uint32_t e = 0; e < EVENTS; e++)
		soonest = due[e] < soonest ? due[e] : soonest;
	return soonest;
}

/* Takes the events of `when`; false: not those that are due, or not in the order in which they came. */
static bool take_all(cycle_t when)
{
	uint32_t expected = 0, last = 0, first = 1;
	for (uint32_t e = 0; e < EVENTS; e++)
		expected += due[e] == when;
	for (uint32_t e = wheel_take(&wheel, link, when); e != WHEEL_NONE; e = link[e]) {
		if (due[e] != when || (!first && pushed[e] < last))
			return false;
		due[e] = UINT64_MAX;
		last = pushed[e];
		first = 0;
		expected--;
	}
	return !expected;
}

TEST(random_events_come_out_in_time_and_in_order)
{
	uint64_t state = 3, now = 0;
	uint32_t next = 0;
	wheel_init(&wheel);
	memset(due, 0xff, sizeof due);
	while (next < EVENTS) {
		for (uint64_t i = synth_random(&state) % 8; i && next < EVENTS; i--) {
			static const uint64_t reach[] = {1, 4, WHEEL_SLOTS - 1, WHEEL_SLOTS, 5 * WHEEL_SLOTS};
			push(next++, now + synth_random(&state) % (1 + reach[synth_random(&state) % 5]));
		}
		CHECK(wheel_next(&wheel) == soonest());
		if (soonest() == CYCLE_NEVER)
			continue;
		now = soonest();
		CHECK(take_all(now));
		now++;
	}
	while (soonest() != CYCLE_NEVER) {
		CHECK(wheel_next(&wheel) == soonest());
		CHECK(take_all(wheel_next(&wheel)));
	}
	CHECK(wheel_next(&wheel) == CYCLE_NEVER);
	wheel_free(&wheel);
}

TEST(the_last_slot_is_near_and_the_one_behind_it_far)
{
	wheel_init(&wheel);
	memset(due, 0xff, sizeof due);
	push(0, WHEEL_SLOTS - 1);
	CHECK_EQ(wheel.far_count, 0);
	push(1, WHEEL_SLOTS);
	CHECK_EQ(wheel.far_count, 1);
	CHECK(take_all(WHEEL_SLOTS - 1));
	CHECK(take_all(WHEEL_SLOTS));
	wheel_free(&wheel);
}

TEST(a_late_event_is_seen_at_once)
{
	wheel_init(&wheel);
	wheel_reset(&wheel, 100);
	wheel_push(&wheel, link, 7, 0);
	CHECK_EQ(wheel_next(&wheel), 100);
	CHECK_EQ(wheel_take(&wheel, link, 100), 0);
	CHECK(wheel_next(&wheel) == CYCLE_NEVER);
	wheel_free(&wheel);
}

TEST_RUN_ALL(true)
