/* Integer device functions: min, max, abs overloads, counts, averages, funnel shifts, 24-bit products. */
#include "op.h"

FUNCTION(min_int, int, int, min(a, b), a < b ? a : b)
FUNCTION(max_unsigned, unsigned, unsigned, max(a, b), a > b ? a : b)
FUNCTION(min_long_long, long long, long long, min(a, b), a < b ? a : b)
FUNCTION(max_unsigned_long_long, unsigned long long, unsigned long long, max(a, b), a > b ? a : b)
FUNCTION(abs_int, int, int, abs(a | 1), (a | 1) < 0 ? (int)(0u - (unsigned)(a | 1)) : (a | 1))
FUNCTION(ffs_int, int, int, __ffs(a), __builtin_ffs(a))
FUNCTION(ffs_long_long, int, long long, __ffsll(a), __builtin_ffsll(a))
FUNCTION(clz_int, int, int, __clz(a), a ? __builtin_clz((unsigned)a) : 32)
FUNCTION(popc_long_long, int, unsigned long long, __popcll(a), __builtin_popcountll(a))
FUNCTION(average, int, int, __hadd(a, b), (int)(((long long)a + b) >> 1))
FUNCTION(rounded_average, int, int, __rhadd(a, b), (int)(((long long)a + b + 1) >> 1))
FUNCTION(sad, unsigned, unsigned, __usad(a, b, c), c + (a > b ? a - b : b - a))
FUNCTION(funnel_left, unsigned, unsigned, __funnelshift_l(a, b, c),
         (unsigned)((((uint64_t)b << 32 | a) << (c & 31)) >> 32))
FUNCTION(mul24, int, int, __mul24(a, b),
         (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8)))
FUNCTION(umul24, unsigned, unsigned, __umul24(a, b), (a & 0xffffff) * (b & 0xffffff))

OPS("int_functions")
