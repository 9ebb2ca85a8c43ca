/*
 * Which set a line belongs to: the functions that machines and policies share.
 * All are linear over GF(2) and take line numbers, not byte addresses; the
 * number of sets is a power of two, given by its logarithm.
 */
#ifndef SLUICE_BASE_SET_HASH_H
#define SLUICE_BASE_SET_HASH_H

#include <stdbool.h>
#include <stdint.h>

/* Three neighbouring fields of the line number, XORed. */
uint32_t set_hash_xor(uint64_t line, unsigned index_bits);
/*
 * Fermi (Nugteren et al.): I[4:0] = A[11:7] xor {A19, A17, A15, A14, A13}, and
 * I5 = A12 with 64 sets; undefined elsewhere, where set_hash_xor() serves.
 */
uint32_t set_hash_fermi(uint64_t line, unsigned index_bits);

/* Polynomials over GF(2): bit i is the coefficient of x^i. Constants (0 and 1) divide nothing here. */
unsigned set_hash_degree(uint32_t poly);
/* Remainder of `value` by `poly`. */
uint32_t set_hash_remainder(uint64_t value, uint32_t poly);
bool set_hash_irreducible(uint32_t poly);
/* The irreducible polynomial of that degree, at most 16, which is taken when none is named; 37 for degree 5. */
uint32_t set_hash_polynomial(unsigned degree);

#endif
