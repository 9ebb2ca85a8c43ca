#include "mem/dram.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"

enum { PLACE_BITS = 24 };
#define PLACE_MASK ((UINT64_C(1) << PLACE_BITS) - 1)

static void free_places(struct dram *dram, uint32_t from)
{
	for (uint32_t i = from; i < dram->capacity; i++)
		dram->place[i] = i;
}

static void grow(struct dram *dram, uint32_t capacity)
{
	uint32_t old = dram->capacity;
	if (capacity > PLACE_MASK)
		BUG("%u requests in a DRAM channel", dram->count);
	dram->capacity = capacity;
	dram->queue = memory_grow(dram->queue, capacity, sizeof *dram->queue);
	dram->request = memory_grow(dram->request, capacity, sizeof *dram->request);
	dram->place = memory_grow(dram->place, capacity, sizeof *dram->place);
	free_places(dram, old);
}

void dram_init(struct dram *dram, const struct machine *machine, struct counters *counters)
{
	memset(dram, 0, sizeof *dram);
	dram->machine = machine;
	dram->counters = counters;
	dram->bank = memory_zeroed(machine->dram_banks, sizeof *dram->bank);
	dram->visible = machine->dram_queue;
	dram->clocks_per_byte = 1 / machine->dram_bus_bytes_per_clock;
	grow(dram, machine->dram_queue);
}

void dram_free(struct dram *dram)
{
	free(dram->bank);
	free(dram->queue);
	free(dram->request);
	free(dram->place);
}

void dram_reset(struct dram *dram)
{
	/* An activate gives a closed bank its other times. */
	for (uint32_t i = 0; dram->any_activate && i < dram->machine->dram_banks; i++)
		dram->bank[i].row = dram->bank[i].can_activate = 0;
	if (dram->count)
		free_places(dram, 0);
	dram->head = dram->count = dram->passed = 0;
	dram->last_write = false;
	dram->last_activate = dram->column_free = dram->bus_free = 0;
	dram->read_after_write = dram->write_after_read = 0;
	dram->any_activate = false;
	dram->owed = 0;
}

/* The largest key of a request that arrives at `clock` or before. */
static inline uint64_t last_key(uint64_t clock)
{
	return clock << PLACE_BITS | PLACE_MASK;
}

static inline uint64_t arrival_of(uint64_t key)
{
	return key >> PLACE_BITS;
}

static inline struct dram_request *request_of(const struct dram *dram, uint64_t key)
{
	return &dram->request[key & PLACE_MASK];
}

/* Count the sorted keys up to `last`: the place of a new key, mostly the end. */
static inline uint32_t keys_up_to(const uint64_t *key, uint32_t count, uint64_t last)
{
	uint32_t first = 0;
	if (!count || key[count - 1] <= last)
		return count;
	while (count > 1) {
		uint32_t half = count / 2;
		first = key[first + half - 1] <= last ? first + half : first;
		count -= half;
	}
	return first + (key[first] <= last);
}

static void make_room(struct dram *dram)
{
	if (dram->head && dram->head >= dram->capacity / 2) {
		memmove(dram->queue, dram->queue + dram->head, dram->count * sizeof *dram->queue);
		dram->head = 0;
	} else {
		grow(dram, 2 * dram->capacity);
	}
}

bool dram_push_blocks(struct dram *dram, const struct dram_request *request, uint32_t blocks)
{
	uint32_t count = bits_count(blocks);
	while (__builtin_expect(dram->head + dram->count + count > dram->capacity, 0))
		make_room(dram);
	uint64_t *queue = dram->queue + dram->head;
	uint32_t first = keys_up_to(queue, dram->count, last_key(request->arrival)), at = first;
	if (at < dram->count)
		memmove(queue + at + count, queue + at, (dram->count - at) * sizeof *queue);
	for (; blocks; blocks &= blocks - 1) {
		uint32_t place = dram->place[dram->count++];
		queue[at++] = request->arrival << PLACE_BITS | place;
		dram->request[place] = *request;
		dram->request[place].id += bits_lowest(blocks);
	}
	return !first;
}

uint64_t dram_next(const struct dram *dram)
{
	if (!dram->count)
		return UINT64_MAX;
	return bits_max(dram->column_free, arrival_of(dram->queue[dram->head]));
}

/* The commands of a request, each at its earliest. */
struct plan {
	uint64_t precharge_at, activate_at, column_at;
	bool precharged, activated;
};

/* Inlined: choose() needs only the column command. */
static inline __attribute__((always_inline)) struct plan plan(const struct dram *dram,
                                                              const struct dram_request *request)
{
	const struct machine *m = dram->machine;
	const struct dram_bank *bank = &dram->bank[request->bank];
	struct plan p = {0};
	uint64_t column = bits_max(request->arrival, dram->column_free);
	column = bits_max(column, request->write ? dram->write_after_read : dram->read_after_write);
	if (bank->row == request->row + 1) {
		column = bits_max(column, bank->can_column);
	} else {
		uint64_t activate = bits_max(request->arrival, bank->can_activate);
		if (bank->row) {
			p.precharged = true;
			p.precharge_at = bits_max(request->arrival, bank->can_precharge);
			activate = bits_max(activate, p.precharge_at + m->dram_tRP);
		}
		if (dram->any_activate)
			activate = bits_max(activate, dram->last_activate + m->dram_tRRD);
		p.activated = true;
		p.activate_at = activate;
		column = bits_max(column, activate + m->dram_tRCD);
	}
	/* Data must not collide with the burst before. */
	uint64_t lead = request->write ? m->dram_tCWL : m->dram_tCL;
	if (column + lead < dram->bus_free)
		column = dram->bus_free - lead;
	p.column_at = column;
	return p;
}

static bool row_hit(const struct dram *dram, const struct dram_request *request)
{
	return dram->bank[request->bank].row == request->row + 1;
}

/*
 * First ready, first come first served: return the place in the queue. Row hits in the bus's present
 * direction are ready at once. Among the others, opening a row may be faster than turning the bus around, so
 * writes gather until the window holds little else.
 */
static uint32_t choose(const struct dram *dram, uint64_t now)
{
	const uint64_t *queue = dram->queue + dram->head;
	uint32_t visible = dram->count < dram->visible ? dram->count : dram->visible;
	uint64_t last = last_key(now);
	if (visible == 1 || queue[1] > last)
		return 0; /* no other has arrived */
	if (dram->passed >= dram->machine->dram_cap)
		return 0;
	for (uint32_t i = 0; i < visible && queue[i] <= last; i++) {
		const struct dram_request *request = request_of(dram, queue[i]);
		if (request->write == dram->last_write && row_hit(dram, request))
			return i;
	}
	/* A lower bound for all others: a row must be opened, or the bus turned around. */
	const struct machine *m = dram->machine;
	uint64_t opened = dram->any_activate ? dram->last_activate + m->dram_tRRD + m->dram_tRCD : 0;
	uint64_t turned = dram->last_write ? dram->read_after_write : dram->write_after_read;
	uint64_t bound = bits_max(dram->column_free, opened < turned ? opened : turned);
	uint32_t best = 0;
	uint64_t soonest = UINT64_MAX;
	for (uint32_t i = 0; i < visible && queue[i] <= last && soonest > bound; i++) {
		uint64_t column = plan(dram, request_of(dram, queue[i])).column_at;
		if (column < soonest) {
			soonest = column;
			best = i;
		}
	}
	return best;
}

/* Bus clocks of a burst, in whole clocks; fractions add up to a clock of a later burst. */
static uint64_t take_bus(struct dram *dram, uint32_t bytes)
{
	dram->owed += bytes * dram->clocks_per_byte;
	int64_t clocks = (int64_t)dram->owed;
	dram->owed = clocks ? dram->owed - (double)clocks : 0;
	return clocks ? (uint64_t)clocks : 1;
}

static void commit(struct dram *dram, struct dram_service *s)
{
	const struct machine *m = dram->machine;
	struct dram_bank *bank = &dram->bank[s->request.bank];
	if (s->activated) {
		bank->row = s->request.row + 1;
		bank->can_column = s->activate_at + m->dram_tRCD;
		bank->can_precharge = s->activate_at + m->dram_tRAS;
		bank->can_activate = s->activate_at + m->dram_tRC;
		dram->last_activate = s->activate_at;
		dram->any_activate = true;
		dram->counters->value[COUNT_dram_activates]++;
	} else {
		dram->counters->value[COUNT_dram_row_hits]++;
	}
	dram->last_write = s->request.write;
	uint64_t burst = take_bus(dram, s->request.bytes);
	uint64_t lead = s->request.write ? m->dram_tCWL : m->dram_tCL;
	s->data_end = s->column_at + lead + burst;
	dram->bus_free = s->data_end;
	dram->column_free = s->column_at + bits_max(m->dram_tCCD, burst);
	if (s->request.write) {
		dram->read_after_write = s->data_end + m->dram_tWTR;
		bank->can_precharge = bits_max(bank->can_precharge, s->data_end + m->dram_tWR);
		dram->counters->value[COUNT_dram_write_bytes] += s->request.bytes;
	} else {
		dram->write_after_read = s->column_at + m->dram_tRTW;
		bank->can_precharge = bits_max(bank->can_precharge, s->column_at + m->dram_tRTP);
		dram->counters->value[COUNT_dram_read_bytes] += s->request.bytes;
	}
	dram->counters->value[COUNT_dram_busy] += burst;
}

struct dram_service dram_serve(struct dram *dram, uint64_t now)
{
	uint64_t *queue = dram->queue + dram->head;
	uint32_t at = choose(dram, now);
	const struct dram_request *request = request_of(dram, queue[at]);
	dram->passed = at ? dram->passed + row_hit(dram, request) : 0;
	struct plan p = plan(dram, request);
	struct dram_service service = {.request = *request,
	                               .precharge_at = p.precharge_at,
	                               .activate_at = p.activate_at,
	                               .column_at = p.column_at,
	                               .precharged = p.precharged,
	                               .activated = p.activated};
	commit(dram, &service);
	dram->place[--dram->count] = (uint32_t)(queue[at] & PLACE_MASK);
	/* Close the gap from the front, which is near. */
	for (; at; at--)
		queue[at] = queue[at - 1];
	dram->head++;
	return service;
}
