/* A hash table of 128-bit digests: texts themselves are not kept. */
#include "lab/reproduce/names.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory.h"

static size_t find(const struct names *names, uint64_t low, uint64_t high)
{
	size_t at = low & (names->slots - 1);
	for (; names->slot[at]; at = (at + 1) & (names->slots - 1)) {
		size_t number = names->slot[at] - 1;
		if (names->hash[number] == low && names->more[number] == high)
			break;
	}
	return at;
}

static void grow(struct names *names)
{
	names->slots = names->slots ? 2 * names->slots : 256;
	free(names->slot);
	names->slot = memory_zeroed(names->slots, sizeof *names->slot);
	names->hash = memory_grow(names->hash, names->slots, sizeof *names->hash);
	names->more = memory_grow(names->more, names->slots, sizeof *names->more);
	for (size_t i = 0; i < names->count; i++)
		names->slot[find(names, names->hash[i], names->more[i])] = (uint32_t)i + 1;
}

size_t names_intern(struct names *names, const char *text, bool *fresh)
{
	XXH128_hash_t hash = XXH3_128bits(text, strlen(text));
	if (2 * (names->count + 1) > names->slots)
		grow(names);
	size_t at = find(names, hash.low64, hash.high64);
	*fresh = !names->slot[at];
	if (*fresh) {
		names->hash[names->count] = hash.low64;
		names->more[names->count] = hash.high64;
		names->slot[at] = (uint32_t)++names->count;
	}
	return names->slot[at] - 1;
}

void names_free(struct names *names)
{
	free(names->hash);
	free(names->more);
	free(names->slot);
	*names = (struct names){0};
}
