/* Replies to an SM: each at its cycle, those of one cycle by line, those of one line as they came. */
#include "icnt/replies.h"

#include "lib/synth.h"
#include "test.h"

static struct replies replies;

static void push(cycle_t when, uint64_t line, uint32_t token)
{
	replies_push(&replies, &(struct reply){.when = when, .line = line, .token = token}, 0);
}

TEST(replies_of_one_cycle_come_by_line_and_of_one_line_as_they_came)
{
	replies_init(&replies);
	push(40, 9, 0);
	push(40, 3, 1);
	push(41, 1, 2);
	push(40, 9, 3);
	push(40, 3, 4);
	static const uint32_t want[] = {1, 4, 0, 3};
	uint32_t n = 0;
	CHECK_EQ(replies.next, 40);
	for (uint32_t event = replies_first(&replies); event != WHEEL_NONE; n++) {
		struct reply reply;
		replies_take(&replies, &event, &reply);
		CHECK_EQ(reply.token, want[n]);
	}
	CHECK_EQ(n, 4);
	replies_done(&replies);
	CHECK_EQ(replies.next, 41);
	replies_free(&replies);
}

TEST(the_order_says_nothing_of_the_order_in_which_they_were_handed_over)
{
	uint64_t state = 11;
	for (int round = 0; round < 200; round++) {
		uint64_t line[12];
		uint32_t count = 2 + (uint32_t)(synth_random(&state) % 10), n = 0;
		memset(&replies, 0, sizeof replies);
		replies_init(&replies);
		for (uint32_t i = 0; i < count; i++) { /* lines 0 .. count-1, shuffled */
			uint32_t at = (uint32_t)(synth_random(&state) % (i + 1));
			line[i] = line[at];
			line[at] = i;
		}
		for (uint32_t i = 0; i < count; i++)
			push(1000, line[i], 0);
		for (uint32_t event = replies_first(&replies); event != WHEEL_NONE; n++) {
			struct reply reply;
			replies_take(&replies, &event, &reply);
			CHECK_EQ(reply.line, n);
		}
		CHECK_EQ(n, count);
		replies_free(&replies);
	}
}

TEST(a_late_reply_arrives_now)
{
	memset(&replies, 0, sizeof replies);
	replies_init(&replies);
	replies_push(&replies, &(struct reply){.when = 5, .line = 1}, 30);
	CHECK_EQ(replies.next, 30);
	replies_free(&replies);
}

TEST(room_grows_and_is_used_again)
{
	uint32_t capacity = 0;
	memset(&replies, 0, sizeof replies);
	replies_init(&replies);
	for (cycle_t round = 0; round < 20; round++) {
		uint32_t got = 0;
		for (uint32_t i = 0; i < 100; i++)
			push(round * 10 + 5, i, i);
		for (uint32_t event = replies_first(&replies); event != WHEEL_NONE; got++) {
			struct reply reply;
			replies_take(&replies, &event, &reply);
			CHECK_EQ(reply.token, got);
		}
		replies_done(&replies);
		CHECK_EQ(got, 100);
		CHECK(!round || replies.capacity == capacity);
		capacity = replies.capacity;
	}
	CHECK(replies.next == CYCLE_NEVER);
	replies_free(&replies);
}

TEST(a_look_ahead_names_those_who_come_soon_and_changes_nothing)
{
	uint32_t token[4] = {0};
	memset(&replies, 0, sizeof replies);
	replies_init(&replies);
	push(40, 9, 1);
	push(40, 3, 2);
	push(70, 3, 3);
	push(9000, 1, 4); /* beyond the wheel */
	CHECK_EQ(replies_before(&replies, 40, token, 4), 0);
	CHECK_EQ(replies_before(&replies, 70, token, 4), 2);
	CHECK_EQ(token[0] + token[1], 3);
	CHECK_EQ(replies_before(&replies, 71, token, 4), 3);
	CHECK_EQ(token[2], 3);
	CHECK_EQ(replies_before(&replies, 71, token, 1), 1);
	CHECK_EQ(replies_before(&replies, 10000, token, 4), 3);
	CHECK_EQ(replies.next, 40);
	replies_free(&replies);
}

TEST_RUN_ALL(true)
