/*
 * Set-index functions.
 *
 * seq, fermi, xor, ipoly and the hash measured on Hopper are all linear over
 * GF(2): the index of a line is the XOR of one constant per address bit. They
 * are tabulated by byte of the line address, so that every function costs the
 * same few look-ups.
 */
#ifndef SLUICE_CACHE_INDEX_H
#define SLUICE_CACHE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/machine.h"

enum { INDEX_BYTES = 8 };

struct index {
	uint32_t bytes; /* tables in use, the others are zero; 0: line modulo sets */
	uint32_t sets;
	uint32_t mask; /* of the line's lowest bits, where they are the set; 0: they are not */
	uint16_t table[INDEX_BYTES][256];
};

/*
 * `line` numbers lines, not bytes. Linear functions need a power of two of
 * sets; seq takes any number; hopper needs 512 sets of 128 B lines.
 */
bool index_build(struct index *index, enum set_index function, uint32_t sets, uint32_t line_bytes,
                 struct error *err);

static inline uint32_t index_of(const struct index *index, uint64_t line)
{
	const uint16_t(*table)[256] = index->table;
	if (index->mask)
		return (uint32_t)line & index->mask;
	if (!index->bytes)
		return (uint32_t)(line % index->sets);
	/* Lines of a 47-bit address have five bytes: no loop over them. */
	uint32_t set = table[0][line & 255] ^ table[1][line >> 8 & 255] ^ table[2][line >> 16 & 255] ^
	               table[3][line >> 24 & 255] ^ table[4][line >> 32 & 255];
	line >>= 40;
	for (uint32_t i = 5; __builtin_expect(line != 0, 0); i++, line >>= 8)
		set ^= table[i][line & 255];
	return set;
}

#endif
