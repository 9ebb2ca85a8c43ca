#include "mem/expect.h"

#include "cache/lookup.h"

static void expect_packet(const struct memory *memory, struct packet *p)
{
	const struct slice *slice = &memory->slice[p->slice];
	if (p->op == PACKET_FABRIC_REPLY) {
		cpu_fetch(&slice->mshrs.entry[p->token]);
		return;
	}
	uint64_t within = map_slice_line(&memory->crossbar->map, p->line, slice->l2_partition);
	p->set = tags_set(&slice->tags, within);
	tags_expect(&slice->tags, p->set);
	if (p->op != PACKET_WRITE)
		mshr_expect(&slice->mshrs, p->line);
}

static void expect_fill(const struct slice *slice, uint32_t mshr)
{
	const struct mshr *entry = &slice->mshrs.entry[mshr];
	tags_expect(&slice->tags, entry->set);
	tags_expect_victim(&slice->tags, entry->set);
	mshr_expect(&slice->mshrs, entry->line);
}

static void expect_events(const struct memory *memory, const struct own_event *first,
                          const struct own_event *end)
{
	for (const struct own_event *e = first; e < end; e++)
		if (e->op == EVENT_FILL)
			cpu_fetch(&memory->slice[e->slice].mshrs.entry[e->token]);
	for (const struct own_event *e = first; e < end; e++)
		if (e->op == EVENT_FILL)
			expect_fill(&memory->slice[e->slice], e->token);
}

void expect_page(const struct memory *memory, struct calendar_page *page)
{
	for (uint32_t i = 0; i < page->packets.count; i++)
		expect_packet(memory, &page->packets.item[i]);
	if (page->events.count > 1)
		expect_events(memory, page->events.item, page->events.item + page->events.count);
}
