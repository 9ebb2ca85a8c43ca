/*
 * Loads and stores with a cache operator (__ldg, __ldcg, __stwt ...), bit
 * functions and clocks that clang's own headers leave out.
 */
#ifndef SLUICE_CUDA_MEMORY_OPS_H
#define SLUICE_CUDA_MEMORY_OPS_H

#define SLUICE_MEMORY static __inline__ __device__ __attribute__((always_inline, unused))

/* ---- loads and stores: type, PTX type, register constraint, type of the register --------------------------- */

#define SLUICE_LOAD1(name, op, type, ptx, constraint, reg)                                                   \
	SLUICE_MEMORY type name(const type *address)                                                         \
	{                                                                                                    \
		reg x;                                                                                       \
		asm("ld.global." op "." ptx " %0, [%1];" : "=" constraint(x) : "l"(address) : "memory");     \
		return (type)x;                                                                              \
	}
#define SLUICE_LOAD2(name, op, type, ptx, constraint, reg)                                                   \
	SLUICE_MEMORY type name(const type *address)                                                         \
	{                                                                                                    \
		reg x, y;                                                                                    \
		asm("ld.global." op ".v2." ptx " {%0,%1}, [%2];"                                             \
		    : "=" constraint(x), "=" constraint(y)                                                   \
		    : "l"(address)                                                                           \
		    : "memory");                                                                             \
		type v;                                                                                      \
		v.x = x, v.y = y;                                                                            \
		return v;                                                                                    \
	}
#define SLUICE_LOAD4(name, op, type, ptx, constraint, reg)                                                   \
	SLUICE_MEMORY type name(const type *address)                                                         \
	{                                                                                                    \
		reg x, y, z, w;                                                                              \
		asm("ld.global." op ".v4." ptx " {%0,%1,%2,%3}, [%4];"                                       \
		    : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w)             \
		    : "l"(address)                                                                           \
		    : "memory");                                                                             \
		type v;                                                                                      \
		v.x = x, v.y = y, v.z = z, v.w = w;                                                          \
		return v;                                                                                    \
	}
#define SLUICE_STORE1(name, op, type, ptx, constraint, reg)                                                  \
	SLUICE_MEMORY void name(type *address, type v)                                                       \
	{                                                                                                    \
		asm volatile("st.global." op "." ptx " [%0], %1;" ::"l"(address), constraint((reg)v)         \
		             : "memory");                                                                    \
	}
#define SLUICE_STORE2(name, op, type, ptx, constraint, reg)                                                  \
	SLUICE_MEMORY void name(type *address, type v)                                                       \
	{                                                                                                    \
		asm volatile("st.global." op ".v2." ptx " [%0], {%1,%2};" ::"l"(address),                    \
		             constraint((reg)v.x), constraint((reg)v.y)                                      \
		             : "memory");                                                                    \
	}
#define SLUICE_STORE4(name, op, type, ptx, constraint, reg)                                                  \
	SLUICE_MEMORY void name(type *address, type v)                                                       \
	{                                                                                                    \
		asm volatile("st.global." op ".v4." ptx " [%0], {%1,%2,%3,%4};" ::"l"(address),              \
		             constraint((reg)v.x), constraint((reg)v.y), constraint((reg)v.z),               \
		             constraint((reg)v.w)                                                            \
		             : "memory");                                                                    \
	}
#define SLUICE_ACCESSES(A1, A2, A4, name, op)                                                                \
	A1(name, op, char, "s8", "r", int)                                                                   \
	A1(name, op, signed char, "s8", "r", int)                                                            \
	A1(name, op, unsigned char, "u8", "r", unsigned int)                                                 \
	A1(name, op, short, "s16", "h", short)                                                               \
	A1(name, op, unsigned short, "u16", "h", unsigned short)                                             \
	A1(name, op, int, "s32", "r", int)                                                                   \
	A1(name, op, unsigned int, "u32", "r", unsigned int)                                                 \
	A1(name, op, long, "s64", "l", long)                                                                 \
	A1(name, op, unsigned long, "u64", "l", unsigned long)                                               \
	A1(name, op, long long, "s64", "l", long long)                                                       \
	A1(name, op, unsigned long long, "u64", "l", unsigned long long)                                     \
	A1(name, op, float, "f32", "f", float)                                                               \
	A1(name, op, double, "f64", "d", double)                                                             \
	A2(name, op, char2, "s8", "r", int)                                                                  \
	A2(name, op, uchar2, "u8", "r", unsigned int)                                                        \
	A2(name, op, short2, "s16", "h", short)                                                              \
	A2(name, op, ushort2, "u16", "h", unsigned short)                                                    \
	A2(name, op, int2, "s32", "r", int)                                                                  \
	A2(name, op, uint2, "u32", "r", unsigned int)                                                        \
	A2(name, op, longlong2, "s64", "l", long long)                                                       \
	A2(name, op, ulonglong2, "u64", "l", unsigned long long)                                             \
	A2(name, op, float2, "f32", "f", float)                                                              \
	A2(name, op, double2, "f64", "d", double)                                                            \
	A4(name, op, char4, "s8", "r", int)                                                                  \
	A4(name, op, uchar4, "u8", "r", unsigned int)                                                        \
	A4(name, op, short4, "s16", "h", short)                                                              \
	A4(name, op, ushort4, "u16", "h", unsigned short)                                                    \
	A4(name, op, int4, "s32", "r", int)                                                                  \
	A4(name, op, uint4, "u32", "r", unsigned int)                                                        \
	A4(name, op, float4, "f32", "f", float)
#define SLUICE_LOADS(name, op) SLUICE_ACCESSES(SLUICE_LOAD1, SLUICE_LOAD2, SLUICE_LOAD4, name, op)
#define SLUICE_STORES(name, op) SLUICE_ACCESSES(SLUICE_STORE1, SLUICE_STORE2, SLUICE_STORE4, name, op)
SLUICE_LOADS(__ldca, "ca")
SLUICE_LOADS(__ldcg, "cg")
SLUICE_LOADS(__ldcs, "cs")
SLUICE_LOADS(__ldlu, "lu")
SLUICE_LOADS(__ldcv, "cv")
SLUICE_STORES(__stwb, "wb")
SLUICE_STORES(__stcg, "cg")
SLUICE_STORES(__stcs, "cs")
SLUICE_STORES(__stwt, "wt")
#undef SLUICE_STORES
#undef SLUICE_LOADS
#undef SLUICE_ACCESSES
#undef SLUICE_LOAD1
#undef SLUICE_LOAD2
#undef SLUICE_LOAD4
#undef SLUICE_STORE1
#undef SLUICE_STORE2
#undef SLUICE_STORE4

/* Through builtins, unlike the others, so that the compiler may move them and fold offsets into addresses. */
#define SLUICE_LDG1(type, suffix)                                                                            \
	SLUICE_MEMORY type __ldg(const type *address)                                                        \
	{                                                                                                    \
		return (type)__nvvm_ldg_##suffix(address);                                                   \
	}
#define SLUICE_LDG(type, n, element, suffix)                                                                 \
	SLUICE_MEMORY type __ldg(const type *address)                                                        \
	{                                                                                                    \
		typedef element lanes __attribute__((ext_vector_type(n)));                                   \
		lanes texel = __nvvm_ldg_##suffix((const lanes *)address);                                   \
		type v;                                                                                      \
		__builtin_memcpy(&v, &texel, sizeof v);                                                      \
		return v;                                                                                    \
	}
SLUICE_LDG1(char, c)
SLUICE_LDG1(short, s)
SLUICE_LDG1(int, i)
SLUICE_LDG1(long, l)
SLUICE_LDG1(long long, ll)
SLUICE_LDG1(unsigned char, uc)
SLUICE_LDG1(unsigned short, us)
SLUICE_LDG1(unsigned int, ui)
SLUICE_LDG1(unsigned long, ul)
SLUICE_LDG1(unsigned long long, ull)
SLUICE_LDG1(float, f)
SLUICE_LDG1(double, d)
SLUICE_LDG(char2, 2, char, c2)
SLUICE_LDG(char4, 4, char, c4)
SLUICE_LDG(short2, 2, short, s2)
SLUICE_LDG(short4, 4, short, s4)
SLUICE_LDG(int2, 2, int, i2)
SLUICE_LDG(int4, 4, int, i4)
SLUICE_LDG(longlong2, 2, long long, ll2)
SLUICE_LDG(uchar2, 2, unsigned char, uc2)
SLUICE_LDG(uchar4, 4, unsigned char, uc4)
SLUICE_LDG(ushort2, 2, unsigned short, us2)
SLUICE_LDG(ushort4, 4, unsigned short, us4)
SLUICE_LDG(uint2, 2, unsigned int, ui2)
SLUICE_LDG(uint4, 4, unsigned int, ui4)
SLUICE_LDG(ulonglong2, 2, unsigned long long, ull2)
SLUICE_LDG(float2, 2, float, f2)
SLUICE_LDG(float4, 4, float, f4)
SLUICE_LDG(double2, 2, double, d2)
SLUICE_MEMORY signed char __ldg(const signed char *address)
{
	return (signed char)__ldg((const char *)address);
}
#undef SLUICE_LDG
#undef SLUICE_LDG1

/* ---- bits ----------------------------------------------------------------------------------------------- */

#define SLUICE_FUNNEL(name, op)                                                                              \
	SLUICE_MEMORY unsigned int name(unsigned int low, unsigned int high, unsigned int shift)             \
	{                                                                                                    \
		unsigned int x;                                                                              \
		asm("shf." op ".b32 %0, %1, %2, %3;" : "=r"(x) : "r"(low), "r"(high), "r"(shift));           \
		return x;                                                                                    \
	}
SLUICE_FUNNEL(__funnelshift_l, "l.wrap")
SLUICE_FUNNEL(__funnelshift_lc, "l.clamp")
SLUICE_FUNNEL(__funnelshift_r, "r.wrap")
SLUICE_FUNNEL(__funnelshift_rc, "r.clamp")
#undef SLUICE_FUNNEL

/* Four 8-bit products and a sum; dp2a takes the low or high two bytes of b with the two halves of a. */
#define SLUICE_DOT(name, op, type, a_type, b_type)                                                           \
	SLUICE_MEMORY type name(a_type a, b_type b, type c)                                                  \
	{                                                                                                    \
		type d;                                                                                      \
		unsigned int wa, wb;                                                                         \
		__builtin_memcpy(&wa, &a, 4);                                                                \
		__builtin_memcpy(&wb, &b, 4);                                                                \
		asm(op " %0, %1, %2, %3;" : "=r"(d) : "r"(wa), "r"(wb), "r"(c));                             \
		return d;                                                                                    \
	}
SLUICE_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
SLUICE_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
SLUICE_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
SLUICE_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4, uchar4)
SLUICE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
SLUICE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
SLUICE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
SLUICE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, ushort2, uchar4)
SLUICE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
SLUICE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
SLUICE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
SLUICE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, ushort2, uchar4)
#undef SLUICE_DOT

/* ---- address spaces --------------------------------------------------------------------------------------- */

#define SLUICE_IS_SPACE(name, space)                                                                         \
	SLUICE_MEMORY unsigned int name(const void *address)                                                 \
	{                                                                                                    \
		unsigned int is;                                                                             \
		asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }"                      \
		    : "=r"(is)                                                                               \
		    : "l"(address));                                                                         \
		return is;                                                                                   \
	}
SLUICE_IS_SPACE(__isGlobal, "global")
SLUICE_IS_SPACE(__isShared, "shared")
SLUICE_IS_SPACE(__isLocal, "local")
SLUICE_IS_SPACE(__isConstant, "const")
#undef SLUICE_IS_SPACE

#define SLUICE_CONVERT(space, number)                                                                        \
	SLUICE_MEMORY size_t __cvta_generic_to_##space(const void *address)                                  \
	{                                                                                                    \
		return (size_t)(const void __attribute__((address_space(number))) *)address;                 \
	}                                                                                                    \
	SLUICE_MEMORY void *__cvta_##space##_to_generic(size_t address)                                      \
	{                                                                                                    \
		return (void *)(void __attribute__((address_space(number))) *)address;                       \
	}
SLUICE_CONVERT(global, 1)
SLUICE_CONVERT(shared, 3)
SLUICE_CONVERT(constant, 4)
SLUICE_CONVERT(local, 5)
#undef SLUICE_CONVERT

/* ---- time ----------------------------------------------------------------------------------------------- */

/* Counters of a profiler that is not there. */
#undef __prof_trigger
#define __prof_trigger(counter) ((void)(counter))

SLUICE_MEMORY void __nanosleep(unsigned int nanoseconds)
{
	asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

#undef SLUICE_MEMORY

#endif
