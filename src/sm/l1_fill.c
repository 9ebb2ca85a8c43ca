/* Replies: what fills L1 or the auxiliary cache, and what it brings to loads. */
#include "sm/aux_cache.h"
#include "sm/l1_internal.h"

/* The line that was reserved for this miss is still there: no fence has emptied L1 since. */
static bool keeps_frame(const struct l1 *l1, const struct mshr *mshr)
{
	const struct tag *tag = &l1->tags.entries[mshr->frame];
	return tag_present(&l1->tags, tag) && tag->line == mshr->line;
}

/* A line for data that come to none; TAG_NONE: they are not kept. */
static uint32_t take_line(struct l1 *l1, const struct mshr *mshr, struct l1_event *event, cycle_t now)
{
	if (hooks_l1_alloc(l1->hooks, event) == ANSWER_NO)
		return TAG_NONE;
	uint32_t entry = event->frame = l1_allocate(l1, mshr->set, event, now);
	if (entry == TAG_NONE || !l1->machine->l1d_pending_refreshes)
		return entry;
	/* Those who came meanwhile have used it; more than two uses are as two. */
	for (uint32_t use = 1; use < mshr->waiters && use < 3; use++)
		tags_use(&l1->tags, entry);
	return entry;
}

static void fill_line(struct l1 *l1, const struct mshr *mshr, const struct reply *reply, cycle_t now)
{
	uint32_t entry = mshr->frame;
	if (entry != TAG_NONE && !keeps_frame(l1, mshr))
		return;
	if (entry == TAG_NONE)
		entry = tags_find(&l1->tags, mshr->set, reply->line);
	if (entry == TAG_NONE || hooks_has_on_l1_fill(l1->hooks)) {
		struct l1_event event = l1_fill_event(l1, mshr, reply, entry, now);
		if (entry == TAG_NONE)
			entry = take_line(l1, mshr, &event, now);
		if (entry == TAG_NONE)
			return;
		hooks_on_l1_fill(l1->hooks, &event);
	}
	l1->tags.entries[entry].valid |= reply->sectors;
	count(l1->account, COUNT_l1_fills, 1);
	count(l1->account, COUNT_l1_fill_sectors, bits_count(reply->sectors));
}

/* A fill, for those who wait for it. */
struct delivery {
	struct l1 *l1;
	cycle_t done, now;
	uint32_t replies; /* that count as L1's: none of shared memory */
};

static void deliver(void *user, const struct waiter *waiter, uint64_t line, uint8_t got)
{
	(void)line;
	(void)got;
	const struct delivery *delivery = user;
	if (waiter->sectors)
		return;
	count(delivery->l1->account, COUNT_l1_replies, delivery->replies);
	loads_arrive(delivery->l1->loads, waiter->who, 1, delivery->done, delivery->now);
}

static void tell_reply(struct l1 *l1, const struct reply *reply, cycle_t now)
{
	struct l1_event event = {
	    .cycle = now, .line = reply->line, .sm = l1->sm, .feedback = reply->feedback, .frame = TAG_NONE};
	if (reply->token & TOKEN_LOAD) {
		const struct load *load = loads_get(l1->loads, reply->token & ~TOKEN_LOAD);
		event.warp = event.owner = load->warp;
		event.pc = l1->launch->insn[load->insn].pc;
	} else {
		const struct mshr *mshr = &l1->mshrs.entry[reply->token];
		event.warp = event.owner = mshr->owner;
		event.cta = mshr->cta;
		event.pc = l1->launch->insn[mshr->insn].pc;
		event.aux = mshr->flags & MSHR_AUX;
		event.shared = (mshr->flags & MSHR_SHARED) != 0;
	}
	hooks_on_reply(l1->hooks, &event);
}

void l1_reply(struct l1 *l1, const struct reply *reply, cycle_t now)
{
	const struct machine *m = l1->machine;
	uint32_t sectors = bits_count(reply->sectors);
	fine_t start = fine_of(now) > l1->fill_free ? fine_of(now) : l1->fill_free;
	l1->fill_free = start + l1->fill_link.cost[sectors];
	cycle_t done = cycle_of(start) + m->l1d_hit_cycles -
	               (m->l1d_hit_cycles > m->lsu_issue_cycles ? m->lsu_issue_cycles : 0);
	l1->account->progress++;
	if (hooks_has_on_reply(l1->hooks))
		tell_reply(l1, reply, now);
	if (reply->token & TOKEN_LOAD) {
		loads_arrive(l1->loads, reply->token & ~TOKEN_LOAD, sectors, done, now);
		return;
	}
	struct mshr *mshr = &l1->mshrs.entry[reply->token];
	if (__builtin_expect(mshr->flags, 0))
		aux_fill(l1->aux, mshr, reply, now);
	else
		fill_line(l1, mshr, reply, now);
	struct delivery delivery = {l1, done, now, !(mshr->flags & MSHR_SHARED)};
	mshr_fill(&l1->mshrs, mshr, reply->sectors, deliver, &delivery);
	if (mshr->pending)
		return;
	if (mshr->frame != TAG_NONE && keeps_frame(l1, mshr))
		l1->tags.entries[mshr->frame].state &= (uint8_t)~TAG_RESERVED;
	if (!(mshr->flags & MSHR_SHARED)) {
		l1->account->miss_cycles += now - mshr->since;
		l1->account->misses++;
	}
	mshr_release(&l1->mshrs, reply->token);
}
