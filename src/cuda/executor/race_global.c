/*
 * Races between CTAs in global memory: of each word the CTA that last changed it and one that has read it, in a launch.
 *
 * CTAs of a launch run in any order, so two that access one word, one of them with a store that changes it, race; unless
 * the program orders them, by a fence and a flag, for instance. A kernel that has fences, or accesses that are meant for
 * others (volatile, strong), is taken to know what it does. Atomics do not race. A store of the value that is there
 * already is none. So a race may be missed, but none is invented.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/mask.h"

enum { PAGE_SHIFT = 14, PAGE_WORDS = 1 << (PAGE_SHIFT - 2), WORD = 4, PAGE_SLOTS = 1 << 16 };

/* CTAs + 1; 0: none. */
struct shadow_word {
	uint32_t writer, writer_insn, reader, reader_insn;
};
struct shadow_page {
	uint64_t number;
	struct shadow_page *next;
	struct shadow_word words[PAGE_WORDS];
};
struct global_shadow {
	struct shadow_page *last, *slots[PAGE_SLOTS];
};

static bool orders(const struct ptx_insn *insn)
{
	bool is_access = insn->op == PTX_ld || insn->op == PTX_st;
	bool is_shared = insn->space == PTX_SPACE_shared || insn->space == PTX_SPACE_local;
	return insn->op == PTX_membar || insn->op == PTX_fence ||
	       (is_access && !is_shared &&
	        (insn->flags & (PTX_FLAG_VOLATILE | PTX_FLAG_STRONG) || insn->cache == PTX_CACHE_cg ||
	         insn->cache == PTX_CACHE_cv));
}

struct global_shadow *race_global_new(const struct run *run)
{
	const struct exec_kernel *k = run->kernel;
	if (!run->exec->options.check_races || run->cta_total >= UINT32_MAX)
		return NULL;
	for (uint32_t i = 0; i < k->code_count; i++)
		if (orders(&k->module->ptx->insns[k->code[i].insn]))
			return NULL;
	return memory_zeroed(1, sizeof(struct global_shadow));
}

void race_global_free(struct global_shadow *shadow)
{
	for (size_t i = 0; shadow && i < PAGE_SLOTS; i++)
		for (struct shadow_page *next, *page = shadow->slots[i]; page; page = next) {
			next = page->next;
			free(page);
		}
	free(shadow);
}

static struct shadow_word *word_at(struct global_shadow *s, uint64_t address)
{
	uint64_t number = address >> PAGE_SHIFT;
	struct shadow_page **slot = &s->slots[number % PAGE_SLOTS];
	if (!s->last || s->last->number != number) {
		struct shadow_page *page = *slot;
		while (page && page->number != number)
			page = page->next;
		if (!page) {
			page = memory_zeroed(1, sizeof *page);
			page->number = number;
			page->next = *slot;
			*slot = page;
		}
		s->last = page;
	}
	return &s->last->words[address / WORD % PAGE_WORDS];
}

static void report(struct run *run, const struct cta *cta, const struct code *op, bool stores, uint32_t other,
                   uint32_t other_insn, bool other_stores, uint64_t address)
{
	char text[600], line[2][200];
	if (!race_is_new(run, other_insn, op->insn))
		return;
	race_line(run, other_insn, line[0], sizeof line[0]);
	race_line(run, op->insn, line[1], sizeof line[1]);
	snprintf(
	    text, sizeof text,
	    "kernel %s: race on global memory at 0x%llx: CTA %u %s at %s, CTA %llu %s at %s, and nothing "
	    "orders them",
	    run->kernel->module->ptx->functions[run->launch->entry].name, (unsigned long long)address,
	    other - 1, other_stores ? "stores" : "loads", line[0], (unsigned long long)cta->linear,
	    stores ? "stores" : "loads", line[1]);
	race_add(run, other_insn, op->insn, text);
}

/* Whether the lane's store changes memory in this word. */
static bool changes(const struct warp *w, const struct access *a, uint64_t address, unsigned lane,
                    uint64_t word)
{
	for (unsigned k = 0; k < a->count; k++) {
		uint64_t at = address + (uint64_t)k * a->element_bytes;
		bool is_here = at / WORD <= word && (at + a->element_bytes - 1) / WORD >= word;
		const uint8_t *value = place(w, a->value[k]) + (size_t)lane * a->register_bytes;
		if (is_here && memcmp(device_host(at), value, a->element_bytes) != 0)
			return true;
	}
	return false;
}

static void check_word(struct run *run, const struct warp *w, const struct code *op, bool stores,
                       uint64_t address)
{
	struct shadow_word *s = word_at(run->shadow, address);
	uint32_t me = (uint32_t)w->cta->linear + 1;
	if (s->writer && s->writer != me)
		report(run, w->cta, op, stores, s->writer, s->writer_insn, true, address);
	if (stores && s->reader && s->reader != me)
		report(run, w->cta, op, true, s->reader, s->reader_insn, false, address);
	if (stores) {
		s->writer = me;
		s->writer_insn = op->insn;
	} else {
		s->reader = me;
		s->reader_insn = op->insn;
	}
}

void race_global_check(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                       const uint64_t *address, uint64_t mask)
{
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		uint64_t at = address[lane];
		for (uint64_t word = at / WORD; word <= (at + a->bytes - 1) / WORD; word++)
			if (!a->is_store || changes(w, a, at, lane, word))
				check_word(run, w, op, a->is_store, word * WORD);
	}
}
