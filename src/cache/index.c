#include "cache/index.h"

#include <string.h>

#include "base/bits.h"
#include "base/set_hash.h"

/*
 * One basis of the hash that eviction sets on an H200 show, for address bits up to 33 (validation/probes/sets.cu). Still
 * higher bits are not known: any nine neighbouring ones stay independent (x^9 + x^4 + 1).
 */
static uint32_t hopper_image(unsigned line_bit)
{
	static const uint32_t address_bits[9] = {
	    1u << 14,
	    1u << 9 | 1u << 18,
	    1u << 10 | 1u << 11 | 1u << 13,
	    1u << 7 | 1u << 11 | 1u << 15,
	    1u << 7 | 1u << 10 | 1u << 16,
	    1u << 8 | 1u << 9 | 1u << 17,
	    1u << 11 | 1u << 12 | 1u << 17,
	    1u << 9 | 1u << 15 | 1u << 19,
	    1u << 7 | 1u << 8 | 1u << 13 | 1u << 20,
	};
	static const uint16_t high[] = {213, 111, 211, 103, 431, 127, 427, 70, 289, 265, 382, 311, 334};
	enum { LOW = 14, HIGH = sizeof high / sizeof *high };
	uint32_t image[64] = {0};
	for (unsigned bit = 0; bit <= line_bit; bit++) {
		for (unsigned i = 0; i < 9 && bit < LOW; i++)
			image[bit] |= (address_bits[i] >> (bit + 7) & 1) << i;
		if (bit >= LOW)
			image[bit] = bit < LOW + HIGH ? high[bit - LOW] : image[bit - 9] ^ image[bit - 5];
	}
	return image[line_bit];
}

/* The functions are linear: that of a single bit says all. */
static uint32_t bit_image(enum set_index function, unsigned line_bit, unsigned index_bits)
{
	uint64_t line = (uint64_t)1 << line_bit;
	switch (function) {
	case SET_INDEX_SEQ:
		break; /* is not tabulated */
	case SET_INDEX_FERMI:
		return set_hash_fermi(line, index_bits);
	case SET_INDEX_XOR:
		return set_hash_xor(line, index_bits);
	case SET_INDEX_IPOLY:
		return set_hash_remainder(line, set_hash_polynomial(index_bits));
	case SET_INDEX_HOPPER:
		return hopper_image(line_bit);
	}
	return 0;
}

bool index_build(struct index *index, enum set_index function, uint32_t sets, uint32_t line_bytes,
                 struct error *err)
{
	memset(index, 0, sizeof *index);
	index->sets = sets;
	if (!bits_is_power_of_two(sets)) {
		if (function == SET_INDEX_SEQ)
			return true;
		return error_set(err, "%u sets are no power of two: only the set index 'seq' takes them",
		                 sets);
	}
	if (sets > 1u << 16)
		return error_set(err, "%u sets are more than the 65536 that a set index can tell apart",
		                 sets);
	if (function == SET_INDEX_HOPPER && (sets != 512 || line_bytes != 128))
		return error_set(
		    err, "the set index 'hopper' is measured for 512 sets of 128 B lines, not %u of %u B",
		    sets, line_bytes);
	unsigned index_bits = bits_log2_up(sets);
	index->mask = sets - 1;
	index->tabulated = function != SET_INDEX_SEQ;
	for (unsigned bit = 0; index->tabulated && index_bits && bit < 64; bit++) {
		uint32_t image = bit_image(function, bit, index_bits);
		for (unsigned value = 0; image && value < 1u << INDEX_PART; value++)
			if (value >> bit % INDEX_PART & 1)
				index->table[bit / INDEX_PART][value] ^= (uint16_t)image;
	}
	return true;
}
