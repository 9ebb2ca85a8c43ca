#include "mem/fetch.h"

#define FILL_TRAFFIC UINT32_MAX /* id of a DRAM request that no MSHR waits for */

/* Cycles and clocks are far below 2^63: signed numbers convert to double and back in one instruction. */
static uint64_t dram_clock(const struct mem_event *ev, cycle_t cycle)
{
	return (uint64_t)(int64_t)((double)(int64_t)cycle * ev->memory->dram_per_core);
}

static cycle_t core_cycle(const struct mem_event *ev, uint64_t clock)
{
	cycle_t cycle = (cycle_t)(int64_t)((double)(int64_t)clock / ev->memory->dram_per_core);
	return dram_clock(ev, cycle) < clock ? cycle + 1 : cycle;
}

static void schedule_dram(struct mem_event *ev)
{
	uint64_t clock = dram_next(&ev->partition->dram);
	if (clock == UINT64_MAX)
		return;
	cycle_t when = core_cycle(ev, clock);
	if (when < ev->now)
		when = ev->now;
	if (ev->partition->dram_event <= when)
		return;
	ev->partition->dram_event = when;
	calendar_push_event(&ev->worker->calendar, when,
	                    (struct own_event){.op = EVENT_DRAM, .slice = ev->slice->id});
}

/* A request to a bank and row. The caller adds bytes, direction and id. */
static struct dram_request request_for(const struct mem_event *ev, struct bank_row place, cycle_t when)
{
	return (struct dram_request){
	    .arrival = dram_clock(ev, when), .row = place.row, .bank = place.bank, .id = FILL_TRAFFIC};
}

/* Call after a push. Requests behind others do not change the decision that is scheduled. */
static inline void pushed(struct mem_event *ev, bool first)
{
	if (first || ev->partition->dram_event == CYCLE_NEVER)
		schedule_dram(ev);
}

static void push_fill(struct mem_event *ev, const struct slice *slice, uint32_t mshr, uint8_t sectors,
                      cycle_t when)
{
	calendar_push_event(
	    &ev->worker->calendar, when,
	    (struct own_event){.op = EVENT_FILL, .slice = slice->id, .token = mshr, .sectors = sectors});
}

/* Whether the memory-side cache (L3) has the line; it takes the line in otherwise. */
static bool l3_lookup(struct mem_event *ev, uint64_t line)
{
	struct tags *l3 = &ev->partition->l3;
	uint32_t set = tags_set(l3, map_channel_line(&ev->memory->crossbar->map, line));
	uint32_t entry = tags_find(l3, set, line);
	bool hit = entry != TAG_NONE;
	if (hit)
		tags_touch(l3, entry);
	else
		tags_install(l3, tags_victim(l3, set), line);
	mem_count(ev, hit ? COUNT_l3_hits : COUNT_l3_misses, 1);
	return hit;
}

/* Cycles until the bank's refresh ends; 0: it is not being refreshed. Banks are refreshed in turn, periodically. */
static cycle_t refresh_left(const struct mem_event *ev, uint32_t bank, cycle_t when)
{
	cycle_t takes = ev->memory->machine->dram_refresh_cycles, period = ev->memory->refresh_period;
	if (!period)
		return 0;
	cycle_t since = (when + bits_mix((uint64_t)ev->partition->id << 8 | bank)) % period;
	return since < takes ? takes - since : 0;
}

/*
 * Latency beyond the timing parameters, as measured on idle hardware: it depends on the address and on
 * refreshes. A warp that waits for 32 lines waits for the slowest, not for the mean.
 */
static cycle_t jitter(const struct mem_event *ev, uint64_t line, uint32_t bank, cycle_t when)
{
	uint32_t spread = ev->memory->machine->dram_spread_cycles;
	return map_reduce(bits_mix(line + 0x2545f4914f6cdd1du), spread + 1) + refresh_left(ev, bank, when);
}

/* Look the line up in L3, if there is one; return whether it hits. `when` becomes the end of the look-up. */
static bool l3_serves(struct mem_event *ev, uint64_t line, cycle_t *when)
{
	if (__builtin_expect(!ev->partition->l3.entries, 1))
		return false;
	*when += ev->memory->machine->l3_latency_cycles;
	return l3_lookup(ev, line);
}

/* One DRAM request per fetch block; its id holds MSHR, slice and block. */
void fetch_sectors(struct mem_event *ev, uint64_t line, uint32_t mshr, uint8_t sectors, cycle_t when)
{
	const struct machine *m = ev->memory->machine;
	if (l3_serves(ev, line, &when)) {
		push_fill(ev, ev->slice, mshr, fetch_blocks(ev, sectors), when);
		return;
	}
	uint32_t per = ev->memory->sectors_per_fetch;
	struct bank_row place = map_bank_row(&ev->memory->crossbar->map, line);
	struct dram_request request =
	    request_for(ev, place, when + m->dram_extra_cycles + jitter(ev, line, place.bank, when));
	request.bytes = m->l2_fetch_bytes;
	request.id = mshr << 8 | (uint32_t)ev->slice->local << 4;
	uint32_t mask = (1u << per) - 1, blocks = 0;
	for (uint32_t left = sectors, block = 1; left; left >>= per, block <<= 1)
		if (left & mask)
			blocks |= block;
	if (blocks)
		pushed(ev, dram_push_blocks(&ev->partition->dram, &request, blocks));
}

void fetch_traffic(struct mem_event *ev, uint64_t line, uint32_t bytes, bool write, cycle_t when)
{
	struct dram_request request = request_for(ev, map_bank_row(&ev->memory->crossbar->map, line), when);
	request.bytes = bytes;
	request.write = write;
	pushed(ev, dram_push(&ev->partition->dram, &request));
}

void fetch_on_dram(struct mem_event *ev)
{
	struct partition *partition = ev->partition;
	if (partition->dram_event != ev->now)
		return; /* replaced by an earlier decision */
	partition->dram_event = CYCLE_NEVER;
	uint64_t clock = dram_clock(ev, ev->now);
	if (dram_next(&partition->dram) <= clock) {
		struct dram_service s = dram_serve(&partition->dram, clock);
		if (s.request.id != FILL_TRAFFIC) {
			uint32_t per = ev->memory->sectors_per_fetch, block = s.request.id & 15;
			push_fill(ev, &partition->slice[s.request.id >> 4 & 15], s.request.id >> 8,
			          (uint8_t)(((1u << per) - 1) << block * per), core_cycle(ev, s.data_end));
		}
	}
	schedule_dram(ev);
}
