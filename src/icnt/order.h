/*
 * In which order packets that arrive in one cycle are served.
 *
 * The order says nothing of when they were handed over, so that no result
 * depends on the quantum: SMs first, then the other L2 partition. (Before them
 * come the partition's own events, in the order of their causes.)
 */
#ifndef SLUICE_ICNT_ORDER_H
#define SLUICE_ICNT_ORDER_H

#include <stdbool.h>

#include "icnt/packet.h"

enum { ORDER_INDEX_BITS = 20, ORDER_MAX_PACKETS = 1 << ORDER_INDEX_BITS };

struct order {
	uint64_t *key, *spare; /* what decides, and below it the index, of each packet of the page */
	uint32_t *run;
	uint32_t capacity;
};

void order_free(struct order *order);
/* False: they lie in that order already. Otherwise it prepares order_index(), which is good until the next call. */
bool order_page(struct order *order, const struct packet_box *page);
/* The index of the packet to be served as number i. */
static inline uint32_t order_index(const struct order *order, uint32_t i)
{
	return (uint32_t)order->key[i] & (ORDER_MAX_PACKETS - 1);
}

#endif
