/* What only device code does with half and half2: functions, shuffles, loads, atomics. Part of cuda_fp16.h. */

#define SLUICE_HALF_FUNCTION(name, expression)                                                               \
	SLUICE_HALF_DEVICE __half h##name(const __half a)                                                    \
	{                                                                                                    \
		float x = __half2float(a);                                                                   \
		return __float2half(expression);                                                             \
	}                                                                                                    \
	SLUICE_HALF_DEVICE __half2 h2##name(const __half2 a)                                                 \
	{                                                                                                    \
		return __half2(h##name(a.x), h##name(a.y));                                                  \
	}
SLUICE_HALF_FUNCTION(sqrt, sqrtf(x))
SLUICE_HALF_FUNCTION(rsqrt, rsqrtf(x))
SLUICE_HALF_FUNCTION(rcp, 1.0f / x)
SLUICE_HALF_FUNCTION(exp, expf(x))
SLUICE_HALF_FUNCTION(exp2, exp2f(x))
SLUICE_HALF_FUNCTION(exp10, exp10f(x))
SLUICE_HALF_FUNCTION(log, logf(x))
SLUICE_HALF_FUNCTION(log2, log2f(x))
SLUICE_HALF_FUNCTION(log10, log10f(x))
SLUICE_HALF_FUNCTION(sin, sinf(x))
SLUICE_HALF_FUNCTION(cos, cosf(x))
SLUICE_HALF_FUNCTION(tanh, tanhf(x))
SLUICE_HALF_FUNCTION(floor, floorf(x))
SLUICE_HALF_FUNCTION(ceil, ceilf(x))
SLUICE_HALF_FUNCTION(rint, rintf(x))
SLUICE_HALF_FUNCTION(trunc, truncf(x))
#undef SLUICE_HALF_FUNCTION

SLUICE_HALF_DEVICE unsigned int sluice_half2_word(const __half2 a)
{
	return a.x.__x | (unsigned int)a.y.__x << 16;
}
SLUICE_HALF_DEVICE __half2 sluice_half2(unsigned int word)
{
	return __half2(sluice_half((unsigned short)word), sluice_half((unsigned short)(word >> 16)));
}

#define SLUICE_HALF_SHUFFLE(name, lane_type)                                                                 \
	SLUICE_HALF_DEVICE __half name(unsigned int mask, __half value, lane_type lane,                      \
	                               int width = warpSize)                                                 \
	{                                                                                                    \
		return sluice_half((unsigned short)name(mask, (unsigned int)value.__x, lane, width));        \
	}                                                                                                    \
	SLUICE_HALF_DEVICE __half2 name(unsigned int mask, __half2 value, lane_type lane,                    \
	                                int width = warpSize)                                                \
	{                                                                                                    \
		return sluice_half2(name(mask, sluice_half2_word(value), lane, width));                      \
	}
SLUICE_HALF_SHUFFLE(__shfl_sync, int)
SLUICE_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
SLUICE_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
SLUICE_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef SLUICE_HALF_SHUFFLE

#define SLUICE_HALF_LOAD(name)                                                                               \
	SLUICE_HALF_DEVICE __half name(const __half *address)                                                \
	{                                                                                                    \
		return sluice_half(name((const unsigned short *)address));                                   \
	}                                                                                                    \
	SLUICE_HALF_DEVICE __half2 name(const __half2 *address)                                              \
	{                                                                                                    \
		return sluice_half2(name((const unsigned int *)address));                                    \
	}
SLUICE_HALF_LOAD(__ldg)
SLUICE_HALF_LOAD(__ldca)
SLUICE_HALF_LOAD(__ldcg)
SLUICE_HALF_LOAD(__ldcs)
SLUICE_HALF_LOAD(__ldlu)
SLUICE_HALF_LOAD(__ldcv)
#undef SLUICE_HALF_LOAD

#define SLUICE_HALF_STORE(name)                                                                              \
	SLUICE_HALF_DEVICE void name(__half *address, const __half value)                                    \
	{                                                                                                    \
		name((unsigned short *)address, value.__x);                                                  \
	}                                                                                                    \
	SLUICE_HALF_DEVICE void name(__half2 *address, const __half2 value)                                  \
	{                                                                                                    \
		name((unsigned int *)address, sluice_half2_word(value));                                     \
	}
SLUICE_HALF_STORE(__stwb)
SLUICE_HALF_STORE(__stcg)
SLUICE_HALF_STORE(__stcs)
SLUICE_HALF_STORE(__stwt)
#undef SLUICE_HALF_STORE

SLUICE_HALF_DEVICE __half atomicAdd(__half *address, __half value)
{
	unsigned short old;
	asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
	             : "=h"(old)
	             : "l"(address), "h"(value.__x)
	             : "memory");
	return sluice_half(old);
}
SLUICE_HALF_DEVICE __half2 atomicAdd(__half2 *address, __half2 value)
{
	unsigned int old;
	asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
	             : "=r"(old)
	             : "l"(address), "r"(sluice_half2_word(value))
	             : "memory");
	return sluice_half2(old);
}
