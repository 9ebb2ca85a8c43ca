/*
 * Handles of streams, events, arrays, graphs and pools: numbers that only look like pointers,
 * so that a stale or foreign one is an error and not a crash.
 */
#ifndef SLUICE_CUDART_HANDLE_H
#define SLUICE_CUDART_HANDLE_H

#include <stdint.h>

enum handle_kind {
	HANDLE_STREAM = 1,
	HANDLE_EVENT,
	HANDLE_ARRAY,
	HANDLE_GRAPH,
	HANDLE_GRAPH_NODE,
	HANDLE_GRAPH_EXEC,
	HANDLE_USER_OBJECT,
	HANDLE_POOL,
	HANDLE_CONTEXT,
	HANDLE_LINK,
	HANDLE_PHYSICAL
};

struct handle_table {
	struct handle_slot *slots;
	uint32_t count, capacity;
	uint32_t free; /* first free slot plus 1; 0: none */
};

void *handle_new(struct handle_table *table, enum handle_kind kind, void *object);
/* The object, NULL: no such handle. */
void *handle_get(const struct handle_table *table, enum handle_kind kind, const void *handle);
/* The same, and the handle is void from now on. */
void *handle_remove(struct handle_table *table, enum handle_kind kind, const void *handle);
/*
 * A walk over the handles of one kind: `*at` is 0 at first, and is how far it has come. NULL: the end. Any handle may be
 * removed meanwhile; one that is made meanwhile may or may not be met.
 */
void *handle_next(const struct handle_table *table, enum handle_kind kind, uint32_t *at);
/* Frees all objects with free() but contexts, which outlive a reset: threads have them on their stacks. */
void handle_clear(struct handle_table *table);

#endif
