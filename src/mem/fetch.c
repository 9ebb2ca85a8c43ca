/* Behind an L2 slice: the optional L3, the way to the DRAM channel, and its clock. */
#include "mem/slice.h"

static uint64_t dram_clock(const struct context *x, cycle_t cycle)
{
	return (uint64_t)((double)cycle * x->memory->dram_per_core);
}

static cycle_t core_cycle(const struct context *x, uint64_t clock)
{
	cycle_t cycle = (cycle_t)((double)clock / x->memory->dram_per_core);
	return dram_clock(x, cycle) < clock ? cycle + 1 : cycle;
}

static void schedule_dram(struct context *x)
{
	uint64_t clock = dram_next(&x->partition->dram);
	if (clock == UINT64_MAX)
		return;
	cycle_t when = core_cycle(x, clock);
	if (when < x->now)
		when = x->now;
	if (x->partition->dram_event <= when)
		return;
	x->partition->dram_event = when;
	memory_worker_accept(x->worker,
	                     &(struct packet){.when = when, .op = EVENT_DRAM, .slice = x->slice->id});
}

static void dram_request(struct context *x, uint64_t line, uint32_t bytes, bool write, uint32_t id,
                         cycle_t when)
{
	uint64_t row = map_row(&x->memory->map, line);
	struct dram_request request = {.arrival = dram_clock(x, when),
	                               .row = row,
	                               .bank = map_bank(&x->memory->map, row),
	                               .bytes = bytes,
	                               .id = id,
	                               .write = write};
	dram_push(&x->partition->dram, &request);
	schedule_dram(x);
}

static void push_fill(struct context *x, uint64_t line, uint32_t mshr, uint8_t sectors, cycle_t when)
{
	memory_worker_accept(x->worker, &(struct packet){.when = when,
	                                                 .line = line,
	                                                 .op = EVENT_FILL,
	                                                 .slice = x->slice->id,
	                                                 .token = mshr,
	                                                 .sectors = sectors});
}

/* True if the memory-side cache has the line; takes it in otherwise. */
static bool l3_lookup(struct context *x, uint64_t line)
{
	struct tags *l3 = &x->partition->l3;
	uint32_t set = index_of(&l3->index, map_channel_line(&x->memory->map, line));
	uint32_t entry = tags_find(l3, set, line);
	bool hit = entry != TAG_NONE;
	if (hit)
		tags_touch(l3, entry);
	else
		tags_install(l3, tags_victim(l3, set), line);
	++*slice_counter(x, hit ? COUNT_l3_hits : COUNT_l3_misses);
	return hit;
}

/*
 * Latency beyond the timing parameters, as idle hardware shows it: addresses
 * differ, and a few fetches meet something like a refresh. A warp that waits
 * for 32 of them feels the tail, not the mean.
 */
static cycle_t detour(const struct context *x, uint64_t line, cycle_t when)
{
	enum { EPOCH_SHIFT = 8 };
	const struct machine *m = x->memory->machine;
	cycle_t extra = map_reduce(bits_mix(line + 0x2545f4914f6cdd1du), m->dram_spread_cycles + 1);
	uint64_t luck = bits_mix(line * 0x9e3779b97f4a7c15u + (when >> EPOCH_SHIFT));
	if (luck % 1000 < m->dram_tail_per_mille)
		extra += map_reduce(luck, m->dram_tail_cycles + 1);
	return extra;
}

/* A DRAM request per fetch block; in DRAM's id: MSHR, slice and block. */
void fetch_sectors(struct context *x, uint64_t line, uint32_t mshr, uint8_t sectors, cycle_t when)
{
	const struct machine *m = x->memory->machine;
	uint32_t per = x->memory->sectors_per_fetch;
	if (x->partition->l3.entries && l3_lookup(x, line)) {
		push_fill(x, line, mshr, sectors, when + m->l3_latency_cycles);
		return;
	}
	if (x->partition->l3.entries)
		when += m->l3_latency_cycles;
	uint32_t local = x->slice->id - x->partition->id * x->memory->map.slices_per_channel;
	for (uint32_t block = 0; block * per < x->memory->sectors_per_line; block++) {
		uint8_t mask = (uint8_t)(((1u << per) - 1) << block * per);
		if (sectors & mask)
			dram_request(x, line, m->l2_fetch_bytes, false, mshr << 8 | local << 4 | block,
			             when + m->dram_extra_cycles + detour(x, line, when));
	}
}

void fetch_traffic(struct context *x, uint64_t line, uint32_t bytes, bool write, cycle_t when)
{
	dram_request(x, line, bytes, write, FILL_TRAFFIC, when);
}

void fetch_on_dram(struct context *x)
{
	struct partition *partition = x->partition;
	if (partition->dram_event != x->now)
		return; /* an earlier decision took its place */
	partition->dram_event = CYCLE_NEVER;
	uint64_t clock = dram_clock(x, x->now);
	if (dram_next(&partition->dram) <= clock) {
		struct dram_service s = dram_serve(&partition->dram, clock);
		if (s.request.id != FILL_TRAFFIC) {
			uint32_t per = x->memory->sectors_per_fetch, block = s.request.id & 15;
			uint32_t local = s.request.id >> 4 & 15, mshr = s.request.id >> 8;
			struct context y = *x;
			y.slice = &partition->slice[local];
			push_fill(&y, y.slice->mshrs.entry[mshr].line, mshr,
			          (uint8_t)(((1u << per) - 1) << block * per), core_cycle(x, s.data_end));
		}
	}
	schedule_dram(x);
}
