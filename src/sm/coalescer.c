#include "sm/coalescer.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/simd.h"

enum { MEMO_SLOTS = 1024, MEMO_LINES = 32, LIST_WORDS = 8, LIST_SLOTS = 512, MAX_BANKS = 64 };

/* A remembered result for base = offset in line 0. */
struct memo {
	uint64_t mask;
	int64_t stride;
	uint32_t offset;
	uint8_t shape; /* 0: empty */
	struct coalesced result;
	struct line_request request[MEMO_LINES];
};

/*
 * A remembered list of addresses: the bytes of its encoding are its shape. Only
 * lists that come a second time are kept; gathers never do.
 */
struct list_memo {
	uint64_t mask;
	uint64_t list[LIST_WORDS];
	uint32_t offset, bytes;
	uint8_t shape;
	struct coalesced result;
	struct line_request request[MEMO_LINES];
};

struct bank_memo {
	uint64_t mask;
	int64_t stride;
	uint32_t offset;
	uint8_t shape;
	uint32_t wavefronts;
};

struct coalescer {
	uint32_t line_shift, line_mask;
	uint32_t chunks_per_sector;
	uint32_t banks, bank_shift;
	uint32_t by_width;
	/* the result being made */
	struct coalesced out;
	struct line_request *request;
	uint64_t lowest, highest; /* lines of the group of lanes that is being added */
	struct memo *memo;
	struct bank_memo *bank_memo;
	struct list_memo *list_memo;
	uint32_t list_seen[LIST_SLOTS]; /* hash of the last list of each slot */
	uint64_t shared_lane[TRACE_MAX_LANES];
};

struct coalescer *coalescer_new(const struct machine *machine)
{
	struct coalescer *c = memory_zeroed(1, sizeof *c);
	c->line_shift = bits_log2_up(machine->l1d_line_bytes);
	c->line_mask = machine->l1d_line_bytes - 1;
	c->chunks_per_sector = machine->l1d_sector_bytes / CHUNK_BYTES;
	c->banks = machine->smem_banks;
	c->bank_shift = bits_log2_up(machine->smem_bank_bytes);
	c->by_width = machine->lsu_coalesce == COALESCE_BY_WIDTH;
	c->memo = memory_zeroed(MEMO_SLOTS, sizeof *c->memo);
	c->bank_memo = memory_zeroed(MEMO_SLOTS, sizeof *c->bank_memo);
	c->list_memo = memory_zeroed(LIST_SLOTS, sizeof *c->list_memo);
	return c;
}

void coalescer_free(struct coalescer *c)
{
	if (!c)
		return;
	free(c->memo);
	free(c->bank_memo);
	free(c->list_memo);
	free(c);
}

/* Bytes per lane, of which 16 are the most there are, whatever a file says; and whether lanes on a word count apart. */
uint8_t coalesce_shape(const struct trace_insn *insn)
{
	uint32_t width = !insn->width_bytes ? 4 : insn->width_bytes > 16 ? 16 : insn->width_bytes;
	return (uint8_t)(width * 2 + (insn->op == OP_ATOMIC || insn->op == OP_REDUCE));
}

static unsigned shape_width(uint8_t shape)
{
	return shape / 2;
}

static bool shape_is_atomic(uint8_t shape)
{
	return shape & 1;
}

/* Lanes that go through the banks, or through a by-width coalescer, together. */
static unsigned group_lanes(unsigned width_bytes)
{
	return width_bytes <= 4 ? TRACE_MAX_LANES : width_bytes <= 8 ? 16 : 8;
}

static struct line_request *find_line(struct coalescer *c, uint32_t first, uint64_t line)
{
	/* Where lanes ascend or descend, no line is looked for among those before it. */
	if (line >= c->lowest && line <= c->highest)
		for (uint32_t i = c->out.count; i > first; i--)
			if (c->request[i - 1].line == line)
				return &c->request[i - 1];
	c->lowest = line < c->lowest ? line : c->lowest;
	c->highest = line > c->highest ? line : c->highest;
	struct line_request *request = &c->request[c->out.count];
	*request = (struct line_request){.line = line, .index = (uint8_t)c->out.count++};
	return request;
}

/* An access that leaves its 32 B chunk: every chunk in turn, in as many lines as it touches. */
static __attribute__((noinline)) void add_straddling(struct coalescer *c, uint32_t first, uint64_t address,
                                                     uint32_t bytes)
{
	while (bytes) {
		struct line_request *request = find_line(c, first, address >> c->line_shift);
		uint32_t offset = (uint32_t)address & c->line_mask;
		uint32_t chunk = offset / CHUNK_BYTES, start = offset % CHUNK_BYTES;
		uint32_t here = bytes < CHUNK_BYTES - start ? bytes : CHUNK_BYTES - start;
		request->bytes[chunk] |= (uint32_t)((((uint64_t)1 << here) - 1) << start);
		address += here;
		bytes -= here;
	}
}

/* Adds lanes [0, n) to the requests from `first` on. Neighbouring lanes mostly share a line: it is tried first. */
static void add_lanes(struct coalescer *c, uint32_t first, const uint64_t *address, unsigned n,
                      uint32_t bytes)
{
	struct line_request *request = NULL;
	uint64_t line = 0;
	uint32_t shift = c->line_shift, mask = c->line_mask, touched = (1u << bytes) - 1;
	c->lowest = UINT64_MAX;
	c->highest = 0;
	for (unsigned i = 0; i < n; i++) {
		uint32_t start = (uint32_t)address[i] % CHUNK_BYTES;
		if (__builtin_expect(start + bytes > CHUNK_BYTES, 0)) {
			add_straddling(c, first, address[i], bytes);
			continue;
		}
		if (!request || address[i] >> shift != line) {
			line = address[i] >> shift;
			request = find_line(c, first, line);
		}
		request->bytes[((uint32_t)address[i] & mask) / CHUNK_BYTES] |= touched << start;
	}
}

/* Sectors of one 32 B chunk each, as on every sectored machine: no loop over chunks. */
static uint32_t finish_chunk_sectors(struct coalescer *c)
{
	uint32_t total = 0;
	for (uint32_t i = 0; i < c->out.count; i++) {
		struct line_request *request = &c->request[i];
		uint32_t any = 0, all = 0;
		for (uint32_t s = 0; s < LINE_CHUNKS; s++) {
			any |= (uint32_t)(request->bytes[s] != 0) << s;
			all |= (uint32_t)(request->bytes[s] == UINT32_MAX) << s;
		}
		request->sectors = (uint8_t)any;
		request->full = (uint8_t)all;
		total += bits_count(any);
	}
	return total;
}

static uint32_t finish_wide_sectors(struct coalescer *c)
{
	uint32_t total = 0, sector_count = (c->line_mask + 1) / CHUNK_BYTES / c->chunks_per_sector;
	for (uint32_t i = 0; i < c->out.count; i++) {
		struct line_request *request = &c->request[i];
		for (uint32_t s = 0; s < sector_count; s++) {
			uint32_t any = 0, all = UINT32_MAX;
			for (uint32_t k = 0; k < c->chunks_per_sector; k++) {
				any |= request->bytes[s * c->chunks_per_sector + k];
				all &= request->bytes[s * c->chunks_per_sector + k];
			}
			request->sectors |= (uint8_t)((any != 0) << s);
			request->full |= (uint8_t)((all == UINT32_MAX) << s);
		}
		total += bits_count(request->sectors);
	}
	return total;
}

/*
 * What serialises an atomic: the most lanes on one word of a chunk, summed over
 * the chunks of a line, and of the line. Lanes on one word go one pass after the
 * other; a pass takes a cycle per sector and one more per line, or a single one
 * if it holds a lane alone.
 */
static void count_lanes(struct coalescer *c, const uint64_t *address, unsigned n)
{
	enum { WORDS = CHUNK_BYTES / 4 };
	for (uint32_t r = 0; r < c->out.count; r++) {
		struct line_request *request = &c->request[r];
		uint8_t on_word[LINE_CHUNKS * WORDS] = {0}, most[LINE_CHUNKS] = {0}, all = 0;
		for (unsigned i = 0; i < n; i++) {
			if (address[i] >> c->line_shift != request->line)
				continue;
			all++;
			uint32_t word = ((uint32_t)address[i] & c->line_mask) / 4;
			if (++on_word[word] > most[word / WORDS])
				most[word / WORDS] = on_word[word];
		}
		request->lanes = (uint8_t)(most[0] + most[1] + most[2] + most[3]);
		for (uint32_t s = 0; s < LINE_CHUNKS; s++)
			request->passes = most[s] > request->passes ? most[s] : request->passes;
		c->out.passes += request->lanes + (all > request->passes ? request->passes : 0u);
	}
}

/* The most words of one bank that lanes [start, end) want; `each_lane`: lanes on one word count apart. */
static uint32_t group_wavefronts(const struct coalescer *c, const uint64_t *address, unsigned start,
                                 unsigned end, uint32_t words_per_lane, bool each_lane)
{
	uint8_t used[MAX_BANKS] = {0};
	uint64_t word[MAX_BANKS][TRACE_MAX_LANES];
	uint32_t most = 1;
	for (unsigned i = start; i < end; i++) {
		for (uint32_t k = 0; k < words_per_lane; k++) {
			uint64_t w = (address[i] >> c->bank_shift) + k;
			uint32_t bank = (uint32_t)w % c->banks, j = 0;
			while (!each_lane && j < used[bank] && word[bank][j] != w)
				j++;
			if (each_lane || j == used[bank])
				word[bank][used[bank]++] = w;
			if (used[bank] > most)
				most = used[bank];
		}
	}
	return most;
}

/* The same where a lane wants one word and lanes on one word share it: most banks are asked for one word. */
static uint32_t word_wavefronts(const struct coalescer *c, const uint64_t *address, unsigned start,
                                unsigned end)
{
	uint8_t used[MAX_BANKS] = {0};
	uint64_t word[MAX_BANKS][TRACE_MAX_LANES];
	uint32_t most = 1, banks = c->banks - 1, shift = c->bank_shift;
	uint64_t before = 0;
	bool ascending = true; /* so far: then only the last word of a bank can be the same */
	for (unsigned i = start; i < end; i++) {
		uint64_t w = address[i] >> shift;
		uint32_t bank = (uint32_t)w & banks, count = used[bank];
		ascending &= w >= before;
		before = w;
		uint32_t j = ascending && count ? count - 1 : 0;
		while (j < count && word[bank][j] != w)
			j++;
		if (j < count)
			continue;
		word[bank][count] = w;
		used[bank] = (uint8_t)++count;
		most = count > most ? count : most;
	}
	return most;
}

/*
 * Wavefronts: the most distinct bank-wide words of one bank within a group of
 * lanes, summed over groups. With `each_lane`, lanes on one word count apart
 * (shared atomics serialise on it).
 */
static uint32_t bank_wavefronts(const struct coalescer *c, const uint64_t *address, unsigned n,
                                unsigned width_bytes, bool each_lane)
{
	uint32_t wavefronts = 0, group = group_lanes(width_bytes);
	uint32_t words_per_lane = width_bytes > 1u << c->bank_shift ? width_bytes >> c->bank_shift : 1;
	bool simple = words_per_lane == 1 && !each_lane && bits_is_power_of_two(c->banks);
	for (unsigned start = 0; start < n; start += group) {
		unsigned end = start + group < n ? start + group : n;
		wavefronts += simple ? word_wavefronts(c, address, start, end)
		                     : group_wavefronts(c, address, start, end, words_per_lane, each_lane);
	}
	return wavefronts;
}

/* Lanes 0 .. n-1. */
static uint64_t first_lanes(unsigned n)
{
	return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

static void coalesce_lanes(struct coalescer *c, const struct warp_step *step, uint8_t shape)
{
	uint64_t address[TRACE_MAX_LANES];
	unsigned n = step_addresses(step, address), width = shape_width(shape),
	         group = c->by_width ? group_lanes(width) : TRACE_MAX_LANES;
	c->out.count = c->out.passes = 0;
	/* Groups are of neighbouring lanes, active or not. */
	for (unsigned lane = 0, i = 0; i < n; lane += group) {
		unsigned end = i + bits_count(step->mask >> lane & first_lanes(group));
		uint32_t first = c->out.count;
		add_lanes(c, first, address + i, end - i, width);
		i = end;
	}
	c->out.sectors = c->chunks_per_sector == 1 && c->line_mask + 1 == LINE_CHUNKS * CHUNK_BYTES
	                     ? finish_chunk_sectors(c)
	                     : finish_wide_sectors(c);
	if (shape_is_atomic(shape))
		count_lanes(c, address, n);
	/* Unlike shared memory, a wide access takes width / 4 wavefronts even if all lanes read one address. */
	uint32_t least = width / 4 ? width / 4 : 1;
	c->out.wavefronts = bank_wavefronts(c, address, n, width, false);
	if (c->out.wavefronts < least)
		c->out.wavefronts = least;
}

static uint32_t memo_slot(uint64_t mask, int64_t stride, uint32_t offset, uint8_t shape)
{
	uint64_t key =
	    (mask * 0x9e3779b97f4a7c15u + (uint64_t)stride) ^ (uint64_t)offset << 20 ^ (uint64_t)shape << 40;
	return (uint32_t)(key * 0xd6e8feb86659fd93u >> 54) % MEMO_SLOTS;
}

/* Remembered requests are relative to the line of the base. */
static void recall(struct line_request *request, const struct line_request *kept, uint32_t count,
                   uint64_t line)
{
	static_assert(sizeof *request == 32 && !offsetof(struct line_request, line), "as it is copied");
	for (uint32_t i = 0; i < count; i++)
		simd_copy_added(&request[i], &kept[i], line);
}

static void remember(struct line_request *kept, const struct line_request *request, uint32_t count,
                     uint64_t line)
{
	for (uint32_t i = 0; i < count; i++) {
		kept[i] = request[i];
		kept[i].line -= line;
	}
}

/* The bytes of a list, the last word filled up with zeros; returns their hash. */
static uint64_t read_list(const struct warp_step *step, size_t bytes, uint64_t word[LIST_WORDS])
{
	uint64_t hash = step->mask ^ bytes;
	for (size_t at = 0, i = 0; at < bytes; at += 8, i++) {
		memcpy(&word[i], step->list + at, sizeof word[i]);
		if (bytes - at < 8)
			word[i] &= ((uint64_t)1 << 8 * (bytes - at)) - 1;
		hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return hash;
}

static void coalesce_list(struct coalescer *c, const struct warp_step *step, uint8_t shape)
{
	size_t bytes = step_list_bytes(step);
	if (bytes > LIST_WORDS * sizeof(uint64_t)) {
		coalesce_lanes(c, step, shape);
		return;
	}
	uint64_t word[LIST_WORDS], line = step->base >> c->line_shift;
	uint32_t span = c->banks << c->bank_shift,
	         offset = (uint32_t)step->base & (c->line_mask | (span - 1));
	uint64_t hash = bits_spread(read_list(step, bytes, word) ^ (uint64_t)offset << 32 ^ shape);
	uint32_t slot = (uint32_t)(hash >> 40) % LIST_SLOTS;
	struct list_memo *memo = &c->list_memo[slot];
	size_t words = (bytes + 7) / 8;
	if (memo->shape == shape && memo->mask == step->mask && memo->offset == offset &&
	    memo->bytes == bytes && !memcmp(memo->list, word, words * sizeof *word)) {
		c->out = memo->result;
		recall(c->request, memo->request, c->out.count, line);
		return;
	}
	coalesce_lanes(c, step, shape);
	bool again = c->list_seen[slot] == (uint32_t)hash;
	c->list_seen[slot] = (uint32_t)hash;
	if (!again || c->out.count > MEMO_LINES || !bits_is_power_of_two(span))
		return;
	*memo = (struct list_memo){
	    .mask = step->mask, .offset = offset, .bytes = (uint32_t)bytes, .shape = shape, .result = c->out};
	memcpy(memo->list, word, words * sizeof *word);
	remember(memo->request, c->request, c->out.count, line);
}

/* Strides of a shape that is not in its place, which it takes. Apart, so that the others save no registers. */
static __attribute__((noinline)) struct coalesced coalesce_new(struct coalescer *c, struct memo *memo,
                                                               const struct warp_step *step, uint8_t shape)
{
	coalesce_lanes(c, step, shape);
	if (c->out.count <= MEMO_LINES) {
		memo->shape = shape;
		memo->mask = step->mask;
		memo->stride = step->stride;
		memo->offset = (uint32_t)step->base & c->line_mask;
		memo->result = c->out;
		remember(memo->request, c->request, c->out.count, step->base >> c->line_shift);
	}
	return c->out;
}

static __attribute__((noinline)) struct coalesced
coalesce_irregular(struct coalescer *c, const struct warp_step *step, uint8_t shape)
{
	if (step->kind == ADDR_LIST)
		coalesce_list(c, step, shape);
	else
		coalesce_lanes(c, step, shape);
	return c->out;
}

struct coalesced coalesce_global(struct coalescer *c, uint8_t shape, const struct warp_step *step,
                                 struct line_request *request)
{
	c->request = request;
	if (__builtin_expect(step->kind != ADDR_STRIDE, 0))
		return coalesce_irregular(c, step, shape);
	uint32_t offset = (uint32_t)step->base & c->line_mask;
	struct memo *memo = &c->memo[memo_slot(step->mask, step->stride, offset, shape)];
	if (memo->shape == shape && memo->mask == step->mask && memo->stride == step->stride &&
	    memo->offset == offset) {
		recall(request, memo->request, memo->result.count, step->base >> c->line_shift);
		return memo->result;
	}
	return coalesce_new(c, memo, step, shape);
}

/* Not inlined: it would take the registers of the loop that it is called from. */
__attribute__((noinline)) uint32_t coalesce_shared(struct coalescer *c, uint8_t shape,
                                                   const struct warp_step *step)
{
	bool each_lane = shape_is_atomic(shape);
	unsigned width = shape_width(shape);
	uint64_t *address = c->shared_lane;
	if (step->kind == ADDR_NONE)
		return 1;
	if (step->kind != ADDR_STRIDE)
		return bank_wavefronts(c, address, step_addresses(step, address), width, each_lane);
	uint32_t offset = (uint32_t)step->base % (c->banks << c->bank_shift);
	struct bank_memo *memo = &c->bank_memo[memo_slot(step->mask, step->stride, offset, shape)];
	if (memo->shape != shape || memo->mask != step->mask || memo->stride != step->stride ||
	    memo->offset != offset) {
		*memo = (struct bank_memo){step->mask, step->stride, offset, shape, 0};
		memo->wavefronts =
		    bank_wavefronts(c, address, step_addresses(step, address), width, each_lane);
	}
	return memo->wavefronts;
}

const uint64_t *coalesce_shared_lanes(const struct coalescer *c)
{
	return c->shared_lane;
}
