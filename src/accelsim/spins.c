#include "accelsim/spins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "trace/poll.h"

enum {
	OPEN_POLLS = 8,
	LONGEST_ROUND = 1024,     /* steps of the warp from a poll to the next */
	MAX_WORDS = 1 << 20,      /* polled or that may be; more are no waits */
	SHARED_WINDOW = 16 << 20, /* bytes of generic addresses that shared memory has */
	WRITE_ALIGN = 4,
};

/* A word that polls read. */
struct word {
	uint64_t address;         /* 0: a free slot of the table */
	uint64_t stores, atomics; /* lane-writes by other instructions than its polls */
	uint64_t waits;
	uint64_t phases;       /* most waits of one warp, its own writes between them included */
	uint64_t arrivals;     /* most writes of one waiting warp */
	uint64_t acquisitions; /* waits numbered so far, when those of a lock are put in order */
	bool spun;             /* a spin on it was seen */
	bool unordered;        /* some warp waits without writing the word before */
	bool kept;             /* some warp waits without writing it afterwards */
	bool swapped;          /* its poll is a compare-and-swap or exchange */
};

/* What the current warp has done with a word. */
struct warp_word {
	uint32_t word;
	uint32_t waits, writes;
	uint32_t writes_before; /* at the last wait */
	uint32_t arrived;       /* waits with a write of its own since the last one */
	uint32_t released;      /* waits with a write after them, before the next one */
};

/* A wait of a lane in the order of the file. */
struct lane_wait {
	uint32_t word;
	uint32_t phase;   /* waits and writes of its warp at the word, with this one */
	uint32_t arrival; /* writes of its warp so far */
	uint32_t epoch;   /* waits of the warp at words of barriers before this one */
	uint64_t cta;
	uint32_t bars;   /* barriers of the CTA that the warp has passed */
	uint64_t needed; /* spins_derive() */
};

/* The last execution of a poll, while its round may still fail. */
struct open_poll {
	struct wait_insn *insn;
	uint64_t mask;
	unsigned lanes;
	uint64_t address[TRACE_MAX_LANES];
	size_t at;         /* in the pending steps */
	uint32_t round;    /* steps of its lanes since then */
	uint32_t age;      /* steps of the warp */
	bool broken;       /* something else has been accessed */
	bool is_uncertain; /* another poll was executed for the first time */
};

struct pending_step {
	struct wait_insn *insn;
	uint64_t mask;
	unsigned lanes;
	bool is_wait;
	uint64_t address[TRACE_MAX_LANES];
};

struct spins {
	enum wait_pass pass;
	uint64_t shared_window;
	bool found, overflow;
	struct word *words; /* a table with open addressing */
	uint32_t word_count, word_capacity;
	struct lane_wait *waits;
	size_t wait_count, wait_capacity, next_wait;
	/* of the warp */
	uint64_t cta;
	uint32_t bars, epoch;
	struct open_poll open[OPEN_POLLS];
	unsigned open_count, oldest;
	struct pending_step *pending;
	size_t pending_count, pending_capacity;
	struct warp_word *mine;
	size_t mine_count, mine_capacity;
	/* what was left out */
	uint64_t rounds, left_out, polls;
};

struct spins *spins_new(void)
{
	return memory_zeroed(1, sizeof(struct spins));
}

void spins_free(struct spins *w)
{
	if (!w)
		return;
	free(w->words);
	free(w->waits);
	free(w->pending);
	free(w->mine);
	free(w);
}

/* ---- instructions ----------------------------------------------------------------------------------- */

static bool has_part(const char *mnemonic, const char *part)
{
	size_t n = strlen(part);
	for (const char *p = mnemonic; (p = strchr(p, '.'));) {
		p++;
		if (!strncmp(p, part, n) && (p[n] == '.' || !p[n]))
			return true;
	}
	return false;
}

static bool is_outside(const struct trace_insn *insn)
{
	return insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
}

static enum step_role role_of(const struct trace_insn *insn, const char *mnemonic)
{
	if (insn->op == OP_BARRIER || insn->op == OP_ARRIVE)
		return ROLE_BARRIER;
	if (!(insn->flags & INSN_MEMORY))
		return insn->op == OP_EXIT || insn->flags & INSN_ASYNC_COPY ? ROLE_ACCESS : ROLE_PLAIN;
	if (!strncmp(mnemonic, "SYNCS.PHASECHK", strlen("SYNCS.PHASECHK")))
		return ROLE_TEST;
	bool may_poll = is_outside(insn) && !(insn->flags & INSN_ASYNC_COPY);
	if (insn->op == OP_LOAD)
		return may_poll && insn->flags & INSN_BYPASS_L1 ? ROLE_POLL : ROLE_ACCESS;
	if (insn->op == OP_ATOMIC && may_poll)
		return insn->flags & INSN_CAS || has_part(mnemonic, "EXCH") ? ROLE_POLL : ROLE_WRITE;
	return (insn->op == OP_STORE || insn->op == OP_REDUCE) && is_outside(insn) ? ROLE_WRITE : ROLE_ACCESS;
}

void spins_classify(const struct trace_insn *insn, const char *mnemonic, struct wait_insn *to)
{
	to->role = (uint8_t)role_of(insn, mnemonic);
	to->is_atomic = to->role != ROLE_TEST && (insn->op == OP_ATOMIC || insn->op == OP_REDUCE);
	to->width = insn->width_bytes;
	to->spins = false;
	to->round = 0;
	to->poll = UINT32_MAX;
}

static bool may_wait(const struct wait_insn *i)
{
	return i->role == ROLE_POLL || i->role == ROLE_TEST;
}

/* ---- words ------------------------------------------------------------------------------------------ */

static uint32_t slot_of(const struct spins *w, uint64_t address)
{
	uint32_t at = (uint32_t)(bits_spread(address) >> 32) & (w->word_capacity - 1);
	while (w->words[at].address && w->words[at].address != address)
		at = (at + 1) & (w->word_capacity - 1);
	return at;
}

static struct word *find_word(const struct spins *w, uint64_t address)
{
	if (!w->word_count)
		return NULL;
	struct word *word = &w->words[slot_of(w, address)];
	return word->address ? word : NULL;
}

static void grow_words(struct spins *w)
{
	struct word *old = w->words;
	uint32_t capacity = w->word_capacity;
	w->word_capacity = capacity ? 2 * capacity : 256;
	w->words = memory_zeroed(w->word_capacity, sizeof *w->words);
	for (uint32_t i = 0; i < capacity; i++)
		if (old[i].address)
			w->words[slot_of(w, old[i].address)] = old[i];
	free(old);
}

/* Words are 4 bytes; address 0 and those above the bits of an address record are none. */
static bool is_word(uint64_t address)
{
	return address && !(address & (POLL_WORD_BYTES - 1)) && !(address >> POLL_NEEDED_SHIFT);
}

static void add_word(struct spins *w, uint64_t address, bool spun)
{
	if (!is_word(address) || w->overflow)
		return;
	if (2 * w->word_count >= w->word_capacity)
		grow_words(w);
	struct word *word = &w->words[slot_of(w, address)];
	if (!word->address) {
		w->overflow = w->word_count == MAX_WORDS;
		w->word_count++;
	}
	word->address = address;
	word->spun |= spun;
}

static bool is_watched(const struct word *word)
{
	return word && word->waits && word->stores + word->atomics;
}

/* ---- polls that may go round -------------------------------------------------------------------------- */

static bool same_access(const struct open_poll *o, const struct wait_step *s)
{
	return o->mask == s->mask && o->lanes == s->lanes &&
	       !memcmp(o->address, s->address, s->lanes * sizeof *s->address);
}

static bool is_in_shared(const struct spins *w, const struct wait_step *s)
{
	return w->shared_window && s->lanes && s->address[0] - w->shared_window < SHARED_WINDOW;
}

static bool touches_spun(const struct spins *w, const struct wait_step *s)
{
	for (unsigned i = 0; i < s->lanes; i++) {
		const struct word *word = find_word(w, s->address[i]);
		if (word && word->spun)
			return true;
	}
	return false;
}

/* Return whether the step is a wait: its instruction spins, here or elsewhere, or is the first try before the loop. */
static bool is_wait(const struct spins *w, const struct wait_step *s)
{
	if (!s->lanes || w->overflow || !may_wait(s->insn) || is_in_shared(w, s))
		return false;
	if (s->insn->role == ROLE_TEST)
		return true;
	return s->insn->spins || (!s->insn->is_atomic && touches_spun(w, s));
}

/* Count a step of the warp in each open poll; an access by its lanes breaks it. */
static void pass_open(struct spins *w, const struct wait_step *s, bool breaks)
{
	for (unsigned i = 0; i < w->open_count; i++) {
		struct open_poll *o = &w->open[i];
		bool own = o->mask & s->mask;
		o->round += own;
		o->age++;
		o->broken |= (own && breaks) || o->age > LONGEST_ROUND;
	}
}

static struct open_poll *find_open(struct spins *w, const struct wait_step *s)
{
	for (unsigned i = 0; i < w->open_count; i++)
		if (w->open[i].insn == s->insn && same_access(&w->open[i], s))
			return &w->open[i];
	return NULL;
}

/* The first try of a wait stands before its loop and is another instruction. */
static struct open_poll *find_first_try(struct spins *w, const struct wait_step *s)
{
	for (unsigned i = 0; i < w->open_count; i++) {
		struct open_poll *o = &w->open[i];
		if (o->insn != s->insn && !o->insn->spins && s->insn->spins &&
		    o->insn->role == s->insn->role && !o->insn->is_atomic && same_access(o, s))
			return o;
	}
	return NULL;
}

/* Another poll, or another address, is progress: what is open must be seen again before it counts as a spin. */
static void doubt_open(struct spins *w, const struct wait_step *s)
{
	bool is_new = true;
	for (unsigned i = 0; i < w->open_count; i++)
		is_new &= w->open[i].insn != s->insn;
	for (unsigned i = 0; i < w->open_count; i++)
		if (w->open[i].mask & s->mask && !(is_new && s->insn->spins && w->pass != PASS_FIND))
			w->open[i].is_uncertain = true;
}

/* Return a place for a poll: of the same instruction with these lanes, a free one, or the oldest. */
static struct open_poll *open_place(struct spins *w, const struct wait_step *s)
{
	for (unsigned i = 0; i < w->open_count; i++)
		if (w->open[i].insn == s->insn && w->open[i].mask & s->mask)
			return &w->open[i];
	if (w->open_count < OPEN_POLLS)
		return &w->open[w->open_count++];
	w->oldest = (w->oldest + 1) % OPEN_POLLS;
	return &w->open[w->oldest];
}

static void open_again(struct open_poll *o, const struct wait_step *s, size_t at)
{
	o->insn = s->insn;
	o->mask = s->mask;
	o->lanes = s->lanes;
	memcpy(o->address, s->address, s->lanes * sizeof *s->address);
	o->at = at;
	o->round = 1;
	o->age = 0;
	o->broken = o->is_uncertain = false;
}

bool spins_are_open(const struct spins *w)
{
	return w->open_count != 0;
}

/* ---- the first pass --------------------------------------------------------------------------------- */

static void note_spin(struct spins *w, struct open_poll *o, const struct wait_step *s)
{
	w->found = true;
	s->insn->spins = true;
	uint8_t round = o->round < UINT8_MAX ? (uint8_t)o->round : UINT8_MAX;
	if (!s->insn->round || round < s->insn->round)
		s->insn->round = round;
	for (unsigned i = 0; s->insn->role == ROLE_POLL && i < s->lanes; i++)
		add_word(w, s->address[i], true);
}

void spins_look(struct spins *w, const struct wait_step *s)
{
	if (!s->lanes || !may_wait(s->insn) || is_in_shared(w, s)) {
		pass_open(w, s, s->insn->role != ROLE_PLAIN && s->mask);
		return;
	}
	struct open_poll *o = find_open(w, s);
	if (o && !o->broken && !o->is_uncertain)
		note_spin(w, o, s);
	else
		for (unsigned i = 0; s->insn->role == ROLE_POLL && i < s->lanes; i++)
			add_word(w, s->address[i], false);
	if (!o)
		doubt_open(w, s);
	pass_open(w, s, false);
	open_again(o ? o : open_place(w, s), s, 0);
}

bool spins_found(const struct spins *w)
{
	return w->found && !w->overflow;
}

/* ---- what is kept ------------------------------------------------------------------------------------- */

static struct warp_word *word_of_warp(struct spins *w, uint32_t word)
{
	for (size_t i = w->mine_count; i-- > 0;)
		if (w->mine[i].word == word)
			return &w->mine[i];
	if (w->mine_count == w->mine_capacity) {
		w->mine_capacity = w->mine_capacity ? 2 * w->mine_capacity : 16;
		w->mine = memory_grow(w->mine, w->mine_capacity, sizeof *w->mine);
	}
	w->mine[w->mine_count] = (struct warp_word){.word = word};
	return &w->mine[w->mine_count++];
}

/* A lane writes a word that may be polled. */
static void count_write(struct spins *w, uint64_t address, bool atomic)
{
	struct word *word = find_word(w, address);
	if (!word)
		return;
	*(atomic ? &word->atomics : &word->stores) += 1;
	struct warp_word *mine = word_of_warp(w, (uint32_t)(word - w->words));
	mine->writes++;
}

static void count_writes(struct spins *w, const struct pending_step *p)
{
	for (unsigned i = 0; i < p->lanes; i++) {
		uint64_t first = p->address[i] & ~(uint64_t)(WRITE_ALIGN - 1);
		for (uint64_t at = first; at < p->address[i] + p->insn->width; at += POLL_WORD_BYTES)
			count_write(w, at, p->insn->is_atomic);
	}
}

/* A lane waits for a word. */
static void count_wait(struct spins *w, uint64_t address, const struct wait_insn *insn)
{
	struct word *word = find_word(w, address);
	if (!word)
		return;
	struct warp_word *mine = word_of_warp(w, (uint32_t)(word - w->words));
	mine->arrived += mine->writes > mine->writes_before;
	mine->released += mine->waits && mine->writes > mine->writes_before;
	mine->writes_before = mine->writes;
	mine->waits++;
	word->waits++;
	word->swapped |= insn->is_atomic;
	if (w->wait_count == w->wait_capacity) {
		w->wait_capacity = w->wait_capacity ? 2 * w->wait_capacity : 256;
		w->waits = memory_grow(w->waits, w->wait_capacity, sizeof *w->waits);
	}
	w->waits[w->wait_count++] = (struct lane_wait){.word = mine->word,
	                                               .phase = mine->waits + mine->writes,
	                                               .arrival = mine->writes,
	                                               .epoch = w->epoch,
	                                               .cta = w->cta,
	                                               .bars = w->bars};
}

/* Return whether no lane before this one polls the same word. */
static bool is_first_of_its_word(const struct pending_step *p, unsigned lane)
{
	for (unsigned i = 0; i < lane; i++)
		if (p->address[i] == p->address[lane])
			return false;
	return true;
}

static void count_kept(struct spins *w, const struct pending_step *p)
{
	if (p->insn->role == ROLE_BARRIER)
		w->bars++;
	if (p->is_wait && p->insn->role == ROLE_POLL) {
		for (unsigned i = 0; i < p->lanes; i++)
			if (is_first_of_its_word(p, i))
				count_wait(w, p->address[i], p->insn);
		w->epoch += !p->insn->is_atomic;
	} else if (p->insn->role == ROLE_WRITE || (p->insn->role == ROLE_POLL && p->insn->is_atomic)) {
		count_writes(w, p);
	}
}

/* Return the least writes that a lane of the wait needs; 0: none of them waits. */
static uint64_t take_needed(struct spins *w, const struct pending_step *p)
{
	uint64_t needed = 0;
	for (unsigned i = 0; i < p->lanes; i++) {
		if (!is_first_of_its_word(p, i) || !find_word(w, p->address[i]))
			continue;
		uint64_t lane = w->next_wait < w->wait_count ? w->waits[w->next_wait++].needed : 0;
		if (lane && (!needed || lane < needed))
			needed = lane;
	}
	return needed;
}

static bool write_kept(struct spins *w, struct pending_step *p, struct trace_writer *writer, spins_twin *twin,
                       void *user, struct error *err)
{
	uint64_t needed = p->is_wait && p->insn->role == ROLE_POLL ? take_needed(w, p) : 0;
	if (!needed)
		return trace_writer_step(writer, p->insn->insn, p->mask, p->lanes ? p->address : NULL, err);
	w->polls++;
	for (unsigned i = 0; i < p->lanes; i++)
		p->address[i] = address_with_needed(p->address[i], poll_needed(needed));
	if (p->insn->poll == UINT32_MAX)
		p->insn->poll = twin(user, p->insn);
	return trace_writer_step(writer, p->insn->poll, p->mask, p->address, err);
}

/* Let go of the first `count` pending steps. */
static bool let_go(struct spins *w, size_t count, struct trace_writer *writer, spins_twin *twin, void *user,
                   struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (w->pass == PASS_COUNT)
			count_kept(w, &w->pending[i]);
		else if (!write_kept(w, &w->pending[i], writer, twin, user, err))
			return false;
	}
	w->pending_count -= count;
	memmove(w->pending, w->pending + count, w->pending_count * sizeof *w->pending);
	for (unsigned i = 0; i < w->open_count; i++)
		w->open[i].at = w->open[i].at < count ? 0 : w->open[i].at - count;
	return true;
}

/* Return whether a failed round is taken out: something ends the wait. Tests of mbarriers always are. */
static bool takes_out(const struct spins *w, const struct wait_step *s)
{
	if (s->insn->role == ROLE_TEST)
		return true;
	for (unsigned i = 0; i < s->lanes; i++)
		if (w->pass == PASS_COUNT || is_watched(find_word(w, s->address[i])))
			return true;
	return false;
}

/* The poll `o` has failed: its lanes' steps since then go, or are no wait. */
static void fail_round(struct spins *w, const struct open_poll *o, const struct wait_step *s)
{
	w->pending[o->at].is_wait = false;
	if (!takes_out(w, s))
		return;
	size_t kept = o->at, moved[OPEN_POLLS];
	for (unsigned i = 0; i < w->open_count; i++)
		moved[i] = w->open[i].at;
	for (size_t i = o->at; i < w->pending_count; i++) {
		bool goes = w->pending[i].mask & o->mask;
		for (unsigned j = 0; j < w->open_count; j++)
			if (w->open[j].at == i)
				moved[j] = kept;
		if (goes)
			w->left_out++;
		else if (kept++ != i)
			w->pending[kept - 1] = w->pending[i];
	}
	for (unsigned i = 0; i < w->open_count; i++) {
		w->open[i].broken |= w->open[i].at >= o->at && w->open[i].mask & o->mask;
		w->open[i].at = moved[i];
	}
	w->pending_count = kept;
	w->rounds++;
}

static void hold(struct spins *w, const struct wait_step *s, bool waits)
{
	if (w->pending_count == w->pending_capacity) {
		w->pending_capacity = w->pending_capacity ? 2 * w->pending_capacity : 256;
		w->pending = memory_grow(w->pending, w->pending_capacity, sizeof *w->pending);
	}
	struct pending_step *p = &w->pending[w->pending_count++];
	p->insn = s->insn;
	p->mask = s->mask;
	p->lanes = s->lanes;
	p->is_wait = waits;
	if (s->lanes)
		memcpy(p->address, s->address, s->lanes * sizeof *s->address);
}

/* Return how many pending steps cannot be taken out any more. */
static size_t certain_steps(const struct spins *w)
{
	size_t certain = w->pending_count;
	for (unsigned i = 0; i < w->open_count; i++)
		if (!w->open[i].broken && !w->open[i].is_uncertain && w->open[i].at < certain)
			certain = w->open[i].at;
	return certain;
}

bool spins_step(struct spins *w, const struct wait_step *s, struct trace_writer *writer, spins_twin *twin,
                void *user, struct error *err)
{
	bool waits = is_wait(w, s);
	if (!waits) {
		pass_open(w, s, s->insn->role != ROLE_PLAIN && s->mask);
		hold(w, s, false);
	} else {
		struct open_poll *o = find_open(w, s), *tried = o ? o : find_first_try(w, s);
		if (tried && !tried->broken && !tried->is_uncertain)
			fail_round(w, tried, s);
		if (!o)
			doubt_open(w, s);
		pass_open(w, s, false);
		hold(w, s, true);
		open_again(o ? o : open_place(w, s), s, w->pending_count - 1);
	}
	size_t certain = certain_steps(w);
	return !certain || let_go(w, certain, writer, twin, user, err);
}

bool spins_end_warp(struct spins *w, struct trace_writer *writer, spins_twin *twin, void *user,
                    struct error *err)
{
	w->open_count = 0;
	if (w->pass == PASS_FIND)
		return true;
	if (!let_go(w, w->pending_count, writer, twin, user, err))
		return false;
	for (size_t i = 0; i < w->mine_count; i++) {
		struct warp_word *mine = &w->mine[i];
		struct word *word = &w->words[mine->word];
		if (!mine->waits)
			continue;
		mine->released += mine->writes > mine->writes_before;
		word->unordered |= mine->arrived < mine->waits;
		word->kept |= mine->released < mine->waits;
		word->phases = bits_max(word->phases, (uint64_t)mine->waits + mine->writes);
		word->arrivals = bits_max(word->arrivals, mine->writes);
	}
	return true;
}

/* ---- what waits need -------------------------------------------------------------------------------- */

static uint64_t divide_up(uint64_t value, uint64_t by)
{
	return by ? (value + by - 1) / by : value;
}

/* The writes after which a wait that is not for a lock ends. */
static uint64_t writes_of_phase(const struct word *word, const struct lane_wait *wait)
{
	uint64_t writes = word->stores + word->atomics;
	/* Each warp counts itself in before it waits: a counter of arrivals. */
	if (!word->unordered)
		return divide_up(wait->arrival * writes, word->arrivals);
	if (word->atomics)
		return divide_up(wait->phase * writes, word->phases);
	return wait->phase < writes ? wait->phase : writes;
}

/* A lock: the warp that waits for it writes it afterwards. */
static bool is_lock(const struct word *word)
{
	return is_watched(word) && (word->swapped || (word->unordered && !word->kept));
}

/* A wait for a lock, to be sorted into the order in which the lock is taken. */
struct turn {
	uint64_t cta;
	uint32_t word, epoch, bars;
	size_t wait;
};

/*
 * The order of CTAs, which cannot deadlock if CTAs start in order; before it the barriers of the grid that were passed,
 * behind it those of the CTA.
 */
static int compare_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	if (x->word != y->word)
		return x->word < y->word ? -1 : 1;
	if (x->epoch != y->epoch)
		return x->epoch < y->epoch ? -1 : 1;
	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	if (x->bars != y->bars)
		return x->bars < y->bars ? -1 : 1;
	return x->wait < y->wait ? -1 : x->wait > y->wait;
}

/* Each acquisition follows the releases of those before it; a compare-and-swap that takes the lock is a write, too. */
static void derive_locks(struct spins *w)
{
	struct turn *turns = memory_grow(NULL, w->wait_count, sizeof *turns);
	size_t count = 0;
	for (size_t i = 0; i < w->wait_count; i++) {
		const struct lane_wait *wait = &w->waits[i];
		if (is_lock(&w->words[wait->word]))
			turns[count++] = (struct turn){wait->cta, wait->word, wait->epoch, wait->bars, i};
	}
	qsort(turns, count, sizeof *turns, compare_turns);
	for (size_t i = 0; i < count; i++) {
		struct word *word = &w->words[turns[i].word];
		uint64_t before = word->acquisitions++;
		w->waits[turns[i].wait].needed =
		    (word->swapped ? before : 0) + before * (word->stores + word->atomics) / word->waits;
	}
	free(turns);
}

void spins_derive(struct spins *w)
{
	for (size_t i = 0; i < w->wait_count; i++) {
		struct lane_wait *wait = &w->waits[i];
		const struct word *word = &w->words[wait->word];
		wait->needed = is_watched(word) && !is_lock(word) ? writes_of_phase(word, wait) : 0;
	}
	if (w->wait_count)
		derive_locks(w);
}

uint64_t spins_left_out(const struct spins *w)
{
	return w->left_out;
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

void spins_report(struct spins *w, struct trace_writer *writer, const struct trace_kernel *kernel)
{
	uint64_t *watched = memory_grow(NULL, w->word_count ? w->word_count : 1, sizeof *watched);
	uint32_t count = 0;
	for (uint32_t i = 0; i < w->word_capacity; i++)
		if (w->words[i].address && is_watched(&w->words[i]))
			watched[count++] = w->words[i].address;
	qsort(watched, count, sizeof *watched, compare_addresses);
	trace_writer_watch(writer, watched, count);
	free(watched);
	char text[512];
	snprintf(
	    text, sizeof text,
	    "kernel %u (%.200s): %llu rounds of spins left out (%llu instructions); %llu waits for writes of %u words",
	    kernel->id, kernel->name, (unsigned long long)w->rounds, (unsigned long long)w->left_out,
	    (unsigned long long)w->polls, count);
	if (w->rounds || count)
		trace_writer_warning(writer, text);
}

/* ---- passes ------------------------------------------------------------------------------------------- */

void spins_begin_pass(struct spins *w, enum wait_pass pass, uint64_t shared_window)
{
	w->pass = pass;
	w->shared_window = shared_window;
	w->next_wait = 0;
	w->rounds = w->left_out = w->polls = 0;
}

void spins_begin_warp(struct spins *w, uint64_t cta)
{
	w->cta = cta;
	w->bars = w->epoch = 0;
	w->open_count = 0;
	w->pending_count = w->mine_count = 0;
}
