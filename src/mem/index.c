#include "mem/index.h"

#include <string.h>

#include "base/bits.h"

/* Smallest irreducible polynomials with x^0 and full use in the literature; degree 5 is Khairy's Poly(37). */
static const uint32_t polynomials[17] = {0,     3,     7,      11,     19,     37,     67,      131,    285,
					 529,   1033,  2053,   4179,   8219,   17475,  32771,   69643};

uint32_t index_polynomial(unsigned degree)
{
	return degree < 17 ? polynomials[degree] : 0;
}

uint32_t index_remainder(uint64_t value, uint32_t poly)
{
	unsigned degree = 31 - (unsigned)__builtin_clz(poly);
	for (unsigned bit = 63; bit >= degree; bit--)
		if (value >> bit & 1)
			value ^= (uint64_t)poly << (bit - degree);
	return (uint32_t)value;
}

/*
 * Fermi (Nugteren et al.): I[4:0] = A[11:7] xor {A19, A17, A15, A14, A13}, and
 * I5 = A12 with 64 sets; undefined elsewhere, where the plain fold serves.
 */
static uint32_t fermi_image(unsigned line_bit, unsigned index_bits)
{
	static const uint8_t partner[13] = {[6] = 1, [7] = 2, [8] = 4, [10] = 8, [12] = 16};
	if (line_bit < 5)
		return 1u << line_bit;
	if (line_bit == 5)
		return index_bits == 6 ? 32 : 0;
	return line_bit < 13 ? partner[line_bit] : 0;
}

static uint32_t xor_image(unsigned line_bit, unsigned index_bits)
{
	return line_bit < 3 * index_bits ? 1u << line_bit % index_bits : 0;
}

/* One basis of the hash that eviction sets on an H200 show; address bits above 20 were not resolved. */
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
	uint32_t image = 0;
	for (unsigned i = 0; i < 9 && line_bit < 14; i++)
		image |= (address_bits[i] >> (line_bit + 7) & 1) << i;
	return image;
}

static uint32_t bit_image(enum set_index function, unsigned line_bit, unsigned index_bits)
{
	switch (function) {
	case SET_INDEX_SEQ:
		return line_bit < index_bits ? 1u << line_bit : 0;
	case SET_INDEX_FERMI:
		return index_bits == 5 || index_bits == 6 ? fermi_image(line_bit, index_bits)
							  : xor_image(line_bit, index_bits);
	case SET_INDEX_XOR:
		return xor_image(line_bit, index_bits);
	case SET_INDEX_IPOLY:
		return index_remainder((uint64_t)1 << line_bit, index_polynomial(index_bits));
	case SET_INDEX_HOPPER:
		return hopper_image(line_bit);
	}
	return 0;
}

bool index_build(struct index *index, enum set_index function, uint32_t sets, uint32_t line_bytes, struct error *err)
{
	memset(index, 0, sizeof *index);
	index->sets = sets;
	if (!bits_is_power_of_two(sets)) {
		if (function == SET_INDEX_SEQ)
			return true;
		return error_set(err, "%u sets are no power of two: only the set index 'seq' takes them", sets);
	}
	if (sets > 1u << 16)
		return error_set(err, "%u sets are more than the 65536 that a set index can tell apart", sets);
	if (function == SET_INDEX_HOPPER && (sets != 512 || line_bytes != 128))
		return error_set(err, "the set index 'hopper' is measured for 512 sets of 128 B lines, not %u of %u B",
				 sets, line_bytes);
	unsigned index_bits = bits_log2_up(sets);
	for (unsigned bit = 0; index_bits && bit < 8 * INDEX_BYTES; bit++) {
		uint32_t image = bit_image(function, bit, index_bits);
		if (!image)
			continue;
		index->bytes = bit / 8 + 1;
		for (unsigned value = 0; value < 256; value++)
			if (value >> bit % 8 & 1)
				index->table[bit / 8][value] ^= (uint16_t)image;
	}
	if (!index_bits)
		index->bytes = 1;
	return true;
}
