/* A work queue: everything sent is handled once, in order, whichever thread handles it. */
#include "base/work_queue.h"

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

static void send(struct work_queue *queue, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		uint32_t *item = work_queue_reserve(queue);
		*item = i;
		work_queue_push(queue);
	}
}

TEST(items_come_in_order)
{
	struct seen seen = {0};
	struct work_queue *queue = work_queue_new(32, sizeof(uint32_t), look_at, &seen);
	send(queue, 0, 100000);
	work_queue_drain(queue);
	CHECK_EQ(seen.count, 100000u);
	CHECK_EQ(seen.wrong, 0u);
	work_queue_free(queue);
}

TEST(a_slow_handler_holds_the_sender_back)
{
	struct seen seen = {.slow_every = 7};
	struct work_queue *queue = work_queue_new(4, sizeof(uint32_t), look_at, &seen);
	send(queue, 0, 500);
	work_queue_drain(queue);
	CHECK_EQ(seen.count, 500u);
	CHECK_EQ(seen.wrong, 0u);
	work_queue_free(queue);
}

TEST(draining_often_loses_nothing)
{
	struct seen seen = {0};
	struct work_queue *queue = work_queue_new(8, sizeof(uint32_t), look_at, &seen);
	uint32_t sent = 0;
	for (uint32_t burst = 0; burst < 2000; burst++) {
		send(queue, sent, sent + burst % 13);
		sent += burst % 13;
		work_queue_drain(queue);
		CHECK_EQ(seen.count, sent);
	}
	CHECK_EQ(seen.wrong, 0u);
	work_queue_free(queue);
}

TEST(what_was_sent_is_handled_before_the_end)
{
	struct seen seen = {0};
	struct work_queue *queue = work_queue_new(16, sizeof(uint32_t), look_at, &seen);
	send(queue, 0, 3);
	work_queue_free(queue);
	CHECK_EQ(seen.count, 3u);
}

TEST_RUN_ALL(true)
