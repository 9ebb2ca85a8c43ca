/* make_int4() and its relatives, on both sides. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define SLUICE_MAKER static __inline__ __host__ __device__ __attribute__((unused))
#define SLUICE_DEFINE_MAKERS(name, element, align2, align4)                                                  \
	SLUICE_MAKER name##1 make_##name##1(element x)                                                       \
	{                                                                                                    \
		name##1 v = {x};                                                                             \
		return v;                                                                                    \
	}                                                                                                    \
	SLUICE_MAKER name##2 make_##name##2(element x, element y)                                            \
	{                                                                                                    \
		name##2 v = {x, y};                                                                          \
		return v;                                                                                    \
	}                                                                                                    \
	SLUICE_MAKER name##3 make_##name##3(element x, element y, element z)                                 \
	{                                                                                                    \
		name##3 v = {x, y, z};                                                                       \
		return v;                                                                                    \
	}                                                                                                    \
	SLUICE_MAKER name##4 make_##name##4(element x, element y, element z, element w)                      \
	{                                                                                                    \
		name##4 v = {x, y, z, w};                                                                    \
		return v;                                                                                    \
	}

SLUICE_VECTOR_KINDS(SLUICE_DEFINE_MAKERS)
#undef SLUICE_DEFINE_MAKERS
#undef SLUICE_MAKER

#endif
