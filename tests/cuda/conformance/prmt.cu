/* prmt: byte permutation with sign replication, and its six fixed modes. */
#include "op.h"

static uint32_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
	uint64_t bytes = (uint64_t)b << 32 | a;
	uint32_t result = 0;
	for (int i = 0; i < 4; i++) {
		uint32_t s = selector >> (4 * i) & 15;
		uint32_t byte = (uint32_t)(bytes >> (8 * (s & 7))) & 0xff;
		if (s & 8)
			byte = byte & 0x80 ? 0xff : 0;
		result |= byte << (8 * i);
	}
	return result;
}

/* Rows of the mode tables in the PTX manual, by c & 3. */
static uint32_t permute_mode(uint32_t a, uint32_t b, uint32_t c, const uint32_t row[4])
{
	return permute(a, b, row[c & 3]);
}

static const uint32_t f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543}, b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123},
                      rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333}, ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333},
                      ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210}, rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};

OP_SAME(prmt_b32, r, "prmt.b32 %0, %1, %2, %3;", permute(a, b, c))
OP_SAME(prmt_f4e, r, "prmt.b32.f4e %0, %1, %2, %3;", permute_mode(a, b, c, f4e))
OP_SAME(prmt_b4e, r, "prmt.b32.b4e %0, %1, %2, %3;", permute_mode(a, b, c, b4e))
OP_SAME(prmt_rc8, r, "prmt.b32.rc8 %0, %1, %2, %3;", permute_mode(a, b, c, rc8))
OP_SAME(prmt_ecl, r, "prmt.b32.ecl %0, %1, %2, %3;", permute_mode(a, b, c, ecl))
OP_SAME(prmt_ecr, r, "prmt.b32.ecr %0, %1, %2, %3;", permute_mode(a, b, c, ecr))
OP_SAME(prmt_rc16, r, "prmt.b32.rc16 %0, %1, %2, %3;", permute_mode(a, b, c, rc16))

FUNCTION(byte_perm, uint32_t, uint32_t, __byte_perm(a, b, c & 0x7777), permute(a, b, c & 0x7777))

OPS("prmt")
