/* lop3: three-input logic with several tables. */
#include "op.h"

static uint32_t logic(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint32_t result = 0;
	for (unsigned i = 0; i < 8; i++)
		if (table >> i & 1)
			result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
	return result;
}

#define LOP3(name, table) OP_SAME(name, r, "lop3.b32 %0, %1, %2, %3, " #table ";", logic(a, b, c, table))

LOP3(lop3_and3, 0x80)
LOP3(lop3_xor3, 0x96)
LOP3(lop3_majority, 0xe8)
LOP3(lop3_select, 0xca)
LOP3(lop3_odd, 0x1e)
LOP3(lop3_zero, 0x00)
LOP3(lop3_ones, 0xff)
LOP3(lop3_any, 0x47)

OPS("lop3")
