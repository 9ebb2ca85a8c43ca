/* Half precision as bits: conversions that everything else is built on. Part of cuda_fp16.h. */

/* Rounded as `mode` says: 0 to nearest even, 1 towards zero, 2 down, 3 up. */
SLUICE_HALF unsigned short sluice_half_round(double d, int mode)
{
	unsigned long long bits;
	memcpy(&bits, &d, sizeof bits);
	unsigned int sign = (unsigned int)(bits >> 48) & 0x8000;
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	unsigned long long fraction = bits & 0xfffffffffffffull;
	if (exponent == 1024)
		return (unsigned short)(fraction ? 0x7fff : sign | 0x7c00);
	if (exponent < -60)
		fraction = (bits << 1) != 0,
		exponent = -60; /* a denormal double: only that it is not zero counts */
	else
		fraction |= 0x10000000000000ull;
	/* Steps of 2^-24 below the normal numbers, of 2^(exponent-10) among them. */
	int shift = exponent < -14 ? 52 - 24 - exponent : 42;
	unsigned long long kept = shift < 64 ? fraction >> shift : 0;
	unsigned long long rest = shift < 64 ? fraction & ((1ull << shift) - 1) : fraction;
	unsigned long long tie = shift < 65 ? 1ull << (shift - 1) : ~0ull;
	bool is_up = mode == 0 ? rest > tie || (rest == tie && (kept & 1))
	                       : rest && ((mode == 2 && sign) || (mode == 3 && !sign));
	unsigned int half = (unsigned int)kept + is_up;
	if (exponent >= -14)
		half += (unsigned int)(exponent + 14) << 10;
	if (exponent > 15 || half > 0x7bff) {
		bool is_infinite = mode == 0 || (mode == 2 && sign) || (mode == 3 && !sign);
		half = is_infinite ? 0x7c00 : 0x7bff;
	}
	return (unsigned short)(sign | half);
}

SLUICE_HALF float sluice_half_to_float(unsigned short half)
{
#ifdef __CUDA_ARCH__
	float f;
	asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(half));
	return f;
#else
	unsigned int sign = (unsigned int)(half & 0x8000) << 16, bits = half & 0x7fff;
	float f;
	if (bits >= 0x7c00)
		bits = 0x7f800000 | (bits & 0x3ff) << 13;
	else if (bits >= 0x400)
		bits = (bits << 13) + 0x38000000;
	else {
		f = (float)bits * 0x1p-24f;
		memcpy(&bits, &f, sizeof bits);
	}
	bits |= sign;
	memcpy(&f, &bits, sizeof f);
	return f;
#endif
}

#ifdef __CUDA_ARCH__
#define SLUICE_HALF_CVT(ptx, constraint, value)                                                              \
	unsigned short h;                                                                                    \
	asm("cvt." ptx " %0, %1;" : "=h"(h) : constraint(value));                                            \
	return h;
#else
#define SLUICE_HALF_CVT(ptx, constraint, value) return sluice_half_round((double)(value), sluice_mode);
#endif
#define SLUICE_HALF_FROM(name, mode, rounding)                                                               \
	SLUICE_HALF unsigned short name(float f)                                                             \
	{                                                                                                    \
		const int sluice_mode = mode;                                                                \
		(void)sluice_mode;                                                                           \
		SLUICE_HALF_CVT(rounding ".f16.f32", "f", f)                                                 \
	}
SLUICE_HALF_FROM(sluice_half_from_float, 0, "rn")
SLUICE_HALF_FROM(sluice_half_from_float_rz, 1, "rz")
SLUICE_HALF_FROM(sluice_half_from_float_rd, 2, "rm")
SLUICE_HALF_FROM(sluice_half_from_float_ru, 3, "rp")
SLUICE_HALF unsigned short sluice_half_from_double(double d)
{
	const int sluice_mode = 0;
	(void)sluice_mode;
	SLUICE_HALF_CVT("rn.f16.f64", "d", d)
}
#undef SLUICE_HALF_FROM
#undef SLUICE_HALF_CVT
