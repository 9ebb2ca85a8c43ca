#include "base/work_queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

struct work_queue {
	uint8_t *ring;
	size_t item_bytes;
	uint32_t items;
	void (*handle)(void *user, void *item);
	void *user;
	bool thread_tried, has_thread;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t pushed_more, handled_more;
	uint64_t pushed, handled;
	bool busy;   /* an item is being handled, by either thread */
	bool wanted; /* the producer waits for the one that is being handled */
	bool ends;
};

static void *item_at(struct work_queue *q, uint64_t number)
{
	return q->ring + number % q->items * q->item_bytes;
}

/* Waking a thread costs more than handling an item: let it sleep until there are several. */
static bool worth_waking(const struct work_queue *q)
{
	return q->pushed - q->handled >= (q->items + 3) / 4;
}

/* With the lock held; it is released while the handler runs. */
static void handle_next(struct work_queue *q)
{
	void *item = item_at(q, q->handled);
	q->busy = true;
	pthread_mutex_unlock(&q->lock);
	q->handle(q->user, item);
	pthread_mutex_lock(&q->lock);
	q->busy = false;
	q->handled++;
}

static void *work_queue_main(void *argument)
{
	struct work_queue *q = argument;
	pthread_mutex_lock(&q->lock);
	while (!q->ends) {
		if (!worth_waking(q) || q->busy) {
			pthread_cond_wait(&q->pushed_more, &q->lock);
			continue;
		}
		while (q->handled < q->pushed && !q->busy) {
			handle_next(q);
			if (q->wanted)
				pthread_cond_signal(&q->handled_more);
		}
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

/*
 * The thread starts when it first pays: a few items are handled without it, and
 * all of them where no thread can be created. It blocks all signals, which
 * belong to the program.
 */
static void start_once(struct work_queue *q)
{
	sigset_t all, before;
	if (q->thread_tried)
		return;
	q->thread_tried = true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	q->has_thread = !pthread_create(&q->thread, NULL, work_queue_main, q);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct work_queue *work_queue_new(uint32_t items, size_t item_bytes, void (*handle)(void *user, void *item),
                                  void *user)
{
	struct work_queue *q = memory_zeroed(1, sizeof *q);
	q->ring = memory_zeroed(items, item_bytes);
	q->items = items;
	q->item_bytes = item_bytes;
	q->handle = handle;
	q->user = user;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->pushed_more, NULL);
	pthread_cond_init(&q->handled_more, NULL);
	return q;
}

/* With the lock held: until at most `left` items are not handled. The producer helps instead of sitting idle. */
static void wait_for(struct work_queue *q, uint64_t left)
{
	while (q->pushed - q->handled > left) {
		if (!q->busy) {
			handle_next(q);
			continue;
		}
		q->wanted = true;
		pthread_cond_wait(&q->handled_more, &q->lock);
		q->wanted = false;
	}
}

void *work_queue_reserve(struct work_queue *q)
{
	pthread_mutex_lock(&q->lock);
	wait_for(q, q->items - 1);
	pthread_mutex_unlock(&q->lock);
	return item_at(q, q->pushed);
}

void work_queue_push(struct work_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->pushed++;
	bool wake = worth_waking(q);
	pthread_mutex_unlock(&q->lock);
	if (wake) {
		start_once(q);
		pthread_cond_signal(&q->pushed_more);
	}
}

void work_queue_drain(struct work_queue *q)
{
	pthread_mutex_lock(&q->lock);
	wait_for(q, 0);
	pthread_mutex_unlock(&q->lock);
}

void work_queue_free(struct work_queue *q)
{
	if (!q)
		return;
	work_queue_drain(q);
	if (q->has_thread) {
		pthread_mutex_lock(&q->lock);
		q->ends = true;
		pthread_cond_signal(&q->pushed_more);
		pthread_mutex_unlock(&q->lock);
		pthread_join(q->thread, NULL);
	}
	pthread_cond_destroy(&q->pushed_more);
	pthread_cond_destroy(&q->handled_more);
	pthread_mutex_destroy(&q->lock);
	free(q->ring);
	free(q);
}
