/* dp4a and dp2a: dot products of bytes, all sign combinations. */
#include "op.h"

static int32_t byte_of(uint32_t x, int i, int is_signed)
{
	uint32_t byte = x >> (8 * i) & 0xff;
	return is_signed ? (int8_t)byte : (int32_t)byte;
}

static uint32_t dot4(uint32_t a, uint32_t b, uint32_t c, int sa, int sb)
{
	for (int i = 0; i < 4; i++)
		c += (uint32_t)(byte_of(a, i, sa) * byte_of(b, i, sb));
	return c;
}

static uint32_t dot2(uint32_t a, uint32_t b, uint32_t c, int sa, int sb, int high)
{
	for (int i = 0; i < 2; i++) {
		int32_t half = sa ? (int16_t)(a >> (16 * i)) : (int32_t)(a >> (16 * i) & 0xffff);
		c += (uint32_t)(half * byte_of(b, i + 2 * high, sb));
	}
	return c;
}

OP_SAME(dp4a_s32_s32, r, "dp4a.s32.s32 %0, %1, %2, %3;", dot4(a, b, c, 1, 1))
OP_SAME(dp4a_u32_u32, r, "dp4a.u32.u32 %0, %1, %2, %3;", dot4(a, b, c, 0, 0))
OP_SAME(dp4a_s32_u32, r, "dp4a.s32.u32 %0, %1, %2, %3;", dot4(a, b, c, 1, 0))
OP_SAME(dp4a_u32_s32, r, "dp4a.u32.s32 %0, %1, %2, %3;", dot4(a, b, c, 0, 1))
OP_SAME(dp2a_lo_s32_s32, r, "dp2a.lo.s32.s32 %0, %1, %2, %3;", dot2(a, b, c, 1, 1, 0))
OP_SAME(dp2a_hi_s32_s32, r, "dp2a.hi.s32.s32 %0, %1, %2, %3;", dot2(a, b, c, 1, 1, 1))
OP_SAME(dp2a_lo_u32_u32, r, "dp2a.lo.u32.u32 %0, %1, %2, %3;", dot2(a, b, c, 0, 0, 0))
OP_SAME(dp2a_hi_u32_s32, r, "dp2a.hi.u32.s32 %0, %1, %2, %3;", dot2(a, b, c, 0, 1, 1))

FUNCTION(dp4a_intrinsic, int, int, __dp4a(a, b, c), dot4((uint32_t)a, (uint32_t)b, (uint32_t)c, 1, 1))

OPS("dp4a")
