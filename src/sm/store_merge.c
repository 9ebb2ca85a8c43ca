/* Stores that wait to leave an SM. */
#include "sm/store_merge.h"

static void leave(struct store_merge *merge, struct store_lines *store)
{
	merge->lines -= store->count;
	store->count = 0;
}

void store_merge_leave(struct store_merge *merge)
{
	for (uint32_t i = 0; merge->lines && i <= SCHED_MAX; i++)
		leave(merge, &merge->store[i]);
}

void store_merge_reset(struct store_merge *merge)
{
	for (uint32_t i = 0; i <= SCHED_MAX; i++)
		merge->store[i].count = 0;
	for (uint8_t i = 0; i < SCHED_MAX; i++)
		merge->last[i] = i;
	merge->newest = SCHED_MAX;
	merge->scheduler = 0;
	merge->warp = UINT32_MAX;
	merge->lines = 0;
	merge->came = merge->until = 0;
	merge->stores = 0;
}

/* A store is looked up from now on: the one before it becomes its scheduler's last. */
static void begin(struct store_merge *merge, const struct mem_insn *mem, cycle_t now)
{
	uint8_t before = merge->newest;
	merge->newest = merge->last[merge->scheduler];
	merge->last[merge->scheduler] = before;
	leave(merge, &merge->store[merge->newest]);
	if (now > merge->until)
		store_merge_leave(merge);
	merge->store[merge->newest].number = ++merge->stores;
	merge->warp = mem->warp;
	merge->scheduler = mem->scheduler;
	merge->began = mem->began;
	merge->came = now;
}

/* Makes room for a line: the oldest store leaves, be it the newest itself. */
static void leave_oldest(struct store_merge *merge)
{
	struct store_lines *oldest = &merge->store[merge->newest];
	for (uint32_t i = 0; i < SCHED_MAX; i++) {
		struct store_lines *store = &merge->store[merge->last[i]];
		if (store->count && store->number < oldest->number)
			oldest = store;
	}
	leave(merge, oldest);
}

/* Takes a line from the store that has it: it waits as the newest store's. */
static uint8_t take(struct store_merge *merge, uint64_t line)
{
	for (uint32_t s = 0; s < SCHED_MAX; s++) {
		struct store_lines *store = &merge->store[merge->last[s]];
		for (uint32_t i = 0; i < store->count; i++) {
			if (store->line[i] != line)
				continue;
			uint8_t sectors = store->sectors[i];
			store->line[i] = store->line[--store->count];
			store->sectors[i] = store->sectors[store->count];
			merge->lines--;
			return sectors;
		}
	}
	return 0;
}

uint8_t store_merge_join(struct store_merge *merge, const struct mem_insn *mem, uint64_t line,
                         uint8_t sectors, cycle_t now)
{
	if (mem->warp != merge->warp || mem->began != merge->began)
		begin(merge, mem, now);
	uint8_t joined = merge->lines ? take(merge, line) : 0;
	if (merge->lines == STORE_MERGE_LINES)
		leave_oldest(merge);
	struct store_lines *own = &merge->store[merge->newest];
	own->line[own->count] = line;
	own->sectors[own->count++] = joined | sectors;
	merge->lines++;
	return joined & sectors;
}
