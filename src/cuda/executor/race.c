/*
 * The race check: for each word of a CTA's shared memory the last store and
 * the last loads since the last barrier.
 *
 * Lanes of one warp are ordered by warp-level synchronization; lanes that run
 * one instruction together only race by storing to one place. Of the loads two
 * are kept (of different threads) and of the stores one, so a race may be missed
 * behind others, but none is invented. Atomics do not race with atomics, nor volatile accesses
 * of one warp with one another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/mask.h"

enum { RACES_KEPT = 100, WORD = 4, READERS = 2 };

struct race_event {
	uint32_t insn, thread; /* thread + 1; 0: none */
	uint32_t epoch, warp_epoch;
	bool is_atomic, is_volatile;
	uint8_t bytes; /* of the word, as a mask */
};

struct race_shadow {
	struct race_event writer, reader[READERS];
};

struct race_list {
	char *text[RACES_KEPT];
	uint64_t pair[RACES_KEPT]; /* of instructions, to report each once */
	unsigned count;
};

struct race_list *race_list_new(void)
{
	return memory_zeroed(1, sizeof(struct race_list));
}

void race_list_free(struct race_list *list)
{
	for (unsigned i = 0; list && i < list->count; i++)
		free(list->text[i]);
	free(list);
}

const char *race_text(const struct race_list *list, unsigned i)
{
	return i < list->count ? list->text[i] : NULL;
}

void race_open_cta(struct run *run, struct cta *cta)
{
	size_t words = run->shared_bytes / WORD + 1;
	if (!cta->shadow)
		cta->shadow = memory_zeroed(words, sizeof *cta->shadow);
	else
		memset(cta->shadow, 0, words * sizeof *cta->shadow);
}

void race_line(const struct run *run, uint32_t insn, char *buf, size_t size)
{
	const struct ptx_module *m = run->kernel->module->ptx;
	const struct ptx_insn *i = &m->insns[insn];
	if (i->source_line && i->source_file < m->source_count && m->sources[i->source_file])
		snprintf(buf, size, "%s:%u", m->sources[i->source_file], i->source_line);
	else
		snprintf(buf, size, "PTX line %u", i->line);
}

bool race_is_new(struct run *run, uint32_t first, uint32_t second)
{
	const struct race_list *list = run->exec->races;
	run->exec->totals.races++;
	for (unsigned i = 0; i < list->count; i++)
		if (list->pair[i] == ((uint64_t)first << 32 | second))
			return false;
	return list->count < RACES_KEPT;
}

void race_add(struct run *run, uint32_t first, uint32_t second, const char *text)
{
	struct race_list *list = run->exec->races;
	list->pair[list->count] = (uint64_t)first << 32 | second;
	list->text[list->count++] = memory_text(text);
}

static void report(struct run *run, const struct cta *cta, const struct race_event *first,
                   const struct race_event *second, bool first_stores, bool second_stores, uint64_t offset)
{
	char text[600], line[2][200];
	if (!race_is_new(run, first->insn, second->insn))
		return;
	race_line(run, first->insn, line[0], sizeof line[0]);
	race_line(run, second->insn, line[1], sizeof line[1]);
	snprintf(text, sizeof text,
	         "kernel %s: race on shared offset 0x%llx of CTA (%u,%u,%u): thread %u %s at %s, thread %u "
	         "%s at %s, "
	         "with no barrier between",
	         run->kernel->module->ptx->functions[run->launch->entry].name, (unsigned long long)offset,
	         cta->id[0], cta->id[1], cta->id[2], first->thread - 1, first_stores ? "stores" : "loads",
	         line[0], second->thread - 1, second_stores ? "stores" : "loads", line[1]);
	race_add(run, first->insn, second->insn, text);
}

static bool conflicts(const struct run *run, const struct race_event *old, const struct race_event *now,
                      bool both_store)
{
	if (!old->thread || old->thread == now->thread || old->epoch != now->epoch)
		return false;
	if ((old->is_atomic && now->is_atomic) || !(old->bytes & now->bytes))
		return false;
	if ((old->thread - 1) / run->lanes != (now->thread - 1) / run->lanes)
		return true;
	/* One warp. */
	if (old->warp_epoch != now->warp_epoch || (old->is_volatile && now->is_volatile))
		return false;
	return old->insn != now->insn || both_store;
}

static void check_word(struct run *run, const struct warp *w, struct race_shadow *s,
                       const struct race_event *now, bool is_store, uint64_t offset)
{
	if (conflicts(run, &s->writer, now, is_store))
		report(run, w->cta, &s->writer, now, true, is_store, offset);
	for (unsigned i = 0; is_store && i < READERS; i++)
		if (conflicts(run, &s->reader[i], now, false))
			report(run, w->cta, &s->reader[i], now, false, true, offset);
	if (is_store) {
		s->writer = *now;
	} else if (s->reader[0].thread != now->thread) {
		s->reader[1] = s->reader[0];
		s->reader[0] = *now;
	} else {
		s->reader[0] = *now;
	}
}

void race_check(struct run *run, struct warp *w, const struct code *op, const struct access *a,
                const uint64_t *offset, uint64_t mask)
{
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		struct race_event now = {.insn = op->insn,
		                         .thread = w->index * run->lanes + lane + 1,
		                         .epoch = w->cta->epoch,
		                         .warp_epoch = w->epoch,
		                         .is_atomic = a->is_atomic,
		                         .is_volatile = a->is_volatile};
		now.bytes = (uint8_t)(a->bytes >= WORD ? 15 : ((1u << a->bytes) - 1) << offset[lane] % WORD);
		uint64_t first = offset[lane] / WORD, last = (offset[lane] + a->bytes - 1) / WORD;
		for (uint64_t at = first; at <= last; at++)
			if (!(a->unwanted >> (at - first) & 1))
				check_word(run, w, &w->cta->shadow[at], &now, a->is_store, at * WORD);
	}
}
