/*
 * What the threads of a warp do together: shuffles, votes, matches, __syncwarp.
 *
 * All end in the .sync instructions; the names without _sync, which CUDA has
 * withdrawn, mean the threads that are active. Wider types go in 32-bit pieces.
 */
#ifndef SLUICE_CUDA_WARP_H
#define SLUICE_CUDA_WARP_H

#define SLUICE_WARP static __inline__ __device__ __attribute__((always_inline, unused))

SLUICE_WARP unsigned int __activemask(void)
{
	unsigned int mask;
	asm volatile("activemask.b32 %0;" : "=r"(mask));
	return mask;
}

/* `clamp`: bits 0-4 the last lane of a segment, bits 8-12 which lane bits name the segment. */
#define SLUICE_SHUFFLE(name, builtin, clamp, lane_type)                                                      \
	SLUICE_WARP int name##_sync(unsigned int mask, int value, lane_type lane, int width = warpSize)      \
	{                                                                                                    \
		return builtin(mask, value, (int)lane, ((warpSize - width) << 8) | (clamp));                 \
	}                                                                                                    \
	SLUICE_WARP unsigned int name##_sync(unsigned int mask, unsigned int value, lane_type lane,          \
	                                     int width = warpSize)                                           \
	{                                                                                                    \
		return (unsigned int)name##_sync(mask, (int)value, lane, width);                             \
	}                                                                                                    \
	SLUICE_WARP float name##_sync(unsigned int mask, float value, lane_type lane, int width = warpSize)  \
	{                                                                                                    \
		return __int_as_float(name##_sync(mask, __float_as_int(value), lane, width));                \
	}                                                                                                    \
	SLUICE_WARP unsigned long long name##_sync(unsigned int mask, unsigned long long value,              \
	                                           lane_type lane, int width = warpSize)                     \
	{                                                                                                    \
		unsigned int low = name##_sync(mask, (unsigned int)value, lane, width);                      \
		unsigned int high = name##_sync(mask, (unsigned int)(value >> 32), lane, width);             \
		return (unsigned long long)high << 32 | low;                                                 \
	}                                                                                                    \
	SLUICE_WARP long long name##_sync(unsigned int mask, long long value, lane_type lane,                \
	                                  int width = warpSize)                                              \
	{                                                                                                    \
		return (long long)name##_sync(mask, (unsigned long long)value, lane, width);                 \
	}                                                                                                    \
	SLUICE_WARP long name##_sync(unsigned int mask, long value, lane_type lane, int width = warpSize)    \
	{                                                                                                    \
		return (long)name##_sync(mask, (unsigned long long)value, lane, width);                      \
	}                                                                                                    \
	SLUICE_WARP unsigned long name##_sync(unsigned int mask, unsigned long value, lane_type lane,        \
	                                      int width = warpSize)                                          \
	{                                                                                                    \
		return (unsigned long)name##_sync(mask, (unsigned long long)value, lane, width);             \
	}                                                                                                    \
	SLUICE_WARP double name##_sync(unsigned int mask, double value, lane_type lane,                      \
	                               int width = warpSize)                                                 \
	{                                                                                                    \
		return __longlong_as_double(name##_sync(mask, __double_as_longlong(value), lane, width));    \
	}                                                                                                    \
	template <class T> SLUICE_WARP T name(T value, lane_type lane, int width = warpSize)                 \
	{                                                                                                    \
		return name##_sync(__activemask(), value, lane, width);                                      \
	}

SLUICE_SHUFFLE(__shfl, __nvvm_shfl_sync_idx_i32, 0x1f, int)
SLUICE_SHUFFLE(__shfl_up, __nvvm_shfl_sync_up_i32, 0, unsigned int)
SLUICE_SHUFFLE(__shfl_down, __nvvm_shfl_sync_down_i32, 0x1f, unsigned int)
SLUICE_SHUFFLE(__shfl_xor, __nvvm_shfl_sync_bfly_i32, 0x1f, int)
#undef SLUICE_SHUFFLE

SLUICE_WARP void __syncwarp(unsigned int mask = 0xffffffffu)
{
	__nvvm_bar_warp_sync(mask);
}

SLUICE_WARP int __all_sync(unsigned int mask, int predicate)
{
	return __nvvm_vote_all_sync(mask, predicate != 0);
}

SLUICE_WARP int __any_sync(unsigned int mask, int predicate)
{
	return __nvvm_vote_any_sync(mask, predicate != 0);
}

SLUICE_WARP int __uni_sync(unsigned int mask, int predicate)
{
	return __nvvm_vote_uni_sync(mask, predicate != 0);
}

SLUICE_WARP unsigned int __ballot_sync(unsigned int mask, int predicate)
{
	return __nvvm_vote_ballot_sync(mask, predicate != 0);
}

#define SLUICE_MATCH(type, as, bits)                                                                         \
	SLUICE_WARP unsigned int __match_any_sync(unsigned int mask, type value)                             \
	{                                                                                                    \
		return (unsigned int)__nvvm_match_any_sync_i##bits(mask, as(value));                         \
	}                                                                                                    \
	SLUICE_WARP unsigned int __match_all_sync(unsigned int mask, type value, int *predicate)             \
	{                                                                                                    \
		return (unsigned int)__nvvm_match_all_sync_i##bits##p(mask, as(value), predicate);           \
	}
SLUICE_MATCH(int, (unsigned int), 32)
SLUICE_MATCH(unsigned int, (unsigned int), 32)
SLUICE_MATCH(float, __float_as_uint, 32)
SLUICE_MATCH(long, (unsigned long long), 64)
SLUICE_MATCH(unsigned long, (unsigned long long), 64)
SLUICE_MATCH(long long, (unsigned long long), 64)
SLUICE_MATCH(unsigned long long, (unsigned long long), 64)
SLUICE_MATCH(double, __double_as_longlong, 64)
#undef SLUICE_MATCH

#if __CUDA_ARCH__ >= 800
#define SLUICE_REDUCE(name, type, operation)                                                                 \
	SLUICE_WARP type name(unsigned int mask, type value)                                                 \
	{                                                                                                    \
		type result;                                                                                 \
		asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
		return result;                                                                               \
	}
SLUICE_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
SLUICE_REDUCE(__reduce_add_sync, int, "add.s32")
SLUICE_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
SLUICE_REDUCE(__reduce_min_sync, int, "min.s32")
SLUICE_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
SLUICE_REDUCE(__reduce_max_sync, int, "max.s32")
SLUICE_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
SLUICE_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
SLUICE_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#else
/* A tree of shuffles would give the same for any set of lanes; so one lane asks all others. */
#define SLUICE_REDUCE(name, type, expression)                                                                \
	SLUICE_WARP type name(unsigned int mask, type value)                                                 \
	{                                                                                                    \
		unsigned int rest = mask & (mask - 1);                                                       \
		type a = __shfl_sync(mask, value, __ffs((int)mask) - 1);                                     \
		for (; rest; rest &= rest - 1) {                                                             \
			type b = __shfl_sync(mask, value, __ffs((int)rest) - 1);                             \
			a = (expression);                                                                    \
		}                                                                                            \
		return a;                                                                                    \
	}
SLUICE_REDUCE(__reduce_add_sync, unsigned int, a + b)
SLUICE_REDUCE(__reduce_add_sync, int, a + b)
SLUICE_REDUCE(__reduce_min_sync, unsigned int, a < b ? a : b)
SLUICE_REDUCE(__reduce_min_sync, int, a < b ? a : b)
SLUICE_REDUCE(__reduce_max_sync, unsigned int, a > b ? a : b)
SLUICE_REDUCE(__reduce_max_sync, int, a > b ? a : b)
SLUICE_REDUCE(__reduce_and_sync, unsigned int, a &b)
SLUICE_REDUCE(__reduce_or_sync, unsigned int, a | b)
SLUICE_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#endif
#undef SLUICE_REDUCE

/* Position of the offset-th set bit at or above (below, if negative) base; ~0 if there is none. */
SLUICE_WARP unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
	if (offset == 0)
		return mask >> base & 1 ? base : ~0u;
	int step = offset > 0 ? 1 : -1;
	for (int at = (int)base; at >= 0 && at < 32; at += step)
		if (mask >> at & 1 && (offset -= step) == 0)
			return (unsigned int)at;
	return ~0u;
}

#endif
