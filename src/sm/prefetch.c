#include "sm/prefetch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/l1_internal.h"
#include "sm/warps.h"

enum { LOST_LINES = 4096 }; /* unused lines that are remembered after they left, one per place of a hash */

struct prefetcher {
	struct l1 *l1;
	uint32_t on;               /* what any policy is asked after */
	uint32_t unused;           /* frames with TAG_PREFETCHED */
	uint64_t lost[LOST_LINES]; /* 1 + line; 0: none */
};

struct prefetcher *prefetcher_new(const struct chain *chain, struct l1 *l1)
{
	if (!chain->has_prefetch)
		return NULL;
	struct prefetcher *prefetcher = memory_zeroed(1, sizeof *prefetcher);
	prefetcher->l1 = l1;
	for (uint32_t i = 0; i < chain->count; i++)
		if (chain->has_prefetch >> i & 1)
			prefetcher->on |= chain->link[i].policy.prefetch_on;
	return prefetcher;
}

void prefetcher_free(struct prefetcher *prefetcher)
{
	free(prefetcher);
}

void prefetcher_begin_launch(struct prefetcher *prefetcher)
{
	prefetcher->unused = 0;
	memset(prefetcher->lost, 0, sizeof prefetcher->lost);
}

void prefetcher_end_launch(struct prefetcher *prefetcher)
{
	prefetcher_flush(prefetcher);
}

void prefetcher_flush(struct prefetcher *prefetcher)
{
	count(prefetcher->l1->account, COUNT_l1_prefetch_useless, prefetcher->unused);
	prefetcher->unused = 0;
}

/* ---- what becomes of a prefetch --------------------------------------------------------------------------------- */

static void tell(const struct prefetcher *p, uint64_t line, uint64_t pc, enum prefetch_outcome outcome,
                 cycle_t now)
{
	static const enum counter counter[] = {[PREFETCH_ISSUED] = COUNT_l1_prefetches,
	                                       [PREFETCH_REDUNDANT] = COUNT_l1_prefetch_redundant,
	                                       [PREFETCH_DROPPED] = COUNT_l1_prefetch_dropped,
	                                       [PREFETCH_ACCURATE] = COUNT_l1_prefetch_accurate,
	                                       [PREFETCH_LATE] = COUNT_l1_prefetch_late,
	                                       [PREFETCH_USELESS] = COUNT_l1_prefetch_useless,
	                                       [PREFETCH_EARLY] = COUNT_l1_prefetch_early};
	count(p->l1->account, counter[outcome], 1);
	hooks_on_prefetch(p->l1->hooks, line, pc, outcome, now);
}

static uint64_t *lost_place(struct prefetcher *p, uint64_t line)
{
	return &p->lost[(line * 0x9e3779b97f4a7c15u >> 32) % LOST_LINES];
}

/* The line of a prefetch is gone, unused. */
static void lose(struct prefetcher *p, uint64_t line, cycle_t now)
{
	*lost_place(p, line) = line + 1;
	tell(p, line, 0, PREFETCH_USELESS, now);
}

void prefetcher_lost(struct prefetcher *p, const struct tag *tag)
{
	p->unused--;
	lose(p, tag->line, 0);
}

/* A load uses the line of a frame; return whether a prefetch had brought it and this is the first use. */
static bool use_frame(struct prefetcher *p, uint32_t frame)
{
	struct tag *tag = &p->l1->tags.entries[frame];
	if (!(tag->state & TAG_PREFETCHED))
		return false;
	tag->state &= (uint8_t)~TAG_PREFETCHED;
	p->unused--;
	return true;
}

/* A load joins an MSHR; return whether that was a prefetch's alone. */
static bool use_mshr(struct prefetcher *p, uint32_t mshr)
{
	struct mshr *entry = &p->l1->mshrs.entry[mshr];
	if (!(entry->flags & MSHR_UNUSED))
		return false;
	entry->flags &= (uint8_t)~MSHR_UNUSED;
	return true;
}

/* A load misses: a prefetch may have brought the line too early. */
static void look_for_lost(struct prefetcher *p, uint64_t line, uint64_t pc, cycle_t now)
{
	uint64_t *place = lost_place(p, line);
	if (*place != line + 1)
		return;
	*place = 0;
	p->l1->account->counters.value[COUNT_l1_prefetch_useless]--;
	tell(p, line, pc, PREFETCH_EARLY, now);
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

static struct l1_event event_of(const struct prefetch_cause *cause, uint64_t line)
{
	return (struct l1_event){.cycle = cause->cycle,
	                         .line = line,
	                         .pc = cause->pc,
	                         .sm = cause->sm,
	                         .warp = cause->warp,
	                         .cta = cause->cta,
	                         .frame = TAG_NONE,
	                         .owner = cause->warp,
	                         .prefetch = true};
}

static uint8_t wanted_sectors(const struct l1 *l1, const struct prefetch *prefetch)
{
	uint32_t all = (1u << l1->machine->l1d_line_bytes / l1->machine->l1d_sector_bytes) - 1;
	return (uint8_t)(prefetch->sectors & all ? prefetch->sectors & all : all);
}

/* Whether the resources that loads need, too, may be spent on it. */
static bool may_take(const struct l1 *l1, const struct prefetch *prefetch, cycle_t now)
{
	uint32_t kept = prefetch->priority == PREFETCH_HIGH ? 0 : l1->mshrs.entries / 2;
	return mshr_room(&l1->mshrs, MSHR_NONE, kept) == MSHR_ROOM && !port_waits(l1->port) &&
	       port_has_room(l1->port, now);
}

/* The MSHR of a prefetch; `insn`: the static instruction that caused it. */
static uint32_t take_mshr(struct l1 *l1, const struct prefetch_cause *cause, uint32_t insn,
                          const struct lookup *look, uint64_t line)
{
	uint32_t index = mshr_allocate(&l1->mshrs, line);
	struct mshr *mshr = &l1->mshrs.entry[index];
	mshr->owner = (uint16_t)cause->warp;
	mshr->cta = (uint16_t)cause->cta;
	mshr->since = cause->cycle;
	mshr->insn = insn;
	mshr->set = look->set;
	mshr->flags = MSHR_PREFETCH | MSHR_UNUSED;
	return index;
}

static enum prefetch_outcome into_l1(struct prefetcher *p, const struct prefetch_cause *cause, uint32_t insn,
                                     const struct prefetch *prefetch)
{
	struct l1 *l1 = p->l1;
	if (!l1->on)
		return PREFETCH_DROPPED;
	struct line_request request = {.line = prefetch->line, .sectors = wanted_sectors(l1, prefetch)};
	uint32_t set = l1_set(l1, request.line, cause->warp);
	struct lookup look = lookup_tags(&l1->tags, set, request.line, request.sectors);
	lookup_mshrs(&look, &l1->mshrs, request.line);
	/* Of a line that came in parts, some may be gone; its first prefetch is not settled yet. */
	bool unsettled = look.entry != TAG_NONE && l1->tags.entries[look.entry].state & TAG_PREFETCHED;
	if (!look.fresh || look.mshr != MSHR_NONE || unsettled)
		return PREFETCH_REDUNDANT;
	if (!may_take(l1, prefetch, cause->cycle))
		return PREFETCH_DROPPED;
	bool on_miss = l1->machine->l1d_allocate == ALLOCATE_ON_MISS;
	if (on_miss && look.entry == TAG_NONE) {
		struct l1_event event = event_of(cause, request.line);
		look.entry = l1_allocate(l1, set, &event, cause->cycle);
		if (look.entry == TAG_NONE)
			return PREFETCH_DROPPED;
	}
	look.mshr = take_mshr(l1, cause, insn, &look, request.line);
	struct mshr *mshr = &l1->mshrs.entry[look.mshr];
	if (on_miss) {
		l1->tags.entries[look.entry].state |= TAG_RESERVED;
		mshr->frame = look.entry;
	}
	mshr->pending = lookup_blocks(look.fresh, l1->fetch_sectors) & (uint8_t)~look.valid;
	l1_send(l1, PACKET_READ, &request, mshr->pending, look.mshr, 0, cause->cycle);
	count(l1->account, COUNT_l1_prefetch_sectors, bits_count(mshr->pending));
	return PREFETCH_ISSUED;
}

static void into_l2(const struct prefetcher *p, const struct prefetch_cause *cause,
                    const struct prefetch *prefetch)
{
	struct l1 *l1 = p->l1;
	bool sent = !port_waits(l1->port) && port_has_room(l1->port, cause->cycle);
	count(l1->account, sent ? COUNT_l2_prefetches : COUNT_l1_prefetch_dropped, 1);
	if (!sent)
		return;
	struct line_packet packet = {.line = prefetch->line,
	                             .op = PACKET_READ,
	                             .sectors = wanted_sectors(l1, prefetch),
	                             .flags = PACKET_NO_REPLY,
	                             .pc = (uint32_t)cause->pc,
	                             .warp = (uint16_t)cause->warp,
	                             .cta = (uint8_t)cause->cta,
	                             .kind = L2_PREFETCH};
	port_send_line(l1->port, &packet, cause->cycle);
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

static void ask(struct prefetcher *p, const struct prefetch_cause *cause, uint32_t insn)
{
	const struct hooks *hooks = p->l1->hooks;
	for (uint32_t mask = hooks->has_prefetch; mask; mask &= mask - 1) {
		uint32_t link = (uint32_t)__builtin_ctz(mask);
		if (!(hooks->chain->link[link].policy.prefetch_on & cause->when))
			continue;
		struct prefetch list[PREFETCH_MOST] = {0};
		uint32_t lines = hooks_prefetch(hooks, link, cause, list);
		for (uint32_t i = 0; i < lines; i++) {
			const struct prefetch *prefetch = &list[i];
			if (prefetch->line >= PREFETCH_LINE_END)
				tell(p, prefetch->line, cause->pc, PREFETCH_DROPPED, cause->cycle);
			else if (prefetch->level == PREFETCH_L2)
				into_l2(p, cause, prefetch);
			else
				tell(p, prefetch->line, cause->pc, into_l1(p, cause, insn, prefetch),
				     cause->cycle);
		}
	}
}

/* What is said of any cause: the warp and its CTA. */
static struct prefetch_cause cause_of(const struct prefetcher *p, enum prefetch_when when, uint32_t warp,
                                      uint32_t cta, cycle_t now)
{
	const struct warps *warps = p->l1->warps;
	return (struct prefetch_cause){.cycle = now,
	                               .sm = p->l1->sm,
	                               .warp = warp,
	                               .cta = cta,
	                               .cta_id = warps_cta_id(warps, cta),
	                               .cta_warps = p->l1->launch->kernel->warps_per_cta,
	                               .warp_in_cta = warps->warp[warp].number,
	                               .when = (uint8_t)when,
	                               .free_mshrs = p->l1->mshrs.free_entries};
}

void prefetcher_load(struct prefetcher *p, enum prefetch_when when, const struct mem_insn *mem,
                     const struct line_request *request, uint32_t frame, uint32_t mshr, cycle_t now)
{
	uint64_t pc = p->l1->launch->insn[mem->insn].pc;
	bool came = frame != TAG_NONE && use_frame(p, frame), joined = mshr != MSHR_NONE && use_mshr(p, mshr);
	if (came | joined)
		tell(p, request->line, pc, joined ? PREFETCH_LATE : PREFETCH_ACCURATE, now);
	else if (when == PREFETCH_ON_MISS)
		look_for_lost(p, request->line, pc, now);
	if (!(p->on & when))
		return;
	struct prefetch_cause cause =
	    cause_of(p, when, mem->warp, warps_cta_slot(p->l1->warps, mem->warp), now);
	cause.line = request->line;
	cause.pc = pc;
	cause.index = request->index;
	cause.count = mem->lines;
	cause.sectors = request->sectors;
	cause.first_use = came | joined;
	ask(p, &cause, mem->insn);
}

/* All of a prefetch has come, and no load has joined it: its line waits for its first use. */
static void settle(struct prefetcher *p, const struct mshr *mshr, cycle_t now)
{
	struct tags *tags = &p->l1->tags;
	uint32_t frame = tags_find(tags, mshr->set, mshr->line);
	if (frame == TAG_NONE) {
		lose(p, mshr->line, now);
		return;
	}
	tags->entries[frame].state |= TAG_PREFETCHED;
	p->unused++;
}

void prefetcher_filled(struct prefetcher *p, const struct mshr *mshr, cycle_t now)
{
	if (mshr->flags & MSHR_UNUSED)
		settle(p, mshr, now);
	if (mshr->flags || !(p->on & PREFETCH_ON_FILL))
		return;
	struct prefetch_cause cause = cause_of(p, PREFETCH_ON_FILL, mshr->owner, mshr->cta, now);
	cause.line = mshr->line;
	cause.pc = p->l1->launch->insn[mshr->insn].pc;
	ask(p, &cause, mshr->insn);
}

void prefetcher_warp(struct prefetcher *p, enum prefetch_when when, uint32_t slot, cycle_t now)
{
	if (!(p->on & when))
		return;
	const struct warp *warp = &p->l1->warps->warp[slot];
	struct prefetch_cause cause = cause_of(p, when, slot, warp->cta_slot, now);
	if (when == PREFETCH_ON_ISSUE)
		cause.pc = warp->insn->pc;
	ask(p, &cause, (uint32_t)(warp->insn - p->l1->launch->insn));
}
