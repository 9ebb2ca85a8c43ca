/* Logic, shifts past the width, funnel shifts, bit fields, counts and reversals, on 16, 32 and 64 bits. */
#include "op.h"

#define S(x) ((int32_t)(x))
#define SL(x) ((int64_t)(x))
#define SH(x) ((int16_t)(x))

static uint64_t field(uint64_t value, uint32_t at, uint32_t length, unsigned width, int is_signed)
{
	at &= 0xff, length &= 0xff;
	if (length == 0)
		return 0;
	unsigned last = at + length - 1 < width - 1 ? at + length - 1 : width - 1;
	uint64_t sign = is_signed ? value >> last & 1 : 0, result = 0;
	for (unsigned i = 0; i < width; i++) {
		uint64_t bit = i < length && at + i < width ? value >> (at + i) & 1 : sign;
		result |= bit << i;
	}
	return result;
}

static uint64_t insert(uint64_t from, uint64_t into, uint32_t at, uint32_t length, unsigned width)
{
	at &= 0xff, length &= 0xff;
	for (unsigned i = 0; i < length && at + i < width; i++)
		into = (into & ~(UINT64_C(1) << (at + i))) | (from >> i & 1) << (at + i);
	return into;
}

static uint64_t reverse(uint64_t value, unsigned width)
{
	uint64_t result = 0;
	for (unsigned i = 0; i < width; i++)
		result |= (value >> i & 1) << (width - 1 - i);
	return result;
}

/* Position of the leading bit that is not the sign; -1: none. */
static uint32_t find(uint64_t value, unsigned width, int is_signed)
{
	if (is_signed && value >> (width - 1) & 1)
		value = ~value;
	for (unsigned i = width; i-- > 0;)
		if (value >> i & 1)
			return i;
	return UINT32_MAX;
}

static uint32_t funnel(uint32_t low, uint32_t high, uint32_t amount, int left, int wrap)
{
	amount = wrap ? amount & 31 : amount < 32 ? amount : 32;
	uint64_t both = (uint64_t)high << 32 | low;
	return (uint32_t)(left ? (both << amount) >> 32 : both >> amount);
}

OP_SAME(and_b32, r, "and.b32 %0, %1, %2;", a &b)
OP_SAME(or_b64, l, "or.b64 %0, %1, %2;", a | b)
OP_SAME(xor_b16, h, "xor.b16 %0, %1, %2;", a ^ b)
OP_SAME(not_b16, h, "not.b16 %0, %1;", ~a)
OP_SAME(not_b64, l, "not.b64 %0, %1;", ~a)
OP_SAME(cnot_b32, r, "cnot.b32 %0, %1;", a == 0)
OP(shl_b16, h, h, r, r, "shl.b16 %0, %1, %2;", b > 15 ? 0 : a << b)
OP(shl_b32, r, r, r, r, "shl.b32 %0, %1, %2;", b > 31 ? 0 : a << b)
OP(shl_b64, l, l, r, r, "shl.b64 %0, %1, %2;", b > 63 ? 0 : a << b)
OP(shr_u16, h, h, r, r, "shr.u16 %0, %1, %2;", b > 15 ? 0 : a >> b)
OP(shr_u32, r, r, r, r, "shr.u32 %0, %1, %2;", b > 31 ? 0 : a >> b)
OP(shr_u64, l, l, r, r, "shr.u64 %0, %1, %2;", b > 63 ? 0 : a >> b)
OP(shr_s16, h, h, r, r, "shr.s16 %0, %1, %2;", SH(a) >> (b > 15 ? 15 : b))
OP(shr_s32, r, r, r, r, "shr.s32 %0, %1, %2;", S(a) >> (b > 31 ? 31 : b))
OP(shr_s64, l, l, r, r, "shr.s64 %0, %1, %2;", SL(a) >> (b > 63 ? 63 : b))
OP_SAME(shf_l_wrap, r, "shf.l.wrap.b32 %0, %1, %2, %3;", funnel(a, b, c, 1, 1))
OP_SAME(shf_r_wrap, r, "shf.r.wrap.b32 %0, %1, %2, %3;", funnel(a, b, c, 0, 1))
OP_SAME(shf_l_clamp, r, "shf.l.clamp.b32 %0, %1, %2, %3;", funnel(a, b, c, 1, 0))
OP_SAME(shf_r_clamp, r, "shf.r.clamp.b32 %0, %1, %2, %3;", funnel(a, b, c, 0, 0))
OP_SAME(bfe_u32, r, "bfe.u32 %0, %1, %2, %3;", field(a, b, c, 32, 0))
OP_SAME(bfe_s32, r, "bfe.s32 %0, %1, %2, %3;", field(a, b, c, 32, 1))
/* PTX allows positions and lengths up to 255; beyond, a GPU's 64-bit forms do not wrap as the 32-bit ones do. */
#define BYTES ".reg .b32 u, v; and.b32 u, %2, 255; and.b32 v, %3, 255; "
OP(bfe_u64, l, l, r, r, BYTES "bfe.u64 %0, %1, u, v;", field(a, b, c, 64, 0))
OP(bfe_s64, l, l, r, r, BYTES "bfe.s64 %0, %1, u, v;", field(a, b, c, 64, 1))
OP_SAME(bfi_b32, r, "bfi.b32 %0, %1, %2, %3, 11;", insert(a, b, c, 11, 32))
OP(bfi_b64, l, l, l, r, ".reg .b32 v; and.b32 v, %3, 255; bfi.b64 %0, %1, %2, v, 40;",
   insert(a, b, c, 40, 64))
OP_SAME(popc_b32, r, "popc.b32 %0, %1;", __builtin_popcount(a))
OP(popc_b64, r, l, r, r, "popc.b64 %0, %1;", __builtin_popcountll(a))
OP_SAME(clz_b32, r, "clz.b32 %0, %1;", a ? __builtin_clz(a) : 32)
OP(clz_b64, r, l, r, r, "clz.b64 %0, %1;", a ? __builtin_clzll(a) : 64)
OP_SAME(brev_b32, r, "brev.b32 %0, %1;", reverse(a, 32))
OP_SAME(brev_b64, l, "brev.b64 %0, %1;", reverse(a, 64))
OP_SAME(bfind_u32, r, "bfind.u32 %0, %1;", find(a, 32, 0))
OP_SAME(bfind_s32, r, "bfind.s32 %0, %1;", find(a, 32, 1))
OP(bfind_u64, r, l, r, r, "bfind.u64 %0, %1;", find(a, 64, 0))
OP(bfind_s64, r, l, r, r, "bfind.s64 %0, %1;", find(a, 64, 1))
OP_SAME(bfind_shiftamt, r, "bfind.shiftamt.u32 %0, %1;",
        find(a, 32, 0) == UINT32_MAX ? UINT32_MAX : 31 - find(a, 32, 0))
OP(mov_pack, l, r, r, r, "mov.b64 %0, {%1, %2};", (uint64_t)b << 32 | a)
OP(mov_unpack, r, l, r, r, ".reg .b32 low, high; mov.b64 {low, high}, %1; sub.u32 %0, high, low;",
   (uint32_t)(a >> 32) - (uint32_t)a)

OPS("int_bits")
