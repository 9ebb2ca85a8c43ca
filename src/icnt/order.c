#include "icnt/order.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

static inline bool is_own(const struct packet *p)
{
	return p->op > PACKET_FABRIC_REPLY;
}

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

/* Few packets come in one cycle, and mostly as they should be served. */
static bool is_ordered(const struct packet_box *page)
{
	const struct packet *p = page->item, *end = p + page->count;
	uint64_t before = 0;
	while (p != end && is_own(p))
		p++;
	for (; p != end; p++) {
		uint64_t key = key_of(p, 0);
		if (is_own(p) || key < before)
			return false;
		before = key;
	}
	return true;
}

bool order_page(struct order *order, const struct packet_box *page)
{
	if (is_ordered(page))
		return false;
	if (page->count > order->capacity)
		grow(order, page->count);
	uint32_t own = 0, other = 0, runs = 0;
	uint64_t before = UINT64_MAX;
	for (uint32_t i = 0; i < page->count; i++)
		other += is_own(&page->item[i]);
	for (uint32_t i = 0; i < page->count; i++) {
		const struct packet *p = &page->item[i];
		if (is_own(p)) {
			order->key[own] = order->spare[own] = i;
			own++;
			continue;
		}
		uint64_t key = key_of(p, i);
		if (key < before)
			order->run[runs++] = other;
		order->key[other++] = before = key;
	}
	order->run[runs] = page->count;
	merge_runs(order, runs);
	return true;
}
