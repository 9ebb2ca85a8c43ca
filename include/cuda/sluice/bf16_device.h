/* What only device code does with bfloat16 and pairs of it: functions, shuffles, loads, atomics. Part of cuda_bf16.h. */

#define SLUICE_BF16_FUNCTION(name, expression)                                                               \
	SLUICE_BF16_DEVICE __nv_bfloat16 h##name(const __nv_bfloat16 a)                                      \
	{                                                                                                    \
		float x = __bfloat162float(a);                                                               \
		return __float2bfloat16(expression);                                                         \
	}                                                                                                    \
	SLUICE_BF16_DEVICE __nv_bfloat162 h2##name(const __nv_bfloat162 a)                                   \
	{                                                                                                    \
		return __nv_bfloat162(h##name(a.x), h##name(a.y));                                           \
	}
SLUICE_BF16_FUNCTION(sqrt, sqrtf(x))
SLUICE_BF16_FUNCTION(rsqrt, rsqrtf(x))
SLUICE_BF16_FUNCTION(rcp, 1.0f / x)
SLUICE_BF16_FUNCTION(exp, expf(x))
SLUICE_BF16_FUNCTION(exp2, exp2f(x))
SLUICE_BF16_FUNCTION(exp10, exp10f(x))
SLUICE_BF16_FUNCTION(log, logf(x))
SLUICE_BF16_FUNCTION(log2, log2f(x))
SLUICE_BF16_FUNCTION(log10, log10f(x))
SLUICE_BF16_FUNCTION(sin, sinf(x))
SLUICE_BF16_FUNCTION(cos, cosf(x))
SLUICE_BF16_FUNCTION(tanh, tanhf(x))
SLUICE_BF16_FUNCTION(floor, floorf(x))
SLUICE_BF16_FUNCTION(ceil, ceilf(x))
SLUICE_BF16_FUNCTION(rint, rintf(x))
SLUICE_BF16_FUNCTION(trunc, truncf(x))
#undef SLUICE_BF16_FUNCTION

SLUICE_BF16_DEVICE unsigned int sluice_bf162_word(const __nv_bfloat162 a)
{
	return a.x.__x | (unsigned int)a.y.__x << 16;
}
SLUICE_BF16_DEVICE __nv_bfloat162 sluice_bf162(unsigned int word)
{
	return __nv_bfloat162(__ushort_as_bfloat16((unsigned short)word),
	                      __ushort_as_bfloat16((unsigned short)(word >> 16)));
}

#define SLUICE_BF16_SHUFFLE(name, lane_type)                                                                 \
	SLUICE_BF16_DEVICE __nv_bfloat16 name(unsigned int mask, __nv_bfloat16 value, lane_type lane,        \
	                                      int width = warpSize)                                          \
	{                                                                                                    \
		return __ushort_as_bfloat16(                                                                 \
		    (unsigned short)name(mask, (unsigned int)value.__x, lane, width));                       \
	}                                                                                                    \
	SLUICE_BF16_DEVICE __nv_bfloat162 name(unsigned int mask, __nv_bfloat162 value, lane_type lane,      \
	                                       int width = warpSize)                                         \
	{                                                                                                    \
		return sluice_bf162(name(mask, sluice_bf162_word(value), lane, width));                      \
	}
SLUICE_BF16_SHUFFLE(__shfl_sync, int)
SLUICE_BF16_SHUFFLE(__shfl_up_sync, unsigned int)
SLUICE_BF16_SHUFFLE(__shfl_down_sync, unsigned int)
SLUICE_BF16_SHUFFLE(__shfl_xor_sync, int)
#undef SLUICE_BF16_SHUFFLE

#define SLUICE_BF16_LOAD(name)                                                                               \
	SLUICE_BF16_DEVICE __nv_bfloat16 name(const __nv_bfloat16 *address)                                  \
	{                                                                                                    \
		return __ushort_as_bfloat16(name((const unsigned short *)address));                          \
	}                                                                                                    \
	SLUICE_BF16_DEVICE __nv_bfloat162 name(const __nv_bfloat162 *address)                                \
	{                                                                                                    \
		return sluice_bf162(name((const unsigned int *)address));                                    \
	}
SLUICE_BF16_LOAD(__ldg)
SLUICE_BF16_LOAD(__ldca)
SLUICE_BF16_LOAD(__ldcg)
SLUICE_BF16_LOAD(__ldcs)
SLUICE_BF16_LOAD(__ldlu)
SLUICE_BF16_LOAD(__ldcv)
#undef SLUICE_BF16_LOAD

#define SLUICE_BF16_STORE(name)                                                                              \
	SLUICE_BF16_DEVICE void name(__nv_bfloat16 *address, const __nv_bfloat16 value)                      \
	{                                                                                                    \
		name((unsigned short *)address, value.__x);                                                  \
	}                                                                                                    \
	SLUICE_BF16_DEVICE void name(__nv_bfloat162 *address, const __nv_bfloat162 value)                    \
	{                                                                                                    \
		name((unsigned int *)address, sluice_bf162_word(value));                                     \
	}
SLUICE_BF16_STORE(__stwb)
SLUICE_BF16_STORE(__stcg)
SLUICE_BF16_STORE(__stcs)
SLUICE_BF16_STORE(__stwt)
#undef SLUICE_BF16_STORE

/* By compare-and-swap of the word, as before sm_90. */
SLUICE_BF16_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, const __nv_bfloat16 value)
{
	unsigned short old = *(volatile unsigned short *)address, seen;
	while ((seen = atomicCAS((unsigned short *)address, old,
	                         __hadd(__ushort_as_bfloat16(old), value).__x)) != old)
		old = seen;
	return __ushort_as_bfloat16(old);
}
SLUICE_BF16_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, const __nv_bfloat162 value)
{
	unsigned int old = *(volatile unsigned int *)address, seen;
	while ((seen = atomicCAS((unsigned int *)address, old,
	                         sluice_bf162_word(__hadd2(sluice_bf162(old), value)))) != old)
		old = seen;
	return sluice_bf162(old);
}
