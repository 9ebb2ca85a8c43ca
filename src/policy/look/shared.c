/*
 * Live ranges of shared memory (Darabi et al., TPDS 2022, Fig. 2): from a write to the last read before the
 * next write that follows a read, or the CTA's end.
 *
 * The paper looks at addresses; policies see lines, and so does this: of an access on chip when the model
 * asks how to route it (smem_route, to which an observer has no answer), of one through a cache when that
 * tells what it found, and there also how long lines stay.
 */
#include "policy/look/shared.h"

#include <string.h>

const char *const look_shared_bins[SHARED_BINS] = {"0", "1", "2", "3-4", "5-10", "more"};

enum { LINE_BYTES = 128, MOST_BYTES = 1 << 18 };

static uint32_t slots_of(const struct policy_env *env)
{
	uint32_t bytes = env->smem_bytes > MOST_BYTES ? env->smem_bytes : MOST_BYTES, slots = 1;
	while (slots < bytes / LINE_BYTES * 2)
		slots *= 2;
	return slots;
}

static size_t shared_bytes(const struct policy_env *env)
{
	return sizeof(struct look_shared) + slots_of(env) * (sizeof(struct shared_line) + sizeof(uint32_t)) +
	       env->warps * (sizeof(struct shared_cta) + sizeof(uint32_t));
}

static void shared_init(void *sm, const struct policy_env *env)
{
	struct look_shared *b = sm;
	uint32_t slots = slots_of(env);
	/* The block is empty at first. Launches may be short and many: only what was used is emptied. */
	for (uint32_t i = 0; i < b->used; i++)
		b->line[b->taken[i]] = (struct shared_line){0};
	if (b->cta_slots)
		memset(b->cta, 0, b->cta_slots * sizeof *b->cta);
	memset(b, 0, sizeof *b);
	b->slots = slots;
	b->warps = env->warps;
	b->cta = (struct shared_cta *)&b->line[slots];
	b->cta_slot = (uint32_t *)(b->cta + b->warps);
	b->taken = b->cta_slot + b->warps;
}

/* ---- live ranges -------------------------------------------------------------------------------------------- */

static uint32_t bin_of(uint64_t reads)
{
	return reads < 3 ? (uint32_t)reads : reads < 5 ? 3 : reads < 11 ? 4 : 5;
}

static void end_range(struct look_shared *b, struct shared_line *line)
{
	if (line->first_write) {
		uint64_t cycles = line->reads ? line->last_read + 1 - line->first_write : 0;
		b->ranges++;
		b->unread += !line->reads;
		b->lifetime += cycles;
		b->longest = cycles > b->longest ? cycles : b->longest;
		b->bin[bin_of(line->reads)]++;
		if (line->left && line->reads) {
			b->evicted_ranges++;
			b->evicted_residency += line->left - line->first_write;
			b->evicted_lifetime += cycles;
		}
	}
	line->first_write = line->left = line->reads = 0;
}

/* CTA slots begin as far from each other as those that are in use allow, and their lines follow in order. */
static uint32_t start_of(uint32_t cta_slot, uint32_t slots)
{
	uint32_t start = 0;
	for (uint32_t half = slots / 2; half && cta_slot; half /= 2, cta_slot /= 2)
		start += cta_slot % 2 * half;
	return start;
}

static inline uint32_t place_of(const struct look_shared *b, uint64_t number)
{
	const struct shared_cta *cta = &b->cta[(number >> 32) % b->warps];
	return (cta->start + (uint32_t)number) & (b->slots - 1);
}

static inline uint64_t key_of(const struct shared_cta *cta, uint64_t number)
{
	return (uint64_t)cta->id << 32 | (uint32_t)number;
}

/* The line's slot, or a free one; NULL: full. */
static struct shared_line *slot_of(struct look_shared *b, uint64_t number)
{
	uint32_t at = place_of(b, number);
	for (uint32_t tries = 0; tries < b->slots; tries++, at = (at + 1) & (b->slots - 1))
		if (!b->line[at].number || b->line[at].number == number + 1)
			return &b->line[at];
	return NULL;
}

static void leave_cache(struct look_shared *b, struct shared_line *line, uint64_t end)
{
	if (!line->entered)
		return;
	b->stays++;
	b->residency += end > line->entered ? end - line->entered : 0;
	line->entered = 0;
}

static __attribute__((noinline)) struct shared_line *find_slowly(struct look_shared *b, uint64_t number,
                                                                 const struct shared_cta *cta)
{
	struct shared_line *line = slot_of(b, number);
	if (!line || (!line->number && b->used == b->slots - 1)) {
		b->dropped++;
		return NULL;
	}
	if (!line->number)
		b->taken[b->used++] = (uint32_t)(line - b->line);
	line->number = number + 1;
	if (line->key >> 32 != cta->id) {
		end_range(b, line);
		leave_cache(b, line, cta->ended);
	}
	line->key = key_of(cta, number);
	return line;
}

/* The line, of the CTA that is in the slot now: no line belongs to two slots. */
static inline struct shared_line *find(struct look_shared *b, uint64_t number, uint32_t cta_slot)
{
	const struct shared_cta *cta = &b->cta[cta_slot % b->warps];
	struct shared_line *line = &b->line[place_of(b, number)];
	return line->key == key_of(cta, number) ? line : find_slowly(b, number, cta);
}

static inline void write_line(struct look_shared *b, struct shared_line *line, uint64_t cycle)
{
	if (line->reads)
		end_range(b, line);
	if (!line->first_write)
		line->first_write = cycle + 1;
}

static inline void read_line(struct shared_line *line, uint64_t cycle)
{
	line->last_read = cycle;
	line->reads++; /* before a first write, the range that it ends is none */
}

static inline void access_line(struct look_shared *b, struct shared_line *line, bool is_read, bool is_write,
                               uint64_t cycle)
{
	b->accesses++;
	b->reads += is_read;
	b->writes += is_write;
	if (is_read)
		read_line(line, cycle);
	if (is_write)
		write_line(b, line, cycle);
}

/* Neighbours lie side by side. */
void look_shared_lines(void *sm, uint64_t number, uint32_t count, uint32_t what, uint64_t cycle)
{
	struct look_shared *b = sm;
	const struct shared_cta *cta = &b->cta[(number >> 32) % b->warps];
	uint64_t key = key_of(cta, number), end = key + count;
	uint32_t at = cta->start + (uint32_t)number, mask = b->slots - 1;
	for (; key < end; key++, at++) {
		struct shared_line *line = &b->line[at & mask];
		if (__builtin_expect(line->key != key, 0)) {
			line = find_slowly(b, (number >> 32) << 32 | (uint32_t)key, cta);
			if (!line) {
				count--;
				continue;
			}
		}
		if (what & WATCHED_READ)
			read_line(line, cycle);
		if (__builtin_expect(what & WATCHED_WRITE, 0))
			write_line(b, line, cycle);
	}
	b->accesses += count;
	b->reads += what & WATCHED_READ ? count : 0;
	b->writes += what & WATCHED_WRITE ? count : 0;
}

static enum smem_route shared_route(void *sm, const struct l1_request *request)
{
	struct look_shared *b = sm;
	struct shared_line *line = find(b, request->line, request->cta);
	if (line)
		access_line(b, line, !request->is_store || request->is_atomic,
		            request->is_store || request->is_atomic, request->cycle);
	return SMEM_ROUTE_NONE;
}

void look_shared_close(struct look_shared *b)
{
	for (uint32_t i = 0; i < b->used; i++) {
		struct shared_line *line = &b->line[b->taken[i]];
		end_range(b, line);
		for (uint32_t k = 0; k < b->warps && line->entered; k++)
			if (b->cta[k].id == line->key >> 32)
				leave_cache(b, line, b->cta[k].ended);
	}
}

/* ---- behind a cache ----------------------------------------------------------------------------------------- */

static void shared_hit(void *sm, const struct l1_event *event)
{
	struct look_shared *b = sm;
	struct shared_line *line = event->shared ? find(b, event->line, event->cta) : NULL;
	if (line)
		access_line(b, line, !event->is_store, event->is_store, event->cycle);
}

static void shared_miss(void *sm, const struct l1_event *event)
{
	struct look_shared *b = sm;
	struct shared_line *line = event->shared ? find(b, event->line, event->cta) : NULL;
	if (!line)
		return;
	access_line(b, line, !event->is_store, event->is_store, event->cycle);
	if (!line->entered)
		line->entered = event->cycle + 1;
}

static void shared_evict(void *sm, const struct l1_event *event)
{
	struct look_shared *b = sm;
	struct shared_line *line = event->shared ? slot_of(b, event->line) : NULL;
	if (!line || !line->number)
		return;
	if (line->first_write && !line->left)
		line->left = event->cycle + 1;
	leave_cache(b, line, event->cycle + 1);
}

/* ---- CTAs ---------------------------------------------------------------------------------------------------- */

static void shared_warp_start(void *sm, uint32_t warp, uint32_t cta, uint64_t cycle)
{
	struct look_shared *b = sm;
	uint32_t at = cta % b->warps;
	struct shared_cta *slot = &b->cta[at];
	if (at >= b->cta_slots)
		b->cta_slots = at + 1;
	slot->start = start_of(at, b->slots);
	if (!slot->live && slot->since != cycle + 1) {
		slot->id = ++b->next_cta;
		slot->since = cycle + 1;
	}
	slot->live++;
	b->cta_slot[warp] = at;
}

static void shared_warp_exit(void *sm, uint32_t warp, uint64_t cycle)
{
	struct look_shared *b = sm;
	struct shared_cta *slot = &b->cta[b->cta_slot[warp]];
	if (--slot->live)
		return;
	b->ctas++;
	b->cta_cycles += cycle + 1 - slot->since;
	slot->ended = cycle + 1;
}

const struct policy look_shared = {
    .abi = POLICY_ABI,
    .name = "look-shared",
    .title = "observer: live ranges of shared memory",
    .sm_bytes = shared_bytes,
    .sm_init = shared_init,
    .smem_route = shared_route,
    .on_warp_start = shared_warp_start,
    .on_warp_exit = shared_warp_exit,
    .on_l1_hit = shared_hit,
    .on_l1_pending = shared_hit,
    .on_l1_miss = shared_miss,
    .on_l1_evict = shared_evict,
};
