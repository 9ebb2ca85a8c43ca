/* Rounds, parked paths, and the words that they wait for. */
#include "cuda/executor/wait.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/pace.h"
#include "cuda/executor/warp.h"
#include "cuda/executor/write_counts.h"
#include "cuda/recorder/round.h"

enum { WAIT_DEPTH = 4, BUCKETS = 4096, WORD_BYTES = 4, NO_ROUND = 0 };

/* A round waits for a word. Waiters for the words of one bucket are in one list, the longest there first. */
struct waiter {
	uint64_t word; /* address / WORD_BYTES */
	struct waiter *next, *before;
	struct round *round;
};

struct waiter_list {
	struct waiter *first, *last;
};

/* A loop that the round is in; of nested ones the outer first. */
struct level {
	uint32_t loop;
	bool is_question; /* the round is in front of the loop */
	uint32_t polls, words;
	size_t recorded;
};

/* What a path does between two arrivals at the head of a loop that waits. */
struct round {
	struct warp *warp;
	uint32_t path, number;
	struct level level[WAIT_DEPTH];
	uint32_t depth;
	bool wrote;    /* it has changed memory: it cannot be forgotten */
	bool is_blind; /* it has read what is not watched */
	bool is_parked;
	bool resumes;     /* it was parked, and begins anew */
	uint32_t *needed; /* by poll */
	uint32_t poll_count, poll_capacity;
	struct waiter *words; /* that it has read */
	uint32_t word_count, word_capacity;
	uint64_t
	    *silent; /* addresses that its atomics wrote without a change; counted if the round is kept */
	uint32_t silent_count, silent_capacity;
	struct recorder_round *held; /* NULL: the launch is not recorded */
	struct round *next;          /* woken, or free */
};

struct waits {
	struct round **rounds; /* by number; [NO_ROUND] is none */
	uint32_t round_count;
	struct round *free;
	struct round *woken, *last_woken;
	uint32_t parked;
	bool counts; /* the launch is recorded */
	struct write_counts writes;
	struct waiter_list bucket[BUCKETS];
	uint64_t *watched; /* as the recording shows them */
	size_t watched_count, watched_capacity, watched_sorted;
};

/* ---- rounds ------------------------------------------------------------------------------------------- */

static struct round *round_of(const struct run *run, const struct warp *w)
{
	uint32_t number = w->current == PTX_NONE ? NO_ROUND : w->paths[w->current].round;
	return number == NO_ROUND ? NULL : run->waits->rounds[number];
}

static struct round *round_new(struct waits *s)
{
	struct round *r = s->free;
	if (r) {
		s->free = r->next;
		return r;
	}
	r = memory_zeroed(1, sizeof *r);
	r->number = s->round_count;
	if ((s->round_count & (s->round_count - 1)) == 0)
		s->rounds = memory_grow(s->rounds, 2 * (size_t)s->round_count, sizeof *s->rounds);
	s->rounds[s->round_count++] = r;
	return r;
}

static struct round *round_open(struct run *run, struct warp *w)
{
	struct waits *s = run->waits;
	struct round *r = round_new(s);
	if (w->cta->recorded && !r->held)
		r->held = recorder_round_new();
	r->warp = w;
	r->path = w->current;
	r->depth = r->poll_count = r->word_count = r->silent_count = 0;
	r->wrote = r->is_blind = r->is_parked = r->resumes = false;
	w->paths[w->current].round = r->number;
	return r;
}

static void round_close(struct run *run, struct round *r)
{
	r->warp->paths[r->path].round = NO_ROUND;
	r->next = run->waits->free;
	run->waits->free = r;
}

static void push_level(struct round *r, uint32_t loop, bool is_question)
{
	r->level[r->depth++] = (struct level){.loop = loop,
	                                      .is_question = is_question,
	                                      .polls = r->poll_count,
	                                      .words = r->word_count,
	                                      .recorded = r->held ? recorder_round_length(r->held) : 0};
}

/* ---- words that are waited for ------------------------------------------------------------------------ */

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void sort_watched(struct waits *s)
{
	size_t n = 0;
	if (s->watched_count)
		qsort(s->watched, s->watched_count, sizeof *s->watched, compare_addresses);
	for (size_t i = 0; i < s->watched_count; i++)
		if (!n || s->watched[i] != s->watched[n - 1])
			s->watched[n++] = s->watched[i];
	s->watched_count = s->watched_sorted = n;
}

static void watch(struct run *run, uint64_t address)
{
	enum { LEAST = 1024 };
	struct waits *s = run->waits;
	if (s->watched_count == s->watched_capacity) {
		sort_watched(s);
		if (2 * s->watched_count >= s->watched_capacity) {
			s->watched_capacity = s->watched_capacity ? 2 * s->watched_capacity : LEAST;
			s->watched = memory_grow(s->watched, s->watched_capacity, sizeof *s->watched);
		}
	}
	s->watched[s->watched_count++] = device_memory_traced(run->memory, address);
}

/* ---- what becomes of a round --------------------------------------------------------------------------- */

/* What was recorded since it began stays. */
static void keep(struct run *run, struct round *r, bool ended_wait)
{
	struct waits *s = run->waits;
	ended_wait = ended_wait && !r->is_blind;
	for (uint32_t i = 0; s->counts && i < r->silent_count; i++)
		++*write_counts_at(&s->writes, r->silent[i]);
	if (r->held && r->warp->cta->recorded) {
		for (uint32_t i = 0; ended_wait && i < r->word_count; i++) {
			uint64_t address = r->words[i].word * WORD_BYTES;
			if (write_counts_get(&s->writes, address))
				watch(run, address);
		}
		recorder_keep(r->warp->cta->recorded, r->warp->index, r->held, ended_wait ? r->needed : NULL);
	}
	round_close(run, r);
}

/* The polls from number `first` on did not end a wait. */
static void disclaim(struct round *r, uint32_t first)
{
	for (uint32_t i = first; i < r->poll_count; i++)
		r->needed[i] = 0;
}

static struct waiter_list *bucket_of(struct waits *s, uint64_t word)
{
	return &s->bucket[(word ^ word >> 12) & (BUCKETS - 1)];
}

static void enlist(struct waits *s, struct waiter *waiter)
{
	struct waiter_list *list = bucket_of(s, waiter->word);
	waiter->next = NULL;
	waiter->before = list->last;
	*(list->last ? &list->last->next : &list->first) = waiter;
	list->last = waiter;
}

static void unlist(struct waits *s, struct waiter *waiter)
{
	struct waiter_list *list = bucket_of(s, waiter->word);
	*(waiter->before ? &waiter->before->next : &list->first) = waiter->next;
	*(waiter->next ? &waiter->next->before : &list->last) = waiter->before;
}

/* The round has come back to the head of its loop: forget it, and wait until a word of it is written. */
static void park(struct run *run, struct warp *w, struct round *r, const struct code *op)
{
	struct waits *s = run->waits;
	const struct level *top = &r->level[r->depth - 1];
	r->poll_count = top->polls;
	r->silent_count = 0;
	if (r->held)
		recorder_round_cut(r->held, top->recorded);
	for (uint32_t i = top->words; i < r->word_count; i++) {
		r->words[i].round = r;
		enlist(s, &r->words[i]);
	}
	r->is_parked = true;
	s->parked++;
	w->paths[w->current].pc = (uint32_t)(op - run->kernel->code);
	w->phase_waiting++;
	path_block(w, PATH_PARKED);
	/* Lanes of this warp that took a lock must not wait for those that want it. */
	if (w->current == PTX_NONE && w->has_taken)
		w->has_taken = !path_go_ahead(w);
}

/* The parked round is to run: it is taken from the lists and queued. */
static void wake(struct waits *s, struct round *r)
{
	struct level *top = &r->level[r->depth - 1];
	for (uint32_t i = top->words; i < r->word_count; i++)
		unlist(s, &r->words[i]);
	r->word_count = top->words;
	r->is_parked = false;
	r->resumes = true;
	s->parked--;
	r->next = NULL;
	*(s->last_woken ? &s->last_woken->next : &s->woken) = r;
	s->last_woken = r;
}

static void wake_waiters(struct run *run, uint64_t word)
{
	struct waits *s = run->waits;
	for (struct waiter *next, *at = bucket_of(s, word)->first; at; at = next) {
		next = at->next;
		if (at->word != word)
			continue;
		/* Words of one round may be neighbours in the list. */
		while (next && next->round == at->round)
			next = next->next;
		wake(s, at->round);
		run->progress.changed = true;
	}
}

/* ---- heads and branches ---------------------------------------------------------------------------------- */

void waits_select(struct run *run, struct warp *w)
{
	const struct round *r = round_of(run, w);
	if (w->cta->recorded)
		recorder_hold(w->cta->recorded, r ? r->held : NULL);
}

void waits_deselect(struct warp *w)
{
	if (w->cta->recorded)
		recorder_hold(w->cta->recorded, NULL);
}

/* The round's level of a loop; NULL: it is not in that loop. */
static struct level *level_of(struct round *r, uint32_t loop)
{
	for (uint32_t i = 0; r && i < r->depth; i++)
		if (r->level[i].loop == loop)
			return &r->level[i];
	return NULL;
}

static void enter(struct run *run, struct warp *w, uint32_t loop, bool is_question)
{
	struct round *r = round_of(run, w);
	if (r && r->depth == WAIT_DEPTH) {
		keep(run, r, false);
		r = NULL;
	}
	push_level(r ? r : round_open(run, w), loop, is_question);
}

/* The path arrives at the head of a loop that it is in. */
static enum wait_entry come_back(struct run *run, struct warp *w, struct round *r, struct level *level,
                                 const struct code *op)
{
	uint32_t loop = level->loop;
	if (level->is_question) {
		/* The question in front of the loop has been answered with no. */
		disclaim(r, level->polls);
		r->depth = (uint32_t)(level - r->level);
		enter(run, w, loop, false);
		return WAIT_GOES_ON;
	}
	r->depth = (uint32_t)(level - r->level) + 1;
	if (r->wrote || r->is_blind || r->word_count == level->words) {
		keep(run, r, false);
		enter(run, w, loop, false);
		return WAIT_RUNS_AGAIN;
	}
	park(run, w, r, op);
	return WAIT_IS_PARKED;
}

/* Whether the path was parked here and has just been woken. */
static bool begins_anew(struct round *r, const struct level *level)
{
	bool is_so = r->resumes && level == &r->level[r->depth - 1];
	r->resumes &= !is_so;
	return is_so;
}

static enum wait_entry enter_loop(struct run *run, struct warp *w, uint32_t loop, const struct code *op)
{
	struct round *r = round_of(run, w);
	struct level *level = level_of(r, loop);
	if (run->kernel->waits->loops.loops[loop].question == op->insn) {
		if (level) /* it came here another way round */
			keep(run, r, false);
		enter(run, w, loop, true);
		return WAIT_GOES_ON;
	}
	if (!level)
		enter(run, w, loop, false);
	else if (!begins_anew(r, level))
		return come_back(run, w, r, level, op);
	return WAIT_GOES_ON;
}

enum wait_entry waits_enter(struct run *run, struct warp *w, const struct code *op)
{
	const struct wait_loops *loops = &run->kernel->waits->loops;
	enum wait_entry entry = WAIT_GOES_ON;
	for (uint32_t i = loops->loop_count; i-- > 0 && entry != WAIT_IS_PARKED;) {
		if (loops->loops[i].question != op->insn && loops->loops[i].head != op->insn)
			continue;
		enum wait_entry now = enter_loop(run, w, i, op);
		entry = now == WAIT_GOES_ON ? entry : now;
	}
	waits_select(run, w);
	return entry;
}

/* Whether an instruction belongs to what the level is in. */
static bool is_within(const struct wait_loops *loops, const struct level *level, uint32_t insn)
{
	const struct wait_loop *loop = &loops->loops[level->loop];
	return insn >= (level->is_question ? loop->question : loop->first) && insn <= loop->last;
}

static uint32_t insn_at(const struct run *run, uint32_t pc)
{
	return run->kernel->code[pc].insn;
}

/* Lanes that leave the loop have done with the wait; a part of the lanes alone in another place ends the round, too. */
bool waits_branch(struct run *run, struct warp *w, const struct code *op, uint64_t taken)
{
	const struct wait_loops *loops = &run->kernel->waits->loops;
	struct round *r = round_of(run, w);
	uint64_t mask = w->paths[w->current].mask;
	uint32_t next = insn_at(run, (uint32_t)(op - run->kernel->code) + 1),
	         target = insn_at(run, op->target);
	if (!r)
		return false;
	const struct level *inner = &r->level[r->depth - 1];
	bool leaves =
	    (taken && !is_within(loops, inner, target)) || (taken != mask && !is_within(loops, inner, next));
	if (taken && taken != mask) {
		w->has_taken |= leaves && r->wrote;
		keep(run, r, leaves);
		return false;
	}
	uint32_t to = taken ? target : next;
	while (r->depth && !is_within(loops, &r->level[r->depth - 1], to))
		r->depth--;
	if (r->depth)
		return true;
	keep(run, r, true);
	return false;
}

/* ---- accesses ------------------------------------------------------------------------------------------- */

/* The lanes whose addresses are global, and those addresses, before the access changes its own address registers. */
static uint64_t global_lanes(struct run *run, const struct warp *w, const struct access *a, uint64_t mask,
                             uint64_t *address)
{
	memcpy(address, access_addresses(run, w, a), run->lanes * sizeof *address);
	if (a->space == PTX_SPACE_global)
		return mask;
	if (a->space != PTX_SPACE_generic)
		return 0;
	uint64_t global = mask;
	for (uint64_t left = mask; left; left &= left - 1) {
		uint64_t at = address[bits_lowest(left)];
		if (at - SHARED_WINDOW < WINDOW_BYTES || at - LOCAL_WINDOW < WINDOW_BYTES)
			global &= ~(left & -left);
	}
	return global;
}

/* Count a lane's write, and wake who waits for it. */
static void write_words(struct run *run, uint64_t address, unsigned bytes)
{
	struct waits *s = run->waits;
	for (uint64_t word = address / WORD_BYTES; word <= (address + bytes - 1) / WORD_BYTES; word++) {
		if (s->counts)
			++*write_counts_at(&s->writes, word * WORD_BYTES);
		if (bucket_of(s, word)->first)
			wake_waiters(run, word);
	}
}

static void write_lanes(struct run *run, const uint64_t *address, unsigned bytes, uint64_t lanes)
{
	for (; lanes; lanes &= lanes - 1)
		write_words(run, address[bits_lowest(lanes)], bytes);
}

/* The lanes whose compare-and-swap has succeeded; the values before are in scratch[0]. */
static uint64_t swapped_lanes(const struct run *run, const struct warp *w, const struct code *op,
                              const struct access *a, const uint8_t *compare, uint64_t mask)
{
	uint64_t swapped = 0;
	(void)w, (void)op;
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		size_t at = (size_t)lane * a->bytes;
		if (!memcmp(run->scratch[0] + at, compare + at, a->bytes))
			swapped |= left & -left;
	}
	return swapped;
}

static bool is_swap(const struct run *run, const struct code *op)
{
	const struct ptx_insn *insn = insn_of(run, op);
	return insn->op == PTX_atom && insn->mode == PTX_MODE_cas;
}

bool waits_write(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	struct waits *s = run->waits;
	uint64_t address[LANES_MAX];
	uint8_t compare[LANE_ARRAY_BYTES];
	if (!s->counts && !s->parked)
		return op->handler(run, w, op, mask);
	uint64_t lanes = global_lanes(run, w, a, mask, address);
	bool swaps = is_swap(run, op);
	if (swaps)
		memcpy(compare, place(w, op->a), (size_t)run->lanes * a->bytes);
	if (!op->handler(run, w, op, mask))
		return false;
	if (swaps)
		lanes = swapped_lanes(run, w, op, a, compare, lanes);
	write_lanes(run, address, a->bytes, lanes);
	return true;
}

static void add_word(struct round *r, uint64_t word)
{
	if (r->word_count && r->words[r->word_count - 1].word == word)
		return;
	if (r->word_count == r->word_capacity) {
		r->word_capacity = r->word_capacity ? 2 * r->word_capacity : 4;
		r->words = memory_grow(r->words, r->word_capacity, sizeof *r->words);
	}
	r->words[r->word_count++] = (struct waiter){.word = word};
}

/* Note what a poll is about to read, and how often that was written. */
static void note_poll(struct run *run, struct round *r, const struct access *a, uint64_t lanes,
                      const uint64_t *address, bool is_strong)
{
	uint32_t least = 0;
	for (; lanes; lanes &= lanes - 1) {
		uint64_t at = address[bits_lowest(lanes)];
		for (uint64_t word = at / WORD_BYTES; word <= (at + a->bytes - 1) / WORD_BYTES; word++)
			add_word(r, word);
		uint32_t writes = run->waits->counts ? write_counts_get(&run->waits->writes, at) : 0;
		if (writes && (!least || writes < least))
			least = writes;
	}
	if (!is_strong)
		return;
	if (r->poll_count == r->poll_capacity) {
		r->poll_capacity = r->poll_capacity ? 2 * r->poll_capacity : 4;
		r->needed = memory_grow(r->needed, r->poll_capacity, sizeof *r->needed);
	}
	r->needed[r->poll_count++] = least;
}

static void add_silent(struct round *r, uint64_t address)
{
	if (r->silent_count == r->silent_capacity) {
		r->silent_capacity = r->silent_capacity ? 2 * r->silent_capacity : 4;
		r->silent = memory_grow(r->silent, r->silent_capacity, sizeof *r->silent);
	}
	r->silent[r->silent_count++] = address;
}

/* What an atomic that polls has written: it may have left all as it was. */
static void note_written(struct run *run, struct warp *w, const struct code *op, struct round *r,
                         const struct access *a, uint64_t lanes, const uint64_t *address,
                         const uint8_t *compare, const uint8_t *before)
{
	bool changed = false;
	if (is_swap(run, op)) {
		lanes = swapped_lanes(run, w, op, a, compare, lanes);
		changed = lanes != 0;
	} else {
		for (uint64_t left = lanes; left; left &= left - 1) {
			unsigned lane = bits_lowest(left);
			changed |= memcmp(before + (size_t)lane * a->bytes, device_host(address[lane]),
			                  a->bytes) != 0;
		}
	}
	for (uint64_t left = changed ? 0 : lanes; left; left &= left - 1)
		add_silent(r, address[bits_lowest(left)]);
	if (!changed)
		return;
	r->wrote = true;
	write_lanes(run, address, a->bytes, lanes);
}

static bool is_strong_poll(const struct run *run, uint32_t insn)
{
	const struct wait_loops *loops = &run->kernel->waits->loops;
	for (uint32_t i = 0; i < loops->poll_count; i++)
		if (loops->polls[i].insn == insn)
			return loops->polls[i].is_strong;
	return false;
}

bool waits_poll(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct access *a = &run->kernel->accesses[op->more];
	struct round *r = round_of(run, w);
	uint64_t address[LANES_MAX];
	uint8_t compare[LANE_ARRAY_BYTES], before[LANE_ARRAY_BYTES];
	if (!r)
		return a->is_atomic ? waits_write(run, w, op, mask) : op->handler(run, w, op, mask);
	uint64_t lanes = global_lanes(run, w, a, mask, address);
	r->is_blind |= lanes != mask;
	note_poll(run, r, a, lanes, address, is_strong_poll(run, op->insn));
	if (!a->is_atomic)
		return op->handler(run, w, op, mask);
	if (is_swap(run, op)) {
		memcpy(compare, place(w, op->a), (size_t)run->lanes * a->bytes);
	} else {
		/* Addresses that are wrong are found by the handler: look before at good ones only. */
		struct memory_range range;
		for (uint64_t left = lanes; left; left &= left - 1) {
			unsigned lane = bits_lowest(left);
			if (device_memory_find(run->memory, address[lane], &range) &&
			    range.end - address[lane] >= a->bytes)
				memcpy(before + (size_t)lane * a->bytes, device_host(address[lane]),
				       a->bytes);
		}
	}
	if (!op->handler(run, w, op, mask))
		return false;
	note_written(run, w, op, r, a, lanes, address, compare, before);
	return true;
}

static bool is_wide(const struct ptx_insn *insn)
{
	return insn->scope == PTX_SCOPE_gpu || insn->scope == PTX_SCOPE_sys;
}

bool waits_fences(const struct run *run, const struct code *op)
{
	const struct ptx_insn *insn = insn_of(run, op);
	return insn->op == PTX_st && insn->flags & PTX_FLAG_STRONG && is_wide(insn);
}

/* ---- turns ------------------------------------------------------------------------------------------------ */

bool waits_has_woken(const struct run *run)
{
	return run->waits->woken != NULL;
}

struct warp *waits_next(struct run *run)
{
	struct waits *s = run->waits;
	struct round *r = s->woken;
	if (!r)
		return NULL;
	s->woken = r->next;
	if (!s->woken)
		s->last_woken = NULL;
	r->warp->phase_waiting--;
	if (r->warp->time < run->window)
		r->warp->time = run->window;
	path_resume(r->warp, r->path);
	return r->warp;
}

bool waits_has_parked(const struct run *run)
{
	return run->waits->parked != 0;
}

bool waits_is_parked(const struct run *run, const struct warp *w)
{
	for (uint32_t i = 0; run->waits && run->waits->parked && w->phase_waiting && i < w->path_count; i++)
		if (w->paths[i].state == PATH_PARKED)
			return true;
	return false;
}

/* The warps of all open CTAs that have a parked path, in order. */
static struct warp *parked_warp(struct run *run, uint64_t *at)
{
	for (; *at < (uint64_t)run->cta_slots * run->warps_per_cta; ++*at) {
		struct cta *cta = &run->ctas[*at / run->warps_per_cta];
		struct warp *w = &cta->warps[*at % run->warps_per_cta];
		if (cta->is_open && w->live && waits_is_parked(run, w)) {
			++*at;
			return w;
		}
	}
	return NULL;
}

bool waits_go_ahead(struct run *run)
{
	uint64_t at = 0;
	for (struct warp *w = parked_warp(run, &at); w; w = parked_warp(run, &at))
		if (w->current == PTX_NONE && path_go_ahead(w))
			return true;
	return false;
}

bool waits_ask_again(struct run *run)
{
	uint64_t at = 0;
	bool any = false;
	for (struct warp *w = parked_warp(run, &at); w; w = parked_warp(run, &at))
		for (uint32_t i = 0; i < w->path_count; i++)
			if (w->paths[i].state == PATH_PARKED) {
				struct round *r = run->waits->rounds[w->paths[i].round];
				if (r->is_parked)
					wake(run->waits, r);
				any = true;
			}
	return any;
}

/* ---- a launch --------------------------------------------------------------------------------------------- */

struct waits *waits_new(struct run *run)
{
	if (!run->kernel->waits)
		return NULL;
	struct waits *s = memory_zeroed(1, sizeof *s);
	s->rounds = memory_zeroed(1, sizeof *s->rounds);
	s->round_count = 1;
	s->counts = run->launch->recorder != NULL;
	return s;
}

void waits_end_recording(struct run *run)
{
	struct waits *s = run->waits;
	if (!s)
		return;
	sort_watched(s);
	recorder_watch(run->launch->recorder, s->watched, (uint32_t)s->watched_count);
}

void waits_free(struct waits *s)
{
	for (uint32_t i = 1; s && i < s->round_count; i++) {
		struct round *r = s->rounds[i];
		recorder_round_free(r->held);
		free(r->needed);
		free(r->words);
		free(r->silent);
		free(r);
	}
	if (s) {
		write_counts_free(&s->writes);
		free(s->watched);
		free(s->rounds);
	}
	free(s);
}

/* ---- a kernel --------------------------------------------------------------------------------------------- */

static void mark_code(struct exec_kernel *k, const struct wait_loop *loop, const uint32_t *code_of)
{
	uint32_t from = loop->question == PTX_NONE ? loop->first : loop->question;
	for (uint32_t i = from; i <= loop->last; i++) {
		struct code *op = &k->code[code_of[i]];
		if (op->plain == CODE_BRANCH || op->plain == CODE_BRANCH_IF)
			op->body = CODE_ASK;
		if (op->entry != CODE_JOIN && op->entry != CODE_HEAD)
			op->entry = op->body;
	}
	k->code[code_of[loop->head]].entry = CODE_HEAD;
	if (loop->question != PTX_NONE)
		k->code[code_of[loop->question]].entry = CODE_HEAD;
}

static void mark_access(struct code *op, enum code_kind kind)
{
	if (op->plain != CODE_MEMORY)
		return;
	op->plain = (uint8_t)kind;
	if (op->body == CODE_MEMORY)
		op->body = (uint8_t)kind;
	if (op->entry == CODE_MEMORY)
		op->entry = (uint8_t)kind;
}

static bool writes_global(const struct ptx_insn *insn)
{
	return (insn->op == PTX_st || insn->op == PTX_atom || insn->op == PTX_red) &&
	       (insn->space == PTX_SPACE_global || insn->space == PTX_SPACE_generic);
}

static void mark_fence(struct code *op, const struct ptx_insn *insn)
{
	bool is_fence = insn->op == PTX_membar || insn->op == PTX_fence;
	if (is_fence && is_wide(insn) && op->entry == CODE_NOP)
		op->entry = op->body = op->plain = CODE_FENCE;
}

struct kernel_waits *kernel_waits_new(struct exec_kernel *k, const uint32_t *code_of)
{
	const struct ptx_module *m = k->module->ptx;
	struct kernel_waits *waits = memory_zeroed(1, sizeof *waits);
	for (uint32_t i = 0; i < k->function_count; i++)
		wait_loops_find(&waits->loops, m, &m->functions[k->functions[i].ptx]);
	if (!waits->loops.loop_count) {
		kernel_waits_free(waits);
		return NULL;
	}
	const struct wait_loops *loops = &waits->loops;
	waits->polls = memory_zeroed(loops->poll_count, sizeof *waits->polls);
	for (uint32_t i = 0; i < loops->poll_count; i++) {
		const struct wait_loop *loop = &loops->loops[loops->polls[i].loop];
		mark_access(&k->code[code_of[loops->polls[i].insn]], CODE_POLL);
		if (loops->polls[i].is_strong)
			waits->polls[waits->poll_count++] = (struct recorded_poll){
			    .insn = loops->polls[i].insn, .first = loop->first, .last = loop->last};
	}
	for (uint32_t i = 0; i < k->code_count; i++)
		if (writes_global(&m->insns[k->code[i].insn]))
			mark_access(&k->code[i], CODE_WRITE);
	for (uint32_t i = 0; i < k->code_count; i++)
		mark_fence(&k->code[i], &m->insns[k->code[i].insn]);
	for (uint32_t i = 0; i < loops->loop_count; i++)
		mark_code(k, &loops->loops[i], code_of);
	return waits;
}

void kernel_waits_free(struct kernel_waits *waits)
{
	if (!waits)
		return;
	wait_loops_free(&waits->loops);
	free(waits->polls);
	free(waits);
}
