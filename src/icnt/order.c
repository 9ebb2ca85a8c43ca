#include "icnt/order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

/* By names that have no history: SM, slice, line; never by the number of an MSHR. */
static inline uint64_t key_of(const struct packet *p, uint32_t index)
{
	enum { SM, OTHER_SLICE, OTHER_REPLY, VALUE_BITS = 62 - ORDER_INDEX_BITS };
	uint64_t kind = SM, value = p->sm;
	if (p->op == PACKET_FABRIC_REPLY) {
		kind = OTHER_REPLY;
		value = p->line & (((uint64_t)1 << VALUE_BITS) - 1);
	} else if (p->flags & PACKET_FABRIC) {
		kind = OTHER_SLICE;
		value = p->from;
	}
	return kind << 62 | value << ORDER_INDEX_BITS | index;
}

static void grow(struct order *order, uint32_t count)
{
	if (count > ORDER_MAX_PACKETS)
		BUG("%u packets in one cycle", count);
	order->capacity = 2 * count;
	order->key = memory_grow(order->key, order->capacity, sizeof *order->key);
	order->spare = memory_grow(order->spare, order->capacity, sizeof *order->spare);
	order->run = memory_grow(order->run, order->capacity + 1, sizeof *order->run);
}

void order_free(struct order *order)
{
	free(order->key);
	free(order->spare);
	free(order->run);
}

static void merge(const uint64_t *a, const uint64_t *a_end, const uint64_t *b, const uint64_t *b_end,
                  uint64_t *out)
{
	while (a < a_end && b < b_end) {
		bool from_a = *a < *b;
		*out++ = from_a ? *a : *b;
		a += from_a;
		b += !from_a;
	}
	while (a < a_end)
		*out++ = *a++;
	while (b < b_end)
		*out++ = *b++;
}

/* SMs are emptied in order, so a page is a few ascending runs, one per quantum that sent something: merge those. */
static void merge_runs(struct order *order, uint32_t runs)
{
	for (; runs > 1; runs = (runs + 1) / 2) {
		for (uint32_t i = 0; i < runs; i += 2) {
			uint32_t last = i + 2 < runs ? i + 2 : runs, middle = i + 1;
			const uint64_t *key = order->key;
			merge(key + order->run[i], key + order->run[middle], key + order->run[middle],
			      key + order->run[last], order->spare + order->run[i]);
			order->run[i / 2] = order->run[i];
		}
		order->run[(runs + 1) / 2] = order->run[runs];
		uint64_t *sorted = order->spare;
		order->spare = order->key;
		order->key = sorted;
	}
}

/* A few packets: each is put in its place among those before it. */
static bool insert_keys(struct order *order, const struct packet_box *page)
{
	uint64_t *key = order->key;
	bool moved = false;
	for (uint32_t i = 0; i < page->count; i++) {
		uint64_t mine = key_of(&page->item[i], i);
		uint32_t at = i;
		for (; at && key[at - 1] > mine; at--) {
			key[at] = key[at - 1];
			moved = true;
		}
		key[at] = mine;
	}
	return moved;
}

bool order_page(struct order *order, const struct packet_box *page)
{
	enum { FEW = 8 };
	if (__builtin_expect(page->count > order->capacity, 0))
		grow(order, page->count);
	if (page->count <= FEW)
		return insert_keys(order, page);
	uint32_t runs = 0;
	uint64_t before = UINT64_MAX;
	for (uint32_t i = 0; i < page->count; i++) {
		uint64_t key = key_of(&page->item[i], i);
		if (key < before)
			order->run[runs++] = i;
		order->key[i] = before = key;
	}
	order->run[runs] = page->count;
	merge_runs(order, runs);
	return runs > 1;
}
