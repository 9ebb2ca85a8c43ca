/* The calendar: pages by cycle, of packets and of events, each in order of arrival, whatever lay far ahead when it was pushed. */
#include "icnt/calendar.h"

#include "lib/synth.h"
#include "test.h"

static struct calendar calendar;

/* A packet, alone or in a box, and an event of the same name. */
static void push(cycle_t when, uint32_t token)
{
	struct packet packet = {.when = when, .token = token};
	struct packet_box box = {.item = &packet, .count = 1};
	if (token & 1)
		calendar_push_box(&calendar, &box);
	else
		calendar_push(&calendar, &packet);
	calendar_push_event(&calendar, when, (struct own_event){.token = token});
}

/* Tokens carry the cycle: when << 8 | n-th of that cycle. */
static bool read_page(cycle_t when, uint32_t count)
{
	if (calendar_next(&calendar) != when)
		return false;
	const struct calendar_page *page = calendar_open(&calendar, when);
	bool ok = page->packets.count == count && page->events.count == count;
	for (uint32_t i = 0; ok && i < count; i++)
		ok = page->packets.item[i].token == (when << 8 | i) &&
		     page->events.item[i].token == (when << 8 | i);
	calendar_close(&calendar, when);
	return ok;
}

TEST(packets_are_read_by_cycle_and_in_order_of_arrival)
{
	enum { SPAN = 5 * CALENDAR_SLOTS };
	static uint32_t in_cycle[SPAN + 8];
	uint64_t state = 5;
	calendar_reset(&calendar);
	memset(in_cycle, 0, sizeof in_cycle);
	for (cycle_t now = 0; now < SPAN; now++) {
		/* Near ones and far ones, those of one cycle from far away and from nearby. */
		for (uint64_t i = synth_random(&state) % 3; i; i--) {
			uint64_t reach = synth_random(&state) & 1 ? 20 : 3 * CALENDAR_SLOTS;
			cycle_t when = now + synth_random(&state) % reach;
			if (when < SPAN)
				push(when, (uint32_t)(when << 8 | in_cycle[when]++));
		}
		if (in_cycle[now])
			CHECK(read_page(now, in_cycle[now]));
		CHECK(calendar_next(&calendar) > now);
	}
	CHECK(calendar_next(&calendar) == CYCLE_NEVER);
}

/* The far one must not be passed by a later one that finds its cycle near. */
TEST(a_packet_at_the_edge_of_the_span_keeps_its_place)
{
	enum { EDGE = CALENDAR_SLOTS + 10 };
	calendar_reset(&calendar);
	push(EDGE, EDGE << 8);
	push(10, 10 << 8);
	CHECK(read_page(10, 1));
	push(EDGE, EDGE << 8 | 1);
	CHECK(read_page(EDGE, 2));
}

TEST(what_is_pushed_for_the_page_being_read_is_on_it)
{
	calendar_reset(&calendar);
	push(9, 1);
	const struct calendar_page *page = calendar_open(&calendar, 9);
	push(9, 2);
	push(3, 3); /* late: read next */
	CHECK_EQ(page->packets.count, 3);
	CHECK_EQ(page->packets.item[1].token, 2);
	CHECK_EQ(page->packets.item[2].token, 3);
	CHECK_EQ(page->events.count, 3);
	CHECK_EQ(page->events.item[2].token, 3);
	calendar_close(&calendar, 9);
	CHECK(calendar_next(&calendar) == CYCLE_NEVER);
}

TEST(after_a_reset_time_starts_again_at_zero)
{
	calendar_reset(&calendar);
	push(5, 1);
	push(5 * CALENDAR_SLOTS, 2);
	calendar_reset(&calendar);
	CHECK(calendar_next(&calendar) == CYCLE_NEVER);
	push(0, 0);
	CHECK(read_page(0, 1));
	calendar_free(&calendar);
}

TEST_RUN_ALL(true)
