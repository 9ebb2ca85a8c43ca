/*
 * atomicAdd() and its relatives, with the _block and _system scopes, on top of
 * clang's type-named functions. What CUDA lacks (atomicAdd of long long) is
 * lacking here, too.
 */
#ifndef SLUICE_CUDA_ATOMICS_H
#define SLUICE_CUDA_ATOMICS_H

#define SLUICE_ATOMIC static __inline__ __device__ __attribute__((always_inline, unused))

/* One function for each scope: the plain name is the whole device. */
#define SLUICE_SCOPES(define, name, type, impl)                                                              \
	define(name, type, impl, ) define(name, type, impl, _block) define(name, type, impl, _system)
#define SLUICE_ATOMIC_OP(name, type, impl, scope)                                                            \
	SLUICE_ATOMIC type name##scope(type *address, type value)                                            \
	{                                                                                                    \
		return impl##scope(address, value);                                                          \
	}
#define SLUICE_ATOMIC_SUB(name, type, impl, scope)                                                           \
	SLUICE_ATOMIC type name##scope(type *address, type value)                                            \
	{                                                                                                    \
		return impl##scope(address, (type)0 - value);                                                \
	}
#define SLUICE_ATOMIC_CAS(name, type, impl, scope)                                                           \
	SLUICE_ATOMIC type name##scope(type *address, type expected, type value)                             \
	{                                                                                                    \
		return impl##scope(address, expected, value);                                                \
	}

#define SLUICE_ATOMICS(A)                                                                                    \
	A(atomicAdd, int, __iAtomicAdd)                                                                      \
	A(atomicAdd, unsigned int, __uAtomicAdd)                                                             \
	A(atomicAdd, unsigned long long, __ullAtomicAdd)                                                     \
	A(atomicAdd, float, __fAtomicAdd)                                                                    \
	A(atomicAdd, double, __dAtomicAdd)                                                                   \
	A(atomicExch, int, __iAtomicExch)                                                                    \
	A(atomicExch, unsigned int, __uAtomicExch)                                                           \
	A(atomicExch, unsigned long long, __ullAtomicExch)                                                   \
	A(atomicExch, float, __fAtomicExch)                                                                  \
	A(atomicMin, int, __iAtomicMin)                                                                      \
	A(atomicMin, unsigned int, __uAtomicMin)                                                             \
	A(atomicMin, long long, __illAtomicMin)                                                              \
	A(atomicMin, unsigned long long, __ullAtomicMin)                                                     \
	A(atomicMax, int, __iAtomicMax)                                                                      \
	A(atomicMax, unsigned int, __uAtomicMax)                                                             \
	A(atomicMax, long long, __illAtomicMax)                                                              \
	A(atomicMax, unsigned long long, __ullAtomicMax)                                                     \
	A(atomicInc, unsigned int, __uAtomicInc)                                                             \
	A(atomicDec, unsigned int, __uAtomicDec)                                                             \
	A(atomicAnd, int, __iAtomicAnd)                                                                      \
	A(atomicAnd, unsigned int, __uAtomicAnd)                                                             \
	A(atomicAnd, long long, __llAtomicAnd)                                                               \
	A(atomicAnd, unsigned long long, __ullAtomicAnd)                                                     \
	A(atomicOr, int, __iAtomicOr)                                                                        \
	A(atomicOr, unsigned int, __uAtomicOr)                                                               \
	A(atomicOr, long long, __llAtomicOr)                                                                 \
	A(atomicOr, unsigned long long, __ullAtomicOr)                                                       \
	A(atomicXor, int, __iAtomicXor)                                                                      \
	A(atomicXor, unsigned int, __uAtomicXor)                                                             \
	A(atomicXor, long long, __llAtomicXor)                                                               \
	A(atomicXor, unsigned long long, __ullAtomicXor)
#define SLUICE_DEFINE(name, type, impl) SLUICE_SCOPES(SLUICE_ATOMIC_OP, name, type, impl)
SLUICE_ATOMICS(SLUICE_DEFINE)
SLUICE_SCOPES(SLUICE_ATOMIC_SUB, atomicSub, int, __iAtomicAdd)
SLUICE_SCOPES(SLUICE_ATOMIC_SUB, atomicSub, unsigned int, __uAtomicAdd)
SLUICE_SCOPES(SLUICE_ATOMIC_CAS, atomicCAS, int, __iAtomicCAS)
SLUICE_SCOPES(SLUICE_ATOMIC_CAS, atomicCAS, unsigned int, __uAtomicCAS)
SLUICE_SCOPES(SLUICE_ATOMIC_CAS, atomicCAS, unsigned long long, __ullAtomicCAS)
#undef SLUICE_DEFINE
#undef SLUICE_ATOMICS
#undef SLUICE_ATOMIC_CAS
#undef SLUICE_ATOMIC_SUB
#undef SLUICE_ATOMIC_OP
#undef SLUICE_SCOPES

/* Sixteen bits, by exchanging the word around them. */
SLUICE_ATOMIC unsigned short atomicCAS(unsigned short *address, unsigned short expected, unsigned short value)
{
	unsigned int *word = (unsigned int *)((unsigned long long)address & ~3ull);
	unsigned int shift = ((unsigned long long)address & 2) * 8;
	unsigned int old = *(volatile unsigned int *)word;
	for (;;) {
		unsigned short half = (unsigned short)(old >> shift);
		if (half != expected)
			return half;
		unsigned int seen =
		    __uAtomicCAS(word, old, (old & ~(0xffffu << shift)) | (unsigned int)value << shift);
		if (seen == old)
			return half;
		old = seen;
	}
}

#endif
