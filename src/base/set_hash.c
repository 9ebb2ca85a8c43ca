#include "base/set_hash.h"

uint32_t set_hash_xor(uint64_t line, unsigned index_bits)
{
	return (uint32_t)(line ^ line >> index_bits ^ line >> 2 * index_bits) & ((1u << index_bits) - 1);
}

uint32_t set_hash_fermi(uint64_t line, unsigned index_bits)
{
	if (index_bits != 5 && index_bits != 6)
		return set_hash_xor(line, index_bits);
	uint64_t partner = (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
	return (uint32_t)((line ^ partner) & ((1u << index_bits) - 1));
}

unsigned set_hash_degree(uint32_t poly)
{
	return poly ? 31 - (unsigned)__builtin_clz(poly) : 0;
}

uint32_t set_hash_remainder(uint64_t value, uint32_t poly)
{
	unsigned degree = set_hash_degree(poly);
	while (value >> degree) {
		unsigned top = 63 - (unsigned)__builtin_clzll(value);
		value ^= (uint64_t)poly << (top - degree);
	}
	return (uint32_t)value;
}

bool set_hash_irreducible(uint32_t poly)
{
	unsigned degree = set_hash_degree(poly);
	if (degree < 1)
		return false;
	/* A factor of at most half the degree would be found. */
	for (uint32_t factor = 2; set_hash_degree(factor) <= degree / 2; factor++)
		if (!set_hash_remainder(poly, factor))
			return false;
	return true;
}

uint32_t set_hash_polynomial(unsigned degree)
{
	static const uint32_t polynomials[17] = {0,   3,    7,    11,   19,   37,    67,    131,  285,
	                                         529, 1033, 2053, 4179, 8219, 17475, 32771, 69643};
	return degree < 17 ? polynomials[degree] : 0;
}
