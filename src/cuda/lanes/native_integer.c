/* __nv_* functions on integers. */
#include "cuda/lanes/native.h"

static int32_t sign24(int32_t x)
{
	return (int32_t)((uint32_t)x << 8) >> 8;
}
static uint64_t reverse(uint64_t x)
{
	uint64_t result = 0;
	for (unsigned i = 0; i < 64; i++)
		result |= (x >> i & 1) << (63 - i);
	return result;
}
/* prmt without sign replication: __byte_perm looks at three bits of each selector. */
static uint32_t permute(uint32_t x, uint32_t y, uint32_t select)
{
	uint64_t both = (uint64_t)y << 32 | x;
	uint32_t result = 0;
	for (unsigned i = 0; i < 4; i++)
		result |= (uint32_t)(both >> (select >> 4 * i & 7) * 8 & 0xff) << 8 * i;
	return result;
}
#define DISTANCE(U) (x < y ? (U)y - (U)x : (U)x - (U)y)

#define ONE(X)                                                                                               \
	X(abs, u32, s32, x < 0 ? 0 - (uint32_t)x : (uint32_t)x, COST_INT(1))                                 \
	X(brev, u32, u32, reverse(x) >> 32, COST_INT(1))                                                     \
	X(brevll, u64, u64, reverse(x), COST_INT(2))                                                         \
	X(clz, s32, u32, x ? __builtin_clz(x) : 32, COST_INT(2))                                             \
	X(clzll, s32, u64, x ? __builtin_clzll(x) : 64, COST_INT(5))                                         \
	X(ffs, s32, s32, __builtin_ffs(x), COST_INT(3))                                                      \
	X(ffsll, s32, s64, __builtin_ffsll(x), COST_INT(6))                                                  \
	X(llabs, u64, s64, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, COST_INT(4))                               \
	X(popc, s32, u32, __builtin_popcount(x), COST_INT(1))                                                \
	X(popcll, s32, u64, __builtin_popcountll(x), COST_INT(3))

#define TWO(X)                                                                                               \
	X(hadd, s32, s32, s32, ((int64_t)x + y) >> 1, COST_INT(3))                                           \
	X(rhadd, s32, s32, s32, ((int64_t)x + y + 1) >> 1, COST_INT(3))                                      \
	X(uhadd, u32, u32, u32, ((uint64_t)x + y) >> 1, COST_INT(3))                                         \
	X(urhadd, u32, u32, u32, ((uint64_t)x + y + 1) >> 1, COST_INT(3))                                    \
	X(max, s32, s32, s32, x > y ? x : y, COST_INT(1))                                                    \
	X(min, s32, s32, s32, x < y ? x : y, COST_INT(1))                                                    \
	X(umax, u32, u32, u32, x > y ? x : y, COST_INT(1))                                                   \
	X(umin, u32, u32, u32, x < y ? x : y, COST_INT(1))                                                   \
	X(llmax, s64, s64, s64, x > y ? x : y, COST_INT(4))                                                  \
	X(llmin, s64, s64, s64, x < y ? x : y, COST_INT(4))                                                  \
	X(ullmax, u64, u64, u64, x > y ? x : y, COST_INT(4))                                                 \
	X(ullmin, u64, u64, u64, x < y ? x : y, COST_INT(4))                                                 \
	X(mul24, u32, s32, s32, (uint32_t)sign24(x) * (uint32_t)sign24(y), COST_INT(3))                      \
	X(umul24, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff), COST_INT(3))                               \
	X(mulhi, s32, s32, s32, ((int64_t)x * y) >> 32, COST_INT(2))                                         \
	X(umulhi, u32, u32, u32, ((uint64_t)x * y) >> 32, COST_INT(2))                                       \
	X(mul64hi, s64, s64, s64, ((__int128)x * y) >> 64, COST_INT(12))                                     \
	X(umul64hi, u64, u64, u64, ((unsigned __int128)x * y) >> 64, COST_INT(8))

#define THREE(X)                                                                                             \
	X(byte_perm, u32, u32, u32, u32, permute(x, y, z), COST_INT(2))                                      \
	X(sad, u32, s32, s32, u32, z + DISTANCE(uint32_t), COST_INT(1))                                      \
	X(usad, u32, u32, u32, u32, z + DISTANCE(uint32_t), COST_INT(1))

ONE(NATIVE_DEFINE1)
TWO(NATIVE_DEFINE2)
THREE(NATIVE_DEFINE3)

NATIVE_TABLE(native_integers, ONE(NATIVE_ENTRY1) TWO(NATIVE_ENTRY2) THREE(NATIVE_ENTRY3))
