/* A conveyor: everything sent is handled once, in order, whoever handles it. */
#include "base/conveyor.h"

#include <time.h>

#include "test.h"

struct seen {
	uint32_t count, wrong, slow_every;
};

static void look_at(void *user, void *item)
{
	struct seen *seen = user;
	seen->wrong += *(uint32_t *)item != seen->count;
	seen->count++;
	if (seen->slow_every && seen->count % seen->slow_every == 0)
		nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void send(struct conveyor *c, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		uint32_t *item = conveyor_place(c);
		*item = i;
		conveyor_send(c);
	}
}

TEST(items_come_in_order)
{
	struct seen seen = {0};
	struct conveyor *c = conveyor_new(32, sizeof(uint32_t), look_at, &seen);
	send(c, 0, 100000);
	conveyor_drain(c);
	CHECK_EQ(seen.count, 100000u);
	CHECK_EQ(seen.wrong, 0u);
	conveyor_free(c);
}

TEST(a_slow_handler_holds_the_sender_back)
{
	struct seen seen = {.slow_every = 7};
	struct conveyor *c = conveyor_new(4, sizeof(uint32_t), look_at, &seen);
	send(c, 0, 500);
	conveyor_drain(c);
	CHECK_EQ(seen.count, 500u);
	CHECK_EQ(seen.wrong, 0u);
	conveyor_free(c);
}

TEST(draining_often_loses_nothing)
{
	struct seen seen = {0};
	struct conveyor *c = conveyor_new(8, sizeof(uint32_t), look_at, &seen);
	uint32_t sent = 0;
	for (uint32_t burst = 0; burst < 2000; burst++) {
		send(c, sent, sent + burst % 13);
		sent += burst % 13;
		conveyor_drain(c);
		CHECK_EQ(seen.count, sent);
	}
	CHECK_EQ(seen.wrong, 0u);
	conveyor_free(c);
}

TEST(what_was_sent_is_handled_before_the_end)
{
	struct seen seen = {0};
	struct conveyor *c = conveyor_new(16, sizeof(uint32_t), look_at, &seen);
	send(c, 0, 3);
	conveyor_free(c);
	CHECK_EQ(seen.count, 3u);
}

TEST_MAIN(TEST_ENTRY(items_come_in_order) TEST_ENTRY(a_slow_handler_holds_the_sender_back)
              TEST_ENTRY(draining_often_loses_nothing) TEST_ENTRY(what_was_sent_is_handled_before_the_end))
