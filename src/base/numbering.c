/* A hash table of 128-bit digests: texts themselves are not kept. */
#include "base/numbering.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"

static size_t find(const struct numbering *numbering, uint64_t low, uint64_t high)
{
	size_t at = low & (numbering->slots - 1);
	for (; numbering->slot[at]; at = (at + 1) & (numbering->slots - 1)) {
		size_t number = numbering->slot[at] - 1;
		if (numbering->hash[number] == low && numbering->more[number] == high)
			break;
	}
	return at;
}

static void grow(struct numbering *numbering)
{
	numbering->slots = numbering->slots ? 2 * numbering->slots : 256;
	free(numbering->slot);
	numbering->slot = memory_zeroed(numbering->slots, sizeof *numbering->slot);
	numbering->hash = memory_grow(numbering->hash, numbering->slots, sizeof *numbering->hash);
	numbering->more = memory_grow(numbering->more, numbering->slots, sizeof *numbering->more);
	for (size_t i = 0; i < numbering->count; i++)
		numbering->slot[find(numbering, numbering->hash[i], numbering->more[i])] = (uint32_t)i + 1;
}

size_t numbering_add(struct numbering *numbering, const char *text, bool *fresh)
{
	XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
	if (2 * (numbering->count + 1) > numbering->slots)
		grow(numbering);
	size_t at = find(numbering, hash.low64, hash.high64);
	*fresh = !numbering->slot[at];
	if (*fresh) {
		numbering->hash[numbering->count] = hash.low64;
		numbering->more[numbering->count] = hash.high64;
		numbering->slot[at] = (uint32_t)++numbering->count;
	}
	return numbering->slot[at] - 1;
}

void numbering_free(struct numbering *numbering)
{
	free(numbering->hash);
	free(numbering->more);
	free(numbering->slot);
	*numbering = (struct numbering){0};
}
