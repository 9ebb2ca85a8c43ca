/*
 * A work queue: items handed to a second thread, which handles them one by one
 * in the order in which they were pushed. When the queue is full, and when it
 * is drained, the producer does not wait idly: it handles items itself.
 */
#ifndef SLUICE_BASE_WORK_QUEUE_H
#define SLUICE_BASE_WORK_QUEUE_H

#include <stddef.h>
#include <stdint.h>

struct work_queue;

/*
 * A queue with room for `items` items of `item_bytes` each. `handle` runs on either thread, but never on both at the
 * same time. The second thread starts when there is enough to do; without one, the producer handles everything.
 */
struct work_queue *work_queue_new(uint32_t items, size_t item_bytes, void (*handle)(void *user, void *item),
                                  void *user);
/*
 * The slot of the next item, waiting for one to be free. The queue owns the storage; the caller fills it and calls
 * work_queue_push(). It is zeroed once, when the queue is made, and afterwards still holds the bytes of the item that
 * used it before, so that buffers it points to can be used again.
 */
void *work_queue_reserve(struct work_queue *queue);
/* Hands over the slot that work_queue_reserve() returned; from now on it belongs to the handler. */
void work_queue_push(struct work_queue *queue);
/* Returns when everything that was pushed has been handled. */
void work_queue_drain(struct work_queue *queue);
/* Drains, then ends the thread. NULL is allowed. */
void work_queue_free(struct work_queue *queue);

#endif
