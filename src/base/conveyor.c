#include "base/conveyor.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

struct conveyor {
	uint8_t *belt;
	size_t item_bytes;
	uint32_t items;
	void (*handle)(void *user, void *item);
	void *user;
	bool asked_for_thread, has_thread;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t sent_more, handled_more;
	uint64_t sent, handled;
	bool busy;   /* an item is being handled, by either side */
	bool wanted; /* the sender waits for the one that is being handled */
	bool ends;
};

static void *item_at(struct conveyor *c, uint64_t number)
{
	return c->belt + number % c->items * c->item_bytes;
}

/* Waking a thread costs more than an item: it is let sleep until there are several. */
static bool worth_waking(const struct conveyor *c)
{
	return c->sent - c->handled >= (c->items + 3) / 4;
}

/* With the lock held, which is let go meanwhile. */
static void handle_next(struct conveyor *c)
{
	void *item = item_at(c, c->handled);
	c->busy = true;
	pthread_mutex_unlock(&c->lock);
	c->handle(c->user, item);
	pthread_mutex_lock(&c->lock);
	c->busy = false;
	c->handled++;
}

static void *conveyor_main(void *argument)
{
	struct conveyor *c = argument;
	pthread_mutex_lock(&c->lock);
	while (!c->ends) {
		if (!worth_waking(c) || c->busy) {
			pthread_cond_wait(&c->sent_more, &c->lock);
			continue;
		}
		while (c->handled < c->sent && !c->busy) {
			handle_next(c);
			if (c->wanted)
				pthread_cond_signal(&c->handled_more);
		}
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/*
 * When it is first worth it: a few items are handled without a thread, as are
 * all of them where none can be had. Signals are the program's business.
 */
static void start_once(struct conveyor *c)
{
	sigset_t all, before;
	if (c->asked_for_thread)
		return;
	c->asked_for_thread = true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	c->has_thread = !pthread_create(&c->thread, NULL, conveyor_main, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct conveyor *conveyor_new(uint32_t items, size_t item_bytes, void (*handle)(void *user, void *item),
                              void *user)
{
	struct conveyor *c = memory_zeroed(1, sizeof *c);
	c->belt = memory_zeroed(items, item_bytes);
	c->items = items;
	c->item_bytes = item_bytes;
	c->handle = handle;
	c->user = user;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->sent_more, NULL);
	pthread_cond_init(&c->handled_more, NULL);
	return c;
}

/* With the lock held: until at most `left` items are not handled. The sender does not sit idle: it helps. */
static void wait_for(struct conveyor *c, uint64_t left)
{
	while (c->sent - c->handled > left) {
		if (!c->busy) {
			handle_next(c);
			continue;
		}
		c->wanted = true;
		pthread_cond_wait(&c->handled_more, &c->lock);
		c->wanted = false;
	}
}

void *conveyor_place(struct conveyor *c)
{
	pthread_mutex_lock(&c->lock);
	wait_for(c, c->items - 1);
	pthread_mutex_unlock(&c->lock);
	return item_at(c, c->sent);
}

void conveyor_send(struct conveyor *c)
{
	pthread_mutex_lock(&c->lock);
	c->sent++;
	bool wake = worth_waking(c);
	pthread_mutex_unlock(&c->lock);
	if (wake) {
		start_once(c);
		pthread_cond_signal(&c->sent_more);
	}
}

void conveyor_drain(struct conveyor *c)
{
	pthread_mutex_lock(&c->lock);
	wait_for(c, 0);
	pthread_mutex_unlock(&c->lock);
}

void conveyor_free(struct conveyor *c)
{
	if (!c)
		return;
	conveyor_drain(c);
	if (c->has_thread) {
		pthread_mutex_lock(&c->lock);
		c->ends = true;
		pthread_cond_signal(&c->sent_more);
		pthread_mutex_unlock(&c->lock);
		pthread_join(c->thread, NULL);
	}
	pthread_cond_destroy(&c->sent_more);
	pthread_cond_destroy(&c->handled_more);
	pthread_mutex_destroy(&c->lock);
	free(c->belt);
	free(c);
}
