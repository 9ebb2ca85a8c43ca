/*
 * Set-index functions.
 *
 * seq, fermi, xor, ipoly and the hash measured on Hopper are all linear over
 * GF(2): the index of a line is the XOR of one constant per address bit. They
 * are tabulated by ten bits of the line address at a time, so that every function
 * costs the same few look-ups, but for seq, which is a mask or a remainder.
 */
#ifndef SLUICE_CACHE_INDEX_H
#define SLUICE_CACHE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/machine.h"

enum { INDEX_PART = 10, INDEX_PARTS = 7 }; /* bits of a line that are looked up together, and how often */

struct index {
	bool tabulated; /* otherwise line modulo sets */
	uint32_t mask;  /* sets - 1, if they are a power of two; 0: they are not */
	uint32_t sets;
	uint16_t table[INDEX_PARTS][1 << INDEX_PART];
};

/*
 * `line` numbers lines, not bytes. Linear functions need a power of two of
 * sets; seq takes any number; hopper needs 512 sets of 128 B lines.
 */
bool index_build(struct index *index, enum set_index function, uint32_t sets, uint32_t line_bytes,
                 struct error *err);

static inline uint32_t index_of(const struct index *index, uint64_t line)
{
	enum { MASK = (1 << INDEX_PART) - 1 };
	const uint16_t(*table)[1 << INDEX_PART] = index->table;
	if (!index->tabulated)
		return index->mask ? (uint32_t)line & index->mask : (uint32_t)(line % index->sets);
	/* Lines of a 47-bit address have four parts: no loop over them. */
	uint32_t set = table[0][line & MASK] ^ table[1][line >> INDEX_PART & MASK] ^
	               table[2][line >> 2 * INDEX_PART & MASK] ^ table[3][line >> 3 * INDEX_PART & MASK];
	line >>= 4 * INDEX_PART;
	for (uint32_t i = 4; __builtin_expect(line != 0, 0); i++, line >>= INDEX_PART)
		set ^= table[i][line & MASK];
	return set;
}

#endif
