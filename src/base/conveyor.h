/*
 * A conveyor: items handed to one other thread, which handles them in the
 * order in which they came. When the belt is full, or at the end, the sender
 * handles some of them itself.
 */
#ifndef SLUICE_BASE_CONVEYOR_H
#define SLUICE_BASE_CONVEYOR_H

#include <stddef.h>
#include <stdint.h>

struct conveyor;

/* A belt of `items` items; `handle` runs on either thread, never on both at once. */
struct conveyor *conveyor_new(uint32_t items, size_t item_bytes, void (*handle)(void *user, void *item),
                              void *user);
/* Room for the next item; it holds what an earlier one left there. */
void *conveyor_place(struct conveyor *conveyor);
/* Sends what was put there. */
void conveyor_send(struct conveyor *conveyor);
/* Returns when all that was sent is handled. */
void conveyor_drain(struct conveyor *conveyor);
/* Drains first. */
void conveyor_free(struct conveyor *conveyor);

#endif
