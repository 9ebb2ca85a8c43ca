/* Calls held one after the other in words: a head of three, then the addresses of the active lanes, if there are any. */
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cuda/recorder/held.h"

struct recorder_round {
	uint64_t *words;
	size_t count, capacity;
};

enum { HEAD_WORDS = 3, HEAD_SPACE_SHIFT = 8, HEAD_ADDRESS_SHIFT = 16, HEAD_NUMBER_SHIFT = 32 };

struct recorder_round *recorder_round_new(void)
{
	return memory_zeroed(1, sizeof(struct recorder_round));
}

void recorder_round_free(struct recorder_round *round)
{
	if (round)
		free(round->words);
	free(round);
}

size_t recorder_round_length(const struct recorder_round *round)
{
	return round->count;
}

void recorder_round_cut(struct recorder_round *round, size_t length)
{
	round->count = length;
}

static void reserve(struct recorder_round *r, size_t words)
{
	if (r->count + words <= r->capacity)
		return;
	r->capacity = 2 * (r->count + words);
	r->words = memory_grow(r->words, r->capacity, sizeof *r->words);
}

void round_hold(struct recorder_round *r, enum held_kind kind, uint32_t insn, uint32_t number, uint64_t mask,
                enum ptx_space space, const uint64_t *address)
{
	reserve(r, HEAD_WORDS + TRACE_MAX_LANES);
	r->words[r->count++] = (uint64_t)kind | (uint64_t)space << HEAD_SPACE_SHIFT |
	                       (uint64_t)(address != NULL) << HEAD_ADDRESS_SHIFT |
	                       (uint64_t)number << HEAD_NUMBER_SHIFT;
	r->words[r->count++] = insn;
	r->words[r->count++] = mask;
	for (uint64_t left = address ? mask : 0; left; left &= left - 1)
		r->words[r->count++] = address[bits_lowest(left)];
}

bool round_next(const struct recorder_round *r, size_t *at, struct held *call)
{
	if (*at >= r->count)
		return false;
	const uint64_t *head = &r->words[*at];
	bool has_address = head[0] >> HEAD_ADDRESS_SHIFT & 1;
	*at += HEAD_WORDS;
	call->kind = (enum held_kind)(head[0] & 0xff);
	call->space = (enum ptx_space)(head[0] >> HEAD_SPACE_SHIFT & 0xff);
	call->number = (uint32_t)(head[0] >> HEAD_NUMBER_SHIFT);
	call->insn = (uint32_t)head[1];
	call->mask = head[2];
	call->address = has_address ? call->lanes : NULL;
	for (uint64_t left = has_address ? call->mask : 0; left; left &= left - 1)
		call->lanes[bits_lowest(left)] = r->words[(*at)++];
	return true;
}
